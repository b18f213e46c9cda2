package picture

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"

	"oxo/pen"
)

// rimSize is how much room the names of columns and rows take, in squares.
// It is right for up to nine columns; on wider boards names are larger in squares, so that they stay legible.
const rimSize = 0.6

// gridDrawing draws squares in columns and rows: with ink, discs or stones.
// A torus has a ring of one more square around it, for what lies beyond its edges, and no names.
func gridDrawing(b Board) drawing {
	cols, rows, _ := b.Info.Extent()
	apart := 0.0
	if b.Info.Wraps {
		apart = 1
	}
	columns, lines := edgeLabels(b)
	names := 0.0
	if columns != nil && apart == 0 {
		names = rimSize * max(1, math.Sqrt(float64(cols)/9))
	}
	d := drawing{width: float64(cols) + 2*apart + names, height: float64(rows) + 2*apart + names}
	d.square = func(i int) (x, y, size float64) {
		s := b.Info.Squares[i]
		return float64(s.Col) + 0.5, float64(s.Row) + 0.5, 1
	}
	d.draw = func(c *canvas) {
		// From here on the canvas counts from the board's own corner, the names being at its left and below.
		c.left += (names + apart) * c.scale
		c.top += apart * c.scale
		if names > 0 {
			for i, name := range columns {
				c.drawText(float64(i)+0.5, float64(rows)+0.55*names, 0.5*names, c.muted, name)
			}
			for i, name := range lines {
				c.drawText(-0.5*names, float64(i)+0.5, 0.5*names, c.muted, name)
			}
		}
		switch {
		case b.Info.Stones:
			drawStones(c, b, cols, rows)
		case b.Info.Falls:
			drawDiscs(c, b, cols, rows)
		default:
			drawSquares(c, b, cols, rows)
		}
		strikeCompletedSets(c, b, cols, rows)
	}
	return d
}

// edgeLabels names the columns and rows of squares that are named by a letter and a number;
// nil where they are not.
// Columns are named by letters, rows by what follows them. Both lists go by the numbers of columns and rows, so that
// lines[0] names the top row. Where a column or row has two names, or there are levels, there are none.
func edgeLabels(b Board) (columns, lines []string) {
	cols, rows, deep := b.Info.Extent()
	columns, lines = make([]string, cols), make([]string, rows)
	for _, s := range b.Info.Squares {
		i := strings.IndexFunc(s.Name, func(r rune) bool { return r < 'a' || r > 'z' })
		if deep > 1 || i < 1 || columns[s.Col] != "" && columns[s.Col] != s.Name[:i] ||
			lines[s.Row] != "" && lines[s.Row] != s.Name[i:] {
			return nil, nil
		}
		columns[s.Col], lines[s.Row] = s.Name[:i], s.Name[i:]
	}
	return columns, lines
}

// drawSquares draws marks of ink, and around a torus the squares of its other edges.
// A square of a completed set has a ground of its own, and one of the last move a dot in its corner.
func drawSquares(c *canvas, b Board, cols, rows int) {
	marks, won := b.marks(), map[int]bool{}
	for _, i := range slices.Concat(b.Owned...) {
		won[i] = true
	}
	// Marks by column and row, for the copies around a torus.
	at := map[[2]int]byte{}
	for i, s := range b.Info.Squares {
		x, y := float64(s.Col), float64(s.Row)
		ground := c.board
		if won[i] {
			ground = c.won
		}
		at[[2]int{s.Col, s.Row}] = marks[i]
		// What a smaller box leaves of a larger one is the rule around the square.
		c.box(x, y, 1, 1, c.rule)
		c.box(x+0.015, y+0.015, 0.97, 0.97, ground)
		c.drawMark(marks[i], x+0.5, y+0.5, 1, c.x, c.o)
		c.drawPlyNumber(b, i, x+0.84, y+0.86, 0.2, c.muted)
		if isLast(b, i) && won[i] { // beside the lines that go through the square
			c.disc(x+0.87, y+0.3, 0.055, c.ink)
		} else if isLast(b, i) {
			c.disc(x+0.87, y+0.13, 0.055, c.ink)
		}
	}
	if !b.Info.Wraps {
		return
	}
	// Beyond an edge lies the opposite one, whose marks are drawn smaller and pale there.
	for col := -1; col <= cols; col++ {
		for row := -1; row <= rows; row++ {
			if col < 0 || row < 0 || col == cols || row == rows {
				mark := at[[2]int{(col + cols) % cols, (row + rows) % rows}]
				c.drawMark(mark, float64(col)+0.5, float64(row)+0.5, 0.8, pale(c.x, c.ground), pale(c.o, c.ground))
			}
		}
	}
}

// pale is a colour that is two thirds the ground's.
// It lets nothing through, unlike a faint one.
func pale(c, ground color.NRGBA) color.NRGBA {
	mix := func(a, b uint8) uint8 { return uint8((int(a) + 2*int(b)) / 3) }
	return color.NRGBA{mix(c.R, ground.R), mix(c.G, ground.G), mix(c.B, ground.B), 255}
}

// isLast reports whether the last move was to the square, by its number.
func isLast(b Board, square int) bool { return slices.Contains(b.Last, square) }

// drawDiscs draws a board with holes, behind which discs fall.
// X's discs are red and O's yellow, with a sign on each, so that they are told apart without colours. Where the ply
// is written, it takes the place of the sign.
func drawDiscs(c *canvas, b Board, cols, rows int) {
	c.box(-0.06, -0.06, float64(cols)+0.12, float64(rows)+0.12, c.plate)
	marks := b.marks()
	for i, s := range b.Info.Squares {
		x, y := float64(s.Col)+0.5, float64(s.Row)+0.5
		ink, edge := c.hole, c.hole
		switch marks[i] {
		case 'x':
			ink, edge = c.red, rgb(0xb52d23)
		case 'o':
			ink, edge = c.yellow, rgb(0xcf9d10)
		}
		// The larger disc shows as an edge around the smaller one; of an empty hole both are alike.
		c.disc(x, y, 0.41, edge)
		c.disc(x, y, 0.36, ink)
		c.drawMark(marks[i], x, y, 0.55, rgb(0x7d120b), rgb(0x7a5800))
		if b.Plies[i] > 0 {
			c.disc(x, y, 0.26, ink)
			c.drawPlyNumber(b, i, x, y, 0.3, rgb(0x1d2129))
		}
		if isLast(b, i) {
			c.ring(x, y, 0.41, 0.05, rgb(0xffffff))
		}
	}
}

// drawStones draws the crossings of lines, and stones on them.
// The first lines run through the middles of the outer squares. X's stones are black, and O's, white ones, have a
// grey edge.
func drawStones(c *canvas, b Board, cols, rows int) {
	c.box(0, 0, float64(cols), float64(rows), c.wood)
	for col := range cols {
		x := float64(col) + 0.5
		c.Stroke([]pen.Point{c.at(x, 0.5), c.at(x, float64(rows)-0.5)}, max(0.6, 0.03*c.scale), c.grain, nil)
	}
	for row := range rows {
		y := float64(row) + 0.5
		c.Stroke([]pen.Point{c.at(0.5, y), c.at(float64(cols)-0.5, y)}, max(0.6, 0.03*c.scale), c.grain, nil)
	}
	for _, col := range starPoints(cols) {
		for _, row := range starPoints(rows) {
			c.disc(float64(col)+0.5, float64(row)+0.5, 0.11, c.grain)
		}
	}
	marks := b.marks()
	for i, s := range b.Info.Squares {
		x, y := float64(s.Col)+0.5, float64(s.Row)+0.5
		on := c.white
		switch marks[i] {
		case 'x':
			c.disc(x, y, 0.47, c.black)
		case 'o':
			c.disc(x, y, 0.47, rgb(0x8a877d))
			c.disc(x, y, 0.445, c.white)
			on = c.black
		}
		c.drawPlyNumber(b, i, x, y, 0.42, on)
		// A number leaves no room for a dot, so that a ring takes its place.
		if isLast(b, i) && b.Plies[i] == 0 {
			c.disc(x, y, 0.15, c.mark)
		} else if isLast(b, i) {
			c.ring(x, y, 0.45, 0.06, c.mark)
		}
	}
}

// starPoints are the points by which a large board for stones is read.
// They are numbers of columns, or of rows, of size; a board of less than seven has none, and only one of an odd number
// has a middle.
func starPoints(size int) []int {
	edge := 2
	if size >= 13 {
		edge = 3
	}
	switch {
	case size < 7:
		return nil
	case size%2 == 1:
		return []int{edge, (size - 1) / 2, size - 1 - edge}
	}
	return []int{edge, size - 1 - edge}
}

// strikeCompletedSets draws a line through each complete set.
// The ink is one that shows on the board's ground.
func strikeCompletedSets(c *canvas, b Board, cols, rows int) {
	ink := c.ink
	switch {
	case b.Info.Stones:
		ink = c.mark
	case b.Info.Falls:
		ink = rgb(0xffffff)
	}
	for _, set := range b.Owned {
		var path []pen.Point
		for _, i := range set {
			s := b.Info.Squares[i]
			path = append(path, pen.At(float64(s.Col)+0.5, float64(s.Row)+0.5))
		}
		for _, piece := range strikeStrokes(path, b.Info.Wraps, float64(cols), float64(rows)) {
			c.drawLine(piece, 0.07, ink)
		}
	}
}

// strikeStrokes is the strokes through a completed set: one where it is straight, else from each
// square to those beside it, as the cells of a shape.
// Points are the middles of squares, in squares; cols and rows are the size of the board. Each stroke is a path of
// points.
func strikeStrokes(set []pen.Point, wraps bool, cols, rows float64) [][]pen.Point {
	if wraps {
		return wrappedStrokes(set, cols, rows)
	}
	if a, b, ok := collinearEnds(set); ok {
		by := 0.3 / max(far(a, b), 1e-9) // it begins and ends beyond the middle of a square
		x, y := (b.X-a.X)*by, (b.Y-a.Y)*by
		return [][]pen.Point{{pen.At(a.X-x, a.Y-y), pen.At(b.X+x, b.Y+y)}}
	}
	var strokes [][]pen.Point
	for i, a := range set {
		for _, b := range set[i+1:] {
			// Squares beside one another are 1 apart, and diagonal ones 1.41.
			if far(a, b) < 1.01 {
				strokes = append(strokes, []pen.Point{a, b})
			}
		}
	}
	return strokes
}

// wrappedStrokes is the strokes of a row on a board whose edges are joined: each step as it is, and
// where it leaves the board once more where it comes in.
// It is nil where the set is no row.
func wrappedStrokes(set []pen.Point, cols, rows float64) [][]pen.Point {
	wrap := func(p pen.Point) pen.Point {
		return pen.At(math.Mod(p.X+cols, cols), math.Mod(p.Y+rows, rows))
	}
	// Points are compared as text, as wrapped ones may differ in their last bits.
	key := func(p pen.Point) string { return fmt.Sprintf("%.1f %.1f", p.X, p.Y) }
	members := map[string]bool{}
	for _, p := range set {
		members[key(p)] = true
	}
	// The directions of a row: along a row, a column, and the two diagonals.
	for _, way := range []pen.Point{pen.At(1, 0), pen.At(0, 1), pen.At(1, 1), pen.At(1, -1)} {
		var strokes [][]pen.Point
		steps := 0
		for _, p := range set {
			to := pen.At(p.X+way.X, p.Y+way.Y)
			on := wrap(to)
			if !members[key(on)] {
				continue
			}
			steps++
			strokes = append(strokes, []pen.Point{p, to})
			if key(on) != key(to) {
				strokes = append(strokes, []pen.Point{pen.At(on.X-way.X, on.Y-way.Y), on})
			}
		}
		// A row has a step from each square but its last; one that goes all the way round has as many as squares.
		if steps >= len(set)-1 {
			return strokes
		}
	}
	return nil
}
