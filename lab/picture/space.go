package picture

import (
	"cmp"
	"math"
	"slices"

	"oxo/pen"
)

// How levels are looked at, in degrees: turned and tilted.
// Tilted by 0, levels would be seen from above, and by 90 from the side.
const (
	turned = -28
	tilted = 64
)

// levelsDrawing draws one grid above another and its squares as beads on rods, seen from far
// away at an angle: a parallel projection, so that equal lines stay equally long.
// Level 0 is named a. Rods join the squares that are above one another, and a line through each complete set goes
// from its first to its last square.
func levelsDrawing(b Board) drawing {
	cols, rows, deep := b.Info.Extent()
	// Levels stand apart in proportion to their size.
	rise := 0.7 * float64(min(cols, rows))
	wide := math.Hypot(float64(cols), float64(rows))
	sinTurn, cosTurn := math.Sincos(turned * math.Pi / 180)
	sinTilt, cosTilt := math.Sincos(tilted * math.Pi / 180)
	width, height := wide+0.6, float64(deep-1)*rise*sinTilt+wide*cosTilt+0.6
	// project turns a square's column, row and level, around the middle of all, and returns where it is seen, in
	// squares, and how near it is to the viewer: larger is nearer.
	project := func(col, row, level float64) (at pen.Point, near float64) {
		x, y := col-float64(cols-1)/2, row-float64(rows-1)/2
		z := rise * (level - float64(deep-1)/2)
		if !b.Info.Falls { // then level a is the highest
			z = -z
		}
		along, across := x*cosTurn-y*sinTurn, x*sinTurn+y*cosTurn
		return pen.At(width/2+along, height/2+across*cosTilt-z*sinTilt), across*sinTilt + z*cosTilt
	}
	return drawing{width: width, height: height, draw: func(c *canvas) {
		to := func(col, row, level float64) pen.Point { p, _ := project(col, row, level); return p }
		right, bottom := float64(cols)-0.5, float64(rows)-0.5
		// A level is a sheet that lets shine through what is behind, with lines through its squares.
		for level := range deep {
			l := float64(level)
			sheet := []pen.Point{to(-0.5, -0.5, l), to(right, -0.5, l), to(right, bottom, l), to(-0.5, bottom, l)}
			on := make([]pen.Point, len(sheet))
			for i, p := range sheet {
				on[i] = c.at(p.X, p.Y)
			}
			c.Fill(on, faint(c.board, 190))
			c.drawLine(append(sheet, sheet[0]), 0.02, c.rule)
			for col := range cols {
				c.drawLine([]pen.Point{to(float64(col), 0, l), to(float64(col), float64(rows-1), l)}, 0.02, c.rule)
			}
			for row := range rows {
				c.drawLine([]pen.Point{to(0, float64(row), l), to(float64(cols-1), float64(row), l)}, 0.02, c.rule)
			}
		}
		for _, s := range b.Info.Squares {
			if x, y := float64(s.Col), float64(s.Row); s.Level == 0 {
				c.drawLine([]pen.Point{to(x, y, 0), to(x, y, float64(deep-1))}, 0.015, faint(c.strong, 130))
			}
		}
		drawBeads(c, b, project)
		// The level's letter stands to the left of its last row.
		for level := range deep {
			at := to(-1, float64(rows)-0.6, float64(level))
			c.drawText(at.X, at.Y, 0.36, c.muted, string(rune('a'+level)))
		}
		for _, set := range b.Owned {
			// Squares of a straight row are numbered along it, so that its ends have the least and the largest
			// number.
			first, last := b.Info.Squares[slices.Min(set)], b.Info.Squares[slices.Max(set)]
			c.drawLine([]pen.Point{to(float64(first.Col), float64(first.Row), float64(first.Level)),
				to(float64(last.Col), float64(last.Row), float64(last.Level))}, 0.08, c.active)
		}
	}}
}

// layersDrawing draws levels side by side, about as many in a row as there are rows of them, each below its letter.
func layersDrawing(b Board) drawing {
	cols, rows, deep := b.Info.Extent()
	across := int(math.Ceil(math.Sqrt(float64(deep))))
	down := (deep + across - 1) / across
	flat := b
	flat.Info.Squares = slices.Clone(b.Info.Squares)
	for i, s := range flat.Info.Squares {
		flat.Info.Squares[i].Col += s.Level % across * (cols + 1)
		flat.Info.Squares[i].Row += s.Level / across * (rows + 1)
	}
	d := drawing{width: float64(across*(cols+1) - 1), height: float64(down*(rows+1)) - 0.4}
	d.square = func(i int) (x, y, size float64) {
		s := flat.Info.Squares[i]
		return float64(s.Col) + 0.5, float64(s.Row) + 0.5, 1
	}
	d.draw = func(c *canvas) {
		c.top += 0.6 * c.scale
		for level := range deep {
			x, y := level%across*(cols+1), level/across*(rows+1)
			c.drawText(float64(x)+0.5*float64(cols), float64(y)-0.3, 0.4, c.muted, string(rune('a'+level)))
		}
		drawSquares(c, flat, 0, 0)
	}
	return d
}

// drawBeads draws the squares of levels, those behind first.
// project says where a square is seen and how near. Where the ply is written on a bead, it takes the place of the
// sign.
func drawBeads(c *canvas, b Board, project func(col, row, level float64) (at pen.Point, nearness float64)) {
	type bead struct {
		square   int
		at       pen.Point
		nearness float64
	}
	var list []bead
	for i, s := range b.Info.Squares {
		at, near := project(float64(s.Col), float64(s.Row), float64(s.Level))
		list = append(list, bead{i, at, near})
	}
	slices.SortStableFunc(list, func(p, q bead) int { return cmp.Compare(p.nearness, q.nearness) })
	marks := b.marks()
	white := rgb(0xffffff)
	for _, d := range list {
		x, y := d.at.X, d.at.Y
		switch marks[d.square] {
		case 'x':
			c.disc(x, y, 0.32, rgb(0x123f83))
			c.disc(x, y, 0.29, rgb(0x2f6fd0))
		case 'o':
			c.disc(x, y, 0.32, rgb(0x83330a))
			c.disc(x, y, 0.29, rgb(0xd2601c))
		default:
			c.disc(x, y, 0.2, c.strong)
			c.disc(x, y, 0.175, c.board)
		}
		if b.Plies[d.square] > 0 {
			c.drawPlyNumber(b, d.square, x, y, 0.26, white)
		} else {
			c.drawMark(marks[d.square], x, y, 0.5, white, white)
		}
		if isLast(b, d.square) {
			c.disc(x+0.24, y-0.24, 0.1, c.ground)
			c.disc(x+0.24, y-0.24, 0.07, c.ink)
		}
	}
}

// mostBranches is how many moves of a tree are drawn.
// The drawing is as wide as there are moves, so that with more their names would be too small.
const mostBranches = 9

// treeMovesDrawing draws a position without squares: a node and the moves from it.
// At the end of a game with payoffs, the one to First is written below the node.
func treeMovesDrawing(b Board) drawing {
	moves := b.State.Moves[:min(len(b.State.Moves), mostBranches)]
	wide := max(3, float64(len(moves)))
	return drawing{width: wide, height: 3, draw: func(c *canvas) {
		root := pen.At(wide/2, 0.6)
		for i, name := range moves {
			to := pen.At((float64(i)+0.5)*wide/float64(len(moves)), 2.3)
			c.drawLine([]pen.Point{root, to}, 0.04, c.strong)
			c.disc(to.X, to.Y, 0.34, c.strong)
			c.disc(to.X, to.Y, 0.3, c.board)
			c.drawText(to.X, to.Y, 0.3, c.ink, name)
		}
		c.disc(root.X, root.Y, 0.4, c.active)
		if b.State.Payoff != nil {
			c.drawText(root.X, 1.4, 0.4, c.ink, number(*b.State.Payoff))
		}
	}}
}
