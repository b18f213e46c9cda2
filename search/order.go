package search

import (
	"oxo"
)

// moveOrder is what the search has learned about which moves to try first.
//
// Killers are the last two moves that cut off a node of the same ply; the
// history heuristic adds up, for each seat and move, how much it has cut off.
//
// Source: Akl and Newborn, The Principal Continuation and the Killer
// Heuristic, ACM Annual Conference (1977); Schaeffer, The History Heuristic,
// ICCA Journal 6 (1983).
type moveOrder struct {
	killers  [][2]oxo.Move // by ply
	history  [2][]uint32   // by seat and move
	line     []oxo.Move    // the last iteration's principal variation
	followed int           // plies of line that have been tried in this iteration
	scores   []uint32      // of the moves being sorted
}

// Scores: best-known moves before killers before all that history can say.
const (
	scoreBest   = 1<<32 - 1
	scoreKiller = 1<<32 - 2
	maxHistory  = 1 << 31
	maxCredit   = 32 // bounds what one cut can add to history
)

// tryFirst makes line the first to be tried in the next iteration.
func (o *moveOrder) tryFirst(line []oxo.Move) { o.line, o.followed = line, 0 }

// sortMoves orders the moves of a seat's node: first the move of the last
// principal variation or else hint, where there is one, then killers, then the
// rest by falling history, ties in the order given.
func (o *moveOrder) sortMoves(moves []oxo.Move, ply int, turn oxo.Seat, hint oxo.Move) {
	if ply == o.followed && ply < len(o.line) {
		hint = o.line[ply]
		o.followed++
	}
	killers := [2]oxo.Move{oxo.NoMove, oxo.NoMove}
	if ply < len(o.killers) {
		killers = o.killers[ply]
	}
	history := o.history[turn]
	o.scores = o.scores[:0]
	for i, m := range moves {
		var score uint32
		switch {
		case m == hint:
			score = scoreBest
		case m == killers[0]:
			score = scoreKiller
		case m == killers[1]:
			score = scoreKiller - 1
		case int(m) < len(history):
			score = history[m]
		}
		o.scores = insertMove(o.scores, moves[:i+1], score)
	}
}

// insertMove moves the last of the moves before those of lower scores, which fall, and adds its score in the same
// place.
func insertMove[S uint32 | float64](scores []S, moves []oxo.Move, score S) []S {
	scores = append(scores, score)
	i := len(moves) - 1
	m := moves[i]
	for ; i > 0 && scores[i-1] < score; i-- {
		scores[i], moves[i] = scores[i-1], moves[i-1]
	}
	scores[i], moves[i] = score, m
	return scores
}

// creditCutoff notes that m cut off a node of the given ply with depth plies left.
func (o *moveOrder) creditCutoff(m oxo.Move, ply, depth int, turn oxo.Seat) {
	for ply >= len(o.killers) {
		o.killers = append(o.killers, [2]oxo.Move{oxo.NoMove, oxo.NoMove})
	}
	if k := &o.killers[ply]; k[0] != m {
		k[0], k[1] = m, k[0]
	}
	history := &o.history[turn]
	for int(m) >= len(*history) {
		*history = append(*history, 0)
	}
	d := uint32(min(depth, maxCredit))
	(*history)[m] = min((*history)[m]+d*d, maxHistory)
}

// sortByWorth orders the moves of a seat's node p by what they are worth exactly: the best first, or with the order
// Worst the worst; ties in the order given.
func (s *run[P]) sortByWorth(moves []oxo.Move, p P, turn oxo.Seat) {
	sign := turn.Sign()
	if s.o.Order == Worst {
		sign = -sign
	}
	s.worths = s.worths[:0]
	for i, m := range moves {
		s.worths = insertMove(s.worths, moves[:i+1], sign*s.o.Worth(p.Play(m)))
	}
}
