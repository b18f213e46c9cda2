// Package cube makes the boards of tic-tac-toe in any number of dimensions:
// the N^D points with coordinates 1…N, every straight line of N points wins.
package cube

import (
	"fmt"

	"oxo/board"
	"oxo/games/grid"
)

// New returns the board of side n in dim dimensions, the first coordinate
// running fastest. There are ((n+2)^dim − n^dim)/2 lines (Hales and Jewett
// 1963). Up to three dimensions squares have grid names; beyond, numbers.
//
// With gravity marks fall: in two dimensions to the lowest free row, in three to the lowest free level, level a
// being the lowest. It is refused in other dimensions, and so are boards of more than board.MaxSquares squares,
// sides below 2 and dimensions below 1.
func New(n, dim int, gravity bool) (*board.Board, error) {
	if n < 2 || dim < 1 {
		return nil, fmt.Errorf("a cube of side %d in %d dimensions: the side is at least 2, the dimensions at least 1",
			n, dim)
	}
	squares := 1
	// The product is looked at after each factor, so that it can't overflow.
	for range dim {
		if squares *= n; squares > board.MaxSquares {
			return nil, fmt.Errorf("a cube of side %d in %d dimensions has more than %d squares", n, dim,
				board.MaxSquares)
		}
	}
	// Squares are drawn as a row, a grid or a grid with levels up to three dimensions, else as layout says.
	b, err := board.FromLines(squares, lines(n, dim))
	if err != nil {
		return nil, err
	}
	switch dim {
	case 1:
		b.SetGrid(n, 1, 1)
	case 2:
		b.SetGrid(n, n, 1)
	case 3:
		b.SetGrid(n, n, n)
	default:
		for i := range b.Layout {
			b.Layout[i] = drawnAt(i, n)
		}
	}
	if !gravity {
		return b, nil
	}
	switch dim {
	case 2:
		err = b.SetBelow(grid.BelowByStep(squares, n))
	case 3:
		err = b.SetBelow(squaresBelow(squares, n*n))
	default:
		err = fmt.Errorf("gravity needs two or three dimensions, not %d", dim)
	}
	return b, err
}

// squaresBelow returns of each square the one below it, −1 on the floor. A level has so many squares, and the
// lowest level comes first.
func squaresBelow(squares, level int) []int {
	below := make([]int, squares)
	for i := range below {
		below[i] = max(i-level, -1)
	}
	return below
}

// lines returns the geometric lines: each coordinate stays, rises or falls, not all stay, and the first that moves
// rises, so that no line comes twice, once from each end.
func lines(n, dim int) []board.Line {
	var list []board.Line
	// choose goes through what coordinate d and those after it can do: start is the line's first square by the
	// coordinates before d, stride the step from one square of it to the next, scale what one step of coordinate d
	// is worth in squares, and moving says that a coordinate before d moves.
	var choose func(d int, moving bool, start, stride, scale int)
	choose = func(d int, moving bool, start, stride, scale int) {
		if d == dim {
			if moving {
				var line board.Line
				for k := range n {
					line.Need = line.Need.With(start + k*stride)
				}
				list = append(list, line)
			}
			return
		}
		for c := range n {
			choose(d+1, moving, start+c*scale, stride, scale*n)
		}
		choose(d+1, true, start, stride+scale, scale*n)
		if moving {
			choose(d+1, true, start+(n-1)*scale, stride-scale, scale*n)
		}
	}
	choose(0, false, 0, 0, 1)
	return list
}

// drawnAt says where square i of a board of side n is drawn: more than three dimensions are a row of cubes, with a
// gap between one and the next. The first three coordinates are column, row and level in a cube, the others number
// the cubes.
func drawnAt(i, n int) board.Point {
	var at board.Point
	at.Col, i = i%n, i/n
	at.Row, i = i%n, i/n
	at.Level, i = i%n, i/n
	at.Col += i * (n + 1)
	return at
}
