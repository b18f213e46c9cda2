package exam

import (
	"testing"

	"oxo"
	"oxo/board"
	"oxo/games/grid"
	"oxo/learn/space"
)

// ttt returns the whole of tic-tac-toe.
func ttt(t testing.TB) *space.Graph[board.Pos64] {
	t.Helper()
	return whole64(t, grid.Shape{Cols: 3, Rows: 3, Run: 3}, board.Normal)
}

func whole64(t testing.TB, shape grid.Shape, rules board.Rules) *space.Graph[board.Pos64] {
	t.Helper()
	b, err := grid.New(shape)
	if err != nil {
		t.Fatal(err)
	}
	a, err := space.Enumerate(t.Context(), board.Game64("test", "test", b, rules), 1_000_000)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// examiner grades by the usual opponents.
func examiner[P oxo.Position[P]](t testing.TB, a *space.Graph[P]) *Examiner {
	t.Helper()
	x, err := NewExaminer(t.Context(), a, nil)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
