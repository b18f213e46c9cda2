package lab

import (
	"context"
	"fmt"
)

// BenchResult is the outcome of the fixed workload. Nodes is a fingerprint: it
// changes only when the search does.
type BenchResult struct {
	Nodes   uint64      `json:"nodes" doc:"a fingerprint of the searches"`
	NPS     float64     `json:"nps" doc:"nodes a second"`
	Seconds float64     `json:"seconds"`
	Parts   []BenchPart `json:"parts" doc:"each search of the workload"`
}

// BenchPart is one search of the workload.
type BenchPart struct {
	Game      string  `json:"game"`
	Algorithm string  `json:"algorithm"`
	Nodes     uint64  `json:"nodes"`
	Seconds   float64 `json:"seconds"`
}

// workload is what RunBench searches: one of each kind of search, each long
// enough to time and short enough to wait for.
var workload = []struct {
	game string
	o    SearchOptions
}{
	{"ttt", SearchOptions{Algorithm: "minimax"}},
	{"ttt", SearchOptions{Algorithm: "alphabeta"}},
	{"mnk:4,3,3", SearchOptions{Algorithm: "negamax", Memo: "all"}},
	{"mnk:4,4,3", SearchOptions{Algorithm: "alphabeta", Order: "killers"}},
	{"mnk:4,4,4", SearchOptions{Algorithm: "pvs", Depth: 9, Memo: "all", Order: "best"}},
	{"cube:3,3", SearchOptions{Algorithm: "mtdf", Depth: 7, Memo: "all", Symmetry: "all"}},
	{"mnk:15,15,5", SearchOptions{Algorithm: "alphabeta:plain=yes", Depth: 3}},
	{"ultimate", SearchOptions{Algorithm: "alphabeta", Depth: 7}},
	{"ttt+slip=0.1", SearchOptions{Algorithm: "star1", Depth: 7}},
	{"tree:chance", SearchOptions{Algorithm: "star2"}},
	{"mnk:4,4,4", SearchOptions{Algorithm: "mcts", Sims: 100_000, Seed: 1}},
	{"ultimate", SearchOptions{Algorithm: "mcts", Sims: 50_000, Seed: 1}},
	{"mnk:4,3,3", SearchOptions{Algorithm: "pns"}},
}

// RunBench runs the fixed workload. It runs with the kinds that oxo has, one worker and fixed seeds; only
// times and NPS differ from run to run. The error is that of ctx, or of a search that the workload
// should not have.
func RunBench(ctx context.Context) (*BenchResult, error) {
	r := &BenchResult{}
	for _, w := range workload {
		g, err := (&Lab{}).Game(w.game)
		if err != nil {
			return nil, err
		}
		s, err := g.Searching().Search(ctx, w.o)
		if err != nil {
			return nil, fmt.Errorf("%s on %s: %w", w.o.Algorithm, w.game, err)
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		r.Parts = append(r.Parts, BenchPart{g.Info().Spec, w.o.Algorithm, s.Nodes, s.Seconds})
		r.Nodes += s.Nodes
		r.Seconds += s.Seconds
	}
	r.NPS = float64(r.Nodes) / r.Seconds
	return r, nil
}
