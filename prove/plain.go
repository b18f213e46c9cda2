package prove

import (
	"oxo/board"
	"oxo/board/bitset"
	"oxo/threats"
)

// judgePlain evaluates p by its completions alone, side to move: for misère
// games and games with gravity. moves are those that need to be searched.
func (r *rules[S, Q]) judgePlain(p *threats.State[S, Q], side int) (pn, dn uint32, moves S) {
	moves = r.g.LegalSquares(p)
	if bitset.Empty(moves) {
		if r.full {
			return r.wonBy(attacker)
		}
		return r.wonBy(defender)
	}
	if !r.full && !r.canEndGoodFor(p, attacker) {
		return r.wonBy(defender)
	}
	if r.full && !r.canEndGoodFor(p, defender) {
		return r.wonBy(attacker)
	}
	if r.place != board.Own {
		return r.judgeShared(p, side, moves)
	}
	if mine := bitset.And(moves, r.g.Completions(p, side)); !bitset.Empty(mine) {
		if r.good[side] {
			return r.wonBy(side)
		}
		if moves = bitset.Minus(moves, mine); bitset.Empty(moves) {
			return r.wonBy(side ^ 1)
		}
	}
	if theirs := bitset.And(moves, r.g.Completions(p, side^1)); !bitset.Empty(theirs) && r.good[side^1] {
		if !bitset.Empty(bitset.Rest(theirs)) {
			return r.wonBy(side ^ 1)
		}
		moves = theirs
	}
	if r.mirror != nil && side == attacker {
		if moves = bitset.And(moves, r.mirrorAnswer(p)); bitset.Empty(moves) {
			return r.wonBy(defender)
		}
	}
	return r.guessPlain(side, moves)
}

// canEndGoodFor reports whether a line that can still be owned, and were good for side,
// is left.
func (r *rules[S, Q]) canEndGoodFor(p *threats.State[S, Q], side int) bool {
	for owner := range 2 {
		if r.place != board.Own || r.able[owner] && r.good[owner] == (owner == side) {
			for i := range r.g.Words {
				if ^r.g.DeadLines(p, owner, i) != 0 {
					return true
				}
			}
		}
	}
	return false
}

// guessPlain guesses the numbers of a position without threats, by how many moves there are.
func (r *rules[S, Q]) guessPlain(side int, moves S) (pn, dn uint32, _ S) {
	if n := uint32(bitset.Count(moves)); side == defender {
		return n, 1, moves
	} else {
		return 1, n, moves
	}
}

// wonBy returns the numbers of a position that is won by a side.
func (r *rules[S, Q]) wonBy(side int) (pn, dn uint32, moves S) {
	if side == attacker {
		return 0, infinite, moves
	}
	return infinite, 0, moves
}

// mirrorAnswer returns the square with which the attacker, to move in p, keeps to
// the mirror: the fixed one at the start, else the image of the defender's last
// mark.
func (r *rules[S, Q]) mirrorAnswer(p *threats.State[S, Q]) S {
	var open S
	for left := p.Free; !bitset.Empty(left); left = bitset.Rest(left) {
		sq := bitset.First(left)
		if image := int(r.mirror[sq]); image == sq || bitset.Has(p.Marks[defender], image) {
			open = bitset.With(open, sq)
		}
	}
	return open
}

// judgeShared evaluates p by its completions in games of shared marks, side to
// move, who may play on any of moves.
func (r *rules[S, Q]) judgeShared(p *threats.State[S, Q], side int, moves S) (pn, dn uint32, _ S) {
	x, o := r.g.Completions(p, 0), r.g.Completions(p, 1)
	if r.good[side] {
		if !bitset.Empty(bitset.And(moves, bitset.Or(x, o))) {
			return r.wonBy(side)
		}
	} else {
		if r.place == board.Either {
			x = bitset.And(x, o)
		}
		if moves = bitset.Minus(moves, x); bitset.Empty(moves) {
			return r.wonBy(side ^ 1)
		}
	}
	return r.guessPlain(side, moves)
}
