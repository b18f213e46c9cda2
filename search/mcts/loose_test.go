package mcts

import (
	"math"
	"testing"

	"oxo/board"
)

// TestLooseMeans counts results of simulations at a move for which the tree has
// no room: it is worth their mean, among which the evaluation's word is one, and
// what is tried for its novelty falls with their number.
func TestLooseMeans(t *testing.T) {
	judged := sampler[board.Pos64]{o: &Options[board.Pos64]{Eval: func(board.Pos64) float64 { return 0 }}}
	sampled := sampler[board.Pos64]{o: &Options[board.Pos64]{}}
	a, b := edge{worth: 0.5, bonus: 0.6}, edge{}
	sum := 0.0
	for i, result := range []float64{1, -1, 0.25, 0.25, -0.5} {
		sum += result
		n := float64(i + 1)
		a.visits, b.visits = uint32(n), uint32(n)
		judged.countResultWithoutNode(&a, result)
		sampled.countResultWithoutNode(&b, result)
		near(t, "judged worth", a.worth, (0.5+sum)/(n+1))
		near(t, "judged bonus", a.bonus, 0.6/(n+1))
		near(t, "sampled worth", b.worth, sum/n)
		near(t, "sampled bonus", b.bonus, 1/math.Sqrt(n))
	}
}

func near(t *testing.T, what string, got float32, want float64) {
	t.Helper()
	if math.Abs(float64(got)-want) > 1e-6 {
		t.Errorf("%s: %v, not %v", what, got, want)
	}
}
