package certificate

import (
	"errors"
	"fmt"
	"slices"

	"oxo"
	"oxo/board"
)

// Setup is a positional game and the position in it that a proof is about.
type Setup struct {
	Spec  string // how people name it; kept in the certificate
	Board *board.Board
	Rules board.Rules

	// Marks are the squares that First and Second hold at the start, and Turn
	// is who moves then. The zero values are the empty board, First to move.
	Marks [2]board.Set
	Turn  oxo.Seat

	Nine *Nine // of a game of nine boards, which has no board, rules and marks but these
	Race *Race // of a race, which has none at all
}

// CheckProvable reports why nothing can be proved about g, or nil.
func (g *Setup) CheckProvable() error {
	r := &g.Rules
	switch {
	case g.Nine != nil, g.Race != nil:
		return nil
	case g.Board == nil:
		return errors.New("no board")
	case r.Slip != 0:
		return fmt.Errorf("%s: a game with chance moves has no proof of who wins", g.Spec)
	case r.Place == board.Either && 2*g.Board.N > board.MaxSquares:
		return fmt.Errorf("%s: %d squares, where proofs of games in which either mark may be placed take at most %d",
			g.Spec, g.Board.N, board.MaxSquares/2)
	case r.Place == board.Cross && !g.Marks[1].Empty():
		return fmt.Errorf("%s: an O on the board, where both sides place X", g.Spec)
	case !r.Tested[0] && !r.Tested[1]:
		return fmt.Errorf("%s: no move is ever tested for a winning set", g.Spec)
	case g.Turn != oxo.First && g.Turn != oxo.Second:
		return fmt.Errorf("%s: the turn must be first or second, not %v", g.Spec, g.Turn)
	case g.Marks[0].Meets(g.Marks[1]):
		return fmt.Errorf("%s: both sides hold square %s", g.Spec, g.Board.Names[g.Marks[0].And(g.Marks[1]).First()])
	case !g.Board.Squares().Holds(g.Marks[0].Or(g.Marks[1])):
		return fmt.Errorf("%s: a mark off the board", g.Spec)
	}
	for seat, tested := range r.Tested {
		if tested && r.Done[seat] != oxo.FirstWins && r.Done[seat] != oxo.SecondWins {
			return fmt.Errorf("%s: completing a set must win or lose", g.Spec)
		}
	}
	return nil
}

// Outcome returns the outcome of the start position, Ongoing where play goes on. It looks at all marks, not only at
// the last, as nobody says which one that was.
func (g *Setup) Outcome() oxo.Outcome {
	for k, marks := range g.Marks {
		seat := oxo.Seat(k)
		if g.Shared() {
			seat = g.Turn.Other() // whose mark was the last
		}
		if !g.Rules.Tested[seat] {
			continue
		}
		if slices.ContainsFunc(g.Board.Lines, func(l board.Line) bool { return l.Owned(marks) }) {
			return g.Rules.Done[seat]
		}
	}
	if g.Marks[0].Or(g.Marks[1]) == g.Board.Squares() {
		return g.Rules.Full
	}
	return oxo.Ongoing
}

// CompletionWins reports whether completing a set wins for seat.
func (g *Setup) CompletionWins(seat oxo.Seat) bool {
	return g.Rules.Tested[seat] && g.Rules.Done[seat] == oxo.WinFor(seat)
}

// IsPositional reports whether the theory of positional games holds: all free
// squares may be played and completing a set is never bad.
func (g *Setup) IsPositional() bool {
	for seat, tested := range g.Rules.Tested {
		if tested && !g.CompletionWins(oxo.Seat(seat)) {
			return false
		}
	}
	return g.Board.Below == nil && !g.Shared()
}

// Shared reports whether marks belong to nobody: what counts is who moves.
// Marks are then those X and those O, whoever placed them. A move is numbered
// in searches and certificates by its square, plus the number of squares where
// an O is placed.
func (g *Setup) Shared() bool { return g.Rules.Place != board.Own }

// Monotone reports whether, besides, an extra mark never hurts its owner.
func (g *Setup) Monotone() bool {
	return g.IsPositional() && !slices.ContainsFunc(g.Board.Lines, func(l board.Line) bool { return !l.Bar.Empty() })
}
