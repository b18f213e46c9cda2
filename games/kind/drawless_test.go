package kind_test

import (
	"math/rand/v2"
	"testing"

	"oxo/board"
	"oxo/games/cube"
	"oxo/games/grid"
	"oxo/games/kind"
	"oxo/games/plane"
)

// drawless reports whether the rules of a game on the board say that nobody draws.
func drawless(b *board.Board, exact bool) bool {
	rules := (&kind.Design{Board: b, Settings: kind.Settings{Rules: board.Normal, Exact: exact}}).Explain()
	return rules[len(rules)-1].Key == "end.normal.drawless"
}

// TestDrawless compares what is said with all ways to fill small boards, and with what is known.
func TestDrawless(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	completed := 0
	const boards = 400
	for range boards {
		n := 3 + r.IntN(7)
		var sets [][]int
		seen := map[board.Set]bool{}
		for range 1 + r.IntN(3*n) {
			squares := r.Perm(n)[:1+r.IntN(4)%n]
			if s := board.SetOf(squares...); !seen[s] {
				seen[s] = true
				sets = append(sets, squares)
			}
		}
		b, err := board.New(n, sets)
		if err != nil {
			t.Fatal(err)
		}
		want := true
		for filling := range 1 << n {
			x := board.Set{A: uint64(filling)}
			o := b.Squares().Minus(x)
			held := false
			for _, l := range b.Lines {
				held = held || l.Owned(x) || l.Owned(o)
			}
			want = want && held
		}
		if want {
			completed++
		}
		if got := drawless(b, false); got != want {
			t.Errorf("%d squares, sets %v: %v, of all fillings %v", n, sets, got, want)
		}
	}
	if completed < boards/10 || completed > boards*9/10 {
		t.Errorf("%d of %d boards always have a line", completed, boards)
	}
	for _, c := range []struct {
		name  string
		open  func() (*board.Board, error)
		exact bool
		want  bool
	}{
		{"3×3", gridOf(grid.Shape{Cols: 3, Rows: 3, Run: 3}), false, false},
		{"3×3 torus", gridOf(grid.Shape{Cols: 3, Rows: 3, Run: 3, Torus: true}), false, true},
		{"2 in a row", gridOf(grid.Shape{Cols: 3, Rows: 3, Run: 2}), false, true},
		{"exactly 2", gridOf(grid.Shape{Cols: 3, Rows: 3, Run: 2, Exact: true}), true, false},
		{"Fano", func() (*board.Board, error) { return plane.Projective(2) }, false, true},
		{"projective 3", func() (*board.Board, error) { return plane.Projective(3) }, false, false},
		{"affine 3", func() (*board.Board, error) { return plane.Affine(3) }, false, true},
		{"affine 4", func() (*board.Board, error) { return plane.Affine(4) }, false, false},
		{"3×3×3", func() (*board.Board, error) { return cube.New(3, 3, false) }, false, true},
	} {
		b, err := c.open()
		if err != nil {
			t.Fatal(err)
		}
		if got := drawless(b, c.exact); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

func gridOf(s grid.Shape) func() (*board.Board, error) {
	return func() (*board.Board, error) { return grid.New(s) }
}
