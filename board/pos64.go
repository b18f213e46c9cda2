package board

import (
	"math/bits"

	"oxo"
)

// Pos64 is a position on a board of up to 64 squares, square i at bit i.
//
//	x, o   the squares marked X and O
//	info   outcome, whose turn, and the move chosen where chance is to act
type Pos64 struct {
	t    *gameData
	x, o uint64
	info uint64
}

// Turn returns who acts.
func (p Pos64) Turn() oxo.Seat { return oxo.Seat(p.info >> turnShift & turnMask) }

// Outcome returns how the game stands.
func (p Pos64) Outcome() oxo.Outcome { return oxo.Outcome(p.info & outcomeMask) }

// Board returns the board that p is on.
func (p Pos64) Board() *Board { return p.t.board }

// Rules returns the rules that p is played by.
func (p Pos64) Rules() Rules { return p.t.rules }

// Marks returns the squares marked X and those marked O.
func (p Pos64) Marks() (x, o Set) { return Set{A: p.x}, Set{A: p.o} }

// Playable returns the squares that a mark can be placed on, whether the game
// is over or not.
func (p Pos64) Playable() Set { return Set{A: p.playable()} }

// playable is Playable as a word; under gravity only squares with nothing empty below them.
func (p Pos64) playable() uint64 {
	t := p.t
	taken := p.x | p.o
	free := t.full64 &^ taken
	if !t.falls {
		return free
	}
	if t.down&t.up != 64 {
		return free & (taken>>t.down | taken<<t.up | t.floor)
	}
	for e := free &^ t.floor; e != 0; e &= e - 1 {
		i := bits.TrailingZeros64(e)
		if taken>>uint(t.board.Below[i])&1 == 0 {
			free &^= 1 << i
		}
	}
	return free
}

// Pending returns the move chosen where chance is to act.
func (p Pos64) Pending() oxo.Move { return oxo.Move(p.info >> pendingShift) }

// Moves appends the legal moves in ascending order.
func (p Pos64) Moves(buf []oxo.Move) []oxo.Move {
	if p.info&outcomeMask != 0 {
		return buf
	}
	squares := p.t.full64 &^ (p.x | p.o)
	if p.t.falls {
		squares = p.playable()
	}
	mark := oxo.Move(0)
	if p.Turn() == oxo.Chance {
		mark = p.Pending() &^ squareMask
	}
	for e := squares; e != 0; e &= e - 1 {
		buf = append(buf, mark|oxo.Move(bits.TrailingZeros64(e)))
	}
	if p.t.rules.Place == Either && p.Turn() != oxo.Chance {
		for e := squares; e != 0; e &= e - 1 {
			buf = append(buf, 1<<markShift|oxo.Move(bits.TrailingZeros64(e)))
		}
	}
	return buf
}

// Play returns the position after m. Where marks can slip, a seat's move
// leads to a chance node and chance's move places the mark.
func (p Pos64) Play(m oxo.Move) Pos64 {
	t := p.t
	if t.slips {
		if p.Turn() != oxo.Chance {
			return p.WithPending(m)
		}
		p.info = makeInfo(oxo.Ongoing, mover(bits.OnesCount64(p.x|p.o)))
	}
	seat := p.info >> turnShift & 1
	bit := uint64(1) << (m & 63)
	own := p.x | bit
	if uint64(m>>markShift)|seat&t.ownMark == 0 {
		p.x = own
	} else {
		own = p.o | bit
		p.o = own
	}
	p.info = (seat ^ 1) << turnShift
	if t.rules.Tested[seat] && t.completesLine64(own, uint(m&63)) {
		p.info |= uint64(t.rules.Done[seat])
	} else if p.x|p.o == t.full64 {
		p.info |= uint64(t.rules.Full)
	}
	return p
}

// mover returns who moves after n marks have been placed.
func mover(n int) oxo.Seat { return oxo.Seat(n & 1) }

// completesLine64 reports whether own, which owned no line before square i was added to it, owns one now.
func (t *gameData) completesLine64(own uint64, i uint) bool {
	if t.won != nil {
		return t.won[own>>6]>>(own&63)&1 != 0
	}
	for _, l := range t.lines[i] {
		if own&l.need == l.need && own&l.bar == 0 {
			return true
		}
	}
	return false
}

// fromMarks64 is fromMarks256 for boards of up to 64 squares.
func (t *gameData) fromMarks64(x, o Set) Pos64 {
	return Pos64{t, x.A, o.A, t.turnAndOutcomeFromMarks(x, o)}
}

// withTurn returns p as a game that goes on, with s to move and nothing pending.
func (p Pos64) withTurn(s oxo.Seat) Pos64 {
	p.info = makeInfo(oxo.Ongoing, s)
	return p
}

// WithPending returns the position in which chance is to land move m.
func (p Pos64) WithPending(m oxo.Move) Pos64 {
	p.info = makeInfo(oxo.Ongoing, oxo.Chance) | uint64(m)<<pendingShift
	return p
}
