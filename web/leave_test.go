package web

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"oxo/web/service"
)

// heavy is a request that computes for long; without a body it is a GET.
type heavy struct {
	path string
	body any
}

func (h heavy) String() string {
	text, _ := json.Marshal(h.body)
	return fmt.Sprintf("%s %.100s", h.path, text)
}

// heavyRequests are requests of every kind that compute for long, also in the code of
// symmetries, canonical forms and tables.
func heavyRequests(x *tester) (list []heavy) {
	x.Helper()
	add := func(path string, bodies ...object) {
		for _, b := range bodies {
			list = append(list, heavy{path, b})
		}
	}
	steiner, pairs := x.bring(steinerCopies(17)), x.bring(triangles(16))
	add("games/files", object{"file": steinerCopies(16)}, object{"file": triangles(15)})
	for _, game := range []string{steiner, pairs, "cube:2,8", "mnk:15,15,5", "mnk:7,6,4+gravity",
		"ultimate+open", "qubic+notakto", "mnk:5,5,4+slip=0.3"} {
		add("judge", object{"game": game, "time_ms": 5000})
		add("choose", object{"game": game, "player": "level:5", "seed": 1},
			object{"game": game, "player": "perfect", "seed": 1})
		add("search", object{"game": game, "algorithm": "mcts", "symmetry": "all", "time_ms": 5000})
		if !strings.Contains(game, "slip") {
			add("search", object{"game": game, "algorithm": "alphabeta", "symmetry": "all", "memo": "all", "depth": 12},
				object{"game": game, "algorithm": "dfpn"}, object{"game": game, "algorithm": "pns"})
		}
		add("ablate", object{"game": game, "depth": 9})
		add("count", object{"game": game})
	}
	add("search", object{"game": "mnk:5,5,4+slip=0.3", "algorithm": "star2", "depth": 20},
		object{"game": "mnk:16,16,5", "algorithm": "minimax", "depth": 400, "trace": true},
		object{"game": "qubic", "algorithm": "mtdf", "memo": "all", "depth": 20})
	add("judge", object{"game": "ultimate", "moves": []string{"e5"}, "time_ms": 5000, "review": true},
		object{"game": "mnk:9,9,5", "moves": []string{"e5", "d4", "f6"}, "time_ms": 5000, "review": true})
	add("puzzles/mistakes", object{"game": "mnk:9,9,5", "moves": []string{"e5", "d4", "f6", "a1"}})
	add("pupils", object{"game": "mnk:9,9,5", "learner": "td-leaf:depth=9", "head": 1000},
		object{"game": "mnk:5,5,4", "learner": "evolve", "head": 1000})
	for _, id := range []string{"mnk-7-7-5", "cube-4-3"} {
		data, err := os.ReadFile("../lab/internal/opened/proofs/" + id + ".proof")
		if err != nil {
			x.Fatal(err)
		}
		list = append(list, heavy{"proofs/" + id + "/check", nil}, heavy{"proofs", data})
	}
	return list
}

// triangles is the game whose squares are pairs of points and whose winning sets are the
// triangles among them: all permutations of the points are symmetries.
func triangles(points int) string {
	number, n := map[[2]int]int{}, 0
	for a := range points {
		for b := range a {
			n++
			number[[2]int{b, a}] = n
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
	text, _ := json.Marshal(object{"squares": n, "winning": sets})
	return string(text)
}

// request returns the request to a server's API.
func (h heavy) request(ctx context.Context) *http.Request {
	var r *http.Request
	switch body := h.body.(type) {
	case nil:
		r = httptest.NewRequestWithContext(ctx, "GET", api+h.path, nil)
	case []byte:
		r = httptest.NewRequestWithContext(ctx, "POST", api+h.path, bytes.NewReader(body))
		r.Header.Set("Content-Type", "application/octet-stream")
	default:
		data, _ := json.Marshal(body)
		r = httptest.NewRequestWithContext(ctx, "POST", api+h.path, bytes.NewReader(data))
		r.Header.Set("Content-Type", "application/json")
	}
	r.Host, r.RemoteAddr = "localhost", "127.0.0.1:1"
	return r
}

// leave sends a request whose client leaves after a while, and returns whether it was still
// computed then. It returns when nothing of it is computed any more, and calls left when the
// client leaves.
func (t *tester) leave(h heavy, after time.Duration, left func()) bool {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	done := make(chan struct{})
	go func() { t.server.ServeHTTP(httptest.NewRecorder(), h.request(ctx)); close(done) }()
	select {
	case <-done:
		return false
	case <-time.After(after):
	}
	left()
	cancel()
	<-done
	for _, g := range []*service.Gate{t.server.Heavy, t.server.Alone, t.server.Brief} {
		if running, waiting := g.Load(); running+waiting != 0 {
			t.Fatalf("%v: %d requests compute and %d wait", h, running, waiting)
		}
	}
	return true
}

// TestClientsLeave: whatever is computed, nothing of it is left when its client has gone.
func TestClientsLeave(t *testing.T) {
	x := newTester(t, hosted(newMemory()))
	left := 0
	for i, h := range heavyRequests(x) {
		x.leave(h, time.Duration(10+40*(i%3))*time.Millisecond, func() { left++ })
	}
	if left < 30 {
		t.Errorf("%d clients left before their answer", left)
	}
}
