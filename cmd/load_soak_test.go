//go:build soak

package cmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"sync"
	"testing"
	"time"

	"oxo"
	"oxo/web/client"
)

// How long a load is kept up, and how long each move of its games takes.
const (
	loadTime = 30 * time.Second
	moveTime = 500 * time.Millisecond
)

// TestLoadPerfect has 100 games in play against perfect.
func TestLoadPerfect(t *testing.T) {
	s := revive(t, t.TempDir())
	ctx, cancel := context.WithTimeout(t.Context(), loadTime)
	defer cancel()
	choose := func(ctx context.Context, moves []string) (string, string, []string, error) {
		var r struct {
			Move  string
			State struct {
				Result string
				Moves  []string
			}
		}
		err := s.Do(ctx, http.MethodPost, "/choose",
			map[string]any{"game": "ttt", "moves": moves, "player": "perfect", "seed": 1}, &r)
		return r.Move, r.State.Result, r.State.Moves, err
	}
	if _, _, _, err := choose(ctx, nil); err != nil { // solves the game
		t.Fatal(err)
	}
	var l latencies
	var games sync.WaitGroup
	for i := range 100 {
		games.Go(func() {
			r := rand.New(rand.NewPCG(1, uint64(i)))
			time.Sleep(moveTime * time.Duration(i) / 100)
			tick := time.NewTicker(moveTime)
			defer tick.Stop()
			moves := []string{}
			for {
				select {
				case <-ctx.Done():
					return
				case <-tick.C:
				}
				begin := time.Now()
				move, result, legal, err := choose(context.WithoutCancel(ctx), moves)
				l.add(time.Since(begin))
				if err != nil {
					t.Error(err)
					return
				}
				if moves = append(moves, move); result == "*" {
					moves = append(moves, legal[r.IntN(len(legal))])
				}
				if result != "*" || len(legal) == 1 {
					moves = moves[:0]
				}
			}
		})
	}
	games.Wait()
	t.Logf("moves against perfect, 100 games in play: %v; %s (aim: p99 < 5 ms)", &l, usage(t, s))
	s.kill()
}

// TestLoadBots has 1,000 games in play between 100 bots, each game at two
// moves a second.
func TestLoadBots(t *testing.T) {
	const bots, games, spec = 100, 1000, "ultimate"
	s := revive(t, t.TempDir())
	ctx, cancel := context.WithTimeout(t.Context(), 10*loadTime)
	defer cancel()
	tokens := make([]string, bots)
	for i := range tokens {
		var made struct{ Token string }
		if err := s.Do(ctx, http.MethodPost, "/bots", map[string]string{"name": fmt.Sprint("bot", i)},
			&made); err != nil {
			t.Fatal(err)
		}
		tokens[i] = made.Token
	}
	var l latencies
	var over sync.WaitGroup
	var mu sync.Mutex
	acknowledged := map[string]map[int]string{} // by game and ply
	begin := make(chan struct{})
	var since time.Time // set before begin is closed
	for i := range games {
		pair := [2]client.Client{{URL: s.URL, Token: tokens[i%bots]}, {URL: s.URL, Token: tokens[(i+1+i/bots)%bots]}}
		id, err := seekAndAccept(ctx, pair, spec)
		if err != nil {
			t.Fatal(err)
		}
		acknowledged[id] = map[int]string{}
		for side, seat := range []string{"first", "second"} {
			over.Go(func() {
				r := rand.New(rand.NewPCG(uint64(side), uint64(i)))
				answered := -1
				err := pair[side].Watch(ctx, id, func(g client.GameState) error {
					if len(g.Legal) == 0 || g.Turn != seat || g.Ply <= answered || g.Ply >= int(loadTime/moveTime) {
						if g.Ply >= int(loadTime/moveTime) {
							return errEnough
						}
						return nil
					}
					answered = g.Ply
					<-begin
					time.Sleep(time.Until(since.Add(moveTime*time.Duration(i)/games + moveTime*time.Duration(g.Ply))))
					move := g.Legal[r.IntN(len(g.Legal))]
					sent := time.Now()
					err := pair[side].Move(ctx, id, move, g.Ply)
					l.add(time.Since(sent))
					if err == nil {
						mu.Lock()
						acknowledged[id][g.Ply] = move
						mu.Unlock()
					}
					return err
				})
				if err != nil && err != errEnough {
					t.Errorf("game %s: %v", id, err)
				}
			})
		}
	}
	time.Sleep(time.Second)
	t.Logf("1,000 games opened, each followed by both: %s", usage(t, s))
	since = time.Now()
	close(begin)
	if file := os.Getenv("OXO_PROFILE"); file != "" {
		over.Go(func() {
			r, err := http.Get(s.URL + "debug/pprof/profile?seconds=20")
			if err != nil {
				t.Error(err)
				return
			}
			defer r.Body.Close()
			data, err := io.ReadAll(r.Body)
			if err = errors.Join(err, os.WriteFile(file, data, 0o644)); err != nil {
				t.Error(err)
			}
		})
	}
	over.Wait()
	took := time.Since(since)
	moves := 0
	for id, want := range acknowledged {
		var r oxo.Record
		if err := s.Do(ctx, http.MethodGet, "/sessions/"+id+"/record", nil, &r); err != nil ||
			len(r.Moves) != len(want) {
			t.Fatalf("game %s: %v, acknowledged %v, there are %v", id, err, want, r.Moves)
		}
		for ply, m := range r.Moves {
			if want[ply] != m {
				t.Fatalf("game %s: ply %d was %s and is %s", id, ply, want[ply], m)
			}
		}
		moves += len(want)
	}
	t.Logf("1,000 bot games at 2 moves/s: %d moves in %v, none lost: %v; %s (aims: p99 < 50 ms, memory < 150 MB)",
		moves, took.Round(time.Millisecond), &l, usage(t, s))
	s.kill()
}

// errEnough ends a game's stream before its end.
var errEnough = fmt.Errorf("enough moves")

// seekAndAccept has one bot open a game and the other accept it.
func seekAndAccept(ctx context.Context, pair [2]client.Client, game string) (id string, err error) {
	var opened client.Opened
	for {
		err = pair[0].Do(ctx, http.MethodPost, "/sessions",
			map[string]any{"game": game, "public": true, "seat": "first",
				"clock": map[string]int{"bank_ms": 600_000}}, &opened)
		if p, ok := err.(*client.Problem); !ok || p.Status != http.StatusTooManyRequests {
			break
		}
		time.Sleep(time.Second)
	}
	if err == nil {
		err = pair[1].Do(ctx, http.MethodPost, "/sessions/"+opened.Session.ID+"/accept", struct{}{}, nil)
	}
	return opened.Session.ID, err
}
