package search

import (
	"oxo"
)

// mtdf finds the value of p by alphabeta passes with null windows, each of
// which tells on which side of a guess the value lies: the next guess is the
// bound that the last pass returned, the first is the value of the last
// iteration. The best move, left in s.lines, is that of the last pass in which
// the mover reached the guess; null windows don't tell what follows it. It is
// meant to be used with memory, without which each pass repeats the work of
// the one before.
//
// Source: Plaat, Schaeffer, Pijls and de Bruin, Best-First Fixed-Depth Minimax
// Algorithms, Artificial Intelligence 87 (1996), MTD(f).
func (s driver[P]) mtdf(p P, depth int, guess float64) {
	known := s.window
	best, reached := oxo.NoMove, false
	for best == oxo.NoMove || known.Lo < known.Hi {
		beta := guess
		if guess == known.Lo {
			beta = justAbove(guess)
		}
		s.lines = s.lines[:0]
		guess = s.searchRootMoves(p, depth, justBelow(beta), beta)
		if s.halted || len(s.lines) == 0 {
			s.lines = s.lines[:0]
			return
		}
		high := guess >= beta
		if high {
			known.Lo = guess
		} else {
			known.Hi = guess
		}
		won := high == (p.Turn() == oxo.First)
		if won || !reached {
			best, reached = s.lines[0].Move, won
		}
	}
	s.lines = append(s.lines[:0], Line{Move: best, Value: guess, PV: []oxo.Move{best}})
}
