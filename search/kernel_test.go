package search_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"oxo"
	"oxo/board"
	"oxo/search"
)

// TestKernelSequential compares searches by the game's kernel with the same searches
// move by move: values, nodes, best moves and lines of play.
func TestKernelSequential(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	for _, b := range []*board.Board{mnk(t, 3, 3, 3).Start.Board(), mnk(t, 4, 3, 3).Start.Board(),
		mnk(t, 3, 3, 2).Start.Board(), mnk(t, 4, 4, 4).Start.Board()} {
		for _, r := range board.AllRules {
			g := board.Game64("g", "g", b, r)
			if (g.AlphaBeta != nil) != (r.Place == board.Own) {
				t.Fatalf("%q: kernel %v", r.Name, g.AlphaBeta != nil)
			}
			if g.AlphaBeta == nil {
				continue
			}
			plain := *g
			plain.AlphaBeta, plain.Minimax = nil, nil
			for range 3 {
				p := g.Start
				for n := random.IntN(3) + max(0, b.N-9); n > 0 && p.Outcome() == oxo.Ongoing; n-- {
					moves := p.Moves(nil)
					p = p.Play(moves[random.IntN(len(moves))])
				}
				options := []search.Options[board.Pos64]{{}, {Lines: 3}, {Bounds: &search.Unbounded}, {}, {Lines: 2},
					{Stop: true}}
				for i, o := range options {
					a := search.AlphaBeta
					if i >= 3 {
						a = search.Minimax
					}
					fast, err := search.Search(context.Background(), g, p, a, o)
					if err != nil {
						t.Fatal(err)
					}
					slow, err := search.Search(context.Background(), &plain, p, a, o)
					if err != nil {
						t.Fatal(err)
					}
					if fast.Value != slow.Value || fast.Nodes != slow.Nodes || fast.Move != slow.Move {
						t.Errorf("%q %s: value %v, %d nodes, move %v; move by move %v, %d, %v", r.Name, g.Format(p),
							fast.Value, fast.Nodes, fast.Move, slow.Value, slow.Nodes, slow.Move)
					}
					if !slices.Equal(fast.PV, slow.PV) {
						t.Errorf("%q %s: line %v; move by move %v", r.Name, g.Format(p), fast.PV, slow.PV)
					}
				}
			}
		}
	}
}
