package solve_test

import (
	"context"
	"errors"
	"fmt"
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
			if c := solve.TakeCensus(ctx, g, 0); !c.Complete {
				return errors.New(c.Why)
			}
			return nil
		},
	} {
		ctx, b := oxo.WithMemoryBudget(t.Context(), 32<<10)
		if err := work(ctx); err == nil || context.Cause(ctx) != oxo.ErrMemory || b.Used() != 0 {
			t.Errorf("%s: %v, %v, %d bytes held", name, err, context.Cause(ctx), b.Used())
		}
	}
}

// looks is a context that is over once it has been looked at so many times.
type looks struct {
	context.Context
	left *int
}

func (l looks) Err() error {
	if *l.left--; *l.left < 0 {
		return context.DeadlineExceeded
	}
	return nil
}

// TestCensusSaysWhy: wherever a census runs out of time, it says so, and at which ply.
func TestCensusSaysWhy(t *testing.T) {
	b, err := grid.New(grid.Shape{Cols: 3, Rows: 3, Run: 3})
	if err != nil {
		t.Fatal(err)
	}
	g := board.Game64("ttt", "", b, board.Normal)
	for n := 0; ; n++ {
		left := n
		c := solve.TakeCensus(looks{t.Context(), &left}, g, 0)
		if c.Complete {
			if n < 765 { // classes
				t.Errorf("complete after %d looks", n)
			}
			return
		}
		if want := fmt.Sprintf("out of time or memory at ply %d", len(c.Plies)); c.Why != want || c.Nodes != nil {
			t.Fatalf("after %d looks: %q, %v nodes; want %q", n, c.Why, c.Nodes, want)
		}
	}
}
