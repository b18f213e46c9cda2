package lab

import (
	"oxo/lab/internal/typed"
	"oxo/puzzle"
)

// Puzzles: positions with one right move.
type (
	Puzzle        = puzzle.Puzzle
	PuzzleOptions = puzzle.Options
	Theme         = puzzle.Theme
	Rating        = puzzle.Rating
	Puzzling      = typed.Puzzling
)
