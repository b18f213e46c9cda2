package meta_test

import (
	"math/rand/v2"
	"testing"

	"oxo"
	"oxo/games/meta"
)

func BenchmarkFeatures(b *testing.B) {
	g := meta.New()
	r := rand.New(rand.NewPCG(1, 1))
	var sample []meta.Pos
	for p := g.Start; p.Outcome() == oxo.Ongoing; {
		sample = append(sample, p)
		moves := p.Moves(nil)
		p = p.Play(moves[r.IntN(len(moves))])
	}
	i := 0
	for b.Loop() {
		meta.Features(sample[i%len(sample)], oxo.First)
		i++
	}
}

// alphaBeta is depth-limited alpha-beta with the features as evaluation, as
// the learner of the experiment does it: the sum of weights times features.
func alphaBeta(p meta.Pos, depth int, alpha, beta float32, weights *[6]float32, stack []oxo.Move, nodes *int) float32 {
	*nodes++
	if depth == 0 || p.Outcome() != oxo.Ongoing {
		u := float32(0)
		for i, v := range meta.Features(p, p.Turn()) {
			u += weights[i] * float32(v)
		}
		return u
	}
	base := len(stack)
	stack = p.Moves(stack)
	for _, m := range stack[base:] {
		alpha = max(alpha, -alphaBeta(p.Play(m), depth-1, -beta, -alpha, weights, stack, nodes))
		if alpha >= beta {
			break
		}
	}
	return alpha
}

// BenchmarkAlphaBeta searches each position of a random game three plies deep.
func BenchmarkAlphaBeta(b *testing.B) {
	g := meta.New()
	r := rand.New(rand.NewPCG(1, 1))
	weights := [6]float32{3, 1, .5, .5, .5, .5}
	stack := make([]oxo.Move, 0, 512)
	nodes := 0
	for b.Loop() {
		for p := g.Start; p.Outcome() == oxo.Ongoing; {
			alphaBeta(p, 3, -1e9, 1e9, &weights, stack, &nodes)
			moves := p.Moves(stack)
			p = p.Play(moves[r.IntN(len(moves))])
		}
	}
	b.ReportMetric(float64(nodes)/b.Elapsed().Seconds(), "nodes/s")
}

func BenchmarkPlayout(b *testing.B) {
	g := meta.New()
	r := rand.NewPCG(1, 2)
	for b.Loop() {
		g.Playout(g.Start, r)
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "playouts/s")
}
