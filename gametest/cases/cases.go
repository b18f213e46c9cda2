// Package cases reads the public cases for tests: small positional games of all
// kinds, with exact answers that other programs found.
package cases

import (
	"encoding/json"
	"os"
	"testing"

	"oxo/board"
)

// Case is a game and its answers.
type Case struct {
	ID         string
	Squares    int
	Winning    [][]int // squares count from 1
	Below      []int   // where there is gravity, the square under each one, 0 for none
	Option     string  // the name of its rules
	Value      string
	Remoteness int

	Positions         uint64
	TerminalPositions *uint64           `json:"terminal_positions"` // not in the largest cases
	PositionsPerPly   []uint64          `json:"positions_per_ply"`
	ByValue           map[string]uint64 `json:"positions_by_value"`

	Symmetries int64
	Classes    uint64
	FirstMoves [][3]any `json:"first_moves"`
}

// Read returns the 309 cases of the file at path.
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

// Game returns the board of the case and its rules.
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

// fromZero returns the squares counted from 0.
func fromZero(squares []int) (list []int) {
	for _, square := range squares {
		list = append(list, square-1)
	}
	return list
}
