package board

import "oxo"

// Pos256 is a position on a board of up to 256 squares. It is Pos64 with wider
// sets: the two are kept apart because a position of four words is passed in
// registers and this one is not.
type Pos256 struct {
	t    *gameData
	x, o Set
	info uint64
}

// Turn returns who acts.
func (p Pos256) Turn() oxo.Seat { return oxo.Seat(p.info >> turnShift & turnMask) }

// Outcome returns how the game stands.
func (p Pos256) Outcome() oxo.Outcome { return oxo.Outcome(p.info & outcomeMask) }

// Board returns the board that p is on.
func (p Pos256) Board() *Board { return p.t.board }

// Rules returns the rules that p is played by.
func (p Pos256) Rules() Rules { return p.t.rules }

// Marks returns the squares marked X and those marked O.
func (p Pos256) Marks() (x, o Set) { return p.x, p.o }

// Playable returns the squares that a mark can be placed on, whether the game
// is over or not.
func (p Pos256) Playable() Set { return p.t.board.Playable(p.t.full.Minus(p.x.Or(p.o))) }

// Pending returns the move chosen where chance is to act.
func (p Pos256) Pending() oxo.Move { return oxo.Move(p.info >> pendingShift) }

// Moves appends the legal moves in ascending order.
func (p Pos256) Moves(buf []oxo.Move) []oxo.Move {
	if p.info&outcomeMask != 0 {
		return buf
	}
	squares := p.Playable()
	if p.Turn() == oxo.Chance {
		return appendMoves(buf, squares, p.Pending()&^squareMask)
	}
	buf = appendMoves(buf, squares, 0)
	if p.t.rules.Place == Either {
		buf = appendMoves(buf, squares, 1<<markShift)
	}
	return buf
}

// appendMoves appends the moves that place that mark, 0 or the bit at markShift, on each of the squares.
func appendMoves(buf []oxo.Move, squares Set, mark oxo.Move) []oxo.Move {
	for i := range squares.All() {
		buf = append(buf, mark|oxo.Move(i))
	}
	return buf
}

// Play returns the position after m.
func (p Pos256) Play(m oxo.Move) Pos256 {
	if p.t.slips {
		if p.Turn() != oxo.Chance {
			return p.WithPending(m)
		}
		p.info = makeInfo(oxo.Ongoing, mover(p.x.Len()+p.o.Len()))
	}
	t := p.t
	seat := oxo.Seat(p.info >> turnShift & 1)
	i := Square(m)
	var own Set
	if t.rules.markPlaced(m, seat) == 0 {
		p.x = p.x.With(i)
		own = p.x
	} else {
		p.o = p.o.With(i)
		own = p.o
	}
	outcome := oxo.Ongoing
	if t.rules.Tested[seat] && t.completesLine(own, i) {
		outcome = t.rules.Done[seat]
	} else if p.x.Or(p.o) == t.full {
		outcome = t.rules.Full
	}
	p.info = makeInfo(outcome, seat.Other())
	return p
}

// completesLine reports whether own, which owned no line before square i was
// added to it, owns one now.
func (t *gameData) completesLine(own Set, i int) bool {
	for k := range t.wide[i] {
		if l := &t.wide[i][k]; own.Holds(l.Need) && !own.Meets(l.Bar) {
			return true
		}
	}
	return false
}

// fromMarks256 returns the position with these marks; how it stands is right for marks that play can lead to.
func (t *gameData) fromMarks256(x, o Set) Pos256 {
	return Pos256{t, x, o, t.turnAndOutcomeFromMarks(x, o)}
}

// withTurn returns p as one that goes on, with that seat to move.
func (p Pos256) withTurn(s oxo.Seat) Pos256 {
	p.info = makeInfo(oxo.Ongoing, s)
	return p
}

// WithPending returns the position in which chance is to land move m.
func (p Pos256) WithPending(m oxo.Move) Pos256 {
	p.info = makeInfo(oxo.Ongoing, oxo.Chance) | uint64(m)<<pendingShift
	return p
}
