// Package race is the jumping-token game on a row of squares, a small game in
// which play can go in circles.
//
// First's token x starts on square 1 and Second's token o on square n. A move
// takes one's own token one step left or right or, where the other token is in
// the way, over it to the square behind, if there is one. First wins on
// reaching square n, Second on reaching square 1. There is no draw by
// repetition: a game that nobody forces to an end never ends.
//
// With three squares or more there is always a move. A token without one would
// be blocked on both sides, each time by the edge or by the other token with
// the edge behind it; as the game is over when a token is on its far edge,
// that leaves First on square 1 with Second on square 2 and no square 3.
//
// The game is from Russell and Norvig, Artificial Intelligence: A Modern
// Approach, the exercises on adversarial search, there with four squares.
package race

import (
	"fmt"
	"math/big"

	"oxo"
)

// MinSquares and MaxSquares bound the length of the row.
const (
	MinSquares = 3
	MaxSquares = 255
)

// Pos is a position: the length of the row, the squares of the two tokens,
// 1…n from the left, and the side to move.
type Pos struct {
	n, x, o uint8
	turn    oxo.Seat
}

// Turn returns the seat to move.
func (p Pos) Turn() oxo.Seat { return p.turn }

// Row returns the length of the row, and the squares of First's and Second's token, 1…n from the left.
func (p Pos) Row() (n int, tokens [2]int) { return int(p.n), [2]int{int(p.x), int(p.o)} }

// Outcome returns whether a token has reached its far edge.
func (p Pos) Outcome() oxo.Outcome {
	switch {
	case p.x == p.n:
		return oxo.FirstWins
	case p.o == 1:
		return oxo.SecondWins
	}
	return oxo.Ongoing
}

// Moves appends the legal moves: the squares to move to, less 1.
func (p Pos) Moves(buf []oxo.Move) []oxo.Move {
	if p.Outcome() != oxo.Ongoing {
		return buf
	}
	own, other := int(p.x), int(p.o)
	if p.turn == oxo.Second {
		own, other = other, own
	}
	for _, step := range [2]int{-1, 1} {
		to := own + step
		if to == other {
			to += step
		}
		if 1 <= to && to <= int(p.n) {
			buf = append(buf, oxo.Move(to-1))
		}
	}
	return buf
}

// Play returns the position after the token of the side to move has gone to
// square m+1.
func (p Pos) Play(m oxo.Move) Pos {
	if p.turn == oxo.First {
		p.x = uint8(m + 1)
	} else {
		p.o = uint8(m + 1)
	}
	p.turn ^= 1
	return p
}

// New returns the game race:n.
func New(n int) (*oxo.Game[Pos], error) {
	if n < MinSquares || n > MaxSquares {
		return nil, fmt.Errorf("a row of %d squares: it must have %d to %d", n, MinSquares, MaxSquares)
	}
	r := reachableRow{n: n, start: Pos{n: uint8(n), x: 1, o: uint8(n)}}
	r.markReachable()
	return &oxo.Game[Pos]{
		Spec:       fmt.Sprintf("race:%d", n),
		Title:      words.Say(title(n)),
		Start:      r.start,
		MaxMoves:   2,
		Format:     format,
		Parse:      r.parse,
		FormatMove: func(_ Pos, m oxo.Move) string { return fmt.Sprint(m + 1) },
		ParseMove:  parseMove,
		// A mirror takes each side for the other, so it does not keep the seats.
		Symmetries: big.NewInt(1),
		Code:       code,
		Decode:     r.decode,
	}, nil
}

// reachableRow knows which positions can be reached: one bit for each code.
type reachableRow struct {
	n       int
	start   Pos
	reached []uint64
}

// code numbers the placings of two tokens and a side to move from 0.
func code(p Pos) uint64 {
	return (uint64(p.x-1)*uint64(p.n)+uint64(p.o-1))*2 + uint64(p.turn)
}

// decode returns the position with the given code, or false where no game
// leads to one.
func (r *reachableRow) decode(code uint64) (Pos, bool) {
	n := uint64(r.n)
	if code >= 2*n*n || r.reached[code/64]>>(code%64)&1 == 0 {
		return Pos{}, false
	}
	return Pos{n: uint8(n), x: uint8(code/2/n + 1), o: uint8(code/2%n + 1), turn: oxo.Seat(code & 1)}, true
}

// markReachable notes all positions that can be reached from the start.
func (r *reachableRow) markReachable() {
	r.reached = make([]uint64, (2*r.n*r.n+63)/64)
	var moves []oxo.Move
	for open := []Pos{r.start}; len(open) > 0; {
		p := open[len(open)-1]
		open = open[:len(open)-1]
		c := code(p)
		if r.reached[c/64]>>(c%64)&1 != 0 {
			continue
		}
		r.reached[c/64] |= 1 << (c % 64)
		moves = p.Moves(moves[:0])
		for _, m := range moves {
			open = append(open, p.Play(m))
		}
	}
}
