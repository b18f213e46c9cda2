package search

import (
	"math"

	"oxo"
)

// minimax returns the worth of p to First under best play, looking depth plies
// ahead: the value of the best child for whoever moves, and the mean of the
// children where chance does. The value is exact; with Options.Stop the loop
// ends at a child that reaches the bound of the payoffs.
//
// Source: Shannon, Programming a Computer for Playing Chess (1950), §3;
// Russell and Norvig, chapter on adversarial search, MINIMAX-SEARCH.
func (s *run[P]) minimax(p P, depth int) float64 {
	if v, done := s.enterNode(p, depth, math.Inf(-1), math.Inf(1)); done {
		return v
	}
	if s.fast {
		if v, ok := s.searchByGameKernel(p, 0, 0); ok {
			return v
		}
	}
	turn := p.Turn()
	if turn == oxo.Chance {
		return s.expectedMinimax(p, depth)
	}
	maximize := turn == oxo.First
	best, move := worstValue(maximize), oxo.NoMove
	f := s.pushMoves(p, turn, depth)
	for i := f.first; i < f.last; i++ {
		m := s.moves[i]
		q, again := s.childAfter(f, p, m)
		if again {
			continue
		}
		v := s.decay * s.minimax(q, depth-1)
		if s.halted {
			return 0
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
	if s.watched {
		s.storeAndTraceValue(p, depth, math.Inf(-1), math.Inf(1), best, move)
	}
	s.popMoves(f)
	return best
}

// worstValue returns the value that every other value is better than.
func worstValue(maximize bool) float64 {
	if maximize {
		return math.Inf(-1)
	}
	return math.Inf(1)
}
