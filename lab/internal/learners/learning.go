// Package learners is what a game's learners do: train, be graded and shown, and meet opponents.
package learners

import (
	"oxo"
	"oxo/lab/internal/opened"
)

// Game is a game to be learned.
type Game[P oxo.Position[P]] struct{ b *opened.Game[P] }

// Of returns the opened game as one to be learned.
func Of[P oxo.Position[P]](b *opened.Game[P]) Game[P] { return Game[P]{b} }
