package game

import (
	"context"

	"oxo"
	"oxo/learn"
)

// Human is the player spec of a person: whoever runs a session moves for it.
const Human = "human"

// SessionOptions say who plays a game from where.
type SessionOptions struct {
	First, Second string // player specs
	Position      string // empty for the start
	Playable      bool   // whether it may be one that no play leads to, where both players go by the marks alone
	Seed          uint64
}

// Session is one game being played, move by move. It is not safe for
// concurrent use.
type Session interface {
	// State returns the position now.
	State() State
	// Person reports whether a person is to move.
	Person() bool
	// Move plays a person's move. The game is unchanged after an error.
	Move(text string) error
	// Step lets the player or the chance whose turn it is act, and returns
	// the move.
	Step(ctx context.Context) (move string, err error)
	// Undo takes back moves until it is a person's turn again, and reports
	// whether there were any.
	Undo() bool
	// CompletedSetSquares returns the winning sets that are complete once the game is over, each as
	// squares by their order in Info.Squares; the list is never nil.
	CompletedSetSquares() [][]int
	// LastMoveTerms says why a player that is a weighted sum made the last move; nil of others.
	LastMoveTerms() []learn.Term
	// Resign ends the game: the side to move gives up.
	Resign()
	// Over reports whether the game has ended, by its rules or otherwise.
	Over() bool
	// Record returns the game so far.
	Record() oxo.Record
	// Close ends players that are other programs.
	Close() error
}
