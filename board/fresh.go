package board

import (
	"fmt"

	"oxo"
)

// turnAndOutcomeFromMarks works out from the marks alone what [Pos64.Play] keeps move by move: whose turn it is and how
// the game stands. It asks only who moved last, so it is right for positions that can be reached; see checkReachable.
func (t *gameData) turnAndOutcomeFromMarks(x, o Set) uint64 {
	n := x.Len() + o.Len()
	last := mover(n + 1)
	outcome := oxo.Ongoing
	switch {
	case n > 0 && t.rules.Tested[last] && t.ownsLine(x, o, last):
		outcome = t.rules.Done[last]
	case n == t.board.N:
		outcome = t.rules.Full
	}
	return makeInfo(outcome, mover(n))
}

// ownsLine reports whether a mark that the seat places owns a line.
func (t *gameData) ownsLine(x, o Set, seat oxo.Seat) bool {
	for k := range t.board.Lines {
		l := &t.board.Lines[k]
		if (t.rules.Place != Own || seat == oxo.First) && l.Owned(x) {
			return true
		}
		if (t.rules.Place == Either || t.rules.Place == Own && seat == oxo.Second) && l.Owned(o) {
			return true
		}
	}
	return false
}

// testedSeatOwnsLine reports whether a tested seat's marks own a line.
func (t *gameData) testedSeatOwnsLine(x, o Set) bool {
	return t.rules.Tested[oxo.First] && t.ownsLine(x, o, oxo.First) ||
		t.rules.Tested[oxo.Second] && t.ownsLine(x, o, oxo.Second)
}

// checkReachable returns the reason why no play from the empty board leads to
// these marks, or nil. It undoes moves until one order of play is found in
// which the game did not end early. Without gravity and bars the first order
// will do; with them it gives up after many positions and lets the position
// pass.
func (t *gameData) checkReachable(x, o Set) error {
	nx, no := x.Len(), o.Len()
	switch t.rules.Place {
	case Own:
		if nx != no && nx != no+1 {
			return fmt.Errorf("%d x and %d o: x moves first, so x has as many as o or one more", nx, no)
		}
	case Cross:
		if no > 0 {
			return fmt.Errorf("there are %d o: in this game both sides place x", no)
		}
	}
	if t.board.Below != nil {
		taken := x.Or(o)
		for i := range taken.All() {
			if j := t.board.Below[i]; j >= 0 && !taken.Has(j) {
				return fmt.Errorf("square %s is filled but %s below it is empty", t.board.Names[i], t.board.Names[j])
			}
		}
	}
	// After so many positions the question is left open.
	const enough = 20000
	seen := make(map[[2]Set]bool)
	var reach func(x, o Set) bool
	reach = func(x, o Set) bool {
		n := x.Len() + o.Len()
		if n == 0 || len(seen) > enough {
			return true
		}
		if seen[[2]Set{x, o}] {
			return false
		}
		seen[[2]Set{x, o}] = true
		last := mover(n + 1)
		for i := range x.Or(o).All() {
			if t.rules.Place == Own && (last == oxo.First) != x.Has(i) {
				continue
			}
			if t.falls && t.restOn[i].Meets(x.Or(o)) {
				continue
			}
			px, po := x.Without(i), o.Without(i)
			if !t.testedSeatOwnsLine(px, po) && reach(px, po) {
				return true
			}
		}
		return false
	}
	if reach(x, o) {
		return nil
	}
	if t.rules.Place == Own && t.ownsLine(x, o, oxo.First) && t.ownsLine(x, o, oxo.Second) {
		return fmt.Errorf("both x and o own a winning set: the game ends with the first one")
	}
	if t.testedSeatOwnsLine(x, o) {
		return fmt.Errorf("the game would have ended earlier: no last move completes the winning sets on the board")
	}
	return fmt.Errorf("no order of play leads to it")
}
