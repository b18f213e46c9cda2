package cmd

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"oxo/board"
	"oxo/games/kind"
	"oxo/lab"
)

// canvas draws positions as text. A position's text begins with one symbol for
// each square, in the order of the game's squares.
type canvas struct {
	info   lab.Info
	colour bool
	wide   int // columns that there are; 0 where that is not known
}

// ANSI escapes.
const (
	red    = "\x1b[1;31m"
	blue   = "\x1b[1;34m"
	green  = "\x1b[1;42m"
	dim    = "\x1b[2m"
	normal = "\x1b[0m"
)

// scene is what is drawn: a position, and what of it is to be seen at once. Its zero fields show nothing.
type scene struct {
	state  lab.State
	last   string            // the square that was played last
	owned  [][]int           // complete winning sets, as squares
	labels map[string]string // what to show on empty squares, by name
}

// isOwned reports whether a square is of a complete winning set.
func (s *scene) isOwned(i int) bool {
	return slices.ContainsFunc(s.owned, func(set []int) bool { return slices.Contains(set, i) })
}

// draw returns the board, one line each. Levels of a board in three dimensions stand side by side, as
// many as the terminal's width has room for, else in bands of about the same number. Rows and columns
// are labelled where squares are named by them.
func (c *canvas) draw(s scene) string {
	if len(c.info.Squares) == 0 {
		return "  at " + s.state.Position + "\n"
	}
	if c.info.Drawn == kind.Nine {
		return c.drawNine(s)
	}
	cols, rows, levels := c.info.Extent()
	cells := make(map[[3]int]string)
	width := 1
	if !c.colour {
		width = 2 // room for the mark behind the last move
	}
	// All cells are as wide as the widest, as labels may be longer than marks.
	for i, symbol := range []rune(c.info.Signs(s.state.Position)) {
		text := c.cellText(i, symbol, s)
		width = max(width, visibleWidth(text))
		sq := c.info.Squares[i]
		cells[[3]int{sq.Level, sq.Row, sq.Col}] = text
	}
	named := c.info.Squares[0].Name != "1"
	indent := 2
	if named {
		indent = 6
	}
	abreast := levels
	if c.wide > 0 {
		fit := max(1, (c.wide+1)/(indent+(width+1)*cols))
		bands := (levels + fit - 1) / fit
		abreast = (levels + bands - 1) / bands
	}
	var lines []string
	for from := 0; from < levels; from += abreast {
		if from > 0 {
			lines = append(lines, "")
		}
		to := min(levels, from+abreast)
		for row := range rows {
			line := ""
			for level := from; level < to; level++ {
				line += "  "
				if named {
					line += c.dim(fmt.Sprintf("%3d ", rows-row))
				}
				for col := range cols {
					line += pad(cells[[3]int{level, row, col}], width) + " "
				}
			}
			lines = append(lines, strings.TrimRight(line, " "))
		}
		if !named {
			continue
		}
		// Under the last row stand the letters of the columns and, of boards with levels, of the levels.
		files, captions := "", ""
		for level := from; level < to; level++ {
			files += "      "
			for col := range cols {
				files += pad(board.Letters(col), width) + " "
			}
			captions += "      " + pad("level "+board.Letters(level), (width+1)*cols)
		}
		lines = append(lines, c.dim(strings.TrimRight(files, " ")))
		if levels > 1 {
			lines = append(lines, c.dim(strings.TrimRight(captions, " ")))
		}
	}
	return strings.Join(lines, "\n") + "\n"
}

// cellText returns what is shown on square i. Without colours the last move has a ' behind it and
// completed sets stand in brackets; with colours they are underlined and on another ground. Empty squares show a number
// to type where they have no other names, and on boards of nine squares, where it is typed faster than a name.
func (c *canvas) cellText(i int, symbol rune, s scene) string {
	name, text := c.info.Squares[i].Name, strings.ToUpper(string(symbol))
	label, labelled := s.labels[name]
	colour, marked := map[rune]string{'x': red, 'o': blue}[symbol]
	owned, last := s.isOwned(i), name == s.last
	switch {
	case !marked && labelled:
		return label
	case !marked && c.info.Squares[0].Name == "1":
		return c.dim(name)
	case !marked && len(c.info.Squares) == 9:
		return c.dim(fmt.Sprint(i + 1))
	case !marked:
		return c.dim(".")
	case !c.colour && owned:
		return "[" + text + "]"
	case !c.colour && last:
		return text + "'"
	case !c.colour:
		return text
	case owned:
		colour += green
	case last:
		colour += "\x1b[4m"
	}
	return colour + text + normal
}

// drawNine draws nine boards of nine squares. Squares that can be played show a dot, the others
// nothing. Below the board it says which small boards each side has won and where the next move must
// be made, as the position's text has it: - for anywhere, or a number from 1 at the top left.
func (c *canvas) drawNine(s scene) string {
	var b strings.Builder
	symbols := []rune(c.info.Signs(s.state.Position))
	for row := range 9 {
		if row > 0 && row%3 == 0 {
			b.WriteString(c.dim("     ------+-------+------\n"))
		}
		b.WriteString(c.dim(fmt.Sprintf("%3d ", 9-row)))
		for col := range 9 {
			if col > 0 && col%3 == 0 {
				b.WriteString(c.dim(" |"))
			}
			i := row*9 + col
			text := c.cellText(i, symbols[i], scene{last: s.last, labels: s.labels})
			if symbols[i] == '.' && !slices.Contains(s.state.Moves, c.info.Squares[i].Name) {
				text = " "
			}
			b.WriteString(" " + text)
		}
		b.WriteString("\n")
	}
	b.WriteString(c.dim("     a b c   d e f   g h i") + "\n")
	owners := c.info.BoardOwners(s.state.Position)
	for _, side := range "xo" {
		won := "" // boards, counted from 1 at the top left, row by row
		for board, owner := range owners {
			if owner == side {
				won += fmt.Sprint(" ", board+1)
			}
		}
		if won != "" {
			b.WriteString(fmt.Sprintf("     %s has won %s:%s\n", strings.ToUpper(string(side)),
				countOf(strings.Count(won, " "), "board", "boards"), won))
		}
	}
	if fields := strings.Fields(s.state.Position); len(fields) > 2 && s.state.Result == "*" {
		where := "board " + fields[2] + " is active, counted from the top left"
		if fields[2] == "-" {
			where = "any open board"
		}
		b.WriteString("     " + where + "\n")
	}
	return b.String()
}

// dim returns a text in faint letters, where colours are shown.
func (c *canvas) dim(text string) string {
	if !c.colour {
		return text
	}
	return dim + text + normal
}

// pad fills text with blanks up to a visible width.
func pad(text string, width int) string {
	return text + strings.Repeat(" ", max(0, width-visibleWidth(text)))
}

// visibleWidth returns the number of characters that are seen, escapes left out. An escape ends at its
// m, as all those that are used here do.
func visibleWidth(text string) int {
	n, escaped := 0, false
	for len(text) > 0 {
		r, size := utf8.DecodeRuneInString(text)
		text = text[size:]
		switch {
		case r == '\x1b':
			escaped = true
		case escaped:
			escaped = r != 'm'
		default:
			n++
		}
	}
	return n
}

// clip leaves out what does not fit so many columns, of which the last one then says so; below 1 there is no bound.
// The text must have no escapes.
func clip(text string, columns int) string {
	if list := []rune(text); columns > 0 && len(list) > columns {
		return string(list[:columns-1]) + "…"
	}
	return text
}
