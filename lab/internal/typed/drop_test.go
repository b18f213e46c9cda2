package typed

import (
	"context"
	"errors"
	"io"
	"testing"
	"time"

	"oxo/drop"
	"oxo/lab/internal/game"
	"oxo/solve"
)

// TestConnectFour asks for what the program knows of Connect Four by its book, for
// a position that is searched, and for the perfect player's move there.
func TestConnectFour(t *testing.T) {
	ctx := context.Background()
	g, err := (&game.Lab{Kinds: BuiltInKinds()}).Game("mnk:7,6,4+gravity")
	if err != nil {
		t.Fatal(err)
	}
	start, err := g.Solving().Solve(ctx, game.SolveOptions{})
	if err != nil || start.Value != "first" || *start.Remoteness != 41 || len(start.Best) != 1 ||
		start.Best[0] != "d1" || len(start.Moves) != 7 {
		t.Fatalf("the empty board: %+v, %v", start, err)
	}
	for i, want := range []string{"second", "second", "draw", "first", "draw", "second", "second"} { // Allis 1988
		if start.Moves[i].Value != want {
			t.Errorf("%s: %s, want %s", start.Moves[i].Move, start.Moves[i].Value, want)
		}
	}
	shown, err := g.Judging().Judge(ctx, game.JudgeOptions{Time: time.Minute}, nil)
	if err != nil || shown.Value != start.Value || *shown.Plies != *start.Remoteness || len(shown.Moves) != 7 ||
		shown.Hint != "d1" || !shown.Certain {
		t.Errorf("the empty board is shown as %+v, %v", shown, err)
	}
}

// TestFallingPlayer has the perfect player move where it must search.
func TestFallingPlayer(t *testing.T) {
	l := &game.Lab{Kinds: BuiltInKinds()}
	g, err := l.Game("mnk:7,6,4+gravity")
	if err != nil {
		t.Fatal(err)
	}
	const mid = "......./...x.../...o.../...x.../..xoo../.oxoxx. o"
	worth, err := g.Solving().Solve(context.Background(), game.SolveOptions{Position: mid})
	if err != nil {
		t.Fatal(err)
	}
	c, err := g.NewSession(game.SessionOptions{First: "perfect", Second: "perfect", Position: mid})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	plies := 0
	for ; !c.Over(); plies++ {
		if _, err := c.Step(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	if r := c.Record(); r.Result != worth.Value || plies != *worth.Remoteness {
		t.Errorf("perfect play ends %s after %d plies, want %s after %d", r.Result, plies, worth.Value,
			*worth.Remoteness)
	}
}

// TestFallingRefused asks for books and solutions where marks do not fall, or for too long.
func TestFallingRefused(t *testing.T) {
	l := &game.Lab{Kinds: BuiltInKinds()}
	for _, spec := range []string{"ttt", "race:4", "mnk:10,10,4+gravity", "ttt+gravity+wild"} {
		g, err := l.Game(spec)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := g.Solving().NewBookMaker(2, false, drop.SolverOptions{}); err == nil {
			t.Errorf("%s: a book is made", spec)
		}
	}
	g, err := l.Game("mnk:8,7,4+gravity")
	if err != nil {
		t.Fatal(err)
	}
	short, cancel := context.WithTimeout(context.Background(), 30*time.Millisecond)
	defer cancel()
	if _, err := g.Solving().Solve(short, game.SolveOptions{}); !errors.Is(err, context.DeadlineExceeded) ||
		errors.Is(err, solve.ErrTooLarge) {
		t.Errorf("8×7: %v, want %v", err, context.DeadlineExceeded)
	}
}

// TestDropEstimates: what is said before a search where marks fall is right within a factor 3 on these boards.
func TestDropEstimates(t *testing.T) {
	for _, spec := range []string{"mnk:5,4,4+gravity", "mnk:5,5,4+gravity", "mnk:5,5,4+gravity+misere",
		"animal:tic,5,5+gravity+misere", "animal:elly,5,5+gravity+misere"} {
		g, err := (&game.Lab{Kinds: BuiltInKinds()}).Game(spec)
		if err != nil {
			t.Fatal(err)
		}
		said := 0.0
		r, err := g.Solving().Solve(t.Context(), game.SolveOptions{Method: game.ByDrop,
			Keep: func(now game.Going, _ func(io.Writer) error) { said = now.Of }})
		if err != nil {
			t.Fatal(err)
		}
		if took := float64(r.Positions); said > 3*took || took > 3*said {
			t.Errorf("%s: %.0f positions, and %.0f were said", spec, took, said)
		}
	}
}

// TestOpenUltimateWithin: the carried proof bounds how long the win lasts.
func TestOpenUltimateWithin(t *testing.T) {
	g, err := (&game.Lab{Kinds: BuiltInKinds()}).Game("ultimate+open")
	if err != nil {
		t.Fatal(err)
	}
	r, err := g.Solving().Solve(t.Context(), game.SolveOptions{})
	if err != nil || r.Value != "first" || r.Bounds == nil || *r.Bounds != [2]int{1, 43} {
		t.Errorf("%+v, %v", r, err)
	}
}
