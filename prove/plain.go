package prove

import (
	"math/bits"

	"oxo/board"
)

func ones(x uint64) int32 { return int32(bits.OnesCount64(x)) }

// legal returns the free squares that may be played: with gravity, those whose
// square below is filled.
func (s *search[S, Q]) legal(p *state[S, Q]) S {
	if s.g.below == nil {
		return p.free
	}
	var moves S
	for left := p.free; !empty(left); left = rest(left) {
		sq := first(left)
		if below := s.g.below[sq]; below < 0 || !has(p.free, below) {
			moves = with(moves, sq)
		}
	}
	return moves
}

// judgePlain evaluates p by its completions alone, side to move: for misère
// games and games with gravity. moves are those that need to be searched.
func (s *search[S, Q]) judgePlain(p *state[S, Q], side int) (pn, dn uint32, moves S) {
	moves = s.legal(p)
	if empty(moves) {
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
	if mine := and(moves, s.g.completions(p, side)); !empty(mine) {
		if s.good[side] {
			return s.wonBy(side)
		}
		if moves = minus(moves, mine); empty(moves) {
			return s.wonBy(side ^ 1)
		}
	}
	if theirs := and(moves, s.g.completions(p, side^1)); !empty(theirs) && s.good[side^1] {
		if !empty(rest(theirs)) {
			return s.wonBy(side ^ 1)
		}
		moves = theirs
	}
	if s.mirror != nil && side == attacker {
		if moves = and(moves, s.answers(p)); empty(moves) {
			return s.wonBy(defender)
		}
	}
	return s.guessPlain(side, moves)
}

// ending reports whether a line that can still be owned, and were good for side,
// is left.
func (s *search[S, Q]) ending(p *state[S, Q], side int) bool {
	for owner := range 2 {
		if s.place != board.Own || s.able[owner] && s.good[owner] == (owner == side) {
			for i := range s.g.words {
				if ^p.lines[owner][i] != 0 {
					return true
				}
			}
		}
	}
	return false
}

func (s *search[S, Q]) guessPlain(side int, moves S) (pn, dn uint32, _ S) {
	if n := uint32(count(moves)); side == defender {
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
