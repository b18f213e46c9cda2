package cmd

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"oxo"
	"oxo/web/client"
)

// visitor is somebody at an address elsewhere.
type visitor struct {
	url, address, key string
}

type fields = map[string]any

// ask sends a request. The status is 0 where none came.
func (v visitor) ask(ctx context.Context, method, path string, body, into any) (status int, text string) {
	var data []byte
	if raw, ok := body.([]byte); ok {
		data = raw
	} else if body != nil {
		data, _ = json.Marshal(body)
	}
	r, err := http.NewRequestWithContext(ctx, method, v.url+"api/v1/"+path, bytes.NewReader(data))
	if err != nil {
		return 0, err.Error()
	}
	r.Header.Set("X-Forwarded-For", v.address)
	if r.Header.Set("Content-Type", "application/json"); strings.HasPrefix(path, "proofs") {
		r.Header.Set("Content-Type", "application/octet-stream")
	}
	if v.key != "" {
		r.Header.Set("Authorization", "Bearer "+v.key)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, err.Error()
	}
	defer answer.Body.Close()
	data, err = io.ReadAll(answer.Body)
	if err == nil && into != nil && answer.StatusCode == http.StatusOK {
		err = json.Unmarshal(data, into)
	}
	if err != nil {
		return 0, err.Error()
	}
	return answer.StatusCode, string(data[:min(len(data), 300)])
}

// siege is a server with people who play games, others who ask it for short things, and
// some who mean it no good.
type siege struct {
	*testing.T
	url string

	mu      sync.Mutex
	refused []string // what honest people were refused
	moves   int
	games   int
	choices latencies
	// what of the short things was refused, which depends on how fast the machine is
	unanswered []string
	hostile    map[int]int // answers to those who mean no good, by status
}

// refuse notes what an honest visitor was refused.
func (s *siege) refuse(what string, status int, text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refused = append(s.refused, fmt.Sprintf("%s: %d %s", what, status, text))
}

// duels plays games one after another, a move in so long, and compares each with what was
// acknowledged.
func (s *siege) duels(ctx context.Context, n int, pause time.Duration) {
	r := rand.New(rand.NewPCG(5, uint64(n)))
	people := [2]visitor{{url: s.url, address: fmt.Sprint("203.0.113.", n)},
		{url: s.url, address: fmt.Sprint("192.0.2.", n)}}
	stay := context.WithoutCancel(ctx)
	time.Sleep(time.Duration(r.Int64N(int64(pause))))
	for ctx.Err() == nil {
		var first, second client.Opened
		if status, text := people[0].ask(stay, "POST", "sessions", fields{"game": "ultimate", "seat": "first",
			"clock": fields{"bank_ms": 600_000}}, &first); status != http.StatusOK {
			s.refuse("open", status, text)
			return
		}
		at := "sessions/" + first.Session.ID
		if status, text := people[1].ask(stay, "POST", at+"/accept", fields{"invite": first.Invite},
			&second); status != http.StatusOK {
			s.refuse("accept", status, text)
			return
		}
		people[0].key, people[1].key = first.Key, second.Key
		now, acknowledged := second.Session, []string{}
		for !now.Over() && ctx.Err() == nil {
			move := now.Legal[r.IntN(len(now.Legal))]
			if status, text := people[now.Ply%2].ask(stay, "POST", at+"/move", fields{"move": move, "ply": now.Ply},
				&now); status != http.StatusOK {
				s.refuse("move", status, text)
				break
			}
			acknowledged = append(acknowledged, move)
			time.Sleep(pause)
		}
		var kept oxo.Record
		status, text := people[0].ask(stay, "GET", at+"/record", nil, &kept)
		if status != http.StatusOK || !slices.Equal(kept.Moves, acknowledged) {
			s.Errorf("a game has the moves %v, and %v were acknowledged: %d %s", kept.Moves, acknowledged, status, text)
		}
		s.mu.Lock()
		s.moves, s.games = s.moves+len(acknowledged), s.games+1
		s.mu.Unlock()
		people[0].key, people[1].key = "", ""
	}
}

// choose asks for short thoughts, four a second.
func (s *siege) choose(ctx context.Context) {
	v := visitor{url: s.url, address: "198.51.100.200"}
	for seed := 1; ctx.Err() == nil; seed++ {
		begin := time.Now()
		status, text := v.ask(context.WithoutCancel(ctx), "POST", "choose",
			fields{"game": "mnk:4,4,4", "player": "alphabeta:depth=3", "seed": seed}, nil)
		if s.choices.add(time.Since(begin)); status != http.StatusOK {
			s.unanswered = append(s.unanswered, fmt.Sprint(status, " ", text))
		}
		time.Sleep(250 * time.Millisecond)
	}
}

// attack repeats requests from an address over so many connections. Some of them leave
// before the answer.
func (s *siege) attack(ctx context.Context, all *sync.WaitGroup, address string, connections int, requests ...hostile) {
	for c := range connections {
		all.Go(func() {
			r := rand.New(rand.NewPCG(6, uint64(c)))
			for i := c; ctx.Err() == nil; i++ {
				h := requests[i%len(requests)]
				one, cancel := context.WithCancel(ctx)
				if r.IntN(4) == 0 {
					time.AfterFunc(time.Duration(r.Int64N(int64(3*time.Second))), cancel)
				}
				status, text := visitor{url: s.url, address: address}.ask(one, h.method, h.path, h.body, nil)
				cancel()
				s.mu.Lock()
				s.hostile[status]++
				s.mu.Unlock()
				if status >= http.StatusInternalServerError {
					s.Errorf("%s %s: %d %s", h.method, h.path, status, text)
				}
				if status == http.StatusTooManyRequests {
					time.Sleep(200 * time.Millisecond)
				}
			}
		})
	}
}

// hostile is a request that means no good.
type hostile struct {
	method, path string
	body         any
}

// besiege has honest people and hostile ones at a server for a while: long searches over a
// dozen connections, small games whose symmetries and canonical forms cost much, endless jobs
// without a cookie, and files and paths that should harm.
func besiege(t *testing.T, during time.Duration, games int, pause time.Duration) *siege {
	server := revive(t, t.TempDir())
	defer func() {
		if server.kill(); t.Failed() {
			t.Logf("the server said %.8000s", server.said)
		}
	}()
	s := &siege{T: t, url: server.URL, hostile: map[int]int{}}
	ctx, cancel := context.WithTimeout(t.Context(), during)
	defer cancel()
	var all sync.WaitGroup
	alone, stop := context.WithTimeout(ctx, 3*time.Second)
	s.choose(alone)
	stop()
	t.Logf("short thoughts alone: %v", &s.choices)
	s.choices.times = nil
	brought := map[string]string{}
	for name, file := range map[string]string{"pairs": pairsOf(30), "triangles": trianglesOf(16),
		"sets": setsOf(256, 8000)} {
		var made struct{ Spec string }
		if status, text := (visitor{url: s.url, address: "198.51.100.1"}).ask(ctx, "POST", "games/files",
			fields{"file": file}, &made); status != http.StatusOK {
			t.Fatal(name, status, text)
		}
		brought[name] = made.Spec
	}
	s.attackAll(ctx, &all, brought)
	all.Go(func() { s.choose(ctx) })
	for n := range games {
		all.Go(func() { s.duels(ctx, n, pause) })
	}
	all.Wait()
	t.Logf("short thoughts: %v; refused: %q", &s.choices, s.unanswered)
	t.Logf("%d games with %d moves beside them, none lost; answers to the hostile: %v; %s", s.games, s.moves, s.hostile,
		usage(t, server))
	for _, text := range s.refused[:min(len(s.refused), 20)] {
		t.Errorf("somebody honest was refused: %s", text)
	}
	return s
}

// attackAll begins all attacks; brought are games that the attackers have brought.
func (s *siege) attackAll(ctx context.Context, all *sync.WaitGroup, brought map[string]string) {
	s.attack(ctx, all, "198.51.100.2", 12,
		hostile{"POST", "search", fields{"game": "mnk:15,15,5", "algorithm": "mcts", "time_ms": 5000}})
	s.attack(ctx, all, "198.51.100.3", 4,
		hostile{"POST", "judge", fields{"game": brought["pairs"], "time_ms": 5000}},
		hostile{"POST", "search", fields{"game": brought["triangles"], "algorithm": "alphabeta", "symmetry": "all",
			"memo": "all", "depth": 6}},
		hostile{"POST", "search", fields{"game": brought["pairs"], "algorithm": "alphabeta", "symmetry": "all",
			"memo": "all", "depth": 8}})
	s.attack(ctx, all, "198.51.100.4", 2,
		hostile{"POST", "jobs", fields{"verb": "prove", "game": "mnk:8,8,5", "args": fields{}}},
		hostile{"POST", "jobs", fields{"verb": "train", "game": "mnk:9,9,5",
			"args": fields{"learner": "td-leaf:depth=9"}}})
	s.attack(ctx, all, "198.51.100.5", 4,
		hostile{"POST", "judge", fields{"game": brought["sets"], "time_ms": 5000}},
		hostile{"POST", "choose", fields{"game": brought["sets"], "player": "level:5", "seed": 1}},
		hostile{"POST", "search", fields{"game": "cube:2,8", "algorithm": "alphabeta", "symmetry": "all", "memo": "all",
			"depth": 10}},
		hostile{"POST", "search", fields{"game": "mnk:16,16,5", "algorithm": "minimax", "depth": 400, "trace": true}},
		hostile{"POST", "ablate", fields{"game": "cube:2,8"}},
		hostile{"POST", "games/files", fields{"file": strings.Repeat("[", 200_000) + strings.Repeat("]", 200_000)}},
		hostile{"POST", "games/files", fields{"file": `{"squares":3,"winning":[[1,2,3]],"name":"<svg>"}`}},
		hostile{"POST", "proofs", bytes.Repeat([]byte("oxo proof 1\n"), 5000)},
		hostile{"GET", "jobs/x/files/..%2f..%2foxo.db", nil}, hostile{"GET", "proofs/..%2f..%2foxo/file", nil})
}

// pairsOf, trianglesOf and setsOf are games: of pairs of squares side by side, of the
// triangles among pairs of points, and of many sets drawn at random.
func pairsOf(pairs int) string {
	var sets [][]int
	for i := range pairs {
		sets = append(sets, []int{2*i + 1, 2*i + 2})
	}
	return gameFile(2*pairs, sets)
}

func trianglesOf(points int) string {
	number, squares := map[[2]int]int{}, 0
	for a := range points {
		for b := range a {
			squares++
			number[[2]int{b, a}] = squares
		}
	}
	var sets [][]int
	for a := range points {
		for b := range a {
			for c := range b {
				sets = append(sets, []int{number[[2]int{b, a}], number[[2]int{c, a}], number[[2]int{c, b}]})
			}
		}
	}
	return gameFile(squares, sets)
}

func setsOf(squares, count int) string {
	r := rand.New(rand.NewPCG(7, 8))
	var sets [][]int
	for range count {
		set := r.Perm(squares)[:5]
		for i := range set {
			set[i]++
		}
		slices.Sort(set)
		sets = append(sets, set)
	}
	return gameFile(squares, sets)
}

func gameFile(squares int, winning [][]int) string {
	text, _ := json.Marshal(fields{"squares": squares, "winning": winning})
	return string(text)
}

// TestBesieged: while hostile visitors ask for all that costs much, nobody who plays is
// refused and no move is lost.
func TestBesieged(t *testing.T) { besiege(t, 20*time.Second, 20, 500*time.Millisecond) }
