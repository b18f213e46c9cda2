// Package learners is what a game's learners do: train, be graded and shown, and meet opponents.
package learners

import (
	"oxo"
	"oxo/lab/internal/opened"
)

// Trainable is a game to be learned.
// It is no more than the opened game: what was listed or solved of it is shared with whatever else has it open.
type Trainable[P oxo.Position[P]] struct{ b *opened.TypedGame[P] }

// Of returns the opened game as one to be learned.
func Of[P oxo.Position[P]](b *opened.TypedGame[P]) Trainable[P] { return Trainable[P]{b} }
