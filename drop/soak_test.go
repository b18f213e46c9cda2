//go:build soak

package drop_test

import (
	"testing"

	"oxo"
	"oxo/board"
	"oxo/drop"
	"oxo/games/grid"
	"oxo/solve"
)

// TestMinimaxWhole compares solvers of all boards of up to 20 squares with plain
// minimax with memory.
func TestMinimaxWhole(t *testing.T) {
	if n := compare(t, falling(t, 20), 12, 11); n < 100_000 {
		t.Errorf("only %d positions compared", n)
	} else {
		t.Logf("%d positions compared", n)
	}
}

// TestConnectFour solves the empty 7×6 board: the first player wins with the
// forty-first mark (Allen 1988, Allis 1988).
func TestConnectFour(t *testing.T) {
	b := must(t)(grid.New(grid.Shape{Cols: 7, Rows: 6, Run: 4, Gravity: true}))
	s, err := drop.New(b, board.Normal, drop.SolverOptions{})
	if err != nil {
		t.Fatal(err)
	}
	got, err := s.Solve(ctx, board.Game64("g", "g", b, board.Normal).Start)
	if want := solve.VerdictOf(oxo.FirstWins, 41); err != nil || got != want {
		t.Errorf("%v, %v, want %v", got, err, want)
	}
	t.Logf("%d nodes", s.Nodes())
}
