package drop_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"oxo"
	"oxo/board"
	"oxo/drop"
	"oxo/games/animal"
	"oxo/games/cube"
	"oxo/games/grid"
)

// TestParityBoundsSequential compares what parity shows of positions with what a search that knows nothing of it finds.
func TestParityBoundsSequential(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	boards := map[string]*board.Board{"cube": must(t)(cube.New(4, 3, true)),
		"el": must(t)(animal.New("el", 4, 4, true))}
	for _, shape := range [][3]int{{4, 4, 3}, {3, 5, 3}, {5, 4, 4}, {4, 5, 4}, {5, 5, 4}} {
		boards[fmt.Sprint(shape)] = must(t)(grid.New(grid.Shape{Cols: shape[0], Rows: shape[1], Run: shape[2],
			Gravity: true}))
	}
	boards["as data"] = asData(t, boards["[4 5 4]"])
	for name, b := range boards {
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
					t.Fatalf("%s: %v\n%s", name, err, p.Board().Format(p.Marks()))
				}
			}
		}
		if bounds < 1000 {
			t.Errorf("%s: %d bounds", name, bounds)
		}
	}
}

// asData returns a board that does not say it is a grid.
func asData(t testing.TB, b *board.Board) *board.Board {
	data := must(t)(board.FromLines(b.N, b.Lines))
	if err := data.SetBelow(b.Below); err != nil {
		t.Fatal(err)
	}
	return data
}
