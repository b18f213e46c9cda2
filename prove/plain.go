package prove

import (
	"math/bits"

	"oxo/board"
	"oxo/board/bitset"
	"oxo/threats"
)

func ones(x uint64) int32 { return int32(bits.OnesCount64(x)) }

// judgePlain evaluates p by its completions alone, side to move: for misère
// games and games with gravity. moves are those that need to be searched.
func (s *search[S, Q]) judgePlain(p *threats.State[S, Q], side int) (pn, dn uint32, moves S) {
	moves = s.g.Legal(p)
	if bitset.Empty(moves) {
		if s.full {
			return s.wonBy(attacker)
		}
		return s.wonBy(defender)
	}
	if !s.full && !s.ending(p, attacker) {
		return s.wonBy(defender)
	}
	if s.full && !s.ending(p, defender) {
		return s.wonBy(attacker)
	}
	if s.place != board.Own {
		return s.judgeShared(p, side, moves)
	}
	if mine := bitset.And(moves, s.g.Completions(p, side)); !bitset.Empty(mine) {
		if s.good[side] {
			return s.wonBy(side)
		}
		if moves = bitset.Minus(moves, mine); bitset.Empty(moves) {
			return s.wonBy(side ^ 1)
		}
	}
	if theirs := bitset.And(moves, s.g.Completions(p, side^1)); !bitset.Empty(theirs) && s.good[side^1] {
		if !bitset.Empty(bitset.Rest(theirs)) {
			return s.wonBy(side ^ 1)
		}
		moves = theirs
	}
	if s.mirror != nil && side == attacker {
		if moves = bitset.And(moves, s.answers(p)); bitset.Empty(moves) {
			return s.wonBy(defender)
		}
	}
	return s.guessPlain(side, moves)
}

// ending reports whether a line that can still be owned, and were good for side,
// is left.
func (s *search[S, Q]) ending(p *threats.State[S, Q], side int) bool {
	for owner := range 2 {
		if s.place != board.Own || s.able[owner] && s.good[owner] == (owner == side) {
			for i := range s.g.Words {
				if ^s.g.Dead(p, owner, i) != 0 {
					return true
				}
			}
		}
	}
	return false
}

func (s *search[S, Q]) guessPlain(side int, moves S) (pn, dn uint32, _ S) {
	if n := uint32(bitset.Count(moves)); side == defender {
		return n, 1, moves
	} else {
		return 1, n, moves
	}
}

func (s *search[S, Q]) wonBy(side int) (pn, dn uint32, moves S) {
	if side == attacker {
		return 0, infinite, moves
	}
	return infinite, 0, moves
}

// answers returns the square with which the attacker, to move in p, keeps to
// the mirror: the fixed one at the start, else the image of the defender's last
// mark.
func (s *search[S, Q]) answers(p *threats.State[S, Q]) S {
	var open S
	for left := p.Free; !bitset.Empty(left); left = bitset.Rest(left) {
		sq := bitset.First(left)
		if image := int(s.mirror[sq]); image == sq || bitset.Has(p.Marks[defender], image) {
			open = bitset.With(open, sq)
		}
	}
	return open
}
