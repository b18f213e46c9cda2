package board

import (
	"math/rand/v2"

	"oxo"
)

// playout256 returns a kernel that plays random moves to the end on boards
// whose lines are the windows of k squares of a few rows, or nil for other
// games. It keeps, for each row and mark, the row's squares as bits of a word.
func (t *table) playout256() func(Pos256, *rand.PCG) oxo.Outcome { return nil }
