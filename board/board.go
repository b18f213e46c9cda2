// Package board is the one idea that most games here share: a set of squares S
// and a family W of winning sets of squares. A [Board] is that data, a [Rules]
// says what completing a winning set means, and together they make a game
// whose positions are bitboards: [Pos64] for up to 64 squares, [Pos256] for up
// to 256. The automorphism group of a board is computed from S and W alone
// ([Board.Group]).
package board

import (
	"fmt"
	"slices"
)

// Line is one winning set. It is owned by a side whose marks hold all of Need
// and none of Bar. Bar is empty but where rows longer than the line must not
// count; then it holds the squares that would make the row longer.
type Line struct{ Need, Bar Set }

// Owned reports whether marks own the line.
func (l Line) Owned(marks Set) bool { return marks.Holds(l.Need) && !marks.Meets(l.Bar) }

// Point is where a square is drawn: column from the left, row from the top,
// level from the front.
type Point struct{ Col, Row, Level int }

// Board is a set of squares 0…N−1 and the winning sets. It is not changed
// once made.
type Board struct {
	N     int
	Lines []Line // distinct, none with an empty Need

	// Below holds, for each square, the square that must be filled first, or
	// -1 for none. It is nil on boards without gravity.
	Below []int

	// Names are the squares' names. Layout is where to draw them; on a board
	// with Cols > 0 it is a full grid of Cols × Rows × Levels whose squares
	// run left to right, top to bottom, front to back, and positions are
	// written by rows. Otherwise Cols is 0 and squares are written in order.
	Names              []string
	Layout             []Point
	Cols, Rows, Levels int

	through [][]int // for each square, the indices of the lines whose Need has it
	cache   groupCache
}

// New returns the board of n squares with the given winning sets, squares
// numbered from 0, named 1…n and laid out in one row. Without sets only a full
// board ends a game. It refuses empty sets,
// unknown squares, a square named twice in a set, and a set given twice.
func New(n int, winningSets [][]int) (*Board, error) {
	if n < 1 || n > MaxSquares {
		return nil, fmt.Errorf("%d squares: a board has 1 to %d", n, MaxSquares)
	}
	lines := make([]Line, len(winningSets))
	for k, squares := range winningSets {
		if len(squares) == 0 {
			return nil, fmt.Errorf("winning set %d is empty", k+1)
		}
		for _, i := range squares {
			if i < 0 || i >= n {
				return nil, fmt.Errorf("winning set %d: no square %d among 1 to %d", k+1, i+1, n)
			}
			if lines[k].Need.Has(i) {
				return nil, fmt.Errorf("winning set %d: square %d twice", k+1, i+1)
			}
			lines[k].Need = lines[k].Need.With(i)
		}
	}
	return FromLines(n, lines)
}

// FromLines returns the board of n squares with the given lines, which must
// lie on the board and be distinct.
func FromLines(n int, lines []Line) (*Board, error) {
	b := &Board{N: n, Lines: lines, Names: make([]string, n), Layout: make([]Point, n), through: make([][]int, n)}
	seen := make(map[Line]int, len(lines))
	for k, line := range lines {
		if first, ok := seen[line]; ok {
			return nil, fmt.Errorf("winning set %d is the same as set %d", k+1, first+1)
		}
		seen[line] = k
		for i := range line.Need.All() {
			b.through[i] = append(b.through[i], k)
		}
	}
	for i := range n {
		b.Names[i] = fmt.Sprint(i + 1)
		b.Layout[i] = Point{Col: i}
	}
	return b, nil
}

// SetBelow gives the board gravity: below[i] is the square that must be filled
// before square i, or -1. It refuses unknown squares and circles.
func (b *Board) SetBelow(below []int) error {
	if len(below) != b.N {
		return fmt.Errorf("below has %d entries for %d squares", len(below), b.N)
	}
	for i := range below {
		steps := 0
		for j := i; j != -1; j = below[j] {
			if j < -1 || j >= b.N {
				return fmt.Errorf("below: no square %d among 1 to %d", j+1, b.N)
			}
			if steps++; steps > b.N {
				return fmt.Errorf("below: square %d rests on itself, at once or by way of others", i+1)
			}
		}
	}
	b.Below = slices.Clone(below)
	b.cache = groupCache{}
	return nil
}

// LinesThrough returns the indices of the lines that square i is needed in, in
// ascending order. The slice is the board's own.
func (b *Board) LinesThrough(i int) []int { return b.through[i] }

// Squares returns the set of all squares.
func (b *Board) Squares() Set { return Full(b.N) }

// Playable returns those of the free squares that a mark can be placed on: with gravity those above no other one.
func (b *Board) Playable(free Set) Set {
	if b.Below == nil {
		return free
	}
	playable := free
	for i := range free.All() {
		if j := b.Below[i]; j >= 0 && free.Has(j) {
			playable = playable.Without(i)
		}
	}
	return playable
}
