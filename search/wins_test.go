//go:build soak

package search_test

import (
	"testing"

	"oxo/eval"
	"oxo/games/ultimate"
	"oxo/search"
)

// TestUltimateWins counts how many of the wins mcts with the net proves, without
// proof search beside its simulations and with it:
//
//	go test -tags soak -run 'TestUltimateWins$' -v ./search
func TestUltimateWins(t *testing.T) {
	g := ultimate.New(0)
	e := eval.EvaluationsFor(g)[0]
	all := winningPositions(t, g, 1)
	for _, c := range []struct {
		prove float64
		sims  int
		want  int // percent
	}{
		{0, 3000, 50}, {0.1, 3000, 70}, {0.3, 3000, 80}, {1, 3000, 85},
		{0, 43_000, 95}, {0.1, 43_000, 100}, {0.3, 43_000, 100}, {1, 43_000, 100},
	} {
		proven, sims := 0, uint64(0)
		for _, p := range all {
			o := search.Options[ultimate.Pos]{Eval: e.Judge, EvalAll: e.JudgeAll, BiasKeys: e.BiasKeys}
			o.Temperature, o.Sims, o.Prove = e.Temperature, c.sims, c.prove
			r := find(t, g, p, search.MCTS, o)
			sims += r.Nodes
			if r.Exact() {
				proven++
				if r.Score != 1 {
					t.Errorf("%s: score %v; the side to move wins", g.Format(p), r.Score)
				}
			}
		}
		t.Logf("dfpn=%v, sims=%d: %d of %d wins proven, %d simulations for each on average",
			c.prove, c.sims, proven, len(all), sims/uint64(len(all)))
		if proven < len(all)*c.want/100 {
			t.Errorf("dfpn=%v, sims=%d: only %d of %d wins are proven", c.prove, c.sims, proven, len(all))
		}
	}
}
