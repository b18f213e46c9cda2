package solve_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"oxo"
	"oxo/board"
	"oxo/games/grid"
	"oxo/solve"
)

// deepened compares what FindForcedWin finds of random positions of a game with its
// strong solution: who wins, in how many plies, and by which moves.
func deepened[P oxo.Position[P]](t *testing.T, g *oxo.Game[P], outlook func(P, oxo.Seat) int) {
	t.Helper()
	s, err := solve.Solve(context.Background(), g, g.Start, solve.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 60 {
		p := g.Start
		for range r.IntN(g.MaxPlies) {
			moves := p.Moves(nil)
			if q := p.Play(moves[r.IntN(len(moves))]); q.Outcome() == oxo.Ongoing {
				p = q
			}
		}
		want, _ := s.At(p)
		o := solve.DeepenOptions[P]{Nodes: 1 << 40, Bytes: 1 << 12, MinMovesToWin: outlook}
		if r.IntN(2) == 0 { // in two pieces
			o.Nodes = 200
			half, err := solve.FindForcedWin(context.Background(), g, p, o)
			if err != nil {
				t.Fatal(err)
			}
			if o.After, o.Nodes = half, 1<<40; half.Found {
				o.After = nil
			}
		}
		got, err := solve.FindForcedWin(context.Background(), g, p, o)
		if err != nil {
			t.Fatal(err)
		}
		if want.Outcome == oxo.Drawn {
			if got.Found {
				t.Fatalf("%s %s: found %+v of a draw", g.Spec, g.Format(p), got)
			}
			continue
		}
		if !got.Found || got.Verdict != want {
			t.Fatalf("%s %s: %+v, by all positions %+v", g.Spec, g.Format(p), got, want)
		}
		options, _ := s.Moves(p)
		options = slices.DeleteFunc(options,
			func(o solve.Option) bool { return want.Outcome == oxo.WinFor(p.Turn()) && !o.Best })
		if !slices.Equal(got.Moves, options) {
			t.Fatalf("%s %s: moves %+v, by all positions %+v", g.Spec, g.Format(p), got.Moves, options)
		}
	}
}

func TestDeepen(t *testing.T) {
	rules := []board.Rules{board.Normal, board.Misere, board.Maker, board.Breaker, board.Avoider, board.Enforcer,
		board.Wild, board.WildMisere,
		board.Notakto, board.Order, board.Chaos}
	for _, shape := range []grid.Shape{{Cols: 3, Rows: 3, Run: 3}, {Cols: 4, Rows: 3, Run: 3},
		{Cols: 3, Rows: 3, Run: 2, Exact: true},
		{Cols: 4, Rows: 3, Run: 3, Gravity: true}} {
		b, err := grid.New(shape)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range rules {
			if b.N > 9 && r.Place != board.Own {
				continue
			}
			deepened(t, board.Game64(r.Name, "", b, r), board.Pos64.MinMovesToWin)
			deepened(t, board.Game64(r.Name, "", b, r), nil)
			if b.N <= 9 && r.Place == board.Own {
				deepened(t, board.Game256(r.Name, "", b, r), board.Pos256.MinMovesToWin)
			}
		}
	}
}

// TestDeepenLimits sees that a search ends where it is told, and says what is certain.
func TestDeepenLimits(t *testing.T) {
	b, err := grid.New(grid.Shape{Cols: 15, Rows: 15, Run: 5})
	if err != nil {
		t.Fatal(err)
	}
	g := board.Game256("g", "", b, board.Normal)
	got, err := solve.FindForcedWin(context.Background(), g, g.Start,
		solve.DeepenOptions[board.Pos256]{Nodes: 10_000, Bytes: 1 << 16, MinMovesToWin: board.Pos256.MinMovesToWin})
	if err != nil || got.Found || got.Nodes > 10_300 || got.None != [2]int{8, 8} {
		t.Fatalf("%+v %v", got, err)
	}
	over, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := solve.FindForcedWin(over, g, g.Start,
		solve.DeepenOptions[board.Pos256]{Nodes: 10_000}); err != context.Canceled {
		t.Fatal(err)
	}
}
