// Package moves proves who wins a game of wins, draws and losses by a strategy of plain moves:
// one move in every position that it comes to, up to symmetry and transposition, against every
// reply. It takes nothing from the game but its moves, its symmetries and what [Provable] says, so
// that nobody has to know why the strategy wins.
//
// A strategy is looked for by proof numbers ([proof.Prover]) among some of the moves of its
// side and all replies, which is enough for a yes: those that leave the opponent few replies,
// and those that gain something. What counts as few grows from round to round up to all.
package moves

import (
	"oxo"
)

// Provable is a game with what a proof by moves asks of it.
type Provable[P oxo.Position[P]] struct {
	*oxo.Game[P]

	// Form returns the name of a position up to symmetry, and the symmetry that gives it, by
	// which Turn takes a move of the position to one of the form, numbered as in certificates.
	Form func(p P) (form string, symmetry int)
	Turn func(symmetry int, m oxo.Move) oxo.Move

	// Needs returns a lower bound on how many more moves of its own seat needs to win, as
	// [oxo.Game.MinMovesToWin] does, in a way that the checker of strategies shares.
	Needs func(p P, seat oxo.Seat) int

	// Settled, where there is one, reports whether the answer to an open question is yes in p by a theorem that the
	// checker of strategies shares, and within how many plies the game then ends.
	Settled func(p P, q Question, left int) (plies int, ok bool)

	// Played returns how many moves led to p.
	Played func(p P) int

	// Gains reports whether the move from p to q is always worth a try.
	Gains func(p, q P) bool
}

// Question asks whether a seat has a strategy.
type Question struct {
	Seat  oxo.Seat
	Wins  bool // that wins within so many plies; else one by which it does not lose within them
	Plies int  // counted from the start, at least 1; the strategy says nothing of what comes later
}

// Claim returns the claim that answers the question with yes, with its strategy as certificates have it. A win
// is claimed within as many plies as the longest game has.
func (q Question) Claim(f *Followed) Claim {
	if q.Wins {
		q.Plies = f.Longest
	}
	return Claim{q, f}
}

// claimState is how a question stands in a position after which so many plies count.
type claimState uint8

const (
	open   claimState = iota
	kept              // the strategy has reached what it claims
	broken            // it has failed
)

// claimStateAt returns how the question stands in a position with that outcome and turn, after which pliesLeft plies
// count. movesNeeded is a lower bound on the moves that a seat has to make before it wins: a side that needs more of
// them than it has left can't win in time, which decides the question before the plies are over.
func (q Question) claimStateAt(movesNeeded func(oxo.Seat) int, outcome oxo.Outcome, turn oxo.Seat,
	pliesLeft int) claimState {
	win, loss := oxo.WinFor(q.Seat), oxo.WinFor(q.Seat.Other())
	who, late := q.Seat, broken
	if !q.Wins {
		who, late = q.Seat.Other(), kept
	}
	switch {
	case outcome == win, outcome == oxo.Drawn && !q.Wins:
		return kept
	case outcome == loss, outcome == oxo.Drawn, pliesLeft <= 0 && q.Wins:
		return broken
	case pliesLeft <= 0:
		return kept
	}
	// Of left plies the side to move makes half, rounded up, and the other half, rounded down.
	if turn == who {
		pliesLeft++
	}
	if movesNeeded(who) > pliesLeft/2 {
		return late
	}
	return open
}

// claimStateAt returns how a question stands in p, after which pliesLeft plies count.
func (g *Provable[P]) claimStateAt(p P, q Question, pliesLeft int) claimState {
	return q.claimStateAt(func(seat oxo.Seat) int { return g.Needs(p, seat) }, p.Outcome(), p.Turn(), pliesLeft)
}
