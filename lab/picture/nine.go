package picture

import (
	"oxo/lab"
	"oxo/pen"
)

// between is how far the boards of nine stand apart, in squares.
const between = 0.3

// nineBoardsDrawing draws nine boards of nine squares: those that are won under a large mark, the one to
// be played in with a frame.
// Boards and squares of a board are numbered in reading order from 0. Nine boards have no names of squares around
// them.
func nineBoardsDrawing(b Board) drawing {
	corner := func(board int) (x, y float64) {
		return float64(board%3) * (3 + between), float64(board/3) * (3 + between)
	}
	middle := func(i int) (x, y, size float64) {
		s := b.Info.Squares[i]
		x, y = corner(s.Row/3*3 + s.Col/3)
		return x + float64(s.Col%3) + 0.5, y + float64(s.Row%3) + 0.5, 1
	}
	// A tenth of a square is left around all for the frame of the board to be played in.
	whole := 9 + 2*between
	return drawing{width: whole + 0.2, height: whole + 0.2, square: middle, draw: func(c *canvas) {
		c.left, c.top = c.left+0.1*c.scale, c.top+0.1*c.scale
		owners, active := b.Info.BoardOwners(b.State.Position), -1
		if b.State.Result == "*" { // else there is no board to be played in
			active = b.Info.ActiveBoard(b.State.Position)
		}
		for board := range 9 {
			x, y := corner(board)
			if board == active {
				c.box(x-0.1, y-0.1, 3.2, 3.2, c.active)
			}
			c.box(x, y, 3, 3, c.rule)
		}
		marks := b.marks()
		for i := range b.Info.Squares {
			x, y, _ := middle(i)
			x, y = x-0.5, y-0.5
			c.box(x+0.02, y+0.02, 0.96, 0.96, c.board)
			c.drawMark(marks[i], x+0.5, y+0.5, 1, c.x, c.o)
			c.drawPlyNumber(b, i, x+0.82, y+0.84, 0.24, c.muted)
			if isLast(b, i) {
				c.disc(x+0.86, y+0.14, 0.08, c.ink)
			}
		}
		// A won board is covered so far that its marks just show, and has its owner's mark over it.
		for board, owner := range []byte(owners) {
			x, y := corner(board)
			if owner != '.' {
				c.box(x, y, 3, 3, faint(c.board, 190))
				c.drawMark(owner, x+1.5, y+1.5, 3.2, c.x, c.o)
			}
		}
		// Three boards in a row that have one owner are struck through.
		for _, row := range lab.RowsOfThree {
			if o := owners[row[0]]; o != '.' && owners[row[1]] == o && owners[row[2]] == o {
				ax, ay := corner(row[0])
				bx, by := corner(row[2])
				c.drawLine([]pen.Point{pen.At(ax+1.5, ay+1.5), pen.At(bx+1.5, by+1.5)}, 0.2, c.ink)
			}
		}
	}}
}
