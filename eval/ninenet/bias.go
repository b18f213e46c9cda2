package ninenet

import (
	"oxo"
	"oxo/games/ultimate"
)

// Temperature is what the temperature of mcts is best with a net, by measurement.
const Temperature = 0.25

// BiasKeys tells positions that a net probably errs about alike: those with the same boards won and closed and the
// same one to move on, and those with the same marks on the board that was played on and on the one to move on.
// after is what move m leads to. A key has 16 bits of a hash.
func BiasKeys(p ultimate.Pos, m oxo.Move, after ultimate.Pos) (bigAndLocalKeys [2]uint32) {
	b, a := int(m)/9, after.Active()
	common := uint64(after.Turn()) | uint64(a+1)<<1
	big := common | uint64(after.Owned(oxo.First))<<8 | uint64(after.Owned(oxo.Second))<<17 | uint64(after.Closed())<<26
	local := common | uint64(b)<<8 | uint64(after.Cells(oxo.First, b))<<12 | uint64(after.Cells(oxo.Second, b))<<21
	if a >= 0 {
		local |= uint64(after.Cells(oxo.First, a))<<30 | uint64(after.Cells(oxo.Second, a))<<39
	}
	return [2]uint32{hashBits(big), hashBits(local)}
}

// hashBits returns 16 bits that depend on all of those of x (Fibonacci hashing: Knuth, The Art of Computer
// Programming 3, 6.4).
func hashBits(x uint64) uint32 { return uint32(x * 0x9E3779B97F4A7C15 >> 32 >> 16) }
