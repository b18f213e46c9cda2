// Package ultimate is Ultimate tic-tac-toe: nine small boards in a big one.
//
// The cell that a player marks names the board in which the opponent must
// play. Three in a row win a small board; a won or full board is closed, and
// whoever is sent to a closed board plays in any other. The first move is
// anywhere. Three small boards in a row win the game; when every board is
// closed without that, it is a draw.
//
// A position is written as the nine rows of the 9×9 grid from the top, the
// side to move, and the active board 1…9 or - for any; a move is a square of
// the grid, a1 at the bottom left.
package ultimate

import (
	"oxo"
	"oxo/games/internal/nine"
)

// Pos is a position: who marked which of the 81 squares, which boards are won
// and closed, and where the next move must be. Moves are board·9 + cell, both
// 0…8 row by row from the top left.
type Pos = nine.Pos

// Rules are variants of the game, to be joined with |. The zero value is the
// common game.
type Rules = nine.Rules

// The variants.
const (
	// Most gives a game that ends without three boards in a row to the side
	// that won more boards.
	Most = nine.Most
	// Open lets play go on in won boards until they are full; the first three
	// in a row keeps the board. A position then ends with a fourth word, the
	// owners of the nine boards, needed where both sides have three in a row.
	Open = nine.Open
)

// The eight symmetries, which move the boards of the big board and the cells of
// every board alike, as tables that must not be changed: Moved[s][c] is where
// symmetry s takes cell c, Turned[s][cells] where it takes a set of cells.
var (
	Moved  = &nine.Moved
	Turned = &nine.Turned
)

// Rows are the rows of three on a board, as sets of cells, cell i at bit i.
var Rows = [8]uint16{0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124}

// New returns the game: "ultimate", with "+most" and "+open" for its variants.
func New(rules Rules) *oxo.Game[Pos] {
	spec, title := "ultimate", "Ultimate tic-tac-toe"
	if rules&Most != 0 {
		spec += "+most"
		title += ", most boards decide"
	}
	if rules&Open != 0 {
		spec += "+open"
		title += ", won boards stay open"
	}
	return nine.Game(spec, title, rules&(Most|Open))
}
