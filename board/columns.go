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

// asColumns returns the board as columns, or nil where it is of another kind.
func asColumns(b *Board) *columns {
	if b.Cols > 8 || b.Cols*b.Rows != b.N || b.Cols*(b.Rows+1) > 64 || len(b.Lines) == 0 {
		return nil
	}
	c := &columns{}
	for i, j := range b.Below {
		col, row := i%b.Cols, b.Rows-1-i/b.Cols
		if row == 0 && j >= 0 || row > 0 && j != i+b.Cols {
			return nil
		}
		c.number[i] = uint8(col*(b.Rows+1) + row)
		c.roofs |= 1 << (col*(b.Rows+1) + b.Rows)
	}
	run := b.Lines[0].Need.Len()
	c.run = run
	lines := map[uint64]bool{}
	for _, l := range b.Lines {
		if !l.Bar.Empty() || l.Need.Len() != run || run < 2 || run > 4 {
			return nil
		}
		lines[c.toColumnNumbers(l.Need.A)] = true
	}
	if !c.setShiftsIfAllRows(lines, run, b.Rows+1) {
		return nil
	}
	return c
}

// setShiftsIfAllRows reports whether the lines are all the rows of run squares, neighbouring columns being height
// numbers apart, and notes the shifts that find them.
func (c *columns) setShiftsIfAllRows(lines map[uint64]bool, run, height int) bool {
	squares := uint64(0)
	for _, n := range c.number {
		squares |= 1 << n
	}
	rows := 0
	for direction, step := range []int{1, height - 1, height, height + 1} {
		c.shifts[direction] = [2]uint{63} // where there are no rows: the last number is no square
		for from := range max(0, 64-(run-1)*step) {
			row := uint64(0)
			for k := range run {
				row |= 1 << (from + k*step)
			}
			if row&^squares != 0 {
				continue
			}
			if !lines[row] {
				return false
			}
			rows++
			c.shifts[direction] = [2]uint{uint(step), uint(max(0, run-2) * step)}
		}
	}
	return rows == len(lines)
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
