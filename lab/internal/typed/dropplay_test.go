package typed

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

// TestAdjudicateFalling plays games on a board with gravity and compares what ends a match
// with the values of all positions.
func TestAdjudicateFalling(t *testing.T) {
	b := fallingBound(t)
	known, err := b.dropAdjudicator()
	if err != nil {
		t.Fatal(err)
	}
	all, err := solve.Solve(context.Background(), b.Game, b.Start, solve.Options{})
	if err != nil {
		t.Fatal(err)
	}
	answered := 0
	for p := b.Start; p.Outcome() == oxo.Ongoing; p = p.Play(p.Moves(nil)[0]) {
		for _, m := range p.Moves(nil) {
			want, _ := all.At(p.Play(m))
			got, ok := known(p.Play(m))
			if ok {
				answered++
			}
			if ok && got != want.Outcome {
				t.Errorf("%s: %v, not %v", b.Format(p.Play(m)), got, want)
			}
		}
	}
	if answered < 20 {
		t.Errorf("%d answers", answered)
	}
}

// TestFallingOptimal sees that the player that keeps the value plays all moves that do,
// and the perfect one only the best.
func TestFallingOptimal(t *testing.T) {
	b := fallingBound(t)
	if err := b.ensureDropSolver(); err != nil {
		t.Fatal(err)
	}
	p, err := parse(b.Game, "..../..../..x./.oxo x")
	if err != nil {
		t.Fatal(err)
	}
	_, list, _, err := b.solveDropMoves(context.Background(), &b.falling.whole, p)
	if err != nil {
		t.Fatal(err)
	}
	whole, _ := solve.Solve(context.Background(), b.Game, p, solve.Options{})
	v, _ := whole.At(p)
	for _, keeps := range []bool{false, true} {
		played := map[oxo.Move]bool{}
		f := &dropPlayer[board.Pos64]{b, &b.falling.whole, rand.New(rand.NewPCG(1, 1)), keeps}
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

func fallingBound(t *testing.T) *typedGame[board.Pos64] {
	t.Helper()
	on, err := grid.New(grid.Shape{Cols: 4, Rows: 4, Run: 4, Gravity: true})
	if err != nil {
		t.Fatal(err)
	}
	b := &typedGame[board.Pos64]{Game: board.Game64("mnk:4,4,4+gravity", "", on, board.Normal), lab: &Lab{}, board: on}
	return b
}
