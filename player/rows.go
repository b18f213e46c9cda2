package player

import (
	"math"
	"slices"

	"oxo"
	"oxo/board"
)

// Rows looks one move ahead and scores lines, as the notes of Danenberg do: a line
// with c own marks and no enemy mark is worth 10^c, so 10, 100, …, an enemy's line
// the negative of that, and the lines of the side to move count three times. An
// empty line is worth 1 to First. It draws among moves of equal score.
type Rows[P oxo.Position[P]] struct{}

// toMoveFactor is how many times as much the lines of the side to move next count as those of the side that moved.
const toMoveFactor = 3

// Policy spreads over the moves with the best score.
func (Rows[P]) Policy(p P, moves []oxo.Move, probs []float64) {
	scores := make([]float64, len(moves))
	for i, m := range moves {
		next := p.Play(m)
		if o := next.Outcome(); o != oxo.Ongoing {
			scores[i] = float64(o.Value(p.Turn())) * math.MaxFloat64
		} else {
			scores[i] = rowScore(any(next).(board.Positional), p.Turn())
		}
	}
	spreadOverBest(scores, probs)
}

// spreadOverBest spreads evenly over the moves with the best score.
func spreadOverBest(scores, probs []float64) {
	best := slices.Max(scores)
	chosen := make([]bool, len(scores))
	for i, s := range scores {
		chosen[i] = s == best
	}
	spreadEvenly(chosen, probs)
}

// rowScore scores the lines for a seat when the other one is to move.
// The seat is the one that has just moved, so that the factor goes to the other side's lines.
func rowScore(view board.Positional, seat oxo.Seat) float64 {
	mine, theirs := view.Marks()
	if seat == oxo.Second {
		mine, theirs = theirs, mine
	}
	score, empty := 0.0, 1.0
	if seat == oxo.Second {
		empty = -1
	}
	for _, l := range view.Board().Lines {
		own, other := l.Need.And(mine).Len(), l.Need.And(theirs).Len()
		switch {
		case own == 0 && other == 0:
			score += empty
		case other == 0:
			score += math.Pow10(own)
		case own == 0:
			score -= toMoveFactor * math.Pow10(other)
		}
	}
	return score
}
