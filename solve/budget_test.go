package solve_test

import (
	"context"
	"errors"
	"testing"

	"oxo"
	"oxo/board"
	"oxo/games/grid"
	"oxo/games/race"
	"oxo/solve"
)

// TestBudgets: work whose tables take more than its budget ends for that reason, and
// work that has ended holds nothing of it.
func TestBudgets(t *testing.T) {
	b, err := grid.New(grid.Shape{Cols: 4, Rows: 4, Run: 4})
	if err != nil {
		t.Fatal(err)
	}
	g := board.Game64("mnk:4,4,4", "", b, board.Normal)
	loops, err := race.New(200)
	if err != nil {
		t.Fatal(err)
	}
	for name, work := range map[string]func(context.Context) error{
		"solve": func(ctx context.Context) error {
			_, err := solve.Solve(ctx, g, g.Start, solve.Settings{})
			return err
		},
		"retrograde": func(ctx context.Context) error {
			_, err := solve.Solve(ctx, loops, loops.Start, solve.Settings{})
			return err
		},
		"tally": func(ctx context.Context) error {
			_, err := solve.TallyGames(ctx, g, 0)
			return err
		},
		"census": func(ctx context.Context) error {
			if c := solve.Count(ctx, g, 0); !c.Complete {
				return errors.New(c.Why)
			}
			return nil
		},
	} {
		ctx, b := oxo.WithBudget(t.Context(), 32<<10)
		if err := work(ctx); err == nil || context.Cause(ctx) != oxo.ErrMemory || b.Used() != 0 {
			t.Errorf("%s: %v, %v, %d bytes held", name, err, context.Cause(ctx), b.Used())
		}
	}
}
