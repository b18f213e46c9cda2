package game

import (
	"context"
	"time"

	"oxo"
	"oxo/arena"
	"oxo/learn"
	"oxo/message"
)

// ContestOptions say who meets whom, and how.
type ContestOptions struct {
	Players  []string
	Gauntlet bool // only the first player meets the others
	Twins    bool // a player may meet itself
	Games    int  // between each two players; even, as seats are swapped
	Seed     uint64

	// Openings is how many plies are given before the players go on: every
	// opening of that length up to symmetry where there are not too many, else
	// random ones. OpeningList is a list of openings instead.
	Openings    int
	OpeningList string

	Time    string // as arena.ParseTimeControl reads it; empty for no clocks
	Margin  time.Duration
	Adjudge bool        // end a game as soon as its value is known
	SPRT    *arena.SPRT // ends the count of the games; nil for none
}

// OfferedPlayer is a player that is offered by name, and why it doesn't play the game, where it
// doesn't.
type OfferedPlayer struct {
	Spec    string `json:"spec"`
	Refused string `json:"refused,omitempty" doc:"why it doesn't play this game"`

	Said message.Said `json:"said,omitempty" doc:"the messages of the texts here, by field: keys, for other languages"`
}

// Contest is games between players that can be played in ranges. Ranges and journals are what lets one
// contest be split over workers and gone on with: the same game number is the same game everywhere.
type Contest interface {
	// Games returns how many games there are, and Names who plays them.
	Games() int
	Names() []string
	// Play plays the games of a range that the journal does not hold yet, one
	// after the other, and tells of the standings of the range after each.
	Play(ctx context.Context, r Range, journal arena.JournalFile, tell func(*arena.Standings)) (*arena.Standings, error)
	// CountStandings returns the standings of the games of a range that a journal holds,
	// those of all games ended by the sequential test where there is one.
	CountStandings(r Range, journal arena.JournalFile) (*arena.Standings, error)
}

// Range is the games from From up to but not To; the zero value is all of them.
type Range struct {
	From int `json:"from"`
	To   int `json:"to"`
}

// Guest is a program that plays one game from elsewhere, in text.
type Guest interface {
	// Choose tells the guest the moves since it was asked last, of the other
	// side and of chance, and what both clocks show. It returns its move, or
	// none where it resigns, and how much of its time that took; the time is
	// the guest's to keep. The error loses it the game.
	Choose(ctx context.Context, since []string, own, other time.Duration) (move string, took time.Duration, err error)

	// End tells the guest the last moves, and how the game ended: in the words
	// of [oxo.Record].
	End(since []string, result, termination, reason string)

	// Close breaks the game off, if it has not ended.
	Close() error
}

// GuestGame is a game that a guest is asked to play.
type GuestGame struct {
	Game      string // its spec
	Position  string // in which the guest is to move first
	Seat      oxo.Seat
	Own       time.Duration // what the guest's clock shows; 0 where there are no clocks
	Increment time.Duration
}

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
