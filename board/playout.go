package board

import (
	"math/bits"
	"math/rand/v2"

	"oxo"
)

// dice draws small uniform numbers, several from each random word: draw
// multiplies the rest of the word by the bound and takes the high part. The
// bias is below 2⁻³² for four draws of up to 256.
type dice struct {
	source *rand.PCG
	rest   uint64
	left   int
}

func (d *dice) draw(bound int) int {
	if d.left == 0 {
		d.rest, d.left = d.source.Uint64(), 4
	}
	d.left--
	high, low := bits.Mul64(d.rest, uint64(bound))
	d.rest = low
	return int(high)
}

// playout64 plays uniformly random moves to the end of a game in which each
// side places its own mark and nothing slips.
func playout64(p Pos64, r *rand.PCG) oxo.Outcome {
	t := p.t
	if p.info&outcomeMask != 0 {
		return p.Outcome()
	}
	d := dice{source: r}
	if t.falls {
		return playoutFalling(p, &d)
	}
	var squares [64]uint8
	n := 0
	for e := t.full64 &^ (p.x | p.o); e != 0; e &= e - 1 {
		squares[n&63] = uint8(bits.TrailingZeros64(e))
		n++
	}
	seat := p.info >> turnShift & 1
	mine, theirs := p.x, p.o
	if seat == 1 {
		mine, theirs = theirs, mine
	}
	for ; n > 0; n-- {
		k := d.draw(n) & 63
		i := squares[k]
		squares[k] = squares[(n-1)&63]
		mine |= 1 << (i & 63)
		if t.rules.Tested[seat] && t.completes64(mine, uint(i)) {
			return t.rules.Done[seat]
		}
		mine, theirs = theirs, mine
		seat ^= 1
	}
	return t.rules.Full
}

// playoutFalling is playout64 under gravity.
func playoutFalling(p Pos64, d *dice) oxo.Outcome {
	for p.info&outcomeMask == 0 {
		free := p.playable()
		for k := d.draw(bits.OnesCount64(free)); k > 0; k-- {
			free &= free - 1
		}
		p = p.Play(oxo.Move(bits.TrailingZeros64(free)))
	}
	return p.Outcome()
}
