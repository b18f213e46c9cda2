package search_test

import (
	"context"
	"testing"

	"oxo"
	"oxo/board"
	"oxo/games/cube"
	"oxo/games/grid"
	"oxo/search"
)

// mnk returns the game of k in a row on m columns and n rows.
func mnk(t testing.TB, m, n, k int) *oxo.Game[board.Pos64] {
	t.Helper()
	b, err := grid.New(grid.Shape{Cols: m, Rows: n, Run: k})
	if err != nil {
		t.Fatal(err)
	}
	return board.Game64("mnk", "", b, board.Normal)
}

func cubeGame(t testing.TB, n, d int) *oxo.Game[board.Pos64] {
	t.Helper()
	b, err := cube.New(n, d, false)
	if err != nil {
		t.Fatal(err)
	}
	return board.Game64("cube", "", b, board.Normal)
}

// find searches and fails the test where the request is refused.
func find[P oxo.Position[P]](t testing.TB, g *oxo.Game[P], p P, a search.Algorithm, o search.Options[P]) search.Result {
	t.Helper()
	r, err := search.Search(context.Background(), g, p, a, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}
