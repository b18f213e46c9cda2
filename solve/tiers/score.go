package tiers

import (
	"oxo"
	"oxo/solve"
)

// A score is what a position is worth to the side to move, in a byte; of two
// scores the side prefers the greater.
//
//	0            the position can't be reached
//	1            nothing is known yet
//	2 + r        lost, r plies before the end
//	66 + r       drawn, the same
//	255 − r      won, the same
const (
	unreached = 0
	open      = 1
	lost      = 2
	drawn     = 66
	won       = 255

	mostPlies = 63
)

// encodeScore writes a value to the side to move and its remoteness.
func encodeScore(v oxo.Value, plies int) byte {
	switch v {
	case oxo.Loss:
		return byte(lost + plies)
	case oxo.Draw:
		return byte(drawn + plies)
	}
	return byte(won - plies)
}

// decodeScore reads the score of a position in which seat is to move; false where
// there is none.
func decodeScore(s byte, seat oxo.Seat) (solve.Verdict, bool) {
	value, plies := oxo.Draw, int(s)-drawn
	switch {
	case s < lost || s > drawn+mostPlies && s < won-mostPlies:
		return solve.Verdict{}, false
	case s < drawn:
		value, plies = oxo.Loss, int(s)-lost
	case s >= won-mostPlies:
		value, plies = oxo.Win, won-int(s)
	}
	return solve.VerdictOf(value.Outcome(seat), plies), true
}

// before is, for each score, that of a position whose best move leads to it.
// What can't be reached is no better than nothing.
var before = func() (t [256]byte) {
	for s := range t {
		v, ok := decodeScore(byte(s), oxo.First)
		if ok && v.Remoteness < mostPlies {
			t[s] = encodeScore(-v.Outcome.Value(oxo.First), v.Remoteness+1)
		}
	}
	return t
}()

// settled says which scores are of positions without moves: those in which the
// game is over, and those that can't be reached.
var settled = [256]bool{unreached: true, lost: true, drawn: true, won: true}
