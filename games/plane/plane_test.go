package plane_test

import (
	"testing"

	"oxo/board"
	"oxo/games/plane"
)

// TestAxioms checks what makes a plane: two points share one line.
func TestAxioms(t *testing.T) {
	for _, q := range []int{2, 3, 4, 5, 7, 8, 9} {
		affine, err := plane.Affine(q)
		if err != nil {
			t.Fatal(err)
		}
		check(t, affine, q*q, q*q+q, q)
		projective, err := plane.Projective(q)
		if err != nil {
			t.Fatal(err)
		}
		check(t, projective, q*q+q+1, q*q+q+1, q+1)
	}
	for _, q := range []int{-1, 0, 1, 6, 10, 11} {
		if _, err := plane.Affine(q); err == nil {
			t.Errorf("an affine plane of order %d was made", q)
		}
		if _, err := plane.Projective(q); err == nil {
			t.Errorf("a projective plane of order %d was made", q)
		}
	}
}

func check(t *testing.T, b *board.Board, points, lines, size int) {
	t.Helper()
	if b.N != points || len(b.Lines) != lines {
		t.Errorf("%d points and %d lines, want %d and %d", b.N, len(b.Lines), points, lines)
	}
	shared := map[[2]int]int{}
	for _, l := range b.Lines {
		squares := l.Need.Squares()
		if len(squares) != size {
			t.Errorf("a line of %d points, want %d", len(squares), size)
		}
		for i, p := range squares {
			for _, q := range squares[i+1:] {
				shared[[2]int{p, q}]++
			}
		}
	}
	if len(shared) != points*(points-1)/2 {
		t.Errorf("%d pairs of points are on a line, of %d", len(shared), points*(points-1)/2)
	}
	for pair, n := range shared {
		if n != 1 {
			t.Errorf("points %v share %d lines", pair, n)
		}
	}
}
