package board_test

import (
	"testing"

	"oxo/board"
	"oxo/games/cube"
	"oxo/games/grid"
	"oxo/gametest"
)

func FuzzText(f *testing.F) {
	gametest.Fuzz(f, board.Game64("g", "g", mnk(f, 3, 3, 3), board.Normal))
}

func FuzzTextWild(f *testing.F) {
	wild := board.Wild
	wild.Slip = 0.5
	b := must(f)(grid.New(grid.Shape{Cols: 4, Rows: 3, Run: 3, Gravity: true, Exact: true}))
	gametest.Fuzz(f, board.Game64("g", "g", b, wild))
}

func FuzzTextWide(f *testing.F) {
	gametest.Fuzz(f, board.Game256("g", "g", must(f)(cube.New(5, 3, true)), board.Order))
}

// FuzzSets reads bytes as winning sets and expects a board or an error.
func FuzzSets(f *testing.F) {
	f.Add(3, []byte{1, 2, 255, 2, 3})
	f.Add(0, []byte{255})
	f.Add(300, []byte{0})
	f.Fuzz(func(t *testing.T, n int, data []byte) {
		if len(data) > 64 {
			return
		}
		sets := [][]int{{}}
		for _, b := range data {
			if b == 255 {
				sets = append(sets, nil)
			} else {
				last := &sets[len(sets)-1]
				*last = append(*last, int(b)-1)
			}
		}
		b, err := board.New(n, sets)
		if err == nil && (b.N != n || len(b.Lines) != len(sets)) {
			t.Errorf("%d squares and %d lines of %d and %d", b.N, len(b.Lines), n, len(sets))
		}
	})
}
