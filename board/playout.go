package board

import (
	"math/bits"
	"math/rand/v2"

	"oxo"
)

// dice draws small uniform numbers, several from each random word: draw
// multiplies the rest of the word by the bound and takes the high part. The
// bias is below 2⁻³² for four draws of up to 256, and for eight of up to 16.
type dice struct {
	source *rand.PCG
	rest   uint64
	left   int
}

// draw returns a number from 0 to bound−1.
func (d *dice) draw(bound int) int {
	if d.left == 0 {
		d.rest, d.left = d.source.Uint64(), 4
	}
	d.left--
	high, low := bits.Mul64(d.rest, uint64(bound))
	d.rest = low
	return int(high)
}

// playoutKernel64 returns a kernel that plays uniformly random moves to the end in games in
// which each side places its own mark and nothing slips.
func (t *gameData) playoutKernel64() func(Pos64, *rand.PCG) oxo.Outcome {
	if t.won != nil && !t.falls {
		return playoutTiny
	}
	if t.falls {
		if c := asColumns(t.board); c != nil {
			return c.playout
		}
	}
	return playoutListed
}

// marksByMover returns the marks of the side to move and of the other, and who moves.
func (p Pos64) marksByMover() (mine, theirs, seat uint64) {
	if seat = p.info >> turnShift & 1; seat == 1 {
		return p.o, p.x, seat
	}
	return p.x, p.o, seat
}

// playoutListed draws from a list of the squares that can be played.
func playoutListed(p Pos64, r *rand.PCG) oxo.Outcome {
	if p.info&outcomeMask != 0 {
		return p.Outcome()
	}
	t, d := p.t, dice{source: r}
	var squares [64]uint8
	n := 0
	for e := p.playable(); e != 0; e &= e - 1 {
		squares[n&63] = uint8(bits.TrailingZeros64(e))
		n++
	}
	mine, theirs, seat := p.marksByMover()
	for left := t.board.N - bits.OnesCount64(p.x|p.o) - 1; n > 0; left-- {
		k := d.draw(n) & 63
		n--
		i := squares[k]
		squares[k] = squares[n&63]
		if t.falls {
			for e := t.restOn[i].A; e != 0; e &= e - 1 {
				squares[n&63] = uint8(bits.TrailingZeros64(e))
				n++
			}
		}
		mine |= 1 << (i & 63)
		if left <= t.early && t.rules.Tested[seat&1] {
			for _, l := range t.lines[i] {
				if l.need&^mine == 0 && mine&l.bar == 0 {
					return t.rules.Done[seat&1]
				}
			}
		}
		mine, theirs, seat = theirs, mine, seat^1
	}
	return t.rules.Full
}

// playoutTiny is playoutListed on a board of at most 16 squares: the list is one word,
// four bits a square.
func playoutTiny(p Pos64, r *rand.PCG) oxo.Outcome {
	if p.info&outcomeMask != 0 {
		return p.Outcome()
	}
	t := p.t
	squares, n := uint64(0xfedcba9876543210), t.board.N
	if taken := p.x | p.o; taken != 0 {
		n = 0
		for e := t.full64 &^ taken; e != 0; e &= e - 1 {
			squares &^= 15 << (4 * n & 63)
			squares |= uint64(bits.TrailingZeros64(e)) << (4 * n & 63)
			n++
		}
	}
	mine, theirs, seat := p.marksByMover()
	tested, won := t.rules.Tested, t.won
	var rest uint64
	for drawn := 0; n > 0; drawn++ {
		if drawn&7 == 0 {
			rest = r.Uint64()
		}
		var k uint64
		k, rest = bits.Mul64(rest, uint64(n))
		n--
		i := squares >> (4 * k & 63) & 15
		last := squares >> (4 * n & 63) & 15
		squares ^= (i ^ last) << (4 * k & 63)
		mine |= 1 << i
		if tested[seat&1] && won[mine>>6]>>(mine&63)&1 != 0 {
			return t.rules.Done[seat&1]
		}
		mine, theirs, seat = theirs, mine, seat^1
	}
	return t.rules.Full
}
