package prove

import "oxo/board"

// put makes the move of side that is numbered move, see [Game.shared]. In games
// of shared marks the lines of a state are not the attacker's and the
// defender's but those of X and of O.
func (s *search[S, Q]) put(p *state[S, Q], side, move int) {
	if s.place == board.Own {
		s.g.play(p, side, move)
		return
	}
	s.g.play(p, move/s.g.n, move%s.g.n)
}

// options appends the moves on the given squares.
func (s *search[S, Q]) options(squares S, kids []child) []child {
	for ; !empty(squares); squares = rest(squares) {
		sq := first(squares)
		kids = append(kids, child{sq: int16(sq)})
		if s.place == board.Either {
			kids = append(kids, child{sq: int16(sq + s.g.n)})
		}
	}
	return kids
}

// completes reports whether a move of side completes a line.
func (s *search[S, Q]) completes(p *state[S, Q], side, move int) bool {
	if s.place != board.Own {
		side = move / s.g.n
	}
	return has(s.g.completions(p, side), move%s.g.n)
}

// judgeShared evaluates p by its completions in games of shared marks, side to
// move, who may play on any of moves.
func (s *search[S, Q]) judgeShared(p *state[S, Q], side int, moves S) (pn, dn uint32, _ S) {
	x, o := s.g.completions(p, 0), s.g.completions(p, 1)
	if s.good[side] {
		if !empty(and(moves, or(x, o))) {
			return s.wonBy(side)
		}
	} else {
		if s.place == board.Either {
			x = and(x, o)
		}
		if moves = minus(moves, x); empty(moves) {
			return s.wonBy(side ^ 1)
		}
	}
	return s.guessPlain(side, moves)
}

// completion returns a move by which the strategist's side completes a line, or
// -1.
func (x *strategist[S, Q]) completion(p *state[S, Q]) int {
	for _, c := range x.s.options(x.s.legal(p), nil) {
		if x.s.completes(p, x.side, int(c.sq)) {
			return int(c.sq)
		}
	}
	return -1
}
