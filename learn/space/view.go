package space

import (
	"oxo/board"
	"slices"
)

// boardView is a position on a board as a seat sees it.
type boardView struct {
	board          *board.Board
	mine, theirs   board.Set
	free           board.Set // playable squares
	corners, sides board.Set
	moves          bool // it is the seat's turn
}

// measureCounts: marks, and lines without an enemy mark.
func (v *boardView) measureCounts(x []float64) {
	x[0] = 1
	x[1], x[2] = float64(v.mine.Len()), float64(v.theirs.Len())
	x[3], x[4] = float64(v.countOpenLines(v.theirs)), float64(v.countOpenLines(v.mine))
}

// measureTwelve: six features of each side.
func (v *boardView) measureTwelve(x []float64) {
	x[0] = 1
	v.measureSide(v.mine, v.theirs, x[1:7])
	v.measureSide(v.theirs, v.mine, x[7:13])
}

// measureSide measures a side: whether it owns a line, whether it threatens two
// measureSquares, whether it holds the centre, and how many corners opposite to the
// enemy's, how many corners and how many sides it holds.
func (v *boardView) measureSide(own, other board.Set, x []float64) {
	x[0] = oneIf(v.ownsLine(own))
	x[1] = oneIf(v.threats(own, other).Len() >= 2)
	x[2] = oneIf(v.holdsCentre(own))
	x[3] = float64(v.countOppositeCorners(own, other))
	x[4] = float64(own.And(v.corners).Len())
	x[5] = float64(own.And(v.sides).Len())
}

func (v *boardView) holdsCentre(own board.Set) bool { return v.board.N%2 == 1 && own.Has(v.board.N/2) }

// countOppositeCorners returns the number of corners held opposite to the other side's.
func (v *boardView) countOppositeCorners(own, other board.Set) int {
	n := 0
	for i := range own.And(v.corners).All() {
		n += int(oneIf(other.Has(v.board.N - 1 - i)))
	}
	return n
}

// forks returns the playable squares on two lines that lack two marks each of
// that side, both playable: a mark there makes two threats.
func (v *boardView) forks(own board.Set) board.Set {
	var once, twice board.Set
	for _, l := range v.board.Lines {
		if missing := l.Need.Minus(own); missing.Len() == 2 && v.free.Holds(missing) {
			twice = twice.Or(once.And(missing))
			once = once.Or(missing)
		}
	}
	return twice
}

// measureSquares: who holds each.
func (v *boardView) measureSquares(x []float64) {
	x[0] = 1
	for i := range v.board.N {
		x[1+i] = oneIf(v.mine.Has(i)) - oneIf(v.theirs.Has(i))
	}
}

func squareNames(v *boardView) []string {
	return append([]string{"constant"}, v.board.Names...)
}

// measureWins: who owns a line.
func (v *boardView) measureWins(x []float64) {
	x[0], x[1], x[2] = 1, oneIf(v.ownsLine(v.mine)), oneIf(v.ownsLine(v.theirs))
}

// measureThreats: who owns a line, who can complete one and whether the other
// side can still prevent it, whether a reply of the other side would give it
// two threats at once, and what is left to build on. The reply to a threat is
// forced. Threats count for the side that is about to move.
func (v *boardView) measureThreats(x []float64) {
	x[0] = 1
	x[1], x[2] = oneIf(v.ownsLine(v.mine)), oneIf(v.ownsLine(v.theirs))
	mine, theirs := v.threats(v.mine, v.theirs), v.threats(v.theirs, v.mine)
	x[3] = oneIf(!mine.Empty() && (v.moves || theirs.Empty()))
	x[4] = oneIf(!theirs.Empty() && !(v.moves && (!mine.Empty() || theirs.Len() == 1)))
	x[5] = oneIf(mine.Len() >= 2 && (v.moves || theirs.Empty()))
	x[6] = oneIf(!v.moves && theirs.Empty() && mine.Len() < 2 && v.forkingReply(mine))
	x[7], x[8] = float64(v.countOpenLines(v.theirs)), float64(v.countOpenLines(v.mine))
	x[9] = oneIf(v.holdsCentre(v.mine))
	x[10] = float64(v.mine.And(v.corners).Len())
}

// forkingReply reports whether the other side, which has no threat, has a reply
// that makes two and leaves this side none; where this side threatens, the reply
// must be to that threat. Only squares on two of its lines that lack two marks
// can be such replies.
func (v *boardView) forkingReply(threats board.Set) bool {
	replies := v.forks(v.theirs)
	if !threats.Empty() {
		replies = replies.And(threats)
	}
	for i := range replies.All() {
		theirs := v.theirs.With(i)
		if v.threatsOf(theirs, v.mine, v.free.Without(i)).Len() >= 2 &&
			v.threatsOf(v.mine, theirs, v.free.Without(i)).Empty() {
			return true
		}
	}
	return false
}

// countOpenLines returns the number of lines without a mark of that side.
func (v *boardView) countOpenLines(other board.Set) int {
	n := 0
	for _, l := range v.board.Lines {
		if !l.Need.Meets(other) {
			n++
		}
	}
	return n
}

// ownsLine reports whether marks own a line.
func (v *boardView) ownsLine(marks board.Set) bool {
	return slices.ContainsFunc(v.board.Lines, func(l board.Line) bool { return l.Owned(marks) })
}

// threats returns the playable squares on which own would complete a line.
func (v *boardView) threats(own, other board.Set) board.Set {
	return v.threatsOf(own, other, v.free)
}

// threatsOf returns those of the free squares on which own would complete a line.
func (v *boardView) threatsOf(own, other, free board.Set) board.Set {
	var squares board.Set
	for _, l := range v.board.Lines {
		missing := l.Need.Minus(own)
		if missing.Len() == 1 && !missing.Meets(other) && free.Holds(missing) && !l.Bar.Meets(own) {
			squares = squares.Or(missing)
		}
	}
	return squares
}

// oneIf returns 1 or 0.
func oneIf(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// cornersOf returns the squares that are at an end in every direction, on a
// board drawn as a grid.
func cornersOf(b *board.Board) board.Set {
	return squaresAtEdges(b, func(ends, directions int) bool { return ends == directions })
}

// sidesOf returns the squares at an end in some direction that are no corners.
func sidesOf(b *board.Board) board.Set {
	return squaresAtEdges(b, func(ends, directions int) bool { return ends > 0 && ends < directions })
}

// squaresAtEdges returns the squares chosen by the number of directions in which they
// are at an end and the number of directions in which the board extends.
func squaresAtEdges(b *board.Board, chosen func(ends, directions int) bool) board.Set {
	var squares board.Set
	if b.Cols == 0 {
		return squares
	}
	for i, at := range b.Layout {
		ends, directions := 0, 0
		for _, d := range [3][2]int{{at.Col, b.Cols}, {at.Row, b.Rows}, {at.Level, b.Levels}} {
			if d[1] > 1 {
				directions++
				if d[0] == 0 || d[0] == d[1]-1 {
					ends++
				}
			}
		}
		if chosen(ends, directions) {
			squares = squares.With(i)
		}
	}
	return squares
}
