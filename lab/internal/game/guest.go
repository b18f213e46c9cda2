package game

import (
	"context"
	"time"

	"oxo"
)

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
	Other     time.Duration
	Increment time.Duration
}
