package falling

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

// TestFallingOptimal sees that the player that keeps the value plays all moves that do,
// and the perfect one only the best.
func TestFallingOptimal(t *testing.T) {
	b := smallGame(t)
	var lazy Lazy
	s, err := lazy.Of(b.Start)
	if err != nil {
		t.Fatal(err)
	}
	p, err := b.Parse("..../..../..x./.oxo x")
	if err != nil {
		t.Fatal(err)
	}
	_, list, _, err := s.SolveWithMoves(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	whole, _ := solve.Solve(context.Background(), b, p, solve.Settings{})
	v, _ := whole.At(p)
	for _, keeps := range []bool{false, true} {
		played := map[oxo.Move]bool{}
		f := NewPlayer[board.Pos64](s, keeps, rand.New(rand.NewPCG(1, 1)))
		for range 100 {
			c, err := f.Choose(context.Background(), p)
			if err != nil {
				t.Fatal(err)
			}
			played[c.Move] = true
		}
		want := slices.DeleteFunc(slices.Clone(list),
			func(o solve.Option) bool { return !o.Best && !(keeps && o.Outcome == v.Outcome) })
		if len(played) != len(want) {
			t.Errorf("keeps %v: played %v, want %v", keeps, played, want)
		}
	}
}

func smallGame(t *testing.T) *oxo.Game[board.Pos64] {
	t.Helper()
	on, err := grid.New(grid.Shape{Cols: 4, Rows: 4, Run: 4, Gravity: true})
	if err != nil {
		t.Fatal(err)
	}
	return board.Game64("mnk:4,4,4+gravity", "", on, board.Normal)
}

// TestEndings: near the end of a game each position is worth what all positions say; with
// more free squares there is no answer.
func TestEndings(t *testing.T) {
	for cols, answered := range map[int]int{5: 28, 10: 22} {
		testEndings(t, cols, answered)
	}
	if _, err := EndgameValues("no position"); err == nil {
		t.Error("there are endings of nothing")
	}
}

func testEndings(t *testing.T, cols, answered int) {
	on, err := grid.New(grid.Shape{Cols: cols, Rows: 5, Run: 4, Gravity: true})
	if err != nil {
		t.Fatal(err)
	}
	g := board.Game64("g", "", on, board.Normal)
	solved, err := EndgameValues(g.Start)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 1))
	for range 30 {
		p := g.Start
		for ply := 0; p.Outcome() == oxo.Ongoing; ply++ {
			free := on.N - ply
			got, ok := solved(p)
			if ok != (free <= answered) {
				t.Fatalf("%d of %d squares are free: answered %v", free, on.N, ok)
			}
			if free <= 12 {
				all, err := solve.Solve(t.Context(), g, p, solve.Settings{})
				if err != nil {
					t.Fatal(err)
				}
				if v, _ := all.At(p); got != float64(v.Outcome.Value(oxo.First)) {
					t.Errorf("%s: worth %v, want %v", g.Format(p), got, v.Outcome)
				}
			}
			moves := p.Moves(nil)
			p = p.Play(moves[r.IntN(len(moves))])
		}
	}
}
