package board

import (
	"math/bits"
	"math/rand/v2"

	"oxo"
)

// columns is a grid with gravity of at most 8 columns that fits 64 bits with a free bit
// above each, and whose lines are all the rows of one length of at most four: the squares
// are numbered by columns, so that rows are found by shifts (Tromp's layout).
type columns struct {
	number [64]uint8  // of each square of the board
	run    int        // the length of a row
	roofs  uint64     // the free bits
	shifts [4][2]uint // for each of the four directions, by how much; see playout
}

// FallingRows reports whether b is a grid in which marks fall and whose lines are all the rows of run squares; exact
// is whether they are those of no more than run.
func (b *Board) FallingRows() (run int, exact, ok bool) {
	if b.Levels != 1 || b.Cols*b.Rows != b.N || len(b.Below) == 0 || len(b.Lines) == 0 {
		return 0, false, false
	}
	for i, j := range b.Below {
		if i < b.N-b.Cols && j != i+b.Cols || i >= b.N-b.Cols && j != -1 {
			return 0, false, false
		}
	}
	seen := map[Line]bool{}
	for _, l := range b.Lines {
		seen[l] = true
		exact = exact || !l.Bar.Empty()
	}
	run = b.Lines[0].Need.Len()
	rows := 0
	for i := range b.N {
		for _, d := range [4][2]int{{1, 0}, {0, 1}, {1, 1}, {1, -1}} {
			l, ok := b.row(i, run, d, exact)
			if ok && !seen[l] {
				return 0, false, false
			}
			if ok {
				rows++
			}
		}
	}
	// A row of one square has no direction: it is found four times.
	return run, exact, rows == len(b.Lines) && run > 1
}

// row returns the row of run squares of a grid from square i on in direction d, if exact with the squares that
// would make it longer as its bar.
func (b *Board) row(i, run int, d [2]int, exact bool) (l Line, ok bool) {
	at := func(k int) int {
		col, row := i%b.Cols+k*d[0], i/b.Cols+k*d[1]
		if col < 0 || col >= b.Cols || row < 0 || row >= b.Rows {
			return -1
		}
		return row*b.Cols + col
	}
	for k := range run {
		if at(k) < 0 {
			return l, false
		}
		l.Need = l.Need.With(at(k))
	}
	for _, k := range []int{-1, run} {
		if exact && at(k) >= 0 {
			l.Bar = l.Bar.With(at(k))
		}
	}
	return l, true
}

// asColumns returns the board as columns, or nil where it is of another kind.
func asColumns(b *Board) *columns {
	run, exact, ok := b.FallingRows()
	if !ok || exact || run > 4 || b.Cols > 8 || b.Cols*(b.Rows+1) > 64 {
		return nil
	}
	c := &columns{run: run}
	height := b.Rows + 1
	for i := range b.N {
		col, row := i%b.Cols, b.Rows-1-i/b.Cols
		c.number[i] = uint8(col*height + row)
		c.roofs |= 1 << (col*height + b.Rows)
	}
	for direction, step := range []int{1, height - 1, height, height + 1} {
		c.shifts[direction] = [2]uint{uint(step), uint((run - 2) * step)}
		if step != height && run > b.Rows || step > 1 && run > b.Cols {
			c.shifts[direction] = [2]uint{63} // there are no rows: the last number is no square
		}
	}
	return c
}

// toColumnNumbers returns a set of squares of the board by their numbers.
func (c *columns) toColumnNumbers(squares uint64) (marks uint64) {
	for ; squares != 0; squares &= squares - 1 {
		marks |= 1 << (c.number[bits.TrailingZeros64(squares)] & 63)
	}
	return marks
}

// playout plays uniformly random moves to the end. The playable squares are one word,
// eight bits a column that is not full. Marks hold a row where something is left of them
// and-ed with themselves moved on by a square, and then by what the row's length lacks.
func (c *columns) playout(p Pos64, r *rand.PCG) oxo.Outcome {
	if p.info&outcomeMask != 0 {
		return p.Outcome()
	}
	playable, n := uint64(0), 0
	for e := p.playable(); e != 0; e &= e - 1 {
		playable |= uint64(c.number[bits.TrailingZeros64(e)]) << (8 * n & 63)
		n++
	}
	mine, theirs, seat := p.marksByMover()
	mine, theirs = c.toColumnNumbers(mine), c.toColumnNumbers(theirs)
	rules, roofs, shifts := &p.t.rules, c.roofs, c.shifts
	quiet := 2*c.run - 2 - bits.OnesCount64(mine|theirs) // so many more marks before a row
	var rest uint64
	for drawn := 0; n > 0; drawn++ {
		if drawn&7 == 0 {
			rest = r.Uint64()
		}
		var k uint64
		k, rest = bits.Mul64(rest, uint64(n))
		k *= 8
		i := playable >> (k & 63) & 63
		// The square above is playable now; a column that is full gives its byte to the last one.
		playable += 1 << (k & 63)
		if roofs>>((i+1)&63)&1 != 0 {
			n--
			last := playable >> (8 * n & 63) & 255
			playable += (last - i - 1) << (k & 63)
		}
		mine |= 1 << i
		if drawn >= quiet && rules.Tested[seat&1] {
			up, down := mine&(mine>>(shifts[0][0]&63)), mine&(mine>>(shifts[1][0]&63))
			flat, rising := mine&(mine>>(shifts[2][0]&63)), mine&(mine>>(shifts[3][0]&63))
			if up&(up>>(shifts[0][1]&63))|down&(down>>(shifts[1][1]&63))|
				flat&(flat>>(shifts[2][1]&63))|rising&(rising>>(shifts[3][1]&63)) != 0 {
				return rules.Done[seat&1]
			}
		}
		mine, theirs, seat = theirs, mine, seat^1
	}
	return rules.Full
}
