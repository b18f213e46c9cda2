//go:build soak

package search_test

import (
	"testing"

	"oxo/eval"
	"oxo/games/ultimate"
	"oxo/search"
)

// TestUltimateWins counts how many of the wins mcts with the net proves within
// 43,000 simulations, without proof search beside them and with it:
//
//	go test -tags soak -run TestUltimateWins -v ./search
func TestUltimateWins(t *testing.T) {
	g := ultimate.New(0)
	e := eval.For(g)[0]
	all := winningPositions(t, g, 1)
	for _, c := range []struct {
		prove float64
		want  int
	}{{0, 95}, {0.3, 100}} {
		proven, sims := 0, uint64(0)
		for _, p := range all {
			o := search.Options[ultimate.Pos]{Eval: e.Judge, EvalAll: e.JudgeAll, Kin: e.Kin}
			o.Temperature, o.Sims, o.Prove = e.Temperature, 43_000, c.prove
			r := find(t, g, p, search.MCTS, o)
			sims += r.Nodes
			if r.Exact() {
				proven++
				if r.Score != 1 {
					t.Errorf("%s: score %v; the side to move wins", g.Format(p), r.Score)
				}
			}
		}
		t.Logf("dfpn=%v: %d of %d wins proven, %d simulations for each on average", c.prove, proven, len(all), sims/uint64(len(all)))
		if proven < len(all)*c.want/100 {
			t.Errorf("dfpn=%v: only %d of %d wins are proven", c.prove, proven, len(all))
		}
	}
}
