package kind

import (
	"oxo"
	"oxo/board"
)

// Turns says what moves place and what comes of it, for programs that follow a game by
// themselves: beside its squares and winning sets it is all that they have to know.
type Turns struct {
	Place string    `json:"place" enum:"own,either,cross" doc:"the marks that a move places: one's own, either, or X"`
	Done  [2]string `json:"done" doc:"the result once First, once Second completes a winning set; empty: play goes on"`
	Full  string    `json:"full" doc:"the result of a full board"`
	Below []int     `json:"below,omitempty" doc:"where marks fall, the square under each; −1 for none"`
	Nine  *OnNine   `json:"nine,omitempty" doc:"of nine boards of nine squares, whose winning sets are rows of three boards"`
}

// OnNine says what games on nine boards differ in. The square that is played names the board to play in next.
type OnNine struct {
	Open bool `json:"open,omitempty" doc:"won boards are played in until they are full"`
	Most bool `json:"most,omitempty" doc:"at the end more boards win"`
}

// placements are the texts of placements.
var placements = [...]string{board.Own: "own", board.Either: "either", board.Cross: "cross"}

// TurnRulesOf returns those of a positional game, below as of its board. Where marks slip there are none: chance is
// drawn by whoever keeps the game.
func TurnRulesOf(r board.Rules, below []int) *Turns {
	if r.Slip != 0 {
		return nil
	}
	t := &Turns{Place: placements[r.Place], Full: r.Full.String(), Below: below}
	for seat, done := range r.Done {
		if done != oxo.Ongoing {
			t.Done[seat] = done.String()
		}
	}
	return t
}
