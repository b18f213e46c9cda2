package cmd

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"oxo"
	"oxo/web/client"
)

// duel is a game between two people that goes on however often the server dies.
type duel struct {
	id   string
	keys map[string]string // by seat
	last client.GameState  // what was acknowledged last
}

// open begins a duel.
func open(ctx context.Context, c client.Client, game string) (*duel, error) {
	var first, second client.Opened
	clock := map[string]int{"bank_ms": 3_600_000, "increment_ms": 1000}
	err := c.Do(ctx, http.MethodPost, "/sessions", map[string]any{"game": game, "seat": "first", "clock": clock},
		&first)
	if err != nil {
		return nil, err
	}
	d := &duel{id: first.Session.ID, keys: map[string]string{"first": first.Key}, last: first.Session}
	err = c.Do(ctx, http.MethodPost, "/sessions/"+d.id+"/accept", map[string]any{"invite": first.Invite}, &second)
	if err != nil {
		return nil, err
	}
	d.keys["second"], d.last = second.Key, second.Session
	return d, nil
}

// move plays a move of the side to move.
func (d *duel) move(ctx context.Context, c client.Client, move string) error {
	c.Token = d.keys[d.last.Turn]
	var now client.GameState
	err := c.Do(ctx, http.MethodPost, "/sessions/"+d.id+"/move", map[string]any{"move": move, "ply": d.last.Ply}, &now)
	if err == nil {
		d.last = now
	}
	return err
}

// verify compares what a server that has come back knows with what was
// acknowledged, and takes it up. Of a move whose answer was cut off either may
// be true.
func (d *duel) verify(t *testing.T, c client.Client) {
	t.Helper()
	var now client.GameState
	if err := c.Do(t.Context(), http.MethodGet, "/sessions/"+d.id, nil, &now); err != nil {
		t.Fatalf("%s after the kill: %v", d.id, err)
	}
	if len(now.Moves) < len(d.last.Moves) || !slices.Equal(now.Moves[:len(d.last.Moves)], d.last.Moves) {
		t.Fatalf("%s: acknowledged were %v, there are %v", d.id, d.last.Moves, now.Moves)
	}
	if d.last.Over() && (now.State != d.last.State || now.Result != d.last.Result ||
		now.Termination != d.last.Termination) {
		t.Fatalf("%s was over: %+v, and is %+v", d.id, d.last, now)
	}
	if len(now.Moves) == len(d.last.Moves) {
		if now.Position != d.last.Position || now.Turn != d.last.Turn || !slices.Equal(now.Legal, d.last.Legal) {
			t.Fatalf("%s: acknowledged was %+v, there is %+v", d.id, d.last, now)
		}
		for _, seat := range []string{"first", "second"} {
			was, is := d.last.SeatOf(seat), now.SeatOf(seat)
			// The clock that runs goes back to what it showed after the move; by the
			// time of the answer it may have run already.
			late := int64(0)
			if was.Running {
				late = slowest.Milliseconds()
			}
			if is.Running != was.Running || *is.LeftMS > *was.LeftMS+late || *is.LeftMS < *was.LeftMS-late {
				t.Fatalf("%s: the clock of %s was at %+v and is at %+v", d.id, seat, was, is)
			}
		}
	}
	var r oxo.Record
	if err := c.Do(t.Context(), http.MethodGet, "/sessions/"+d.id+"/record", nil, &r); err != nil ||
		!slices.Equal(r.Moves, now.Moves) || r.Result != now.Result {
		t.Fatalf("%s: %v, the record %+v of %+v", d.id, err, r, now)
	}
	d.last = now
}

// mostPlies is how long games are played that would go in circles.
const mostPlies = 100

// killAtEveryPly plays games and kills the server after every answer.
func killAtEveryPly(t *testing.T, games ...string) {
	dir := t.TempDir()
	s := revive(t, dir)
	var over []*duel
	for _, game := range games {
		d, err := open(t.Context(), s.Client, game)
		if err != nil {
			t.Fatal(err)
		}
		for ply := 0; !d.last.Over() && ply < mostPlies; ply++ {
			if err := d.move(t.Context(), s.Client, d.last.Legal[(5*ply)%len(d.last.Legal)]); err != nil {
				t.Fatalf("%s: %v", game, err)
			}
			s.kill()
			s = revive(t, dir)
			d.verify(t, s.Client)
		}
		for _, d := range append(over, d) {
			d.verify(t, s.Client)
		}
		over = append(over, d)
	}
	s.kill()
}

// revive starts a server, whose process ends with the test.
func revive(t *testing.T, dir string) *running {
	t.Helper()
	s, err := startServer(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.kill)
	return s
}

// killUnderWrites plays several games at once and kills the server at moments
// that nobody chooses.
func killUnderWrites(t *testing.T, times int) {
	dir := t.TempDir()
	games := []string{"ttt", "mnk:4,4,4+slip=0.3", "ultimate", "race:5"}
	duels := make([][]*duel, len(games)) // each game's, the last being played
	moves := 0
	for range times {
		s := revive(t, dir)
		for _, all := range duels {
			for _, d := range all[max(0, len(all)-3):] {
				d.verify(t, s.Client)
			}
		}
		var players sync.WaitGroup
		var mu sync.Mutex
		enough := make(chan struct{})
		before, wanted := moves, 1+rand.IntN(40)
		acknowledged := func() {
			mu.Lock()
			defer mu.Unlock()
			if moves++; moves == before+wanted {
				close(enough)
			}
		}
		for i := range duels {
			players.Go(func() {
				if err := keepPlaying(t.Context(), s.Client, games[i], &duels[i], acknowledged); err != nil {
					t.Error(err)
				}
			})
		}
		select {
		case <-enough:
		case <-time.After(slowest):
			t.Error("no moves are acknowledged")
		}
		time.Sleep(time.Duration(rand.IntN(2000)) * time.Microsecond) // any moment will do
		s.kill()
		players.Wait()
		if t.Failed() {
			return
		}
	}
	s := revive(t, dir)
	n := 0
	for _, all := range duels {
		for _, d := range all {
			d.verify(t, s.Client)
			n += len(d.last.Moves)
		}
	}
	if n < moves {
		t.Errorf("%d moves were acknowledged, %d are there", moves, n)
	}
	s.kill()
}

// keepPlaying plays a kind of game over and over until the server has gone.
func keepPlaying(ctx context.Context, c client.Client, game string, duels *[]*duel, acknowledged func()) error {
	for ply := 0; ; ply++ {
		if n := len(*duels); n == 0 || (*duels)[n-1].last.Over() || len((*duels)[n-1].last.Moves) > 40 {
			d, err := open(ctx, c, game)
			if err != nil {
				return unlessGone(err)
			}
			*duels = append(*duels, d)
		}
		d := (*duels)[len(*duels)-1]
		if err := d.move(ctx, c, d.last.Legal[(7*ply)%len(d.last.Legal)]); err != nil {
			return unlessGone(err)
		}
		acknowledged()
	}
}

// unlessGone passes an error on unless it says that nobody answers.
func unlessGone(err error) error {
	var p *client.Problem
	if errors.As(err, &p) {
		return fmt.Errorf("the server refuses: %w", err)
	}
	return nil
}

func TestKilledAtEveryPly(t *testing.T) {
	t.Parallel()
	killAtEveryPly(t, "ttt", "ttt+slip=0.3")
}

func TestKilledUnderWrites(t *testing.T) {
	t.Parallel()
	killUnderWrites(t, 8)
}
