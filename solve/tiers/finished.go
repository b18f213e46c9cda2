package tiers

import (
	"math/bits"

	"oxo"
	"oxo/board"
)

// finishedScorer tells from the marks of a position how the game stands.
type finishedScorer struct {
	space *Space
	x, o  bool // whether a set of these marks ends the game
	over  byte // the score where somebody has completed a set
	full  byte // where nobody has; open but on the full board
	last  oxo.Seat
	all   uint32
	lines []wordLine
}

// wordLine is a line in the bits of a word.
type wordLine struct{ need, bar uint32 }

// newFinishedScorer returns what tells finished positions of so many marks from those that go on.
func (s *Space) newFinishedScorer(marks int) *finishedScorer {
	j := &finishedScorer{space: s, last: seat(marks + 1), full: open, all: uint32(1<<marks - 1)}
	switch s.rules.Place {
	case board.Own:
		j.x, j.o = s.rules.Tested[oxo.First], s.rules.Tested[oxo.Second]
	case board.Either:
		j.x, j.o = true, true
	case board.Cross:
		j.x = true
	}
	j.over = encodeScore(s.rules.Done[j.last].Value(seat(marks)), 0)
	if marks == s.n {
		j.full = encodeScore(s.rules.Full.Value(seat(marks)), 0)
	}
	return j
}

// setOccupied turns to the positions of a set.
func (j *finishedScorer) setOccupied(set uint32) {
	j.lines = j.lines[:0]
	for _, l := range j.space.board.Lines {
		if need := uint32(l.Need.A); need&^set == 0 {
			j.lines = append(j.lines, wordLine{extractBits(need, set), extractBits(uint32(l.Bar.A)&set, set)})
		}
	}
}

// initialScore returns what is known of a position at a glance: that it is over, that
// it can't be reached, or that it is open. Where what can be reached has to be
// found from the start on, it must be a position that can.
func (j *finishedScorer) initialScore(xWord uint32) byte {
	common, owned := j.all, false
	for _, l := range j.lines {
		if j.x && xWord&l.need == l.need && xWord&l.bar == 0 || j.o && xWord&l.need == 0 && (j.all&^xWord)&l.bar == 0 {
			common, owned = common&l.need, true
		}
	}
	if !owned {
		return j.full
	}
	// The last move completed all the sets on the board.
	if j.space.rules.Place == board.Own {
		if j.last == oxo.Second {
			xWord = ^xWord
		}
		common &= xWord
	}
	if common == 0 && !j.space.forward {
		return unreached
	}
	return j.over
}

// extractBits takes the bits of w at the places of set, the lowest to bit 0.
func extractBits(w, set uint32) uint32 {
	out, at := uint32(0), 0
	for ; set != 0; set &= set - 1 {
		out |= w >> bits.TrailingZeros32(set) & 1 << at
		at++
	}
	return out
}
