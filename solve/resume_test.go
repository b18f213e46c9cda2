package solve_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"oxo"
	"oxo/board"
	"oxo/games/grid"
	"oxo/solve"
)

// TestResume ends the work again and again, goes on from what was saved, and
// compares the file of the solution with that of one run.
func TestResume(t *testing.T) {
	b, err := grid.New(grid.Shape{Cols: 4, Rows: 3, Run: 3})
	if err != nil {
		t.Fatal(err)
	}
	slips := board.Normal
	slips.Slip = 0.25
	for name, rules := range map[string]board.Rules{"normal": board.Normal, "slips": slips} {
		g := board.Game64(name, name, b, rules)
		resume(t, g, g.Start)
	}
}

func resume[P oxo.Position[P]](t *testing.T, g *oxo.Game[P], start P) {
	t.Helper()
	file := func(s *solve.Solution[P]) []byte {
		var out bytes.Buffer
		if err := s.Write(&out, "test"); err != nil {
			t.Fatal(err)
		}
		return out.Bytes()
	}
	whole, err := solve.Solve(t.Context(), g, start, solve.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	var state []byte
	for cuts := 0; ; cuts++ {
		ctx, stop := context.WithCancel(t.Context())
		o := solve.Settings{}
		if state != nil {
			o.Resume = bytes.NewReader(state)
		}
		calls := 0
		o.Keep = func(n int, save func(io.Writer) error) {
			if calls++; calls == 2 {
				stop()
			}
			if ctx.Err() != nil {
				var out bytes.Buffer
				if err := save(&out); err != nil {
					t.Error(err)
				}
				state = out.Bytes()
			}
		}
		s, err := solve.Solve(ctx, g, start, o)
		stop()
		if errors.Is(err, context.Canceled) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if cuts < 2 || s.Positions() != whole.Positions() || !bytes.Equal(file(s), file(whole)) {
			t.Errorf("%s: after %d cuts %d positions, in one run %d", g.Spec, cuts, s.Positions(), whole.Positions())
		}
		break
	}
	if _, err := solve.Read(bytes.NewReader(state), g, "test"); err == nil {
		t.Errorf("%s: unfinished work was taken for a solution", g.Spec)
	}
	if _, err := solve.Solve(t.Context(), g, start, solve.Settings{Resume: strings.NewReader("nothing")}); err == nil {
		t.Errorf("%s: gone on from what is no work", g.Spec)
	}
}
