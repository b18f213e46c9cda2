package kind

import "oxo/board"

// alwaysCompleted reports whether every full board holds a line that one mark owns, so that no
// game is drawn: the hypergraph of winning sets has no proper colouring in two colours. It takes at most so many
// steps, and says false where they do not suffice, and of lines that may be too long.
func alwaysCompleted(b *board.Board, steps int) bool {
	for _, l := range b.Lines {
		if !l.Bar.Empty() {
			return false
		}
	}
	return alwaysCompletedFrom(b, [2]board.Set{}, &steps)
}

// alwaysCompletedFrom says so of all boards that have these marks, of which none owns a line yet.
func alwaysCompletedFrom(b *board.Board, marks [2]board.Set, steps *int) bool {
	if *steps--; *steps < 0 {
		return false
	}
	var open board.Set // what is free of an open line with the fewest free squares
	for forced := true; forced; {
		forced, open = false, board.Set{}
		for _, l := range b.Lines {
			free := l.Need.Minus(marks[0].Or(marks[1]))
			for m := range marks {
				if l.Need.Meets(marks[1-m]) {
					continue
				}
				if free.Empty() {
					return true
				}
				if free.Len() == 1 {
					marks[1-m], forced = marks[1-m].Or(free), true
					break
				}
				if open.Empty() || free.Len() < open.Len() {
					open = free
				}
			}
		}
	}
	if open.Empty() {
		return false
	}
	both := marks
	both[0] = both[0].With(open.First())
	if !alwaysCompletedFrom(b, both, steps) {
		return false
	}
	if marks == [2]board.Set{} {
		return true // the marks are alike
	}
	marks[1] = marks[1].With(open.First())
	return alwaysCompletedFrom(b, marks, steps)
}
