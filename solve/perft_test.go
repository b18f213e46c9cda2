package solve_test

import (
	"context"
	"errors"
	"math"
	"testing"
	"time"

	"oxo"
	"oxo/board"
	"oxo/games/cube"
	"oxo/games/grid"
	"oxo/games/race"
	"oxo/games/ultimate"
	"oxo/solve"
)

func square(t *testing.T, n, run int) *board.Board {
	b, err := grid.New(grid.Shape{Cols: n, Rows: n, Run: run})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestPerftStops counts what would take years, by the kernels and without.
func TestPerftStops(t *testing.T) {
	points, err := cube.New(4, 3, false)
	if err != nil {
		t.Fatal(err)
	}
	qubic := board.Game64("qubic", "qubic", points, board.Normal)
	t.Run("qubic", func(t *testing.T) { perftStops(t, qubic, 30) })
	t.Run("9×9", func(t *testing.T) { perftStops(t, board.Game256("9×9", "9×9", square(t, 9, 5), board.Normal), 30) })
	t.Run("ultimate", func(t *testing.T) { perftStops(t, ultimate.New(0), 30) })
	if n, err := solve.Perft(context.Background(), qubic, qubic.Start, 100); n != 0 || err != nil {
		t.Errorf("qubic to depth 100: %d, %v; it has 64 squares", n, err)
	}
}

func perftStops[P oxo.Position[P]](t *testing.T, g *oxo.Game[P], depth int) {
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	done := make(chan error, 1)
	go func() {
		_, err := solve.Perft(ctx, g, g.Start, depth)
		done <- err
	}()
	select {
	case err := <-done:
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("perft that ran out of time: %v", err)
		}
	case <-time.After(5 * time.Second):
		t.Error("perft goes on 5 s after its time")
	}
}

// TestPerftWhole compares counts that the context is looked at in between with
// counts that it is not.
func TestPerftWhole(t *testing.T) {
	four := board.Game64("4×4", "4×4", square(t, 4, 4), board.Wild)
	nine := ultimate.New(0)
	for _, c := range []struct {
		name string
		got  func(context.Context, int) (uint64, error)
		want func(int) uint64
		to   int
	}{
		{"4×4 wild", func(ctx context.Context, d int) (uint64, error) { return solve.Perft(ctx, four, four.Start, d) },
			func(d int) uint64 { return four.Perft(four.Start, d) }, 5},
		{"ultimate", func(ctx context.Context, d int) (uint64, error) { return solve.Perft(ctx, nine, nine.Start, d) },
			func(d int) uint64 { return nine.Perft(nine.Start, d) }, 7},
	} {
		for depth := range c.to + 1 {
			if n, err := c.got(context.Background(), depth); n != c.want(depth) || err != nil {
				t.Errorf("%s to depth %d: %d, %v; want %d", c.name, depth, n, err, c.want(depth))
			}
		}
	}
	// Play that can go in circles has games of any length.
	loops, err := race.New(4)
	if err != nil {
		t.Fatal(err)
	}
	if n, err := solve.Perft(context.Background(), loops, loops.Start, 20); n != 19 || err != nil {
		t.Errorf("race to depth 20: %d, %v; want 19", n, err)
	}
}

// TestEstimateTreeSize: the truth lies within a few standard errors of the estimate, and sampling four times as much
// halves them. Where all games have the same numbers of moves nothing is left to chance.
func TestEstimateTreeSize(t *testing.T) {
	three := board.Game64("3×3", "3×3", square(t, 3, 3), board.Normal)
	nodes, games, err := solve.EstimateTreeSize(three, 2000, 1)
	if err != nil {
		t.Fatal(err)
	}
	more, _, _ := solve.EstimateTreeSize(three, 8000, 1)
	for _, c := range []struct {
		guess solve.Guess
		truth float64
	}{{nodes, 549_946}, {games, 255_168}, {more, 549_946}} {
		mean, _ := c.guess.Mean.Float64()
		off, _ := c.guess.Error.Float64()
		if off <= 0 || off > c.truth/50 || math.Abs(mean-c.truth) > 4*off {
			t.Errorf("%g ± %g, the truth is %g", mean, off, c.truth)
		}
	}
	one, _ := nodes.Error.Float64()
	if half, _ := more.Error.Float64(); half/one < .45 || half/one > .55 {
		t.Errorf("errors of %g, and %g of four times as many probes", one, half)
	}
	two, _, _ := solve.EstimateTreeSize(board.Game64("2×2", "2×2", square(t, 2, 2), board.Normal), 10, 1)
	if mean, _ := two.Mean.Float64(); mean != 41 || two.Error.Sign() != 0 {
		t.Errorf("2×2: %g ± %g nodes, not 41 ± 0", two.Mean, two.Error)
	}
	if _, _, err := solve.EstimateTreeSize(three, 1, 1); err == nil {
		t.Error("a standard error of one probe")
	}
}
