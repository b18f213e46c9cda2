package wide

import (
	"errors"
	"fmt"

	"oxo"
	"oxo/board"
)

// fromMarks works out from the marks alone how a position stands that can be reached: the number of marks says who
// moved last, and only that side's rows can have ended the game.
func (t *gameData) fromMarks(x, o set) Pos {
	p, n := Pos{t: t, x: x, o: o}, x.Len()+o.Len()
	outcome := oxo.Ongoing
	if last := mover(n + 1); n > 0 && t.rules.Tested[last] && t.seatOwnsRow(&p, last) {
		outcome = t.rules.Done[last]
	} else if n == t.n {
		outcome = t.rules.Full
	}
	p.info = info(outcome, mover(n))
	return p
}

// seatOwnsRow reports whether a mark that the seat places owns a row.
func (t *gameData) seatOwnsRow(p *Pos, seat oxo.Seat) bool {
	return (t.rules.Place != board.Own || seat == oxo.First) && t.ownsRow(&p.x) ||
		(t.rules.Place == board.Either || t.rules.Place == board.Own && seat == oxo.Second) && t.ownsRow(&p.o)
}

// checkReachable returns the reason why no play leads to these marks, or nil. It
// counts marks, looks for marks in the air, and asks for a last move before
// which the game was not over; it does not undo more moves than that.
func (t *gameData) checkReachable(x, o set) error {
	p, nx, no := &Pos{t: t, x: x, o: o}, x.Len(), o.Len()
	switch {
	case t.rules.Place == board.Own && nx != no && nx != no+1:
		return fmt.Errorf("%d x and %d o: x moves first, so x has as many as o or one more", nx, no)
	case t.rules.Place == board.Cross && no > 0:
		return fmt.Errorf("there are %d o: in this game both sides place x", no)
	}
	// The square under another one has a number that is higher by the number of columns.
	if t.shape.Gravity {
		for i := range t.n - t.shape.Cols {
			if under := i + t.shape.Cols; p.Mark(i) != 2 && p.Mark(under) == 2 {
				return fmt.Errorf("square %s is filled but %s below it is empty", t.names.Names[i],
					t.names.Names[under])
			}
		}
	}
	if !p.anyTestedSeatOwnsRow() {
		return nil
	}
	// The last mover is the one that would move after one mark more or less. It must have placed a mark, on top of
	// its column where marks fall, without which no tested side owns a row.
	last := mover(nx + no + 1)
	for i := range t.n {
		if p.Mark(i) == 2 || t.rules.Place == board.Own && (last == oxo.First) != x.has(i) || t.shape.Gravity &&
			i >= t.shape.Cols && p.Mark(i-t.shape.Cols) != 2 {
			continue
		}
		before := *p
		if x.has(i) {
			before.x.flip(i)
		} else {
			before.o.flip(i)
		}
		if !before.anyTestedSeatOwnsRow() {
			return nil
		}
	}
	if t.rules.Place == board.Own && t.ownsRow(&p.x) && t.ownsRow(&p.o) {
		return errors.New("both x and o own a winning row: the game ends with the first one")
	}
	return errors.New("the game would have ended earlier: no last move completes the winning rows on the board")
}

// anyTestedSeatOwnsRow reports whether a tested seat's marks own a row.
func (p *Pos) anyTestedSeatOwnsRow() bool {
	t := p.t
	return t.rules.Tested[oxo.First] && t.seatOwnsRow(p, oxo.First) || t.rules.Tested[oxo.Second] && t.seatOwnsRow(p,
		oxo.Second)
}
