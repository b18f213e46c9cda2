package engine

import (
	"fmt"
	"strconv"
	"strings"

	"oxo/board"
)

// grid is the squares of a position's text. Columns count from 0 at the left,
// rows from 0 at the top.
type grid struct{ cols, rows int }

// readGrid returns the grid of a position and its squares, row by row from the
// top: x, o or . each.
// A position without a grid, such as that of a tree, is an error.
func readGrid(position string) (g grid, cells string, err error) {
	word, _, _ := strings.Cut(position, " ")
	rows := strings.Split(word, "/")
	g = grid{len(rows[0]), len(rows)}
	for _, row := range rows {
		if len(row) != g.cols || g.cols == 0 || strings.Trim(row, "xo.") != "" {
			return grid{}, "", fmt.Errorf("position %q: this protocol needs a game on a grid", position)
		}
	}
	return g, strings.Join(rows, ""), nil
}

// formatPosition writes squares as the text of a position with that side to move.
// cells are row by row from the top, and side is x or o.
func (g grid) formatPosition(cells []byte, side byte) string {
	var b strings.Builder
	for i := 0; i < len(cells); i += g.cols {
		if i > 0 {
			b.WriteByte('/')
		}
		b.Write(cells[i : i+g.cols])
	}
	b.WriteByte(' ')
	b.WriteByte(side)
	return b.String()
}

// contains reports whether there is such a square.
func (g grid) contains(col, row int) bool {
	return 0 <= col && col < g.cols && 0 <= row && row < g.rows
}

// squareName returns the name of a square.
// Rows of names count from 1 at the bottom: the square 0, 0 of eight rows is a8.
func (g grid) squareName(col, row int) string { return board.Letters(col) + strconv.Itoa(g.rows-row) }

// parseSquare returns the square of that name, or an error where a move is more than a
// square of the grid.
func (g grid) parseSquare(name string) (col, row int, err error) {
	word := strings.TrimRight(name, "0123456789")
	up, _ := strconv.Atoi(name[len(word):])
	for col = range g.cols {
		if board.Letters(col) == word && g.contains(col, g.rows-up) {
			return col, g.rows - up, nil
		}
	}
	return 0, 0, fmt.Errorf("move %q is no square of a grid of %d×%d, as this protocol needs", name, g.cols, g.rows)
}

// parsePair reads two numbers with that between them.
// Blanks around the numbers are passed over; they may be negative.
func parsePair(text, separator string) (a, b int, err error) {
	left, right, found := strings.Cut(strings.TrimSpace(text), separator)
	if !found {
		return 0, 0, fmt.Errorf("%.40q is not two numbers", text)
	}
	a, errA := strconv.Atoi(strings.TrimSpace(left))
	b, errB := strconv.Atoi(strings.TrimSpace(right))
	if errA != nil || errB != nil {
		return 0, 0, fmt.Errorf("%.40q is not two numbers", text)
	}
	return a, b, nil
}
