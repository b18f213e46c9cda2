package search

import (
	"math"

	"oxo"
)

// negamax is minimax from the mover's side: it returns the worth of p to turn,
// the seat to move, as the greatest of the children's, negated where the other
// side moves there. Everything else is as in minimax.
//
// Source: Knuth and Moore, An Analysis of Alpha-Beta Pruning, Artificial
// Intelligence 6 (1975), procedure F.
func (s *run[P]) negamax(p P, turn oxo.Seat, depth int) float64 {
	mine := turn.Sign()
	if v, done := s.enterNode(p, depth, math.Inf(-1), math.Inf(1)); done {
		return mine * v
	}
	best, move := math.Inf(-1), oxo.NoMove
	bestPossible := max(mine*s.window.Lo, mine*s.window.Hi)
	f := s.pushMoves(p, turn, depth)
	for i := f.first; i < f.last; i++ {
		m := s.moves[i]
		q, again := s.childAfter(f, p, m)
		if again {
			continue
		}
		next := q.Turn()
		v := s.decay * mine * next.Sign() * s.negamax(q, next, depth-1)
		if s.halted {
			return 0
		}
		if v > best {
			best, move = v, m
			s.setBestMove(depth, m)
		}
		if best >= bestPossible {
			s.recordCutoff(turn, f, i, depth)
			break
		}
	}
	if s.watched {
		s.storeAndTraceValue(p, depth, math.Inf(-1), math.Inf(1), mine*best, move)
	}
	s.popMoves(f)
	return best
}
