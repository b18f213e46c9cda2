package typed

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"oxo/lab/internal/game"
)

// TestSearchKnown: beside a search that leaves the worth open stands what is certain, and beside
// none that found it.
func TestSearchKnown(t *testing.T) {
	for _, c := range []struct {
		spec, value string
		o           game.SearchOptions
		bound       bool // that a side does not lose is certain, and no more
	}{
		{spec: "mnk:7,6,4+gravity", o: game.SearchOptions{MaxNodes: 1000}, value: "first"},
		{spec: "mnk:6,6,4", o: game.SearchOptions{MaxNodes: 1000}, value: "first"},
		{spec: "qubic", o: game.SearchOptions{Algorithm: "mcts", Sims: 10}, value: "first"},
		{spec: "ttt", o: game.SearchOptions{Depth: 2}, value: "draw"},
		{spec: "ttt"},
		{spec: "ttt", o: game.SearchOptions{Depth: 2, Draw: .5}},
		{spec: "ultimate", o: game.SearchOptions{MaxNodes: 1000}},
		{spec: "mnk:15,15,5", o: game.SearchOptions{MaxNodes: 1000}, bound: true},
	} {
		r, err := aGame(t, c.spec).Searching().Search(t.Context(), c.o)
		if err != nil {
			t.Fatal(err)
		}
		value := ""
		if r.Known != nil {
			value = r.Known.Value
		}
		if value != c.value || (r.Standing != "") != (value != "" || c.bound) ||
			r.Known != nil && r.Known.Estimate != nil {
			t.Errorf("%s %+v: known %+v, %q; want %q", c.spec, c.o, r.Known, r.Standing, c.value)
		}
	}
}

// TestLinesKnown: beside each line that a search estimates stands what is certain of its move, and the moves that are
// certainly better than the one found are named; an exact search alone says no more of the move that it found.
func TestLinesKnown(t *testing.T) {
	for _, c := range []struct {
		spec   string
		o      game.SearchOptions
		values map[string]string // of moves, and when play ends after them
		better []string
	}{
		{"mnk:7,6,4+gravity", game.SearchOptions{Depth: 4, MultiPV: 7},
			map[string]string{"d1": "first 40", "b1": "second 41", "c1": "draw"}, nil},
		{"ttt+misere", game.SearchOptions{Depth: 2, MultiPV: 9},
			map[string]string{"b2": "draw 8", "b3": "second"}, []string{"b2"}},
		{"ttt", game.SearchOptions{Position: "xx./oo./... x", Algorithm: "mcts", Sims: 50, Seed: 1, MultiPV: 5},
			map[string]string{"c3": "first 0", "a1": "second 1", "c2": "draw"}, nil},
	} {
		r, err := aGame(t, c.spec).Searching().Search(t.Context(), c.o)
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range r.Lines {
			said := ""
			if k := l.Known; k != nil {
				if said = k.Value; k.Plies != nil {
					said += fmt.Sprintf(" %d", *k.Plies)
				}
			}
			if !strings.HasPrefix(said, c.values[l.Move]) || said == "" {
				t.Errorf("%s: of %s is known %q, want %q", c.spec, l.Move, said, c.values[l.Move])
			}
		}
		if !slices.Equal(r.Better, c.better) || r.GivesAway != (c.better != nil) {
			t.Errorf("%s: %s, certainly better are %v, want %v", c.spec, r.Move, r.Better, c.better)
		}
	}
}

// TestSearchEnds: a search without a limit has one where the game is too large, and only there; what ends at
// a number of positions goes to lesser depths first.
func TestSearchEnds(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		spec string
		o    game.SearchOptions
		want uint64 // nodes, 0 for any number
		ends bool
	}{
		{"meta", game.SearchOptions{}, usualNodes, false},
		{"meta", game.SearchOptions{MaxNodes: 500}, 500, false},
		{"ttt+slip=0.1", game.SearchOptions{}, 0, true},
		{"ttt+slip=0.1", game.SearchOptions{Memo: "none"}, usualNodes, false},
		{"mnk:4,4,3+slip=0.1", game.SearchOptions{}, usualNodes, false},
		{"ttt+slip=0.1", game.SearchOptions{Memo: "all"}, 0, true},
		{"ttt", game.SearchOptions{Algorithm: "minimax"}, 549_946, true},
	} {
		r, err := aGame(t, c.spec).Searching().Search(t.Context(), c.o)
		if err != nil {
			t.Fatal(err)
		}
		if c.want > 0 && r.Nodes != c.want || r.Exact != c.ends || r.Deepened != (c.want > 0 && !c.ends) {
			t.Errorf("%s %+v: %d nodes, complete %v, deepened %v, exact %v", c.spec, c.o, r.Nodes, r.Complete,
				r.Deepened, r.Exact)
		}
	}
}

// TestSolveKeeps: where a proof tells the value and not the best moves, moves that keep it are named.
func TestSolveKeeps(t *testing.T) {
	r, err := aGame(t, "ultimate+open").Solving().Solve(t.Context(), game.SolveOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Best != nil || len(r.Keeps) != 1 || r.Keeps[0] != "e5" {
		t.Errorf("best %v, keeps %v", r.Best, r.Keeps)
	}
}
