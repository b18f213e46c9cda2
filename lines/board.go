package lines

import "oxo/board"

// MarkAt reads the mark of a square of a positional game's position: 0 for X, 1 for O, 2 for none, as [NewPlayer]
// asks for it.
func MarkAt[P board.Positional](p P, square int) (sideOrEmpty int) {
	switch x, o := p.Marks(); {
	case x.Has(square):
		return sideX
	case o.Has(square):
		return sideO
	}
	return empty
}
