package wide

import (
	"math/bits"
	"math/rand/v2"

	"oxo"
	"oxo/board"
	"oxo/games/grid"
)

// gameData is what the positions of one game share. It is not changed once made, so that any number of goroutines
// may play on it. N is the number of squares, and full the set of all of them.
type gameData struct {
	shape grid.Shape
	rules board.Rules
	n     int
	full  set
	names *board.Board // squares and their names, without lines
	turns [][]uint16   // the symmetries: where each carries each square; the identity first
}

// newGameData precomputes what positions of the game look up.
func newGameData(s grid.Shape, r board.Rules) *gameData {
	n := s.Cols * s.Rows
	t := &gameData{shape: s, rules: r, n: n,
		names: &board.Board{N: n, Names: make([]string, n), Layout: make([]board.Point, n)}}
	t.names.SetGrid(s.Cols, s.Rows, 1)
	for i := range n {
		t.full.flip(i)
	}
	if s.Gravity {
		t.names.Below = grid.BelowByStep(n, s.Cols)
	}
	t.turns = symmetries(s)
	return t
}

// symmetries returns the automorphisms: turns and reflections, those that
// exchange columns and rows on square boards only, and under gravity only the
// reflection that keeps the rows. The shapes that [New] takes have no others.
func symmetries(s grid.Shape) [][]uint16 {
	var list [][]uint16
	for k := range 8 {
		transpose, upsideDown, mirror := k&4 != 0, k&2 != 0, k&1 != 0
		if transpose && s.Cols != s.Rows || s.Gravity && (transpose || upsideDown) {
			continue
		}
		to := make([]uint16, s.Cols*s.Rows)
		for i := range to {
			col, row := i%s.Cols, i/s.Cols
			if mirror {
				col = s.Cols - 1 - col
			}
			if upsideDown {
				row = s.Rows - 1 - row
			}
			if transpose {
				col, row = row, col
			}
			to[i] = uint16(row*s.Cols + col)
		}
		list = append(list, to)
	}
	return list
}

// placesO reports whether move m of a seat places an O.
func (t *gameData) placesO(m oxo.Move, seat oxo.Seat) bool {
	switch t.rules.Place {
	case board.Own:
		return seat == oxo.Second
	case board.Either:
		return m>>markShift != 0
	}
	return false
}

// completesRow reports whether the mark on square i is in a row that wins: of Run
// marks or more, or where the shape is exact, of just so many.
func (t *gameData) completesRow(own *set, i int) bool {
	for _, d := range grid.Directions {
		run := 1 + t.runLengthBeyond(own, i, d[0], d[1]) + t.runLengthBeyond(own, i, -d[0], -d[1])
		if run == t.shape.Run || run > t.shape.Run && !t.shape.Exact {
			return true
		}
	}
	return false
}

// runLengthBeyond returns how many marks follow square i without a gap, in steps of so many columns and rows, each −1,
// 0 or 1. Square i itself is not counted.
func (t *gameData) runLengthBeyond(own *set, i, dCol, dRow int) int {
	col, row := i%t.shape.Cols, i/t.shape.Cols
	n := 0
	for {
		col, row = col+dCol, row+dRow
		if uint(col) >= uint(t.shape.Cols) || uint(row) >= uint(t.shape.Rows) || !own.has(row*t.shape.Cols+col) {
			return n
		}
		n++
	}
}

// ownsRow reports whether a row of these marks wins. It looks at every mark, which is for positions that are read;
// in play only the last mark is looked at.
func (t *gameData) ownsRow(own *set) bool {
	for i := range own.all() {
		if t.completesRow(own, i) {
			return true
		}
	}
	return false
}

// playout plays uniformly random moves to the end of a game in which each side
// places its own mark and nothing falls or slips.
func playout(p Pos, r *rand.PCG) oxo.Outcome {
	if p.info&outcomeMask != 0 {
		return p.Outcome()
	}
	t := p.t
	var squares [64 * setWords]uint16
	n := 0
	free := p.Playable()
	for i := range free.all() {
		squares[n] = uint16(i)
		n++
	}
	marks := [2]*set{&p.x, &p.o}
	for seat := p.Turn(); n > 0; seat ^= 1 {
		// The high word of the product is a number below n, each as likely as any other but for 2⁻⁶⁴ n. The last
		// square takes the place of the one that is drawn.
		j, _ := bits.Mul64(r.Uint64(), uint64(n))
		n--
		i := int(squares[j])
		squares[j] = squares[n]
		marks[seat].flip(i)
		if t.rules.Tested[seat] && t.completesRow(marks[seat], i) {
			return t.rules.Done[seat]
		}
	}
	return t.rules.Full
}
