package ninenet

import (
	"math/bits"

	"oxo/games/ultimate"
)

// bigBoard is what the nine boards mean to the big one: sets of boards, of nine bits each, that the side to move owns,
// that the other side owns, that are dead, and that the sides can win by a single mark.
type bigBoard uint64

// Where the sets begin, as numbers of bits.
const (
	bigOwn = 9 * iota
	bigTheir
	bigDead
	bigWin
	bigLose
)

// put adds board b, which is in no set yet, with what its contents mean: a bit for each set that it is in.
func (v *bigBoard) put(b int, state uint64) { *v |= bigBoard(state << b) }

// change replaces what the contents of board b mean.
func (v *bigBoard) change(b int, was, is uint64) { *v ^= bigBoard((was ^ is) << b) }

// set returns one of the sets, by where it begins: bit b for board b.
func (v bigBoard) set(at int) uint16 { return uint16(v>>at) & 511 }

// rowLookup are sets of rows, row i at bit i, by the boards in them: what is asked of a set of boards is looked up,
// where [bigBoardHopeClass] and [almostWonRows] go through all rows.
type rowLookup struct {
	any, two, all [512]uint8  // rows with one of the boards or more, with two or more, with all three
	boards        [256]uint16 // the boards in a set of rows
}

// newRowLookup fills the tables from ultimate.Rows: 512 sets of boards and 256 sets of rows, about 2 KB.
func newRowLookup() *rowLookup {
	r := new(rowLookup)
	for boards := range uint16(512) {
		for i, row := range ultimate.Rows {
			n := bits.OnesCount16(row & boards)
			if n >= 1 {
				r.any[boards] |= 1 << i
			}
			if n >= 2 {
				r.two[boards] |= 1 << i
			}
			if n == 3 {
				r.all[boards] |= 1 << i
			}
		}
	}
	for rows := range r.boards {
		for i, row := range ultimate.Rows {
			if rows>>i&1 != 0 {
				r.boards[rows] |= row
			}
		}
	}
	return r
}

// hopesAndAlmostWonRows returns what [bigBoardHopeClass] and [almostWonRows] return, of which it is the fast form.
func (r *rowLookup) hopesAndAlmostWonRows(own, barred, winnable, here uint16) (hopeClass, almostWon uint8) {
	open := ^r.any[barred&511]
	one, two := r.any[own&511]&open, r.two[own&511]&open
	n0, n1, n2 := bits.OnesCount8(open&^one), bits.OnesCount8(one&^two), bits.OnesCount8(two)
	hopeClass = uint8(min(n2, 2)*12 + min(n1, 3)*3 + min((n0+1)/2, 2))
	if rows := two & r.all[(own|winnable)&511]; rows != 0 {
		almostWon = uint8(min(bits.OnesCount8(rows), 2))
		if r.boards[rows]&^own&here != 0 {
			almostWon = winsNow
		}
	}
	return hopeClass, almostWon
}

// bigBoardLogOdds returns the logarithms of the mover's odds of a win and of a loss as far as they follow from the big
// board, the net's bias included, and whether they would be the same with the next move on any other boards than
// here: only a board that the mover can win with now depends on it.
func (c *Fast) bigBoardLogOdds(v bigBoard, here uint16) (odds [2]float32, sameAnywhere bool) {
	own, their, dead := v.set(bigOwn), v.set(bigTheir), v.set(bigDead)
	hope, about := c.sets.hopesAndAlmostWonRows(own, their|dead, v.set(bigWin), here)
	hope2, about2 := c.sets.hopesAndAlmostWonRows(their, own|dead, v.set(bigLose), 0)
	x, y, z := &c.hopes[hope][hope2], &c.ready[0][about][hope], &c.ready[1][about2][hope2]
	return [2]float32{x[0] + y[0] + z[0], x[1] + y[1] + z[1]}, about == 0
}
