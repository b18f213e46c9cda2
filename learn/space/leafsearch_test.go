package space

import (
	"math"
	"math/rand/v2"
	"testing"

	"oxo"
	"oxo/games/meta"
)

// plainSearch is the slow twin of leafSearch: minimax, with the leaf.
func plainSearch(p meta.Pos, depth int, w []float64, seat oxo.Seat) (float64, meta.Pos) {
	moves := p.Moves(nil)
	if depth == 0 || len(moves) == 0 {
		u := 0.0
		for i, phi := range meta.Features(p, seat) {
			u += w[i] * float64(phi)
		}
		return u, p
	}
	sign := 1.0
	if p.Turn() != seat {
		sign = -1
	}
	best, leaf := math.Inf(-1), p
	for _, m := range moves {
		if v, l := plainSearch(p.Play(m), depth-1, w, seat); sign*v > best {
			best, leaf = sign*v, l
		}
	}
	return sign * best, leaf
}

func TestLeafSearchTwin(t *testing.T) {
	g := meta.New()
	r := rand.New(rand.NewPCG(1, 1))
	for game := range 6 {
		depth := 1 + game%3
		s := static(t, []float64{3.1, 1.05, .77, .61, .28, -.22}, depth)
		for p := g.Start; p.Outcome() == oxo.Ongoing; {
			_, got := s.search.searchRoot(p, s.weights)
			want, leaf := plainSearch(p, depth, s.weights, p.Turn())
			if math.Abs(got-want) > 1e-9 || s.search.leaf[depth] != leaf {
				t.Fatalf("%s depth %d: worth %v with leaf %s, want %v with %s", g.Format(p), depth, got,
					g.Format(s.search.leaf[depth]), want, g.Format(leaf))
			}
			moves := p.Moves(nil)
			p = p.Play(moves[r.IntN(len(moves))])
		}
	}
}

func BenchmarkLeafSearch(b *testing.B) {
	g := meta.New()
	s := static(b, []float64{3, 1, .5, .5, .5, .5}, 3)
	r := rand.New(rand.NewPCG(1, 1))
	for b.Loop() {
		for p := g.Start; p.Outcome() == oxo.Ongoing; {
			s.search.searchRoot(p, s.weights)
			p = p.Play(s.search.moves[r.IntN(len(s.search.moves))])
		}
	}
	b.ReportMetric(float64(s.search.nodes)/b.Elapsed().Seconds(), "nodes/s")
}
