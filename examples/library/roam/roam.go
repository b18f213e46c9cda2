// Package roam is a game on nine squares in which marks are placed and then move:
// each side places three; from then on a move takes one's own mark to any free
// square. Three in a row, across, down or diagonally, win. Play can go in circles.
package roam

import (
	"math/big"
	"math/bits"

	"oxo"
)

// own is how many marks a side places.
const own = 3

// rows are the sets of squares that win, square i being bit i.
var rows = [8]uint16{0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124}

// Pos is a position: the squares of the marks and the side to move.
type Pos struct {
	x, o uint16
	turn oxo.Seat
}

// Turn returns the seat to move.
func (p Pos) Turn() oxo.Seat { return p.turn }

// Outcome returns who has three in a row.
func (p Pos) Outcome() oxo.Outcome {
	for _, r := range rows {
		switch r {
		case p.x & r:
			return oxo.FirstWins
		case p.o & r:
			return oxo.SecondWins
		}
	}
	return oxo.Ongoing
}

// Moves appends the legal moves: a square to place a mark on, or, once all marks
// are placed, 9 + 9·from + to.
func (p Pos) Moves(buf []oxo.Move) []oxo.Move {
	if p.Outcome() != oxo.Ongoing {
		return buf
	}
	mine := p.mine()
	if bits.OnesCount16(mine) < own {
		return p.free(buf, 0)
	}
	for from := range 9 {
		if mine>>from&1 != 0 {
			buf = p.free(buf, oxo.Move(9+9*from))
		}
	}
	return buf
}

// mine returns the squares of the side to move.
func (p Pos) mine() uint16 {
	if p.turn == oxo.First {
		return p.x
	}
	return p.o
}

// free appends the free squares, counted from base.
func (p Pos) free(buf []oxo.Move, base oxo.Move) []oxo.Move {
	for to := range oxo.Move(9) {
		if (p.x|p.o)>>to&1 == 0 {
			buf = append(buf, base+to)
		}
	}
	return buf
}

// Play returns the position after m.
func (p Pos) Play(m oxo.Move) Pos {
	change := uint16(1) << (m % 9)
	if m >= 9 {
		change |= 1 << (m/9 - 1)
	}
	if p.turn == oxo.First {
		p.x ^= change
	} else {
		p.o ^= change
	}
	p.turn ^= 1
	return p
}

// New returns the game.
func New() *oxo.Game[Pos] {
	return &oxo.Game[Pos]{
		Spec: "roam", Title: words.Say(title),
		MaxMoves:   9,
		Format:     format,
		Parse:      parse,
		FormatMove: func(_ Pos, m oxo.Move) string { return moveName(m) },
		ParseMove:  parseMove,
		Symmetries: big.NewInt(8),
		Code:       func(p Pos) uint64 { return uint64(p.turn)<<18 | uint64(p.o)<<9 | uint64(p.x) },
		Decode: func(code uint64) (Pos, bool) {
			p := Pos{uint16(code & 0o777), uint16(code >> 9 & 0o777), oxo.Seat(code >> 18 & 1)}
			return p, code>>19 == 0 && p.fault() == ""
		},
	}
}

// fault says why no game leads to p, or nothing where one does: a test compares it
// with all games.
func (p Pos) fault() string {
	x, o := bits.OnesCount16(p.x), bits.OnesCount16(p.o)
	switch {
	case p.x&p.o != 0:
		return "a square has two marks"
	case x > own || o > own:
		return "a side has at most three marks"
	case x != o && x != o+1 || x < own && (x == o) != (p.turn == oxo.First) || x > o && p.turn == oxo.First:
		return "the number of marks does not fit the side to move"
	case has(p.mine()):
		return "the side to move has three in a row, after which nobody moves"
	}
	return ""
}

func has(marks uint16) bool {
	for _, r := range rows {
		if marks&r == r {
			return true
		}
	}
	return false
}
