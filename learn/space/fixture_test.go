package space

import (
	"testing"

	"oxo/board"
	"oxo/games/grid"
	"oxo/games/meta"
)

// ttt returns the whole of tic-tac-toe.
func ttt(t testing.TB) *Graph[board.Pos64] {
	t.Helper()
	b, err := grid.New(grid.Shape{Cols: 3, Rows: 3, Run: 3})
	if err != nil {
		t.Fatal(err)
	}
	a, err := Enumerate(t.Context(), board.Game64("test", "test", b, board.Normal), 10_000)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func static(t testing.TB, weights []float64, depth int) *Static[meta.Pos] {
	t.Helper()
	s, err := NewStatic(meta.New(), "weger", weights, depth)
	if err != nil {
		t.Fatal(err)
	}
	return s
}
