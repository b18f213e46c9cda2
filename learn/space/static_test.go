package space

import (
	"testing"

	"oxo/games/meta"
)

// TestStaticTerms: the features that it looked forward to, times its weights, are what
// its search says; and the constants and the depth that are set are what it goes by.
func TestStaticTerms(t *testing.T) {
	g := meta.New()
	weights := []float64{3, 1, 0.5, 0.5, 0.5, 0.5}
	s, err := NewStatic(g, "weger", weights, 1)
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
		if d := sum - value; d > 1e-9 || d < -1e-9 {
			t.Errorf("ply %d: the reasons sum to %g, the search says %g", ply, sum, value)
		}
		if p = p.Play(c.Move); len(p.Moves(nil)) == 0 {
			return
		}
	}
}
