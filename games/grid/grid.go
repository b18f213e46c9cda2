// Package grid makes the boards of row games: M columns, N rows, and K in a
// row wins, on a rectangle or on a torus.
package grid

import (
	"fmt"
	"iter"
	"slices"

	"oxo/board"
	"oxo/games/kind"
)

// Shape says which rows count. With Torus there is no Gravity, as a torus has no lowest row.
type Shape struct {
	Cols, Rows, Run int  // M, N and K
	Torus           bool // left joins right and top joins bottom
	Exact           bool // a row longer than Run does not count
	Gravity         bool // marks fall to the lowest free row
}

// Directions are the steps, in columns and rows, in which rows go: across, down and along both diagonals. The
// opposite directions would give the same rows from their other ends.
var Directions = [4][2]int{{1, 0}, {0, 1}, {1, 1}, {1, -1}}

// New returns the board of that shape: squares left to right, top to bottom;
// winning sets the rows of Run squares across, down and along both diagonals.
//
// On a torus a row may cross the edges but not meet itself. With Exact a
// winning row must not go on at either end; a move may still make a longer
// row, which counts for nothing.
func New(s Shape) (*board.Board, error) {
	switch {
	case s.Cols < 1 || s.Rows < 1:
		return nil, fmt.Errorf("a board of %d columns and %d rows: both must be at least 1", s.Cols, s.Rows)
	// Each side is bounded before their product is, which could overflow otherwise.
	case s.Cols > board.MaxSquares || s.Rows > board.MaxSquares || s.Cols*s.Rows > board.MaxSquares:
		return nil, fmt.Errorf("a board of %d × %d squares: %w", s.Cols, s.Rows, kind.ErrTooLarge)
	case s.Run < 1:
		return nil, fmt.Errorf("%d in a row: it must be at least 1", s.Run)
	case s.Run > s.Cols && s.Run > s.Rows && !s.Torus:
		return nil, fmt.Errorf("%d in a row does not fit on %d × %d", s.Run, s.Cols, s.Rows)
	case s.Torus && s.Gravity:
		return nil, fmt.Errorf("gravity needs a lowest row, and a torus has none")
	}
	var lines []board.Line
	// A row that goes once around a torus comes from each of its squares; it is one winning set.
	seen := map[board.Line]bool{}
	for need, bar := range s.Lines() {
		line := board.Line{Need: board.SetOf(need...), Bar: board.SetOf(bar...)}
		if !seen[line] {
			seen[line] = true
			lines = append(lines, line)
		}
	}
	if len(lines) == 0 {
		return nil, fmt.Errorf("%d in a row does not fit on %d × %d", s.Run, s.Cols, s.Rows)
	}
	// The board's squares have the numbers that rows go by: row × Cols + column.
	b, err := board.FromLines(s.Cols*s.Rows, lines)
	if err != nil {
		return nil, err
	}
	b.SetGrid(s.Cols, s.Rows, 1)
	if s.Gravity {
		if err := b.SetBelow(BelowByStep(b.N, s.Cols)); err != nil {
			return nil, err
		}
	}
	return b, nil
}

// BelowByStep returns, for n squares of which the one step further on lies below, the square below each, or -1 for the
// last ones. On a grid that runs row by row from the top the step is the number of columns.
func BelowByStep(n, step int) []int {
	below := make([]int, n)
	for i := range below {
		if below[i] = i + step; below[i] >= n {
			below[i] = -1
		}
	}
	return below
}

// Lines returns the rows that win, of Run squares each, and for each the squares that must not be its owner's as
// well, which are nil unless Exact is set. On a torus a row may come more than once. The slices are the caller's to
// keep.
func (s Shape) Lines() iter.Seq2[[]int, []int] {
	return func(yield func(need, bar []int) bool) {
		for i := range s.Cols * s.Rows {
			for _, d := range Directions {
				if need, bar := s.row(i, d); need != nil && !yield(need, bar) {
					return
				}
			}
		}
	}
}

// row returns the row that starts at square i and goes in direction d, nil where there is none, and the squares at
// its ends where these must not be its owner's. There is none where the row leaves the board or, on a torus, meets
// itself.
func (s Shape) row(i int, d [2]int) (need, bar []int) {
	for k := range s.Run {
		j := s.step(i, d, k)
		if j < 0 || slices.Contains(need, j) {
			return nil, nil
		}
		need = append(need, j)
	}
	if s.Exact {
		// On a torus the square after the last one may be the first: such a row has no ends.
		for _, k := range []int{-1, s.Run} {
			if j := s.step(i, d, k); j >= 0 && !slices.Contains(need, j) {
				bar = append(bar, j)
			}
		}
	}
	return need, bar
}

// step returns the square k steps from square i in direction d, or -1 where that is off the board. Steps may be
// negative, which is the way back, and on a torus they go on at the other edge.
func (s Shape) step(i int, d [2]int, k int) int {
	col, row := i%s.Cols+k*d[0], i/s.Cols+k*d[1]
	if s.Torus {
		col, row = mod(col, s.Cols), mod(row, s.Rows)
	} else if col < 0 || col >= s.Cols || row < 0 || row >= s.Rows {
		return -1
	}
	return row*s.Cols + col
}

// mod returns the remainder of a from 0 to n−1, also of a negative a, of which Go's % is negative or 0.
func mod(a, n int) int { return ((a % n) + n) % n }
