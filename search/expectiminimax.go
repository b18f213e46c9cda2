package search

import (
	"math"

	"oxo"
)

// expectedMinimax is what makes an expectiminimax of minimax: the expected worth
// of a chance node to First, which is the mean of the children's worths, weighted
// by their odds.
//
// Source: Michie, Game-Playing and Game-Learning Automata (1966); Russell and
// Norvig, chapter on adversarial search, EXPECTIMINIMAX.
func (s *run[P]) expectedMinimax(p P, depth int) float64 {
	mean := 0.0
	f := s.pushMoves(p, oxo.Chance, depth)
	for i := f.first; i < f.last; i++ {
		m := s.moves[i]
		q, _ := s.childAfter(f, p, m)
		v := s.minimax(q, depth-1)
		if s.halted {
			return 0
		}
		mean += s.g.Odds(p, m) * v
	}
	if s.watched {
		s.storeAndTraceValue(p, depth, math.Inf(-1), math.Inf(1), mean, oxo.NoMove)
	}
	s.popMoves(f)
	return mean
}
