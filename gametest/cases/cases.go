// Package cases reads the public cases for tests: small positional games of all
// kinds, with exact answers that other programs found.
package cases

import (
	"encoding/json"
	"os"
	"testing"

	"oxo/board"
)

// Case is a game and its answers, found by going through all of its positions. Value is who wins under best play,
// first, second or draw, and Remoteness in how many plies the game then ends: the winner hurries and the loser
// delays, and a draw takes as long as it can.
type Case struct {
	ID         string
	Squares    int
	Winning    [][]int // squares count from 1
	Below      []int   // where there is gravity, the square under each one, 0 for none
	Option     string  // the name of its rules
	Value      string
	Remoteness int

	// How many positions can be reached, the start and finished ones among them; a finished game does not go on.
	Positions         uint64
	TerminalPositions *uint64           `json:"terminal_positions"` // not in the largest cases
	PositionsPerPly   []uint64          `json:"positions_per_ply"`
	ByValue           map[string]uint64 `json:"positions_by_value"`

	// Symmetries is the order of the group that keeps the winning sets, and what is below what. Classes are
	// positions up to that group. A first move has its square, from 1, and the value and the remoteness of the
	// whole game after it.
	Symmetries int64
	Classes    uint64
	FirstMoves [][3]any `json:"first_moves"`
}

// Read returns the 309 cases of the file at path, in its order. Any other number fails the test, so that none is
// skipped unseen.
func Read(t testing.TB, path string) []Case {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Cases []Case }
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	if len(file.Cases) != 309 {
		t.Fatalf("%d cases in %s, want 309", len(file.Cases), path)
	}
	return file.Cases
}

// Game returns the board of the case, whose squares count from 0, and the rules that its option names. A case that
// is not well formed fails the test.
func (c Case) Game(t testing.TB) (*board.Board, board.Rules) {
	t.Helper()
	sets := make([][]int, len(c.Winning))
	for i, set := range c.Winning {
		sets[i] = fromZero(set)
	}
	b, err := board.New(c.Squares, sets)
	if err == nil && c.Below != nil {
		err = b.SetBelow(fromZero(c.Below))
	}
	if err != nil {
		t.Fatal(c.ID, err)
	}
	for _, r := range board.AllRules {
		if r.Name == c.Option {
			return b, r
		}
	}
	t.Fatalf("%s: unknown option %q", c.ID, c.Option)
	return nil, board.Rules{}
}

// fromZero returns the squares counted from 0, as a new list; the 0 of no square becomes −1.
func fromZero(squares []int) (list []int) {
	for _, square := range squares {
		list = append(list, square-1)
	}
	return list
}
