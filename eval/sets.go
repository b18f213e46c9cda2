package eval

import (
	"math"

	"oxo"
	"oxo/board"
)

// winningSets evaluates positions by the winning sets of a board. A set is open to a
// side if the other has no mark in it.
type winningSets struct {
	lines   []board.Line
	through [][]int    // for each square, the sets that need it
	gain    [2]float64 // what owning a set is worth to First: by X, by O
}

// newWinningSets gathers the winning sets of the board of a game. The gain of a side is 0 where
// the rules do not test its sets; it is to First, so that a set that wins for O has −1.
func newWinningSets(start board.Positional) *winningSets {
	b, r := start.Board(), start.Rules()
	s := &winningSets{lines: b.Lines}
	for i := range b.N {
		s.through = append(s.through, b.LinesThrough(i))
	}
	for seat := range s.gain {
		if r.Tested[seat] {
			s.gain[seat] = float64(r.Done[seat].Value(oxo.First))
		}
	}
	return s
}

// open reports whether line l is open to the side with marks own.
func open(l *board.Line, own, other board.Set) bool {
	return !l.Need.Meets(other) && !l.Bar.Meets(own)
}

// openSetDifference is X(s) − O(s): the number of sets open to X less the number open to O, over one more than there
// are sets. Where a set is worth nothing to a side it doesn't count, and where owning one loses, it counts against.
//
// Source: Russell and Norvig, chapter on adversarial search, the exercise on generalized tic-tac-toe.
func (s *winningSets) openSetDifference(marks [2]board.Set, _ oxo.Seat) float64 {
	score := 0.0
	for i := range s.lines {
		for side, gain := range s.gain {
			if open(&s.lines[i], marks[side], marks[1-side]) {
				score += gain
			}
		}
	}
	return score / s.mostSets()
}

// mostSets is more than any difference of open sets.
func (s *winningSets) mostSets() float64 { return float64(len(s.lines) + 1) }

// rowScore weights open sets by the marks in them: 10, 100, 1000, … for 1, 2, 3, …;
// those of the side to move count three times. An empty set is worth 1 to First.
//
// Source: the row scores of Danenberg's notes on Mitchell, Machine Learning (1997), chapter 1.
func (s *winningSets) rowScore(marks [2]board.Set, turn oxo.Seat) float64 {
	score := 0.0
	for i := range s.lines {
		l := &s.lines[i]
		own := [2]int{l.Need.And(marks[oxo.First]).Len(), l.Need.And(marks[oxo.Second]).Len()}
		if own == [2]int{} {
			score++
		}
		for side, gain := range s.gain {
			if gain == 0 || own[side] == 0 || !open(l, marks[side], marks[1-side]) {
				continue
			}
			if oxo.Seat(side) == turn {
				gain *= 3
			}
			score += gain * math.Pow10(own[side])
		}
	}
	return score
}

// What features weighs its counts with.
const (
	threatWeight = 4.0
	forkWeight   = 3.0
	squareWeight = 0.1
)

// threatAndForkScore adds up, for each side: threats, which are open sets that lack one mark; forks, which are empty
// squares that would make two threats at once; and for each mark the number of sets through its square, which is
// greatest in the centre and greater in a corner than on a side.
//
// Source: the features of Danenberg's notes, told of any board.
func (s *winningSets) threatAndForkScore(marks [2]board.Set, _ oxo.Seat) float64 {
	score := 0.0
	for side, gain := range s.gain {
		if gain == 0 {
			continue
		}
		own, other := marks[side], marks[1-side]
		var once, twice board.Set // empty squares that make a threat, two threats
		side := 0.0
		for i := range s.lines {
			l := &s.lines[i]
			if !open(l, own, other) {
				continue
			}
			missing := l.Need.Minus(own)
			switch missing.Len() {
			case 1:
				side += threatWeight
			case 2:
				twice = twice.Or(once.And(missing))
				once = once.Or(missing)
			}
		}
		side += forkWeight * float64(twice.Len())
		for i := range s.through {
			if own.Has(i) {
				side += squareWeight * float64(len(s.through[i]))
			}
		}
		score += gain * side
	}
	return score
}
