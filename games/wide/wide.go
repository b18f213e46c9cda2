// Package wide plays rows on grids that are too large for package board's sets
// of 256 squares: up to 448, so that 20×20, the board of Gomocup, is one.
// Rules and notation are those of the same boards when they are smaller, and
// tests compare the two there. A row is found by walking along it, so positions
// are slower than board's, and nothing here knows winning sets one by one:
// certificates, learners' features and the plain evaluations stay with board.
package wide

import (
	"cmp"
	"fmt"
	"math/big"

	"oxo"
	"oxo/board"
	"oxo/games/grid"
)

// maxSquares is the most squares a board can have.
const maxSquares = 64 * setWords

// New returns the game of these rules on a grid of that shape. It refuses a
// torus, more than [maxSquares] squares, and rows that do not fit both ways, or
// only just on a square board: there the turns and reflections are not all the
// symmetries.
func New(spec, title string, s grid.Shape, r board.Rules) (*oxo.Game[Pos], error) {
	switch {
	case s.Cols < 1 || s.Rows < 1:
		return nil, fmt.Errorf("a board of %d columns and %d rows: both must be at least 1", s.Cols, s.Rows)
	case s.Cols > maxSquares || s.Rows > maxSquares || s.Cols*s.Rows > maxSquares:
		return nil, fmt.Errorf("a board of %d × %d squares: at most %d squares", s.Cols, s.Rows, maxSquares)
	case s.Torus:
		return nil, fmt.Errorf("a torus of %d × %d squares: at most %d squares", s.Cols, s.Rows, board.MaxSquares)
	case s.Run < 3 || s.Run > min(s.Cols, s.Rows) || s.Run == s.Cols && s.Run == s.Rows:
		return nil, fmt.Errorf("%d in a row on %d × %d: on more than %d squares rows have 3 squares or more, fit "+
			"both ways and do not fill the board",
			s.Run, s.Cols, s.Rows, board.MaxSquares)
	}
	t := newGameData(s, r)
	n := board.Notation{Board: t.names, Rules: r, Shift: markShift}
	g := board.NewGame(spec, title, n, t.fromMarks, t.checkReachable)
	g.Symmetries, g.Canonical = big.NewInt(int64(len(t.turns))), t.canonical
	if r.Place == board.Own && !s.Gravity && r.Slip == 0 {
		g.Playout = playout
	}
	return g, nil
}

// Squares returns the squares of the board that p is on, by name and place. It
// has no lines.
func (p Pos) Squares() *board.Board { return p.t.names }

// canonical returns the image of p under the symmetries that is greatest, and the number of different images: that
// of the symmetries, divided by how many of them give the greatest one.
func (t *gameData) canonical(p Pos) (rep Pos, orbitSize uint64) {
	best, alike := p, uint64(0)
	for _, to := range t.turns {
		switch q := p.image(to); comparePositions(&q, &best) {
		case 0:
			alike++
		case 1:
			best, alike = q, 1
		}
	}
	return best, uint64(len(t.turns)) / alike
}

// image returns where a symmetry carries p, and with it the move that is to land where chance is to act.
func (p *Pos) image(perm []uint16) Pos {
	q := Pos{t: p.t, info: p.info}
	q.x, q.o = p.x.image(perm), p.o.image(perm)
	if p.Turn() == oxo.Chance {
		m := p.Pending()
		q = q.WithPending(m&^squareMask | oxo.Move(perm[m&squareMask]))
	}
	return q
}

// image returns the set with each square where the permutation takes it.
func (s *set) image(perm []uint16) (t set) {
	for i := range perm {
		if s.has(i) {
			t.flip(int(perm[i]))
		}
	}
	return t
}

// comparePositions compares positions of one class, in some fixed order: -1, 0 or 1.
func comparePositions(p, q *Pos) int {
	for k := range p.x {
		if c := cmp.Or(cmp.Compare(p.x[k], q.x[k]), cmp.Compare(p.o[k], q.o[k])); c != 0 {
			return c
		}
	}
	return cmp.Compare(p.info, q.info)
}

// Lines returns the rows that win, and for each the squares that must not be
// its owner's as well, nil where no row has any.
func (p Pos) Lines() (need, bar [][]int) {
	for row, ends := range p.t.shape.Lines() {
		need = append(need, row)
		if p.t.shape.Exact {
			bar = append(bar, ends)
		}
	}
	return need, bar
}

// Owned returns the rows that a side has won with, those of X and of O in the order of [Pos.Lines].
func (p Pos) Owned() (owned [][]int) {
	need, bar := p.Lines()
	for k, row := range need {
		side := p.Mark(row[0])
		all := side < 2
		for _, i := range row {
			all = all && p.Mark(i) == side
		}
		if bar != nil {
			for _, i := range bar[k] {
				all = all && p.Mark(i) != side
			}
		}
		if all {
			owned = append(owned, row)
		}
	}
	return owned
}
