package certificate

import "fmt"

// Nine is a position of nine small boards in a big one, with the rules that it is played
// by. Boards, and cells of a board, are numbered 0…8 row by row, and cell c of board b is
// square 9b + c. Marks and owners are 0 for none, 1 for First, 2 for Second.
type Nine struct {
	Goal   NineGoal
	Open   bool // whether owned boards are played in until they are full
	Marks  [81]uint8
	Owner  [9]uint8
	Active uint8 // the board of the next move plus 1; 0 for any that is not closed
}

// NineGoal is what wins a game of nine boards.
type NineGoal uint8

// The goals.
const (
	Row       NineGoal = iota // three boards in a row; without them it is a draw
	RowOrMost                 // three boards in a row; without them, more boards
	Most                      // more boards, when all are closed
)

// NineForm is a position of nine boards without its rules: the marks, the owners, and the active board
// plus 1. Forms are ordered as lists of numbers. Two positions are images of each other just where
// their least forms are equal.
type NineForm [81 + 9 + 1]uint8

// nineTurns are the eight symmetries of a board: where each cell goes. The first, number 0, keeps every cell in
// place; boards of the big board go where the cells of the same number do.
var nineTurns = func() (t [8][9]uint8) {
	for s := range t {
		for c := range uint8(9) {
			row, column := c/3, c%3
			if s&1 != 0 {
				row, column = column, row
			}
			if s&2 != 0 {
				row = 2 - row
			}
			if s&4 != 0 {
				column = 2 - column
			}
			t[s][c] = 3*row + column
		}
	}
	return t
}()

// nineFrom says for each symmetry from which place of a form each place comes, but the last.
var nineFrom = func() (from [8][90]uint8) {
	for s, to := range nineTurns {
		for b := range uint8(9) {
			for c := range uint8(9) {
				from[s][9*to[b]+to[c]] = 9*b + c
			}
			from[s][81+to[b]] = 81 + b
		}
	}
	return from
}()

// CanonicalForm returns the least of the forms that the eight symmetries of the square give a
// position, and the number of one that gives it.
func (n *Nine) CanonicalForm() (least NineForm, symmetry int) {
	var own NineForm
	copy(own[:], n.Marks[:])
	copy(own[81:], n.Owner[:])
	own[90] = n.Active
	for s := 1; s < 8; s++ {
		if own.lessUnderSymmetry(s, symmetry) {
			symmetry = s
		}
	}
	for k, from := range nineFrom[symmetry] {
		least[k] = own[from]
	}
	least[90] = own.activePlus1(symmetry)
	return least, symmetry
}

// lessUnderSymmetry reports whether symmetry s gives a lesser form than t, where f is the position itself. It makes
// neither form.
func (f *NineForm) lessUnderSymmetry(s, t int) bool {
	for k := range nineFrom[s] {
		if a, b := f[nineFrom[s][k]], f[nineFrom[t][k]]; a != b {
			return a < b
		}
	}
	return f.activePlus1(s) < f.activePlus1(t)
}

// activePlus1 returns the active board plus 1 after a symmetry, 0 for none, as the last number of a form has it.
func (f *NineForm) activePlus1(symmetry int) uint8 {
	if f[90] == 0 {
		return 0
	}
	return 1 + nineTurns[symmetry][f[90]-1]
}

// TurnSquare returns where symmetry s takes a square, from 0 to 80.
func TurnSquare(s int, square uint8) uint8 {
	return 9*nineTurns[s][square/9] + nineTurns[s][square%9]
}

// Text returns the claim of a game of nine boards as it is asked for, such as first<=43; freeSquares is how many
// squares have no mark. Not to lose within so many plies or more is not to lose at all.
func (c *Claim) Text(freeSquares int) string {
	switch {
	case c.Wins:
		return fmt.Sprintf("%v<=%d", c.Seat, c.Plies)
	case c.Plies >= freeSquares:
		return fmt.Sprintf("not-lose:%v", c.Seat)
	}
	return fmt.Sprintf("%v>%d", c.Seat.Other(), c.Plies)
}
