package nine

import (
	"math/bits"
	"math/rand/v2"

	"oxo"
)

// playout plays uniformly random moves from p to the end and returns the outcome. It keeps the cells of each board
// apart, by board, so that nothing has to be unpacked. The arrays have 16 entries, and are indexed by the low four
// bits of a number, so that no bounds are checked. Each move draws the k-th of the cells that may be played: those
// of the board that is sent to or, where that has none, of all.
func playout(p Pos, r *rand.PCG) oxo.Outcome {
	if out := p.Outcome(); out != oxo.Ongoing {
		return out
	}
	var (
		marks [2][16]uint16 // each seat's cells, board by board
		free  [16]uint16    // the cells that can still be played, none in a closed board
		owned = [2]uint64{uint64(p.Owned(oxo.First)), uint64(p.Owned(oxo.Second))}
		left  uint64 // cells in free
		rules = p.Rules()
		seat  = p.Turn()
	)
	for b := range uint(9) {
		marks[0][b] = p.Cells(oxo.First, int(b))
		marks[1][b] = p.Cells(oxo.Second, int(b))
		if p.closed()>>b&1 == 0 {
			free[b] = uint16(p.empty(b))
			left += uint64(count[free[b]&full])
		}
	}
	b := uint(9) // the board sent to; free[9] is empty: play anywhere
	if a := p.Active(); a >= 0 {
		b = uint(a)
	}
	for {
		n := uint64(count[free[b&15]&full])
		anywhere := n == 0
		if anywhere {
			n = left
		}
		k, _ := bits.Mul64(r.Uint64(), n)
		if anywhere {
			for b = 0; k >= uint64(count[free[b&15]&full]); b++ {
				k -= uint64(count[free[b&15]&full])
			}
		}
		c := uint(nth[free[b&15]&full][k&15])

		bit := uint16(1) << c
		mine := marks[seat&1][b&15] | bit
		marks[seat&1][b&15] = mine
		free[b&15] &^= bit
		left--
		// The first three in a row on a board own it for good; unless won boards stay open, its cells are lost.
		if hasLine(uint64(mine)) && (owned[0]|owned[1])>>b&1 == 0 {
			owned[seat&1] |= 1 << b
			if rules&Points == 0 && hasLine(owned[seat&1]) {
				return oxo.WinFor(seat)
			}
			if rules&Open == 0 {
				left -= uint64(count[free[b&15]&full])
				free[b&15] = 0
			}
		}
		if left == 0 {
			return rules.finalOutcome(owned[0]&full, owned[1]&full)
		}
		b, seat = c, seat^1
	}
}
