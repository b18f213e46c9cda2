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

// Names are the animals that have names: Harary's of up to four cells, the
// twelve pentominoes by Golomb's letters, and snaky.
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

// cell is a cell of an animal.
type cell struct{ col, row int }

// New returns the board of cols × rows squares on which every copy of the
// animal wins. The animal is one of Names or rows of cells from the top, x for
// a cell and . for none, joined with "/".
func New(animal string, cols, rows int, gravity bool) (*board.Board, error) {
	cells, err := parse(animal)
	if err != nil {
		return nil, err
	}
	if cols < 1 || rows < 1 || cols > board.MaxSquares || rows > board.MaxSquares || cols*rows > board.MaxSquares {
		return nil, fmt.Errorf("a board of %d × %d squares: at least 1 and at most %d squares", cols, rows,
			board.MaxSquares)
	}
	var lines []board.Line
	seen := map[board.Set]bool{}
	for range 2 {
		for range 4 {
			for _, copy := range placements(cells, cols, rows) {
				if !seen[copy] {
					seen[copy] = true
					lines = append(lines, board.Line{Need: copy})
				}
			}
			cells = turn(cells)
		}
		cells = mirror(cells)
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
		err = b.SetBelow(grid.Falling(b.N, cols))
	}
	return b, err
}

// parse returns the animal's cells.
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

// cellsOf returns the cells of the animal of that name, and any other text as it is.
func cellsOf(name string) string {
	for _, known := range Names {
		if known.Name == name {
			return known.Cells
		}
	}
	return name
}

// connected reports whether the cells hang together by their edges.
func connected(cells []cell) bool {
	reached := []cell{cells[0]}
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

// placements returns the copies of the cells, moved but not turned.
func placements(cells []cell, cols, rows int) []board.Set {
	left, top, right, bottom := cells[0].col, cells[0].row, cells[0].col, cells[0].row
	for _, c := range cells {
		left, right = min(left, c.col), max(right, c.col)
		top, bottom = min(top, c.row), max(bottom, c.row)
	}
	var copies []board.Set
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

// turn turns the cells by a right angle.
func turn(cells []cell) []cell {
	turned := make([]cell, len(cells))
	for i, c := range cells {
		turned[i] = cell{-c.row, c.col}
	}
	return turned
}

// mirror mirrors the cells left to right.
func mirror(cells []cell) []cell {
	mirrored := make([]cell, len(cells))
	for i, c := range cells {
		mirrored[i] = cell{-c.col, c.row}
	}
	return mirrored
}
