package limit_test

import (
	"testing"

	"oxo"
	"oxo/board"
	"oxo/games/grid"
	"oxo/learn/limit"
	"oxo/learn/space"
)

// worst is the slow twin of the exam: the least worth to seat that a player of weights comes to from n,
// drawing among its best moves and against every reply.
func worst(h limit.Hypothesis, w []float64, seat oxo.Seat, n space.Node) float64 {
	s := h.Space
	if s.Over(n) {
		return s.WorthTo(n, seat)
	}
	sums, best := map[space.Node]float64{}, -1e300
	for _, c := range s.Children(n) {
		switch {
		case s.Turn(n) != seat:
		case s.Over(c):
			sums[c] = 1e200 * s.WorthTo(c, seat)
		default:
			x := make([]float64, h.Size)
			h.Of(c, seat, x)
			for i := range x {
				sums[c] += w[i] * x[i]
			}
		}
		best = max(best, sums[c])
	}
	least := 2.0
	for _, c := range s.Children(n) {
		if s.Turn(n) != seat || sums[c] == best {
			least = min(least, worst(h, w, seat, c))
		}
	}
	return least
}

// TestGames: in other games every answer holds, and one that there is on both seats there is on each.
func TestGames(t *testing.T) {
	for name, c := range map[string]struct {
		shape grid.Shape
		rules board.Rules
		sets  []string
	}{
		"misère": {grid.Shape{Cols: 3, Rows: 3, Run: 3}, board.Misere, []string{"counts", "twelve", "squares^2"}},
		"maker":  {grid.Shape{Cols: 3, Rows: 3, Run: 3}, board.Maker, []string{"counts", "squares"}},
		"falls":  {grid.Shape{Cols: 3, Rows: 3, Run: 3, Gravity: true}, board.Normal, []string{"counts", "twelve"}},
	} {
		b, err := grid.New(c.shape)
		if err != nil {
			t.Fatal(err)
		}
		a, err := space.Enumerate(t.Context(), board.Game64(name, "", b, c.rules), 10_000)
		if err != nil {
			t.Fatal(err)
		}
		for _, set := range c.sets {
			f, err := a.Space.Features(set)
			if err != nil {
				t.Fatal(err)
			}
			h := limit.Hypothesis{Space: a.Space, Size: len(f.Names),
				Of: func(n space.Node, seat oxo.Seat, x []float64) { copy(x, f.Of(n, seat)) }}
			can := map[string]bool{}
			for seats, list := range limit.Seats {
				answer, err := h.FindUnbeatableWeights(t.Context(), list)
				if err != nil || (answer.Weights == nil) == (answer.Cases == nil) {
					t.Fatalf("%s, %s, %s: %+v, %v", name, set, seats, answer, err)
				}
				if can[seats] = answer.Weights != nil; !can[seats] {
					if err := h.Check(answer.Cases, list); err != nil {
						t.Errorf("%s, %s, %s: %v", name, set, seats, err)
					}
					continue
				}
				for _, seat := range list {
					got, want := worst(h, answer.Weights, seat, a.Start), space.Sign(seat)*a.Value(a.Start)
					if got < want {
						t.Errorf("%s, %s, %s: as %v its weights come to %v, not %v", name, set, seats, seat, got, want)
					}
				}
			}
			if can["both"] && !(can["first"] && can["second"]) {
				t.Errorf("%s, %s: %v", name, set, can)
			}
		}
	}
}
