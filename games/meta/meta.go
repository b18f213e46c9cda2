// Package meta is meta tic-tac-toe by the rules of Weger's experiment with
// learned evaluation constants: nine small boards, played for points.
//
// The first move is in the centre board. The cell that a player marks names
// the board in which the opponent must play; if that board is won or full, any
// board that is neither will do. Three in a row win a small board, which is
// closed from then on. Play ends when every board is won or full. A board won
// is a point, and most points win; equal points are a draw.
//
// A position is written as the nine rows of the 9×9 grid from the top, the
// side to move, and the active board 1…9 or - for any; a move is a square of
// the grid, a1 at the bottom left.
package meta

import (
	"oxo"
	"oxo/games/internal/nine"
)

// Pos is a position: who marked which of the 81 squares, which boards are won
// and closed, and where the next move must be. Moves are board·9 + cell, both
// 0…8 row by row from the top left.
type Pos = nine.Pos

// Points is the one of the rules of games on nine boards that is this game's: most
// boards win, and three in a row of them mean nothing.
const Points = nine.Points

// New returns the game "meta".
func New() *oxo.Game[Pos] {
	return nine.Game("meta", words.Say(title), Points)
}
