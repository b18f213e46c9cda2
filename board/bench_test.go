package board_test

import (
	"math/rand/v2"
	"testing"

	"oxo"
	"oxo/board"
	"oxo/games/cube"
	"oxo/games/grid"
	"oxo/gametest"
)

// BenchmarkWalk walks the whole 3×3 game tree, 549,946 nodes, with the kernel
// and by the public contract.
func BenchmarkWalk(b *testing.B) {
	start := board.Game64("ttt", "ttt", mnk(b, 3, 3, 3), board.Normal).Start
	perNode := func(b *testing.B, nodes uint64) {
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(nodes)/float64(b.N), "ns/node")
	}
	b.Run("kernel", func(b *testing.B) {
		nodes := uint64(0)
		for b.Loop() {
			nodes = start.Nodes()
		}
		perNode(b, nodes)
	})
	b.Run("generic", func(b *testing.B) {
		b.ReportAllocs()
		w := walker[board.Pos64]{moves: make([]oxo.Move, 0, 64)}
		for b.Loop() {
			w.nodes = 0
			w.walk(start)
		}
		perNode(b, w.nodes)
	})
}

type walker[P oxo.Position[P]] struct {
	moves []oxo.Move
	nodes uint64
}

func (w *walker[P]) walk(p P) {
	w.nodes++
	if p.Outcome() != oxo.Ongoing {
		return
	}
	base := len(w.moves)
	w.moves = p.Moves(w.moves)
	for i := base; i < len(w.moves); i++ {
		w.walk(p.Play(w.moves[i]))
	}
	w.moves = w.moves[:base]
}

func BenchmarkPlayout(b *testing.B) {
	perSecond := func(b *testing.B) { b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "playouts/s") }
	b.Run("3x3", func(b *testing.B) {
		g := board.Game64("g", "g", mnk(b, 3, 3, 3), board.Normal)
		r := rand.NewPCG(1, 2)
		b.ReportAllocs()
		for b.Loop() {
			g.Playout(g.Start, r)
		}
		perSecond(b)
	})
	for _, c := range []struct {
		name  string
		board *board.Board
	}{
		{"4-in-a-row", must(b)(grid.New(grid.Shape{Cols: 7, Rows: 6, Run: 4, Gravity: true}))},
		{"qubic", must(b)(cube.New(4, 3, false))},
	} {
		b.Run(c.name, func(b *testing.B) {
			g := board.Game64("g", "g", c.board, board.Normal)
			r := rand.NewPCG(1, 2)
			b.ReportAllocs()
			for b.Loop() {
				g.Playout(g.Start, r)
			}
			perSecond(b)
		})
	}
	b.Run("15x15", func(b *testing.B) {
		g := board.Game256("g", "g", mnk(b, 15, 15, 5), board.Normal)
		r := rand.NewPCG(1, 2)
		b.ReportAllocs()
		for b.Loop() {
			g.Playout(g.Start, r)
		}
		perSecond(b)
	})
	b.Run("15x15/generic", func(b *testing.B) {
		g := board.Game256("g", "g", mnk(b, 15, 15, 5), board.Normal)
		r := rand.NewPCG(1, 2)
		for b.Loop() {
			gametest.Playout(g, g.Start, r)
		}
		perSecond(b)
	})
}
