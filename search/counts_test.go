package search_test

import (
	"testing"

	"oxo/board"
	"oxo/search"
)

// TestNodeCounts pins the nodes that searches of the empty 3×3 board visit.
// The first rows are the teaching programs of 2006 in Prolog and Haskell: three first moves by
// symmetry, an early stop at a best value, and positions with five marks
// remembered. Minimax that remembers everything stores the 4,520 positions
// that are not over, or their 627 classes. 18,297 is the textbook's
// alphabeta with first window (−∞, ∞). The others are ours, pinned so that
// they don't change unnoticed.
func TestNodeCounts(t *testing.T) {
	g := mnk(t, 3, 3, 3)
	type options = search.Options[board.Pos64]
	const five, everything = search.OneLevel, search.Everything
	const first, all = search.FirstMove, search.AllMoves
	unbounded := search.Unbounded
	for _, c := range []struct {
		name   string
		a      search.Algorithm
		o      options
		nodes  uint64
		stored int
	}{
		{"plain", search.Minimax, options{}, 549946, 0},
		{"plain", search.Negamax, options{}, 549946, 0},
		{"plain", search.Expectiminimax, options{}, 549946, 0},
		{"five marks", search.Minimax, options{Memory: five, Level: 5}, 62998, 1140},
		{"five marks, three first moves", search.Minimax, options{Memory: five, Level: 5, Symmetry: first}, 40012, 870},
		{"the posted Prolog", search.Minimax, options{Memory: five, Level: 5, Symmetry: first, Stop: true}, 11555, 477},
		{"the posted Haskell", search.Minimax, options{Symmetry: first, Stop: true}, 24386, 0},
		{"the posted Haskell", search.Negamax, options{Symmetry: first, Stop: true}, 24386, 0},

		{"everything", search.Minimax, options{Memory: everything}, 16168, 4520},
		{"everything, by class", search.Minimax, options{Memory: everything, Symmetry: all}, 2097, 627},
		{"by class", search.Minimax, options{Symmetry: all}, 58524, 0},

		{"unbounded", search.AlphaBeta, options{Bounds: &unbounded}, 18297, 0},
		{"plain", search.AlphaBeta, options{}, 16811, 0},
		{"plain", search.PVS, options{}, 17549, 0},
		{"plain", search.MTDF, options{}, 17125, 0},
		{"plain", search.Star1, options{}, 16811, 0},
		{"plain", search.Star2, options{}, 16811, 0},
		{"killers", search.AlphaBeta, options{Order: search.Killers}, 5713, 0},
		{"three first moves", search.AlphaBeta, options{Symmetry: first}, 3498, 0},
		{"everything, by class", search.AlphaBeta, options{Memory: everything, Symmetry: all}, 747, 359},
	} {
		r := find(t, g, g.Start, c.a, c.o)
		if r.Nodes != c.nodes || r.Stored != c.stored || r.Value != 0 || !r.Exact() || !r.Complete {
			t.Errorf("%s, %s: %d nodes, %d stored, value %v; want %d, %d, 0", c.a, c.name, r.Nodes, r.Stored, r.Value,
				c.nodes, c.stored)
		}
	}
}

// TestGamesBySymmetry counts the leaves of minimax that merges symmetric
// positions at each move: 26,830 games.
func TestGamesBySymmetry(t *testing.T) {
	g := mnk(t, 3, 3, 3)
	r := find(t, g, g.Start, search.Minimax, search.Options[board.Pos64]{Symmetry: search.AllMoves, Leaves: true})
	if len(r.Evaluated) != 26830 {
		t.Errorf("%d leaves, want 26830", len(r.Evaluated))
	}
}
