//go:build soak

package search_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"oxo/eval"
	"oxo/games/ultimate"
	"oxo/search"
)

// TestUltimateOpenings asks how fair openings of random plies are: how far the side to
// move is ahead after them, by a short search. Who made one random move more has more
// marks and has given the move away, so that after an odd number of plies the
// sides are more even.
//
//	go test -tags soak -run TestUltimateOpenings -v ./search
func TestUltimateOpenings(t *testing.T) {
	const many = 1000
	g := ultimate.New(0)
	e := eval.EvaluationsFor(g)[0]
	r := rand.New(rand.NewPCG(1, 2))
	var means [13]float64
	for plies := 1; plies < len(means); plies++ {
		var sum, squares float64
		for range many {
			p := g.Start
			for range plies {
				legal := p.Moves(nil) // nobody has won three boards yet
				p = p.Play(legal[r.IntN(len(legal))])
			}
			o := search.Options[ultimate.Pos]{Eval: e.Judge, EvalAll: e.JudgeAll, BiasKeys: e.BiasKeys}
			o.Temperature, o.Sims = e.Temperature, 1000
			v := find(t, g, p, search.MCTS, o).Score
			sum += v
			squares += v * v
		}
		mean := sum / many
		means[plies] = mean
		t.Logf("%2d plies: the side to move is %+.3f ahead, with a deviation of %.3f", plies, mean,
			math.Sqrt(squares/many-mean*mean))
	}
	for plies := 3; plies < len(means); plies += 2 {
		if odd, even := math.Abs(means[plies]), math.Abs(means[plies-1]); odd >= even {
			t.Errorf("after %d plies the sides are %.3f apart, after %d %.3f: an odd number was fairer", plies, odd,
				plies-1, even)
		}
	}
}
