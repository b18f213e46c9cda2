//go:build soak

package search_test

import (
	_ "embed"
	"strings"
	"testing"

	"oxo/eval"
	"oxo/games/ultimate"
	"oxo/search"
)

// ultimateWins are positions of Ultimate in which the side to move wins: of games
// between the net and plain UCT, the earliest of each that alpha-beta valued
// with 400,000 nodes.
//
//go:embed testdata/ultimate-wins.txt
var ultimateWins string

// TestUltimateWins counts how many of the wins mcts with the net proves within
// 43,000 simulations:
//
//	go test -tags soak -run TestUltimateWins -v ./search
func TestUltimateWins(t *testing.T) {
	g := ultimate.New(0)
	e := eval.For(g)[0]
	positions, proven, sims := 0, 0, uint64(0)
	for position := range strings.Lines(ultimateWins) {
		p, err := g.Parse(strings.TrimSpace(position))
		if err != nil {
			t.Fatal(err)
		}
		o := search.Options[ultimate.Pos]{Eval: e.Judge, EvalAll: e.JudgeAll}
		o.Temperature, o.Sims = e.Temperature, 43_000
		r := find(t, g, p, search.MCTS, o)
		positions++
		sims += r.Nodes
		if r.Exact() {
			proven++
			if r.Score != 1 {
				t.Errorf("%s: score %v; the side to move wins", position, r.Score)
			}
		}
	}
	t.Logf("%d of %d wins proven, %d simulations for each on average", proven, positions, sims/uint64(positions))
	if proven < positions*95/100 {
		t.Errorf("only %d of %d wins are proven", proven, positions)
	}
}
