package prove

import (
	"oxo/board"
	"oxo/board/bitset"
	"oxo/threats"
)

// evaluateByCompletions evaluates p by its completions alone, side to move: for misère
// games and games with gravity. moves are those that need to be searched.
func (r *searchRules[S, Q]) evaluateByCompletions(p *threats.State[S, Q], side int) (pn, dn uint32, moves S) {
	moves = r.g.LegalSquares(p)
	if bitset.Empty(moves) {
		if r.full {
			return r.proofNumbersIfWonBy(attacker)
		}
		return r.proofNumbersIfWonBy(defender)
	}
	if !r.full && !r.canCompleteGoodLine(p, attacker) {
		return r.proofNumbersIfWonBy(defender)
	}
	if r.full && !r.canCompleteGoodLine(p, defender) {
		return r.proofNumbersIfWonBy(attacker)
	}
	if r.place != board.Own {
		return r.evaluateSharedMarks(p, side, moves)
	}
	if mine := bitset.And(moves, r.g.Completions(p, side)); !bitset.Empty(mine) {
		if r.good[side] {
			return r.proofNumbersIfWonBy(side)
		}
		if moves = bitset.Minus(moves, mine); bitset.Empty(moves) {
			return r.proofNumbersIfWonBy(side ^ 1)
		}
	}
	if theirs := bitset.And(moves, r.g.Completions(p, side^1)); !bitset.Empty(theirs) && r.good[side^1] {
		if !bitset.Empty(bitset.Rest(theirs)) {
			return r.proofNumbersIfWonBy(side ^ 1)
		}
		moves = theirs
	}
	if r.mirror != nil && side == attacker {
		if moves = bitset.And(moves, r.attackerMirrorSquares(p)); bitset.Empty(moves) {
			return r.proofNumbersIfWonBy(defender)
		}
	}
	return r.guessProofNumbers(side, moves)
}

// canCompleteGoodLine reports whether a line that can still be owned, and were good for side,
// is left.
func (r *searchRules[S, Q]) canCompleteGoodLine(p *threats.State[S, Q], side int) bool {
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

// guessProofNumbers guesses the numbers of a position without threats, by how many moves there are.
func (r *searchRules[S, Q]) guessProofNumbers(side int, moves S) (pn, dn uint32, _ S) {
	if n := uint32(bitset.Count(moves)); side == defender {
		return n, 1, moves
	} else {
		return 1, n, moves
	}
}

// proofNumbersIfWonBy returns the numbers of a position that is won by a side.
func (r *searchRules[S, Q]) proofNumbersIfWonBy(side int) (pn, dn uint32, moves S) {
	if side == attacker {
		return 0, infinite, moves
	}
	return infinite, 0, moves
}

// attackerMirrorSquares returns the square with which the attacker, to move in p, keeps to
// the mirror: the fixed one at the start, else the image of the defender's last
// mark.
func (r *searchRules[S, Q]) attackerMirrorSquares(p *threats.State[S, Q]) S {
	var open S
	for left := p.Free; !bitset.Empty(left); left = bitset.Rest(left) {
		sq := bitset.First(left)
		if image := int(r.mirror[sq]); image == sq || bitset.Has(p.Marks[defender], image) {
			open = bitset.With(open, sq)
		}
	}
	return open
}

// evaluateSharedMarks evaluates p by its completions in games of shared marks, side to
// move, who may play on any of moves.
func (r *searchRules[S, Q]) evaluateSharedMarks(p *threats.State[S, Q], side int, moves S) (pn, dn uint32, _ S) {
	x, o := r.g.Completions(p, 0), r.g.Completions(p, 1)
	if r.good[side] {
		if !bitset.Empty(bitset.And(moves, bitset.Or(x, o))) {
			return r.proofNumbersIfWonBy(side)
		}
	} else {
		if r.place == board.Either {
			x = bitset.And(x, o)
		}
		if moves = bitset.Minus(moves, x); bitset.Empty(moves) {
			return r.proofNumbersIfWonBy(side ^ 1)
		}
	}
	return r.guessProofNumbers(side, moves)
}
