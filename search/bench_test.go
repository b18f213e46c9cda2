package search_test

import (
	"testing"

	"oxo"
	"oxo/board"
	"oxo/eval"
	"oxo/games/grid"
	"oxo/games/ultimate"
	"oxo/search"
	"oxo/search/mcts"
)

// benchSearch measures whole searches from the start of g.
func benchSearch[P oxo.Position[P]](b *testing.B, g *oxo.Game[P], a search.Algorithm, o search.Options[P]) {
	b.Helper()
	b.ReportAllocs()
	var nodes uint64
	for b.Loop() {
		nodes += find(b, g, g.Start, a, o).Nodes
	}
	b.ReportMetric(float64(nodes)/float64(b.N), "nodes/op")
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(nodes), "ns/node")
}

func BenchmarkMinimax333(b *testing.B) {
	benchSearch(b, mnk(b, 3, 3, 3), search.Minimax, boardOptions{})
}

func BenchmarkAlphaBeta333(b *testing.B) {
	benchSearch(b, mnk(b, 3, 3, 3), search.AlphaBeta, boardOptions{})
}

func BenchmarkAlphaBeta333Killers(b *testing.B) {
	benchSearch(b, mnk(b, 3, 3, 3), search.AlphaBeta, boardOptions{Order: search.Killers})
}

func BenchmarkAlphaBeta333ThreeFirstMoves(b *testing.B) {
	benchSearch(b, mnk(b, 3, 3, 3), search.AlphaBeta, boardOptions{Symmetry: search.FirstMove})
}

func BenchmarkAlphaBeta443(b *testing.B) {
	benchSearch(b, mnk(b, 4, 4, 3), search.AlphaBeta, boardOptions{})
}

func BenchmarkAlphaBeta443Killers(b *testing.B) {
	benchSearch(b, mnk(b, 4, 4, 3), search.AlphaBeta, boardOptions{Order: search.Killers})
}

func BenchmarkAlphaBetaCube33(b *testing.B) {
	g := cubeGame(b, 3, 3)
	o := boardOptions{Memory: search.Everything, Symmetry: search.AllMoves, TableBytes: 64 << 20}
	b.Run("killers", func(b *testing.B) {
		o.Order = search.Killers
		benchSearch(b, g, search.AlphaBeta, o)
	})
	b.Run("deepening", func(b *testing.B) {
		o.Order, o.Deepen = search.Best, true
		benchSearch(b, g, search.AlphaBeta, o)
	})
}

func BenchmarkPNSCube33(b *testing.B) {
	benchSearch(b, cubeGame(b, 3, 3), search.PNS, boardOptions{})
}

// BenchmarkMCTSProof333 is the proof that the empty board is a draw.
func BenchmarkMCTSProof333(b *testing.B) {
	benchSims(b, mnk(b, 3, 3, 3), mcts.Sampling{Sims: 1_000_000})
}

func BenchmarkMCTS333(b *testing.B) {
	benchSims(b, mnk(b, 3, 3, 3), mcts.Sampling{Sims: 500_000, NoProof: true})
}

func BenchmarkMCTS333TwoWorkers(b *testing.B) {
	benchSims(b, mnk(b, 3, 3, 3), mcts.Sampling{Sims: 1_000_000, NoProof: true, Workers: 2})
}

func BenchmarkMCTSUltimate(b *testing.B) {
	benchSims(b, ultimate.New(0), mcts.Sampling{Sims: 200_000})
}

func BenchmarkMCTSUltimateTwoWorkers(b *testing.B) {
	benchSims(b, ultimate.New(0), mcts.Sampling{Sims: 400_000, Workers: 2})
}

func BenchmarkMCTS15x15(b *testing.B) {
	wide, err := grid.New(grid.Shape{Cols: 15, Rows: 15, Run: 5})
	if err != nil {
		b.Fatal(err)
	}
	benchSims(b, board.Game256("mnk:15,15,5", "", wide, board.Normal), mcts.Sampling{Sims: 200_000})
}

// benchSims measures simulations from the start of g.
func benchSims[P oxo.Position[P]](b *testing.B, g *oxo.Game[P], s mcts.Sampling) {
	b.Helper()
	b.ReportAllocs()
	var sims uint64
	for b.Loop() {
		sims += find(b, g, g.Start, search.MCTS, search.Options[P]{Sampling: s}).Nodes
	}
	b.ReportMetric(float64(sims)/b.Elapsed().Seconds(), "sims/s")
}

func BenchmarkMCTSUltimateNet(b *testing.B) {
	g := ultimate.New(0)
	e := eval.EvaluationsFor(g)[0]
	b.ReportAllocs()
	var sims uint64
	for b.Loop() {
		o := search.Options[ultimate.Pos]{Eval: e.Judge, EvalAll: e.JudgeAll, BiasKeys: e.BiasKeys}
		o.Temperature, o.Sims = e.Temperature, 50_000
		sims += find(b, g, g.Start, search.MCTS, o).Nodes
	}
	b.ReportMetric(float64(sims)/b.Elapsed().Seconds(), "sims/s")
}

func BenchmarkDFPN444(b *testing.B) {
	benchSearch(b, mnk(b, 4, 4, 4), search.DFPN, boardOptions{MaxNodes: 200_000})
}
