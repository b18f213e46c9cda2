package drop_test

import (
	"context"
	"errors"
	"testing"

	"oxo"
	"oxo/board"
	"oxo/drop"
	"oxo/games/grid"
)

// TestBudget: a solver's large table takes half of what the budget of the question has left,
// is charged while the question that made it lasts, and ends one that has no room for it.
func TestBudget(t *testing.T) {
	b, err := grid.New(grid.Shape{Cols: 7, Rows: 6, Run: 4, Gravity: true})
	if err != nil {
		t.Fatal(err)
	}
	start := board.Game64("grid", "grid", b, board.Normal).Start
	solver := func() *drop.Solver {
		s, err := drop.New(b, board.Normal, drop.SolverOptions{Nodes: 1 << 17})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	const given = 8 << 20
	s := solver()
	ctx, budget := oxo.WithMemoryBudget(t.Context(), given)
	held := s.Bytes()
	if _, err := s.Solve(ctx, start); !errors.Is(err, drop.ErrLimit) || budget.Used() != 0 {
		t.Errorf("%v, and %d bytes held", err, budget.Used())
	}
	if grown := s.Bytes() - held; grown <= given/8 || grown > given/2 {
		t.Errorf("the table takes %d bytes of %d", grown, given)
	}
	ctx, budget = oxo.WithMemoryBudget(t.Context(), 1)
	if _, err := solver().Solve(ctx, start); !errors.Is(err, context.Canceled) || context.Cause(ctx) != oxo.ErrMemory ||
		budget.Used() != 0 {
		t.Errorf("without room: %v, %v, %d bytes held", err, context.Cause(ctx), budget.Used())
	}
}
