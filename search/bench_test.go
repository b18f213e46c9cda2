package search_test

import (
	"testing"

	"oxo"
	"oxo/board"
	"oxo/search"
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
	benchSearch(b, mnk(b, 3, 3, 3), search.Minimax, search.Options[board.Pos64]{})
}

func BenchmarkAlphaBeta333(b *testing.B) {
	benchSearch(b, mnk(b, 3, 3, 3), search.AlphaBeta, search.Options[board.Pos64]{Stop: true})
}

func BenchmarkAlphaBeta443(b *testing.B) {
	benchSearch(b, mnk(b, 4, 4, 3), search.AlphaBeta, search.Options[board.Pos64]{Stop: true})
}

func BenchmarkAlphaBetaCube33(b *testing.B) {
	benchSearch(b, cubeGame(b, 3, 3), search.AlphaBeta, search.Options[board.Pos64]{
		Stop: true, Memory: search.Everything, Symmetry: search.AllMoves, Order: search.Best, TableBytes: 8 << 20,
	})
}
