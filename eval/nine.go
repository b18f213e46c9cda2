package eval

import (
	"math/bits"

	"oxo"
	"oxo/games/meta"
)

// weger returns the evaluation Σ c·φ of Weger's six features.
func weger(c ...float64) func(meta.Pos) float64 {
	return func(p meta.Pos) float64 {
		u := 0.0
		for i, phi := range meta.Features(p, oxo.First) {
			u += c[i] * float64(phi)
		}
		return u
	}
}

var rowsOf3 = [8]uint16{0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124}

// openBoards weights the rows of boards that a side can still win by the boards
// won in them, and the rows of cells within boards that are not closed by the
// marks in them.
func openBoards(p meta.Pos) float64 {
	x, o := p.Owned(oxo.First), p.Owned(oxo.Second)
	closed := p.Closed()
	score := 8 * (openRows(x, closed&^x) - openRows(o, closed&^o))
	for b := range 9 {
		if closed>>b&1 == 0 {
			own, other := p.Cells(oxo.First, b), p.Cells(oxo.Second, b)
			score += openRows(own, other) - openRows(other, own)
		}
	}
	return score
}

// openRows adds up the rows of a 3×3 board without barred cells: 1, 2 and 4
// for none, one and two marks in them.
func openRows(own, barred uint16) float64 {
	sum := 0
	for _, row := range rowsOf3 {
		if row&barred == 0 {
			sum += 1 << bits.OnesCount16(row&own)
		}
	}
	return float64(sum)
}

// nineBiasKeys tells kin of positions on nine boards: those with the same boards won
// and closed and the same one to move on, and those with the same marks on the
// board that was played on and on the one to move on.
func nineBiasKeys(p meta.Pos, m oxo.Move, after meta.Pos) [2]uint32 {
	b, a := int(m)/9, after.Active()
	common := uint64(after.Turn()) | uint64(a+1)<<1
	big := common | uint64(after.Owned(oxo.First))<<8 | uint64(after.Owned(oxo.Second))<<17 | uint64(after.Closed())<<26
	local := common | uint64(b)<<8 | uint64(after.Cells(oxo.First, b))<<12 | uint64(after.Cells(oxo.Second, b))<<21
	if a >= 0 {
		local |= uint64(after.Cells(oxo.First, a))<<30 | uint64(after.Cells(oxo.Second, a))<<39
	}
	return [2]uint32{hashBits(big), hashBits(local)}
}

// hashBits returns bits that depend on all of those of x (Fibonacci hashing: Knuth,
// The Art of Computer Programming 3, 6.4).
func hashBits(x uint64) uint32 { return uint32(x * 0x9E3779B97F4A7C15 >> 32 >> 16) }
