// Package animal makes the boards of Harary's game: the first to own a copy of
// a given polyomino, moved, turned or mirrored, wins (Gardner, Scientific
// American 240(4), 1979).
package animal

import (
	"fmt"
	"slices"
	"strings"

	"oxo/board"
	"oxo/games/grid"
)

// Names are the animals that have names: Harary's of up to four cells, the twelve pentominoes by Golomb's letters,
// and snaky. Cells are rows from the top, x for a cell and . for none, joined with "/". The names are in lower
// case.
var Names = []struct{ Name, Cells string }{
	{"elam", "x"},
	{"domino", "xx"},
	{"tic", "xxx"},
	{"el", "x./xx"},
	{"elly", "x../xxx"},
	{"fatty", "xx/xx"},
	{"knobby", ".x./xxx"},
	{"skinny", "xxxx"},
	{"tippy", ".xx/xx."},
	{"f5", ".xx/xx./.x."},
	{"i5", "xxxxx"},
	{"l5", "x.../xxxx"},
	{"n5", "xxx./..xx"},
	{"p5", "xx/xx/x."},
	{"t5", "xxx/.x./.x."},
	{"u5", "x.x/xxx"},
	{"v5", "x../x../xxx"},
	{"w5", "x../xx./.xx"},
	{"x5", ".x./xxx/.x."},
	{"y5", ".x../xxxx"},
	{"z5", "xx./.x./.xx"},
	{"snaky", "xxxx./...xx"},
}

// cell is a cell of an animal: its column from the left and its row from the top. Only differences count: an animal
// that was turned may have negative numbers.
type cell struct{ col, row int }

// New returns the board of cols × rows squares on which every copy of the animal wins. The animal is one of Names,
// in letters of either case, or rows of cells from the top, x for a cell and . for none, joined with "/". With
// gravity marks fall to the lowest free row. It refuses animals that are not in one piece or don't fit, and boards
// of more than board.MaxSquares squares.
func New(animal string, cols, rows int, gravity bool) (*board.Board, error) {
	cells, err := parse(animal)
	if err != nil {
		return nil, err
	}
	// Each side is bounded before their product is, which could overflow otherwise.
	if cols < 1 || rows < 1 || cols > board.MaxSquares || rows > board.MaxSquares || cols*rows > board.MaxSquares {
		return nil, fmt.Errorf("a board of %d × %d squares: at least 1 and at most %d squares", cols, rows,
			board.MaxSquares)
	}
	var lines []board.Line
	seen := map[board.Set]bool{}
	// There are eight ways to turn and mirror an animal. One that is symmetric looks the same in several of them,
	// and each set of squares may be named once only.
	for range 2 {
		for range 4 {
			for _, copy := range placements(cells, cols, rows) {
				if !seen[copy] {
					seen[copy] = true
					lines = append(lines, board.Line{Need: copy})
				}
			}
			cells = carried(cells, func(c cell) cell { return cell{-c.row, c.col} }) // by a right angle, clockwise
		}
		// Four turns have brought the cells back to where they were.
		cells = carried(cells, func(c cell) cell { return cell{-c.col, c.row} }) // left to right
	}
	if len(lines) == 0 {
		return nil, fmt.Errorf("animal %q does not fit on %d × %d", animal, cols, rows)
	}
	b, err := board.FromLines(cols*rows, lines)
	if err != nil {
		return nil, err
	}
	b.SetGrid(cols, rows, 1)
	if gravity {
		err = b.SetBelow(grid.BelowByStep(b.N, cols))
	}
	return b, err
}

// parse returns the cells of an animal, by its name or by its rows, one at least. It refuses other signs than x and
// ., and cells that do not hang together.
func parse(animal string) ([]cell, error) {
	text := cellsOf(strings.ToLower(animal))
	var cells []cell
	for r, row := range strings.Split(text, "/") {
		for c, mark := range row {
			switch mark {
			case 'x':
				cells = append(cells, cell{c, r})
			case '.':
			default:
				var names []string
				for _, known := range Names {
					names = append(names, known.Name)
				}
				return nil, fmt.Errorf("animal %q is neither one of %s nor cells such as x/xxx", animal,
					strings.Join(names, " "))
			}
		}
	}
	if len(cells) == 0 {
		return nil, fmt.Errorf("animal %q has no cells", animal)
	}
	if !connected(cells) {
		return nil, fmt.Errorf("animal %q is not in one piece: its cells must join edge to edge", animal)
	}
	return cells, nil
}

// cellsOf returns the cells of the animal of that name, which is in lower case, and any other text as it is.
func cellsOf(name string) string {
	for _, known := range Names {
		if known.Name == name {
			return known.Cells
		}
	}
	return name
}

// connected reports whether the cells, one at least, hang together by their edges: all are reached from the first
// by steps to neighbours.
func connected(cells []cell) bool {
	reached := []cell{cells[0]}
	// The list grows while it is gone through, until all neighbours of what was reached are in it.
	for k := 0; k < len(reached); k++ {
		at := reached[k]
		for _, next := range []cell{{at.col + 1, at.row}, {at.col - 1, at.row}, {at.col, at.row + 1},
			{at.col, at.row - 1}} {
			if slices.Contains(cells, next) && !slices.Contains(reached, next) {
				reached = append(reached, next)
			}
		}
	}
	return len(reached) == len(cells)
}

// placements returns the copies of the cells, moved but not turned, as sets of squares that are numbered row by row
// from the top left. There are none where the cells don't fit.
func placements(cells []cell, cols, rows int) []board.Set {
	// The box around the cells says how far they can be moved.
	left, top, right, bottom := cells[0].col, cells[0].row, cells[0].col, cells[0].row
	for _, c := range cells {
		left, right = min(left, c.col), max(right, c.col)
		top, bottom = min(top, c.row), max(bottom, c.row)
	}
	var copies []board.Set
	// Square (column, row) has number row × cols + column.
	for down := range rows - (bottom - top) {
		for across := range cols - (right - left) {
			var s board.Set
			for _, c := range cells {
				s = s.With((c.row-top+down)*cols + c.col - left + across)
			}
			copies = append(copies, s)
		}
	}
	return copies
}

// carried returns the cells, each carried elsewhere.
func carried(cells []cell, to func(cell) cell) []cell {
	moved := make([]cell, len(cells))
	for i, c := range cells {
		moved[i] = to(c)
	}
	return moved
}
