// Package oxo is the vocabulary of the laboratory: seats, moves, outcomes,
// values, positions, games, players and records. Every other room speaks in
// these words; this one imports nothing of ours and does no input or output.
//
// There are two central types. A [Position] is a small immutable value that
// knows whose turn it is, how it stands, which moves it has and what each move
// leads to. A [Game] is a start position and the facts about it that
// algorithms read: bounds, odds of chance moves, notation, symmetry, and
// optional kernels that do a generic job faster.
package oxo

import "fmt"

// Seat says who acts: one of the two sides, or chance.
type Seat uint8

// The seats. First moves first and plays X where marks are told apart.
const (
	First Seat = iota
	Second
	Chance
)

// Other returns the opponent's seat. Chance has no opponent and is returned
// unchanged.
func (s Seat) Other() Seat {
	if s == Chance {
		return s
	}
	return s ^ 1
}

func (s Seat) String() string { return nameOrNumber("Seat", int(s), "first", "second", "chance") }

// SeatNamed returns the side of that name; a name of neither is chance's.
func SeatNamed(name string) Seat {
	switch name {
	case "first":
		return First
	case "second":
		return Second
	}
	return Chance
}

// nameOrNumber returns one of the names of a type's values, and a number that has none as such.
func nameOrNumber(typeName string, i int, names ...string) string {
	if i < len(names) {
		return names[i]
	}
	return fmt.Sprintf("%s(%d)", typeName, i)
}

// Sign returns 1 for First and -1 for Second, which turns payoffs to First into
// payoffs to the seat and back.
func (s Seat) Sign() float64 { return 1 - 2*float64(s) }

// Score returns what v, a worth to First, is worth to the seat; what chance
// decides is not turned.
func (s Seat) Score(worthToFirst float64) float64 {
	if s == Second {
		return -worthToFirst + 0
	}
	return worthToFirst + 0
}

// Move is a small number whose meaning belongs to the game: usually the index
// of a square.
type Move uint16

// NoMove is no move at all.
const NoMove Move = 0xFFFF

// Outcome is how a game stands, told from nobody's side.
type Outcome uint8

// The outcomes. The zero value is a game still going on.
const (
	Ongoing Outcome = iota
	FirstWins
	SecondWins
	Drawn
)

// WinFor returns the outcome in which seat s (First or Second) has won.
func WinFor(s Seat) Outcome { return FirstWins + Outcome(s) }

// Value returns what a finished game is worth to seat s: Win, Draw or Loss.
// An ongoing game counts as Draw.
func (o Outcome) Value(s Seat) Value {
	switch o {
	case FirstWins:
		return 1 - 2*Value(s)
	case SecondWins:
		return 2*Value(s) - 1
	}
	return Draw
}

// String returns the word used in results: first, second or draw; an ongoing
// game is "*".
func (o Outcome) String() string {
	return nameOrNumber("Outcome", int(o), "*", "first", "second", "draw")
}

// Value is a game-theoretic value: what a position is worth to the seat to
// move under best play.
type Value int8

// The values, worst first.
const (
	Loss Value = -1
	Draw Value = 0
	Win  Value = 1
)

// Outcome returns the outcome that value v, held by seat s, stands for.
func (v Value) Outcome(s Seat) Outcome {
	switch v {
	case Win:
		return WinFor(s)
	case Loss:
		return WinFor(s.Other())
	}
	return Drawn
}

// String returns win, draw or loss; another number, which is no value, is written as one.
func (v Value) String() string {
	switch v {
	case Win:
		return "win"
	case Draw:
		return "draw"
	case Loss:
		return "loss"
	}
	return fmt.Sprintf("Value(%d)", int8(v))
}

// Position is the contract of every game: a small immutable comparable value
// of scalar fields. Equal positions have equal futures. P is the position
// type itself, so that algorithms are generic over it and never box it.
type Position[P any] interface {
	comparable

	// Turn returns who acts here. In a terminal position it is the seat that
	// would move next.
	Turn() Seat

	// Outcome returns how the game stands; anything but Ongoing is terminal.
	Outcome() Outcome

	// Moves appends the legal moves to buf, in ascending order, and returns
	// it. At a chance node the moves are the things that can happen. A
	// terminal position has no moves; every other position has at least one.
	Moves(buf []Move) []Move

	// Play returns the position after m, which must be legal here: an illegal
	// move is a bug in the caller. Text from outside is checked once, by
	// [Game.ParseMove].
	Play(m Move) P
}
