package search_test

import (
	"testing"

	"oxo/board"
	"oxo/games/race"
	"oxo/search"
)

// TestMemoryKnowsItsHorizon searches to a depth limit twice with the same
// table: what the second search finds there is an estimate still.
func TestMemoryKnowsItsHorizon(t *testing.T) {
	g := mnk(t, 4, 4, 4)
	for _, a := range []search.Algorithm{search.Minimax, search.AlphaBeta, search.PVS, search.MTDF, search.Star2} {
		o := boardOptions{Memory: search.Everything, Table: search.NewTable[board.Pos64](1 << 20), Depth: 3}
		first, second := find(t, g, g.Start, a, o), find(t, g, g.Start, a, o)
		if first.Exact() || second.Exact() || second.Nodes >= first.Nodes {
			t.Errorf("%s: exact %v after %d nodes, then %v after %d", a, first.Exact(), first.Nodes, second.Exact(),
				second.Nodes)
		}
		// What the end of the game settled is the truth at any depth.
		small := mnk(t, 3, 3, 3)
		o.Table, o.Depth = search.NewTable[board.Pos64](1<<20), 9
		find(t, small, small.Start, a, o)
		o.Depth = 0
		if again := find(t, small, small.Start, a, o); !again.Exact() || again.Value != 0 || again.Nodes > 60 {
			t.Errorf("%s: %+v from a table that knows all", a, again)
		}
	}
}

// TestMemoryInCircles deepens in games where a position comes back at other
// plies: what is remembered from one depth must not pass for the truth.
func TestMemoryInCircles(t *testing.T) {
	for n := 3; n <= 9; n++ {
		g := raceGame(t, n)
		want := float64(1 - 2*(n%2))
		for _, a := range []search.Algorithm{search.Minimax, search.AlphaBeta, search.PVS, search.MTDF} {
			r := find(t, g, g.Start, a, search.Options[race.Pos]{Memory: search.Everything, TableBytes: 1 << 18,
				Deepen: true, MaxNodes: 2_000_000, Stop: true})
			if r.Value != want || !r.Exact() {
				t.Errorf("%s on %d squares: %v, proven %v after %d nodes; want %v", a, n, r.Value, r.Proven, r.Nodes,
					want)
			}
			// A quarter of the depth that it took does not settle it.
			shallow := find(t, g, g.Start, a, search.Options[race.Pos]{Memory: search.Everything, TableBytes: 1 << 18,
				Deepen: true, Depth: max(1, r.Depth/4)})
			if shallow.Exact() {
				t.Errorf("%s on %d squares is sure of %v at depth %d", a, n, shallow.Value, shallow.Depth)
			}
		}
	}
}
