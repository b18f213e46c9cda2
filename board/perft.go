package board

import (
	"math/bits"

	"oxo"
)

// perft64 counts the leaves at exactly depth plies. The last ply is counted,
// not played.
func perft64(p Pos64, depth int) uint64 {
	if depth == 0 {
		return 1
	}
	if p.info&outcomeMask != 0 {
		return 0
	}
	squares := p.playable()
	marks := uint64(1)
	if p.t.rules.Place == Either && p.Turn() != oxo.Chance {
		marks = 2
	}
	if depth == 1 {
		return marks * uint64(bits.OnesCount64(squares))
	}
	base := oxo.Move(0)
	if p.Turn() == oxo.Chance {
		base = p.Pending() &^ squareMask
	}
	leaves := uint64(0)
	for e := squares; e != 0; e &= e - 1 {
		m := base | oxo.Move(bits.TrailingZeros64(e))
		leaves += perft64(p.Play(m), depth-1)
		if marks == 2 {
			leaves += perft64(p.Play(m|1<<markShift), depth-1)
		}
	}
	return leaves
}
