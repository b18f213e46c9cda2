package drop_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"oxo/board"
	"oxo/drop"
	"oxo/games/grid"
)

// TestResumed stops a search again and again, goes on from what it saved, and compares
// the end with a search that was never stopped.
func TestResumed(t *testing.T) {
	b := must(t)(grid.New(grid.Shape{Cols: 6, Rows: 4, Run: 4, Gravity: true}))
	start := board.Game64("g", "g", b, board.Normal).Start
	whole, err := drop.New(b, board.Normal, drop.SolverOptions{})
	if err != nil {
		t.Fatal(err)
	}
	want, _, err := whole.Moves(ctx, start)
	if err != nil {
		t.Fatal(err)
	}
	var saved bytes.Buffer
	told := uint64(0)
	for stops := 0; ; stops++ {
		s, err := drop.New(b, board.Normal, drop.SolverOptions{Nodes: 120_000, Progress: func(n uint64) { told = n }})
		if err != nil {
			t.Fatal(err)
		}
		if saved.Len() > 0 {
			if err := s.LoadBounds(&saved); err != nil {
				t.Fatal(err)
			}
		}
		got, _, err := s.Moves(ctx, start)
		if err == nil {
			if got != want || stops < 1 || told == 0 {
				t.Errorf("%v after %d stops, %d nodes told; want %v", got, stops, told, want)
			}
			return
		}
		if stops == 20 || !errors.Is(err, drop.ErrLimit) {
			t.Fatalf("stopped %d times: %v", stops, err)
		}
		saved.Reset()
		if err := s.SaveBounds(&saved); err != nil {
			t.Fatal(err)
		}
	}
}

// TestResumedSpares stops a search halfway and sees that going on searches clearly fewer positions than anew: what
// was saved is more than who asked.
func TestResumedSpares(t *testing.T) {
	b := must(t)(grid.New(grid.Shape{Cols: 6, Rows: 5, Run: 4, Gravity: true}))
	start := board.Game64("g", "g", b, board.Normal).Start
	solver := func(most uint64) *drop.Solver {
		s, err := drop.New(b, board.Normal, drop.SolverOptions{Nodes: most, Progress: func(uint64) {}})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	whole := solver(0)
	want, err := whole.Solve(ctx, start)
	if err != nil {
		t.Fatal(err)
	}
	first := solver(whole.Nodes() * 2 / 3)
	if _, err := first.Solve(ctx, start); !errors.Is(err, drop.ErrLimit) {
		t.Fatalf("stopped: %v", err)
	}
	var saved bytes.Buffer
	if err := first.SaveBounds(&saved); err != nil {
		t.Fatal(err)
	}
	second := solver(0)
	if err := second.LoadBounds(&saved); err != nil {
		t.Fatal(err)
	}
	got, err := second.Solve(ctx, start)
	t.Logf("%d positions, and after %d %d more", whole.Nodes(), first.Nodes(), second.Nodes())
	if err != nil || got != want || second.Nodes() > whole.Nodes()*2/3 {
		t.Errorf("%v %v, want %v: %d positions, and after %d %d more", got, err, want, whole.Nodes(), first.Nodes(),
			second.Nodes())
	}
}

// TestResumeRefused goes on from what was never saved.
func TestResumeRefused(t *testing.T) {
	b, g := small(t, board.Normal)
	s, err := drop.New(b, board.Normal, drop.SolverOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Solve(ctx, g.Start); err != nil {
		t.Fatal(err)
	}
	var saved bytes.Buffer
	if err := s.SaveBounds(&saved); err != nil {
		t.Fatal(err)
	}
	misere, err := drop.New(b, board.Misere, drop.SolverOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := misere.LoadBounds(bytes.NewReader(saved.Bytes())); err == nil ||
		!strings.Contains(err.Error(), "another game") {
		t.Errorf("of another game: %v", err)
	}
	for _, text := range []string{"", "{}", "[]", saved.String()[:saved.Len()/2],
		strings.Replace(saved.String(), `"bounds":[[`, `"bounds":[[99,-99],[`, 1),
		strings.Replace(saved.String(), `"bounds":[[`, `"bounds":[[9`, 1)} {
		if err := s.LoadBounds(strings.NewReader(text)); err == nil {
			t.Errorf("%q is taken", text)
		}
	}
}
