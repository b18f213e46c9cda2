package ultimate_test

import (
	"math/rand/v2"
	"testing"

	"oxo/games/ultimate"
)

// BenchmarkPerft8 counts 281,067,408 leaves an iteration, the last ply in
// bulk.
func BenchmarkPerft8(b *testing.B) {
	g := ultimate.New(0)
	var leaves uint64
	for b.Loop() {
		leaves += g.Perft(g.Start, 8)
	}
	b.ReportMetric(float64(leaves)/b.Elapsed().Seconds(), "leaves/s")
}

func BenchmarkPlayout(b *testing.B) {
	g := ultimate.New(0)
	r := rand.NewPCG(1, 2)
	for b.Loop() {
		g.Playout(g.Start, r)
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "playouts/s")
}

// BenchmarkCanonical finds the representative of a position in mid-game.
func BenchmarkCanonical(b *testing.B) {
	g := ultimate.New(0)
	p, err := g.Parse("x......../oooooo.../........./xx.xx..x./........./........./........./........./......... x 6")
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		g.Canonical(p)
	}
}
