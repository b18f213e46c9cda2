package search

import (
	"math"

	"oxo"
)

// expectiminimax returns the expected worth of p to First under best play,
// looking depth plies ahead: the best child's at a seat's node, the mean of
// the children's, weighted by their odds, at a chance node. The value is
// exact; Options.Stop works at the seats' nodes as in minimax.
//
// Source: Michie, Game-Playing and Game-Learning Automata (1966); Russell and
// Norvig, chapter on adversarial search, EXPECTIMINIMAX.
func (s *run[P]) expectiminimax(p P, depth int) float64 {
	if v, done := s.enterNode(p, depth, math.Inf(-1), math.Inf(1)); done {
		return v
	}
	turn := p.Turn()
	maximize := turn == oxo.First
	best, move := worstValue(maximize), oxo.NoMove
	mean := 0.0
	f := s.pushMoves(p, turn, depth)
	for i := f.first; i < f.last; i++ {
		m := s.moves[i]
		q, again := s.childAfter(f, p, m)
		if again && turn != oxo.Chance {
			continue
		}
		v := s.expectiminimax(q, depth-1)
		if s.halted {
			return 0
		}
		if turn == oxo.Chance {
			mean += s.g.Odds(p, m) * v
			continue
		}
		if s.isBetter(v, best, maximize) {
			best, move = v, m
			s.setBestMove(depth, m)
		}
		if maximize && best >= s.window.Hi || !maximize && best <= s.window.Lo {
			s.recordCutoff(turn, f, i, depth)
			break
		}
	}
	if turn == oxo.Chance {
		best = mean
	}
	if s.watched {
		s.storeAndTraceValue(p, depth, math.Inf(-1), math.Inf(1), best, move)
	}
	s.popMoves(f)
	return best
}
