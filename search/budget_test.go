package search_test

import (
	"context"
	"testing"

	"oxo"
	"oxo/board"
	"oxo/games/grid"
	"oxo/search"
	"oxo/search/mcts"
)

// TestBudgets: a search whose table, tree or trace takes more than its budget is cut off
// for that reason, and holds nothing of it when it has ended.
func TestBudgets(t *testing.T) {
	b, err := grid.New(grid.Shape{Cols: 8, Rows: 8, Run: 5})
	if err != nil {
		t.Fatal(err)
	}
	g := board.Game64("mnk:8,8,5", "", b, board.Normal)
	for name, c := range map[string]struct {
		a search.Algorithm
		o search.Options[board.Pos64]
	}{
		"table": {search.AlphaBeta, search.Options[board.Pos64]{Depth: 6, Memory: search.Everything}},
		"trace": {search.Minimax, search.Options[board.Pos64]{Depth: 6, Trace: &search.Tracer[board.Pos64]{}}},
		"trees": {search.MCTS, search.Options[board.Pos64]{Sampling: mcts.Sampling{Sims: 1 << 20, TreeBytes: 1 << 20}}},
		"tree":  {search.PNS, search.Options[board.Pos64]{Sampling: mcts.Sampling{TreeBytes: 1 << 20}}},
		"dfpn":  {search.DFPN, search.Options[board.Pos64]{}},
	} {
		ctx, budget := oxo.WithMemoryBudget(t.Context(), 64<<10)
		r, err := search.Search(ctx, g, g.Start, c.a, c.o)
		if err != nil || r.Complete || context.Cause(ctx) != oxo.ErrMemory || budget.Used() != 0 {
			t.Errorf("%s: complete %v, %v, %v, %d bytes held", name, r.Complete, err, context.Cause(ctx), budget.Used())
		}
	}
}

// TestTreesFitBudgets: a tree of no given size takes what the budget has room for, and is
// searched on where it is full.
func TestTreesFitBudgets(t *testing.T) {
	b, err := grid.New(grid.Shape{Cols: 8, Rows: 8, Run: 5})
	if err != nil {
		t.Fatal(err)
	}
	g := board.Game64("mnk:8,8,5", "", b, board.Normal)
	for a, o := range map[search.Algorithm]search.Options[board.Pos64]{
		search.MCTS: {Sampling: mcts.Sampling{Sims: 50_000}},
		search.PNS:  {MaxNodes: 200_000},
	} {
		ctx, budget := oxo.WithMemoryBudget(t.Context(), 1<<20)
		r, err := search.Search(ctx, g, g.Start, a, o)
		if err != nil || ctx.Err() != nil || budget.Used() != 0 {
			t.Errorf("%s: %v, %v, %d bytes held", a, err, context.Cause(ctx), budget.Used())
		}
		if a == search.MCTS && (!r.Complete || r.Stored < 1000) {
			t.Errorf("%d edges stored, complete %v", r.Stored, r.Complete)
		}
	}
}
