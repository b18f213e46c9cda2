package wide

import (
	"iter"
	"math/bits"

	"oxo"
	"oxo/board"
)

// setWords is the number of words of a set.
const setWords = 7

// set is a set of squares, square i at bit i%64 of word i/64.
type set [setWords]uint64

func (s *set) has(i int) bool { return s[i>>6]>>(i&63)&1 != 0 }
func (s *set) flip(i int)     { s[i>>6] ^= 1 << (i & 63) }

// Has reports whether square i is in s.
func (s set) Has(i int) bool { return s.has(i) }

// With returns s and square i.
func (s set) With(i int) set {
	s[i>>6] |= 1 << (i & 63)
	return s
}

// all yields the squares of s in ascending order.
func (s *set) all() iter.Seq[int] {
	return func(yield func(int) bool) {
		for k, w := range s {
			for ; w != 0; w &= w - 1 {
				if !yield(k<<6 | bits.TrailingZeros64(w)) {
					return
				}
			}
		}
	}
}

// Len returns the number of squares.
func (s set) Len() (n int) {
	for _, w := range s {
		n += bits.OnesCount64(w)
	}
	return n
}

// Pos is a position: the squares marked X and O, and in info how it stands, whose turn it is and, where chance is
// to act, the move that is to land. No square is in both sets, and t is the same in all positions of a game, so
// that equal positions compare as equal.
type Pos struct {
	t    *gameData
	x, o set
	info uint32
}

// What info holds.
//
//	bits 0–1   outcome
//	bits 2–3   whose turn: a seat, chance included
//	bits 8–17  where chance is to act, the move that was chosen
const (
	outcomeMask  = 3
	turnShift    = 2
	turnMask     = 3
	pendingShift = 8
)

// Moves are a square in bits 0–8 and, where either mark may be placed, the mark
// in bit 9: 0 for X, 1 for O.
const (
	markShift  = 9
	squareMask = 1<<markShift - 1
)

// info returns the info of a position that stands like this, with no move that is to land.
func info(o oxo.Outcome, turn oxo.Seat) uint32 { return uint32(o) | uint32(turn)<<turnShift }

// Turn returns who acts.
func (p Pos) Turn() oxo.Seat { return oxo.Seat(p.info >> turnShift & turnMask) }

// Outcome returns how the game stands.
func (p Pos) Outcome() oxo.Outcome { return oxo.Outcome(p.info & outcomeMask) }

// Rules returns the rules that p is played by.
func (p Pos) Rules() board.Rules { return p.t.rules }

// Mark returns who has marked a square: 0 for X, 1 for O, 2 for nobody.
func (p Pos) Mark(square int) int {
	switch {
	case p.x.has(square):
		return 0
	case p.o.has(square):
		return 1
	}
	return 2
}

// Marks returns the squares marked X and those marked O.
func (p Pos) Marks() (x, o set) { return p.x, p.o }

// Pending returns the move chosen where chance is to act.
func (p Pos) Pending() oxo.Move { return oxo.Move(p.info >> pendingShift) }

// WithPending returns the position in which chance is to land move m.
func (p Pos) WithPending(m oxo.Move) Pos {
	p.info = info(oxo.Ongoing, oxo.Chance) | uint32(m)<<pendingShift
	return p
}

// mover returns who moves after n marks have been placed.
func mover(n int) oxo.Seat { return oxo.Seat(n & 1) }

// Playable returns the squares that a mark can be placed on, whether or not the game is over: the free ones or,
// where marks fall, the lowest free one of each column.
func (p Pos) Playable() set {
	t := p.t
	free := t.full
	for k := range free {
		free[k] &^= p.x[k] | p.o[k]
	}
	if !t.shape.Gravity {
		return free
	}
	var rests set
	for col := range t.shape.Cols {
		for i := t.n - t.shape.Cols + col; i >= 0; i -= t.shape.Cols {
			if free.has(i) {
				rests.flip(i)
				break
			}
		}
	}
	return rests
}

// Moves appends the legal moves in ascending order.
func (p Pos) Moves(buf []oxo.Move) []oxo.Move {
	if p.info&outcomeMask != 0 {
		return buf
	}
	// Chance may land the chosen mark on any square, so its moves have the mark of that move.
	squares := p.Playable()
	if p.Turn() == oxo.Chance {
		return appendMoves(buf, &squares, p.Pending()&^squareMask)
	}
	buf = appendMoves(buf, &squares, 0)
	if p.t.rules.Place == board.Either {
		buf = appendMoves(buf, &squares, 1<<markShift)
	}
	return buf
}

// appendMoves appends the moves that place a mark on each of the squares, in their order. The mark is 0 for X or a
// side's own one, and the bit at markShift for O.
func appendMoves(buf []oxo.Move, squares *set, mark oxo.Move) []oxo.Move {
	for i := range squares.all() {
		buf = append(buf, mark|oxo.Move(i))
	}
	return buf
}

// Play returns the position after m. Where marks can slip, a seat's move leads
// to a chance node and chance's move places the mark.
func (p Pos) Play(m oxo.Move) Pos {
	t := p.t
	if t.rules.Slip != 0 {
		if p.Turn() != oxo.Chance {
			return p.WithPending(m)
		}
		p.info = info(oxo.Ongoing, mover(p.x.Len()+p.o.Len()))
	}
	seat := p.Turn()
	i := int(m & squareMask)
	own := &p.x
	if t.placesO(m, seat) {
		own = &p.o
	}
	own.flip(i)
	p.info = info(oxo.Ongoing, seat.Other())
	if t.rules.Tested[seat] && t.completesRow(own, i) {
		p.info |= uint32(t.rules.Done[seat])
	} else if p.full() {
		p.info |= uint32(t.rules.Full)
	}
	return p
}

// full reports whether no square is free.
func (p *Pos) full() bool {
	for k, w := range p.t.full {
		if p.x[k]|p.o[k] != w {
			return false
		}
	}
	return true
}
