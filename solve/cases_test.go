package solve_test

import (
	"context"
	"testing"

	"oxo"
	"oxo/board"
	"oxo/gametest/cases"
	"oxo/solve"
)

func readCases(t *testing.T) []cases.Case {
	t.Helper()
	return cases.Read(t, "../board/testdata/positional.json")
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

func checkCase(t *testing.T, c cases.Case) {
	b, rules := c.Game(t)
	g := board.Game64(c.ID, c.ID, b, rules)
	ctx := context.Background()
	if g.Symmetries.Int64() != c.Symmetries {
		t.Errorf("%v symmetries, want %d", g.Symmetries, c.Symmetries)
	}
	census := solve.TakeCensus(ctx, g, 0)
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
	s, err := solve.Solve(ctx, g, g.Start, solve.Settings{})
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
			t.Errorf("after %v: worth %v in %d plies more, want %v in %v in all", f[0], v.Outcome, v.Remoteness, f[1],
				f[2])
		}
	}
	byValue := map[string]uint64{"first": 0, "second": 0, "draw": 0}
	seen := map[board.Pos64]bool{}
	for tier := []board.Pos64{g.Representative(g.Start)}; len(tier) > 0; {
		var next []board.Pos64
		for _, p := range tier {
			v, _ := s.At(p)
			size := uint64(1)
			if g.Canonical != nil {
				_, size = g.Canonical(p)
			}
			byValue[v.Outcome.String()] += size
			for _, m := range p.Moves(nil) {
				if q := g.Representative(p.Play(m)); !seen[q] {
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
