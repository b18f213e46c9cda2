package picture

import (
	"io"
	"slices"

	"oxo/lab"
	"oxo/pen"
)

// mapSide is the longer side of a map, in pixels; what is small in it is seen when a viewer
// enlarges it.
const mapSide = 1200

// DrawReplyMap writes the map of optimal play of a seat as an "svg" or "png": a board with the seat's
// move, and in the square of each reply the board that follows, and so on. Its latest mark is in full
// colour, the earlier ones are pale.
// The form is that of the comic "Tic-Tac-Toe" (xkcd 832).
func DrawReplyMap(w io.Writer, format string, info lab.Info, m *lab.ReplyMap, darkTheme bool) error {
	ink := light
	if darkTheme {
		ink = dark
	}
	cols, rows, _ := info.Extent()
	scale := float64(mapSide) / float64(max(cols, rows))
	width, height := float64(cols)*scale+2*margin, float64(rows)*scale+2*margin
	to, err := pen.New(format, width, height, ink.ground)
	if err != nil {
		return err
	}
	c := &canvas{to, ink, scale, margin, margin}
	c.drawNestedBoards(info, m, cols, rows)
	return to.WriteImage(w)
}

// drawNestedBoards draws a board of the map, a square being as large as one of the canvas.
// cols and rows are those of every board of the map.
func (c *canvas) drawNestedBoards(info lab.Info, m *lab.ReplyMap, cols, rows int) {
	b := Board{Info: info, State: lab.State{Position: m.Position}}
	marks := b.marks()
	const rule = 0.016
	c.box(0, 0, float64(cols), float64(rows), c.board)
	for x := range cols + 1 {
		c.box(float64(x)-rule/2, 0, rule, float64(rows), c.rule)
	}
	for y := range rows + 1 {
		c.box(0, float64(y)-rule/2, float64(cols), rule, c.rule)
	}
	for i, s := range info.Squares {
		x, y := float64(s.Col), float64(s.Row)
		first, second := c.x, c.o
		// Only the seat's latest move has the full colour.
		if i != m.Move {
			first, second = pale(c.x, c.board), pale(c.o, c.board)
		}
		c.drawMark(marks[i], x+0.5, y+0.5, 1.4, first, second)
		if reply := m.Replies[i]; reply != nil {
			// A reply's board is a tenth smaller than its square, in whose middle it stands; the copy has its corner
			// and scale.
			inner := *c
			inner.scale = 0.9 * c.scale / float64(max(cols, rows))
			inner.left = c.left + (x+0.5)*c.scale - inner.scale*float64(cols)/2
			inner.top = c.top + (y+0.5)*c.scale - inner.scale*float64(rows)/2
			inner.drawNestedBoards(info, reply, cols, rows)
		}
	}
	// A board without replies is the end of a game, where a completed set is struck through.
	if len(m.Replies) > 0 {
		return
	}
	for _, set := range info.Lines {
		if owned(marks, set) {
			b.Owned = append(b.Owned, set)
		}
	}
	strikeCompletedSets(c, b, cols, rows)
}

// owned reports whether one side has marked all squares of a set.
// marks has a letter for each square.
func owned(marks string, set []int) bool {
	return !slices.ContainsFunc(set, func(i int) bool { return marks[i] == '.' || marks[i] != marks[set[0]] })
}
