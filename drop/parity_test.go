package drop_test

import (
	"math/rand/v2"
	"testing"

	"oxo"
	"oxo/board"
	"oxo/drop"
	"oxo/games/grid"
)

// TestParityBounds compares what parity shows of positions with what a search that knows nothing of it finds.
func TestParityBounds(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	for _, shape := range []grid.Shape{{Cols: 4, Rows: 4, Run: 3}, {Cols: 3, Rows: 5, Run: 3}, {Cols: 5, Rows: 4, Run: 4}, {Cols: 4, Rows: 5, Run: 4},
		{Cols: 5, Rows: 5, Run: 4}} {
		shape.Gravity = true
		b := must(t)(grid.New(shape))
		s, err := drop.New(b, board.Normal, drop.SolverOptions{})
		if err != nil {
			t.Fatal(err)
		}
		start := board.Game64("g", "g", b, board.Normal).Start
		bounds := 0
		for range 3000 {
			if p, ok := later(start, 4+r.IntN(12), r); ok && p.Outcome() == oxo.Ongoing {
				n, err := s.ParityErrors(p)
				if bounds += n; err != nil {
					t.Fatalf("%+v: %v\n%s", shape, err, p.Board().Format(p.Marks()))
				}
			}
		}
		if bounds < 1000 {
			t.Errorf("%+v: %d bounds", shape, bounds)
		}
	}
}
