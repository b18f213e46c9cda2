package search_test

import (
	"runtime"
	"testing"

	"oxo"
	"oxo/board"
	"oxo/eval"
	"oxo/games/ultimate"
	"oxo/search"
	"oxo/search/mcts"
)

// TestTreeMemorySequential: all that searches with full trees allocate, what is kept of a tree
// for the next move and proofs beside it included, is what they were given, within a tenth; and
// trees use most of that.
func TestTreeMemorySequential(t *testing.T) {
	nine := ultimate.New(0)
	net := eval.EvaluationsFor(nine)[0]
	net.Judge(nine.Start) // which reads it
	judged := search.Options[ultimate.Pos]{Eval: net.Judge, EvalAll: net.JudgeAll,
		Sampling: mcts.Sampling{Sims: 30_000, TreeBytes: 8 << 20}}
	allocates(t, "judged", nine, judged, false)
	allocates(t, "kept", nine, judged, true)
	judged.BiasKeys, judged.Prove = net.BiasKeys, 0.1
	allocates(t, "kept, corrected and proven", nine, judged, true)
	played := boardOptions{Sampling: mcts.Sampling{Sims: 60_000, TreeBytes: 2 << 20}}
	for name, g := range map[string]*oxo.Game[board.Pos64]{
		"4×4": mnk(t, 4, 4, 4), "8×8": mnk(t, 8, 8, 5), "cube": cubeGame(t, 3, 3)} {
		allocates(t, name, g, played, false)
		raved := played
		raved.RAVE, raved.Workers = 100, 2
		allocates(t, name+" with RAVE", g, raved, false)
	}
}

// allocates searches from the start, and where trees are kept after each of two moves.
func allocates[P oxo.Position[P]](t *testing.T, name string, g *oxo.Game[P], o search.Options[P], keep bool) {
	t.Helper()
	p, searches := g.Start, 1
	if keep {
		o.Trees, searches = &mcts.Trees[P]{}, 3
	}
	var before, after runtime.MemStats
	runtime.GC() // twice: what other searches have left for the next ones is gone
	runtime.GC()
	runtime.ReadMemStats(&before)
	for range searches {
		p = p.Play(find(t, g, p, search.MCTS, o).Move)
	}
	runtime.ReadMemStats(&after)
	share := float64(after.TotalAlloc-before.TotalAlloc) / float64(o.TreeBytes)
	if t.Logf("%s: %.2f", name, share); share < 0.6 || share > 1.1 {
		t.Errorf("%s: %.2f times the memory that was given was allocated", name, share)
	}
}
