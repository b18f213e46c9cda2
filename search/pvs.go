package search

import (
	"math"

	"oxo"
)

// pvs is alphabeta that bets on its move order: the first move is searched
// with the whole window, each other with a null window that only asks whether
// it is better, and again with the rest of the window if it is. Values are the
// worth to turn, the seat to move. If alpha < v < beta the result is v; else
// it fails soft: r ≤ alpha means v ≤ r, r ≥ beta means v ≥ r. It needs
// alpha < beta and a game without chance.
//
// Source: Marsland and Campbell, Parallel Search of Strongly Ordered Game
// Trees, Computing Surveys 14 (1982); fail-soft as in Reinefeld, An
// Improvement to the Scout Tree Search Algorithm, ICCA Journal 6 (1983).
func (s *run[P]) pvs(p P, turn oxo.Seat, depth int, alpha, beta float64) float64 {
	mine := turn.Sign()
	low, high := flipWindow(turn, alpha, beta)
	if v, done := s.enterNode(p, depth, low, high); done {
		return mine * v
	}
	best, move, a := math.Inf(-1), oxo.NoMove, alpha
	f := s.pushMoves(p, turn, depth)
	for i := f.first; i < f.last; i++ {
		m := s.moves[i]
		q, again := s.childAfter(f, p, m)
		if again {
			continue
		}
		next := q.Turn()
		v := math.Inf(1)
		if i > f.first {
			v = s.pvsOfChild(q, turn, next, depth-1, a, justAbove(a))
		}
		if v > a && (i == f.first || v < beta) {
			s.last = m
			v = s.pvsOfChild(q, turn, next, depth-1, a, beta)
		}
		if s.halted {
			return 0
		}
		if v > best {
			best, move, a = v, m, max(a, v)
			s.setBestMove(depth, m)
		}
		if a >= beta {
			s.recordCutoff(turn, f, i, depth)
			break
		}
	}
	if s.watched {
		s.storeAndTraceValue(p, depth, low, high, mine*best, move)
	}
	s.popMoves(f)
	return best
}

// pvsOfChild returns pvs of q, where next moves, in the terms of turn.
func (s *run[P]) pvsOfChild(q P, turn, next oxo.Seat, depth int, alpha, beta float64) float64 {
	if next == turn {
		return s.pvs(q, next, depth, alpha, beta)
	}
	return -s.pvs(q, next, depth, -beta, -alpha)
}

// justAbove returns the least value greater than a, so that (a, justAbove(a)) holds no
// value.
func justAbove(a float64) float64 { return math.Nextafter(a, math.Inf(1)) }

// justBelow returns the greatest value less than b.
func justBelow(b float64) float64 { return math.Nextafter(b, math.Inf(-1)) }
