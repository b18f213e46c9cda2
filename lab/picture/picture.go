// Package picture draws positions of every kind of board as SVG and PNG, as the
// game's kind says that it looks: grids, discs, stones, nine boards, points with the
// lines through them, and levels one above another.
package picture

import (
	"image/color"
	"io"
	"strconv"
	"strings"

	"oxo/lab"
	"oxo/pen"
)

// Board is a position to be drawn.
// Squares are numbers, by the order of Info.Squares. With the zero values of Owned, Last and Plies the position alone
// is drawn.
type Board struct {
	Info  lab.Info // with its winning sets
	State lab.State
	Owned [][]int     // complete winning sets, which are struck through
	Last  []int       // squares of the last move
	Plies map[int]int // by which ply a square was marked, counted from 1
}

// BoardOfSession is the position that a session has come to.
// Its last move and plies are those of the session's record, and completed sets are there once the game is over.
func BoardOfSession(g lab.Game, s lab.Session) Board {
	b := Board{Info: g.Info(), State: s.State(), Owned: s.CompletedSetSquares(), Plies: map[int]int{}}
	names := map[string]int{}
	for i, q := range b.Info.Squares {
		names[q.Name] = i
	}
	// The square that is marked comes after the last @ or -, where a move has one. A move a-b empties its first
	// square, which then has no ply. After a move that marks no square, such as one of a tree, there is no last
	// square.
	for i, m := range s.Record().Moves {
		from, _, moved := strings.Cut(m, "-")
		to, ok := names[strings.TrimPrefix(m[strings.LastIndexAny(m, "@-")+1:], "~")]
		if square, known := names[from]; moved && known {
			delete(b.Plies, square)
		}
		if b.Last = nil; ok {
			b.Plies[to], b.Last = i+1, []int{to}
		}
	}
	return b
}

// Style says how a position is drawn.
// The zero value is light, with the marks alone.
type Style struct {
	Dark  bool
	Plies bool // written on the marks
	Card  bool // of the size that other sites show beside a link
	Links []Link
}

// Link makes squares of an SVG lead to an address, under a name.
// Where a square has a link for each mark, that of X has its left half and that of O its right one; else Mark is 0.
// Levels with links lie side by side, so that no square is near another.
type Link struct {
	Address, Name string
	Squares       []int
	Mark          byte
}

// Sizes of pictures, in pixels. A card is 1200 by 630 as a PNG.
// side is the longer side of a drawing, unless its squares would be larger than mostCell; the margin is around it.
const (
	side       = 440
	mostCell   = 110
	margin     = 20
	linkMargin = 8 // of a picture with links, whose squares are the larger for it
	cardWidth  = 600
	cardHeight = 315
)

// Draw writes a position as an "svg" or "png".
// The picture has the shape of the board; a card has its own, with the board in its middle. An unknown format is an
// error, and so is what w refuses.
func Draw(w io.Writer, format string, b Board, o Style) error {
	if !o.Plies {
		b.Plies = nil
	}
	p, edge := chooseDrawing(b), float64(margin)
	if len(o.Links) > 0 {
		edge = linkMargin
		if b.Info.Drawn == "levels" {
			p = layersDrawing(b)
		}
	}
	scale := min(side/p.width, side/p.height, mostCell)
	width, height := p.width*scale+2*edge, p.height*scale+2*edge
	if o.Card {
		width, height = cardWidth, cardHeight
		scale = min((cardWidth-2*margin)/p.width, (cardHeight-2*margin)/p.height, mostCell)
	}
	ink := light
	if o.Dark {
		ink = dark
	}
	to, err := pen.New(format, width, height, ink.ground)
	if err != nil {
		return err
	}
	c := &canvas{to, ink, scale, (width - p.width*scale) / 2, (height - p.height*scale) / 2}
	p.draw(c)
	for _, l := range o.Links {
		c.drawLink(l, p.square)
	}
	return to.WriteImage(w)
}

// scheme is the colours of a picture.
// Those of the first line are for all kinds of boards; of the second, plate, hole, red and yellow are for discs, and
// the others for stones.
type scheme struct {
	ground, board, rule, strong, ink, muted, x, o, won, active color.NRGBA
	plate, hole, red, yellow, wood, grain, black, white, mark  color.NRGBA
}

// number writes a worth.
// Four digits will do in a picture.
func number(x float64) string { return strconv.FormatFloat(x, 'g', 4, 64) }

// rgb is an opaque colour from six hexadecimal digits, red first.
func rgb(hex uint32) color.NRGBA {
	return color.NRGBA{uint8(hex >> 16), uint8(hex >> 8), uint8(hex), 255}
}

// faint returns a colour that lets through what is below it.
// An alpha of 0 lets all through, of 255 nothing.
func faint(c color.NRGBA, alpha uint8) color.NRGBA {
	c.A = alpha
	return c
}

// The colours of the studio's pages, light and dark.
var (
	light = scheme{ground: rgb(0xf6f6f4), board: rgb(0xffffff), rule: rgb(0xb9bec8), strong: rgb(0x878d98),
		ink: rgb(0x1d2129), muted: rgb(0x565d69), x: rgb(0x1d58b0), o: rgb(0xb0440c), won: rgb(0xd3f0de),
		active: rgb(0x1d58b0), plate: rgb(0x2b62b8), hole: rgb(0xeef2f8), red: rgb(0xdc483d), yellow: rgb(0xf4c52e),
		wood: rgb(0xe3bd7c), grain: rgb(0x5d4420), black: rgb(0x1b1d21), white: rgb(0xf4f3ef), mark: rgb(0xe5342a)}
	dark = scheme{ground: rgb(0x15171b), board: rgb(0x1e2127), rule: rgb(0x4b525f), strong: rgb(0x737b89),
		ink: rgb(0xe8eaee), muted: rgb(0xa4acb9), x: rgb(0x8ab8ff), o: rgb(0xf3a56c), won: rgb(0x1d4a30),
		active: rgb(0x8ab8ff), plate: rgb(0x2a4f91), hole: rgb(0x14181f), red: rgb(0xdc483d), yellow: rgb(0xf4c52e),
		wood: rgb(0xb28a50), grain: rgb(0x5d4420), black: rgb(0x1b1d21), white: rgb(0xf4f3ef), mark: rgb(0xe5342a)}
)

// drawing is what a position looks like: how large, in squares, and how it is drawn.
// Its draw is called once, with a canvas whose corner is where width and height begin; square is the middle of a square
// and how wide it is, from the corner to which draw has moved it.
type drawing struct {
	width, height float64
	draw          func(c *canvas)
	square        func(i int) (x, y, size float64)
}

// chooseDrawing chooses the drawing of a position.
// What the game's kind says that it looks like is Info.Drawn. A position without squares is one of a tree.
func chooseDrawing(b Board) drawing {
	switch {
	case len(b.Info.Squares) == 0:
		return treeMovesDrawing(b)
	case b.Info.Drawn == "points":
		return pointsDrawing(b)
	case b.Info.Drawn == "levels":
		return levelsDrawing(b)
	case b.Info.Drawn == "nine":
		return nineBoardsDrawing(b)
	}
	return gridDrawing(b)
}

// canvas draws in squares: its lengths are of squares, from the drawing's corner.
// A square is scale pixels wide; left and top are the pixels of the corner. Drawings may move the corner, and what is
// drawn later counts from there. Its x and o are the colours of the marks.
type canvas struct {
	pen.Pen
	scheme
	scale, left, top float64
}

// at returns the pixels of a point in squares.
func (c *canvas) at(x, y float64) pen.Point { return pen.At(c.left+x*c.scale, c.top+y*c.scale) }

// drawLine draws a line with round ends and corners.
// The width is in squares too, and path is left as it is.
func (c *canvas) drawLine(path []pen.Point, width float64, ink color.NRGBA) {
	on := make([]pen.Point, len(path))
	for i, p := range path {
		on[i] = c.at(p.X, p.Y)
	}
	c.Stroke(on, width*c.scale, ink, nil)
	if ink.A == 255 { // where it lets shine through, ends would show twice
		for _, p := range on {
			c.Pen.Disc(p, width*c.scale/2, ink)
		}
	}
}

// box fills a rectangle whose upper left corner is x, y.
func (c *canvas) box(x, y, width, height float64, ink color.NRGBA) {
	c.Fill([]pen.Point{c.at(x, y), c.at(x+width, y), c.at(x+width, y+height), c.at(x, y+height)}, ink)
}

// disc fills a circle around x, y.
func (c *canvas) disc(x, y, radius float64, ink color.NRGBA) { c.Disc(c.at(x, y), radius*c.scale, ink) }

// ring draws a circle around x, y; the line's width is in squares, as the radius is.
func (c *canvas) ring(x, y, radius, width float64, ink color.NRGBA) {
	c.Ring(c.at(x, y), radius*c.scale, width*c.scale, ink)
}

// drawLink makes squares a link, and shows in a half the mark that it is for.
func (c *canvas) drawLink(l Link, square func(i int) (x, y, size float64)) {
	var areas [][]pen.Point
	for _, i := range l.Squares {
		x, y, size := square(i)
		left, right := x-size/2, x+size/2
		switch l.Mark {
		case 'x':
			right = x
		case 'o':
			left = x
		}
		c.drawMark(l.Mark, (left+right)/2, y, size/2, c.strong, c.strong)
		areas = append(areas, []pen.Point{c.at(left, y-size/2), c.at(right, y-size/2), c.at(right, y+size/2),
			c.at(left, y+size/2)})
	}
	c.Link(l.Address, l.Name, areas)
}

// drawText writes around a point.
// Its size is the height of the letters' type, in squares.
func (c *canvas) drawText(x, y, size float64, ink color.NRGBA, words string) {
	at := c.at(x, y)
	// A text stands on its point, so that the point is put below the middle by about half the height of a capital.
	at.Y += 0.36 * size * c.scale
	c.Text(at, 0.5, size*c.scale, false, ink, words)
}

// drawMark draws X or O around a point, in a square of that size.
// The colours are those of X and of O. Any other mark draws nothing.
func (c *canvas) drawMark(mark byte, x, y, size float64, first, second color.NRGBA) {
	r := 0.27 * size
	switch mark {
	case 'x':
		c.drawLine([]pen.Point{pen.At(x-r, y-r), pen.At(x+r, y+r)}, 0.1*size, first)
		c.drawLine([]pen.Point{pen.At(x+r, y-r), pen.At(x-r, y+r)}, 0.1*size, first)
	// A ring is drawn a little larger than a cross, so that it looks as large.
	case 'o':
		c.ring(x, y, 1.08*r, 0.1*size, second)
	}
}

// drawPlyNumber writes by which ply a square was marked, on marks that fill it.
// Nothing is written where the square has none.
func (c *canvas) drawPlyNumber(b Board, square int, x, y, size float64, ink color.NRGBA) {
	if n := b.Plies[square]; n > 0 {
		c.drawText(x, y, size, ink, strconv.Itoa(n))
	}
}

// marks are the signs on the squares, in their order: x, o or a dot.
// They are the position's first word without the slashes between rows, filled up with dots to the number of squares.
func (b Board) marks() string {
	signs := b.Info.Signs(b.State.Position)
	return signs + strings.Repeat(".", max(0, len(b.Info.Squares)-len(signs)))
}
