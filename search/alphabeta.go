package search

import (
	"oxo"
)

// alphabeta returns the worth v of p to First, looking depth plies ahead, if
// alpha < v < beta. Else it fails soft: a result r ≤ alpha means v ≤ r, a
// result r ≥ beta means v ≥ r. It needs alpha < beta. Where chance moves it is
// Star1 or Star2.
//
// Source: Knuth and Moore, An Analysis of Alpha-Beta Pruning, Artificial
// Intelligence 6 (1975); fail-soft: Fishburn, Another Optimization of
// Alpha-Beta Search, SIGART Newsletter 84 (1983).
func (s *run[P]) alphabeta(p P, depth int, alpha, beta float64) float64 {
	if v, done := s.enterNode(p, depth, alpha, beta); done {
		return v
	}
	if s.fast {
		if v, ok := s.searchByGameKernel(p, alpha, beta); ok {
			return v
		}
	}
	turn := p.Turn()
	if turn == oxo.Chance {
		return s.star(p, depth, alpha, beta)
	}
	maximize := turn == oxo.First
	best, move := worstValue(maximize), oxo.NoMove
	a, b := alpha, beta
	f := s.pushMoves(p, turn, depth)
	for i := f.first; i < f.last; i++ {
		m := s.moves[i]
		q, again := s.childAfter(f, p, m)
		if again {
			continue
		}
		v := s.alphabeta(q, depth-1, a, b)
		if s.halted {
			return 0
		}
		if s.isBetter(v, best, maximize) {
			best, move = v, m
			s.setBestMove(depth, m)
			if maximize {
				a = max(a, v)
			} else {
				b = min(b, v)
			}
		}
		if a >= b {
			s.recordCutoff(turn, f, i, depth)
			break
		}
	}
	if s.watched {
		s.storeAndTraceValue(p, depth, alpha, beta, best, move)
	}
	s.popMoves(f)
	return best
}
