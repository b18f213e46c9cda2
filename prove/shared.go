package prove

import (
	"oxo/board"
	"oxo/board/bitset"
	"oxo/threats"
)

// put makes the move of side that is numbered move, see [certificate.Game.Shared]. In games
// of shared marks the lines of a state are not the attacker's and the
// defender's but those of X and of O.
func (s *search[S, Q]) put(p *threats.State[S, Q], side, move int) {
	if s.place == board.Own {
		s.g.Play(p, side, move)
		return
	}
	s.g.Play(p, move/s.g.N, move%s.g.N)
}

// options appends the moves on the given squares.
func (s *search[S, Q]) options(squares S, kids []child) []child {
	for ; !bitset.Empty(squares); squares = bitset.Rest(squares) {
		sq := bitset.First(squares)
		kids = append(kids, child{sq: int16(sq)})
		if s.place == board.Either {
			kids = append(kids, child{sq: int16(sq + s.g.N)})
		}
	}
	return kids
}

// completes reports whether a move of side completes a line.
func (s *search[S, Q]) completes(p *threats.State[S, Q], side, move int) bool {
	if s.place != board.Own {
		side = move / s.g.N
	}
	return bitset.Has(s.g.Completions(p, side), move%s.g.N)
}

// judgeShared evaluates p by its completions in games of shared marks, side to
// move, who may play on any of moves.
func (s *search[S, Q]) judgeShared(p *threats.State[S, Q], side int, moves S) (pn, dn uint32, _ S) {
	x, o := s.g.Completions(p, 0), s.g.Completions(p, 1)
	if s.good[side] {
		if !bitset.Empty(bitset.And(moves, bitset.Or(x, o))) {
			return s.wonBy(side)
		}
	} else {
		if s.place == board.Either {
			x = bitset.And(x, o)
		}
		if moves = bitset.Minus(moves, x); bitset.Empty(moves) {
			return s.wonBy(side ^ 1)
		}
	}
	return s.guessPlain(side, moves)
}

// completion returns a move by which the strategist's side completes a line, or
// -1.
func (x *strategist[S, Q]) completion(p *threats.State[S, Q]) int {
	for _, c := range x.s.options(x.s.g.Legal(p), nil) {
		if x.s.completes(p, x.side, int(c.sq)) {
			return int(c.sq)
		}
	}
	return -1
}
