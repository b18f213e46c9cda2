package solve_test

import (
	"context"
	"encoding/json"
	"os"
	"testing"

	"oxo"
	"oxo/board"
	"oxo/solve"
)

// positionalCase is one game of the public cases with its exact answers,
// which were found by another program.
type positionalCase struct {
	ID                string
	Squares           int
	Winning           [][]int
	Below             []int
	Option            string
	Value             string
	Remoteness        int
	Positions         uint64
	TerminalPositions *uint64           `json:"terminal_positions"` // not in the largest cases
	PositionsPerPly   []uint64          `json:"positions_per_ply"`
	ByValue           map[string]uint64 `json:"positions_by_value"`
	Symmetries        int64
	Classes           uint64
	FirstMoves        [][3]any `json:"first_moves"`
}

func readCases(t *testing.T) []positionalCase {
	t.Helper()
	data, err := os.ReadFile("../board/testdata/positional.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Cases []positionalCase }
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	if len(file.Cases) != 309 {
		t.Fatalf("%d cases, want 309", len(file.Cases))
	}
	return file.Cases
}

func (c positionalCase) game(t *testing.T) *oxo.Game[board.Pos64] {
	t.Helper()
	sets := make([][]int, len(c.Winning))
	for i, set := range c.Winning {
		for _, square := range set {
			sets[i] = append(sets[i], square-1)
		}
	}
	b, err := board.New(c.Squares, sets)
	if err != nil {
		t.Fatal(err)
	}
	if c.Below != nil {
		below := make([]int, len(c.Below))
		for i, square := range c.Below {
			below[i] = square - 1
		}
		if err := b.SetBelow(below); err != nil {
			t.Fatal(err)
		}
	}
	for _, r := range board.AllRules {
		if r.Name == c.Option {
			return board.Game64(c.ID, c.ID, b, r)
		}
	}
	t.Fatalf("unknown option %q", c.Option)
	return nil
}

// publicLimit is the most positions of a case that every test run solves; the
// rest are solved in the soak.
const publicLimit = 1_000_000

func TestCases(t *testing.T) {
	solved := 0
	for _, c := range readCases(t) {
		if c.Positions > publicLimit {
			continue
		}
		solved++
		t.Run(c.ID, func(t *testing.T) { checkCase(t, c) })
	}
	if solved != 195 {
		t.Errorf("%d cases are small enough, want 195", solved)
	}
}

func checkCase(t *testing.T, c positionalCase) {
	g := c.game(t)
	ctx := context.Background()
	if g.Symmetries.Int64() != c.Symmetries {
		t.Errorf("%v symmetries, want %d", g.Symmetries, c.Symmetries)
	}
	census := solve.Count(ctx, g, 0)
	if census.Positions != c.Positions || census.Classes != c.Classes {
		t.Errorf("%d positions in %d classes, want %d in %d", census.Positions, census.Classes, c.Positions, c.Classes)
	}
	if n := census.Terminal.Total(); c.TerminalPositions != nil && n != *c.TerminalPositions {
		t.Errorf("%d terminal positions, want %d", n, *c.TerminalPositions)
	}
	for i, n := range c.PositionsPerPly {
		if i >= len(census.Plies) || census.Plies[i].Positions != n {
			t.Errorf("ply %d: want %d positions", i, n)
		}
	}
	s, err := solve.Solve(ctx, g, g.Start, solve.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if s.Positions() != c.Positions || s.Classes() != int(c.Classes) {
		t.Errorf("solved %d positions in %d classes", s.Positions(), s.Classes())
	}
	if v, _ := s.At(g.Start); v.Outcome.String() != c.Value || v.Remoteness != c.Remoteness {
		t.Errorf("worth %v in %d plies, want %s in %d", v.Outcome, v.Remoteness, c.Value, c.Remoteness)
	}
	for _, f := range c.FirstMoves {
		m := oxo.Move(f[0].(float64) - 1)
		v, ok := s.At(g.Start.Play(m))
		if !ok || v.Outcome.String() != f[1] || v.Remoteness+1 != int(f[2].(float64)) {
			t.Errorf("after %v: worth %v in %d plies more, want %v in %v in all", f[0], v.Outcome, v.Remoteness, f[1], f[2])
		}
	}
	byValue := map[string]uint64{"first": 0, "second": 0, "draw": 0}
	seen := map[board.Pos64]bool{}
	for tier := []board.Pos64{g.Class(g.Start)}; len(tier) > 0; {
		var next []board.Pos64
		for _, p := range tier {
			v, _ := s.At(p)
			size := uint64(1)
			if g.Canonical != nil {
				_, size = g.Canonical(p)
			}
			byValue[v.Outcome.String()] += size
			for _, m := range p.Moves(nil) {
				if q := g.Class(p.Play(m)); !seen[q] {
					seen[q] = true
					next = append(next, q)
				}
			}
		}
		tier = next
	}
	for value, n := range c.ByValue {
		if byValue[value] != n {
			t.Errorf("%d positions are worth %s, want %d", byValue[value], value, n)
		}
	}
}
