package solve

import (
	"math"

	"oxo"
)

// Endless is the remoteness of a draw by play that need never end: moves that keep the draw lead round a circle.
const Endless = -1

// Verdict is what a position is worth under best play.
type Verdict struct {
	Outcome oxo.Outcome // who wins, or Drawn; by expectation, who is ahead

	// Remoteness is the number of plies to the end when the winner hurries
	// and the loser delays, or in a draw both delay; Endless if the draw need
	// never end. It is 0 where the game is solved by expectation.
	Remoteness int

	// Expected is the payoff to First; ±1 or 0 in games without payoffs or
	// chance.
	Expected float64
}

// Option is a move and what the position after it is worth.
type Option struct {
	Move oxo.Move
	Verdict
	Best bool // no other move is better
}

// expectation reports whether the game is solved by expected payoff.
func expectation[P oxo.Position[P]](g *oxo.Game[P]) bool { return g.Odds != nil || g.Payoff != nil }

// verdictComparer compares verdicts, by expectation or by value and remoteness.
type verdictComparer struct{ expectation bool }

// prefers reports whether the mover, who can play to a or to b, prefers a.
// The sooner the better is a win, the later the better a loss and a draw.
func (j verdictComparer) prefers(a, b Verdict, mover oxo.Seat) bool {
	if j.expectation {
		if mover == oxo.Second {
			return a.Expected < b.Expected
		}
		return a.Expected > b.Expected
	}
	av, bv := a.Outcome.Value(mover), b.Outcome.Value(mover)
	switch {
	case av != bv:
		return av > bv
	case av == oxo.Win:
		return a.Remoteness < b.Remoteness
	}
	return a.Remoteness > b.Remoteness
}

// tolerance is how far apart expected payoffs may be and still count as equal:
// sums of products of odds are exact only to rounding.
const tolerance = 1e-12

// isOptimal reports whether a move to a position worth after is optimal in one
// worth whole.
func (j verdictComparer) isOptimal(after, whole Verdict) bool {
	if j.expectation {
		return math.Abs(after.Expected-whole.Expected) <= tolerance*max(1, math.Abs(whole.Expected))
	}
	return after.Outcome == whole.Outcome && after.onePlyEarlier().Remoteness == whole.Remoteness
}

// onePlyEarlier returns the verdict of a position whose optimal move leads to v.
func (v Verdict) onePlyEarlier() Verdict {
	if v.Remoteness != Endless {
		v.Remoteness++
	}
	return v
}

// outcomeOfPayoff returns the outcome that an expected payoff leans to.
func outcomeOfPayoff(x float64) oxo.Outcome {
	switch {
	case x > 0:
		return oxo.FirstWins
	case x < 0:
		return oxo.SecondWins
	}
	return oxo.Drawn
}

// pack writes the verdict of a game that is not solved by expectation.
//
//	bits 0–1    outcome
//	bits 2–15   remoteness + 1
//
// Endless is a 0 there, and the longest game that fits has longestGame plies.
func (v Verdict) pack() uint16 { return uint16(v.Outcome) | uint16(v.Remoteness+1)<<2 }

// unpack is the verdict that pack packed.
func unpack(w uint16) Verdict {
	return VerdictOf(oxo.Outcome(w&3), int(w>>2)-1)
}

// VerdictOf returns the verdict of an end that is so many plies away, in a game of wins, draws and losses.
func VerdictOf(o oxo.Outcome, plies int) Verdict {
	return Verdict{Outcome: o, Remoteness: plies, Expected: float64(o.Value(oxo.First))}
}

// expectedVerdict returns the verdict of expected payoff x to First.
func expectedVerdict(x float64) Verdict { return Verdict{Outcome: outcomeOfPayoff(x), Expected: x} }
