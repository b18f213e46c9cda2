package lines

import "oxo/board"

// Of returns the squares and lines of a board.
func Of(b *board.Board) Board {
	list := Board{Squares: b.N}
	barred := false
	for _, l := range b.Lines {
		list.Need = append(list.Need, l.Need.Squares())
		list.Bar = append(list.Bar, l.Bar.Squares())
		barred = barred || !l.Bar.Empty()
	}
	if !barred {
		list.Bar = nil
	}
	return list
}

// Mark reads the mark of a square of a positional game's position.
func Mark[P board.Positional](p P, square int) int {
	switch x, o := p.Marks(); {
	case x.Has(square):
		return sideX
	case o.Has(square):
		return sideO
	}
	return empty
}
