package search_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"oxo"
	"oxo/search"
	"oxo/search/mcts"
)

// TestPNS compares the verdicts of both searches by proof numbers on random positions of 3×3
// and 4×3 with the definition, and its moves.
func TestPNS(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for _, g := range []struct {
		m, n, moves int
	}{{3, 3, 2}, {4, 3, 5}} {
		g, moves := mnk(t, g.m, g.n, 3), g.moves
		for range 60 * effort {
			p := randomPosition(r, g, moves+r.IntN(4))
			want := plain(g, p, math.MaxInt, nil)
			for _, a := range []search.Algorithm{search.PNS, search.DFPN} {
				got := find(t, g, p, a, boardOptions{})
				if got.Value != want || !got.Exact() || !got.Complete {
					t.Fatalf("%s: by %s %v, proven %v, want %v", g.Format(p), a, got.Value, got.Proven, want)
				}
				if v := plain(g, p.Play(got.Move), math.MaxInt, nil); v != want {
					t.Fatalf("%s: by %s move %s is worth %v, not %v", g.Format(p), a, g.FormatMove(p, got.Move), v,
						want)
				}
			}
		}
	}
}

// TestPNSMemory checks that a search with little room ends without an answer,
// and that room is used again: the proof of 4×4 with three in a row fits where
// all its nodes would not.
func TestPNSMemory(t *testing.T) {
	g := mnk(t, 4, 4, 3)
	small := find(t, g, g.Start, search.PNS, boardOptions{Sampling: mcts.Sampling{TreeBytes: 20_000}})
	if small.Exact() || small.Complete || small.Stopped != "memory" ||
		small.Stored > 1000 || small.Proven != (oxo.Interval{Lo: -1, Hi: 1}) {
		t.Errorf("%+v", small)
	}
	full := find(t, g, g.Start, search.PNS, boardOptions{})
	if full.Value != 1 || !full.Exact() || uint64(full.Stored) >= full.Nodes {
		t.Errorf("%+v", full)
	}
	empty := mnk(t, 3, 3, 3)
	if r := find(t, empty, empty.Start, search.PNS, boardOptions{}); r.Value != 0 || !r.Exact() {
		t.Errorf("empty 3×3: %+v", r)
	}
}
