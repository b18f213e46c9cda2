package prove

import (
	"math/rand/v2"
	"testing"

	"oxo"
	"oxo/board"
	"oxo/board/bitset"
	"oxo/games/cube"
	"oxo/games/grid"
	"oxo/games/plane"
	"oxo/prove/certificate"
)

// boards are boards of several sizes, with and without bars.
func boards(t *testing.T) []*board.Board {
	var list []*board.Board
	add := func(b *board.Board, err error) {
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, b)
	}
	add(grid.New(grid.Shape{Cols: 5, Rows: 4, Run: 3}))
	add(grid.New(grid.Shape{Cols: 6, Rows: 6, Run: 4, Exact: true}))
	add(grid.New(grid.Shape{Cols: 15, Rows: 15, Run: 5}))
	add(grid.New(grid.Shape{Cols: 7, Rows: 1, Run: 1}))
	add(cube.New(4, 3, false))
	add(plane.Projective(4))
	add(board.New(3, [][]int{{0, 1, 2}, {0, 1}, {2}}))
	return list
}

// TestCanonical checks that the images of a position have one key, and that
// the permutation leads to one representative.
func TestCanonical(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, b := range boards(t) {
		if b.N > 64 {
			continue
		}
		y := newSymmetry[[1]uint64](b.N, certificate.Automorphisms(b))
		image := func(c [3][1]uint64, k int) (d [3][1]uint64) {
			for i := range c {
				d[i] = y.image(c[i], k)
			}
			return d
		}
		var near, none images[[1]uint64]
		y.computeImages(&none, [3][1]uint64{})
		for range 20 {
			var c [3][1]uint64
			for i := range b.N {
				if k := r.IntN(5); k < 3 {
					c[k] = bitset.With(c[k], i)
				}
			}
			key, perm := y.canonical(&none, c)
			other := image(c, r.IntN(len(y.perms)))
			y.computeImages(&near, other)
			key2, perm2 := y.canonical(&near, other)
			if key != key2 || image(c, perm) != image(other, perm2) {
				t.Fatalf("%d squares: two images of a position differ", b.N)
			}
		}
	}
}

// TestMirror checks who may answer by a mirror, and that each square's image is
// the one through the middle of the board.
func TestMirror(t *testing.T) {
	square := func(n int, gravity bool) *board.Board {
		b, err := grid.New(grid.Shape{Cols: n, Rows: n, Run: 3, Gravity: gravity})
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	for _, c := range []struct {
		game certificate.Setup
		seat oxo.Seat
		want bool
	}{
		{certificate.Setup{Board: square(3, false), Rules: board.Misere}, oxo.First, true},
		{certificate.Setup{Board: square(3, false), Rules: board.Misere}, oxo.Second, false},
		{certificate.Setup{Board: square(4, false), Rules: board.Misere}, oxo.First, false},
		{certificate.Setup{Board: square(4, false), Rules: board.Misere}, oxo.Second, true},
		{certificate.Setup{Board: square(3, false), Rules: board.Normal}, oxo.First, false},
		{certificate.Setup{Board: square(3, true), Rules: board.Misere}, oxo.First, false},
		{certificate.Setup{Board: square(3, false), Rules: board.Avoider}, oxo.First, false},
		{certificate.Setup{Board: square(3, false), Rules: board.Misere, Marks: [2]board.Set{board.SetOf(0)},
			Turn: oxo.Second}, oxo.First, false},
	} {
		perm := mirrorSymmetry(&c.game, c.seat, certificate.Automorphisms(c.game.Board))
		if (perm != nil) != c.want {
			t.Errorf("%d squares, %s, %v: %v, want a mirror: %v", c.game.Board.N, c.game.Rules.Name, c.seat, perm,
				c.want)
		}
		for i, j := range perm {
			if int(j) != c.game.Board.N-1-i {
				t.Errorf("%d squares: the image of square %d is %d", c.game.Board.N, i, j)
			}
		}
	}
}
