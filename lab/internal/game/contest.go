package game

import (
	"context"
	"time"

	"oxo/arena"
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
