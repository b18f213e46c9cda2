package space

import (
	"math"
	"sync"
	"testing"

	"oxo/games/meta"
)

// TestStaticTerms: the features that it looked forward to, times its weights, are what
// its search and their sum, asked by many at once, say; and the constants and the depth
// that are set are what it goes by.
func TestStaticTerms(t *testing.T) {
	g := meta.New()
	weights := []float64{3, 1, 0.5, 0.5, 0.5, 0.5}
	s, err := NewStatic(g, "weger", weights, 1)
	if err != nil {
		t.Fatal(err)
	}
	says, err := NewSum(g, "weger", weights)
	if err != nil {
		t.Fatal(err)
	}
	p := g.Start
	for ply := range 30 {
		s.search.SetDepth(1 + ply%3)
		c, err := s.Choose(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		_, value := s.search.searchRoot(p, weights)
		sum := 0.0
		for i, term := range s.Terms() {
			if term.Weight != weights[i] {
				t.Errorf("ply %d: %+v", ply, term)
			}
			sum += term.Weight * term.Then
		}
		var all sync.WaitGroup
		for range 4 {
			all.Go(func() {
				own := says(s.search.leaf[s.search.depth], p.Turn())
				if math.Abs(sum-value)+math.Abs(own-value) > 1e-9 {
					t.Errorf("ply %d: the reasons sum to %g, %g on its own; the search says %g", ply, sum, own, value)
				}
			})
		}
		all.Wait()
		if p = p.Play(c.Move); len(p.Moves(nil)) == 0 {
			return
		}
	}
}
