package model_test

import (
	"math"
	"testing"

	"oxo/learn"
	"oxo/learn/space"
)

// TestNear: what a move is worth to a learner of stored examples is the mean of those
// that it says are near, weighted by 1/distance; a stored one is near by itself.
func TestNear(t *testing.T) {
	a := ttt(t)
	l := trainer(t, a.Space, "nearest", learn.Plan{}, space.UniformOverBest(a.Space), 1)
	run(t, l, 6)
	stored, guessed := 0, 0
	for n := range 200 {
		for _, m := range l.Look(t.Context(), space.Node(n)).Moves {
			if len(m.Near) == 0 || len(m.Near) == 12 { // none, or as many as are told at most
				continue
			}
			sum, weight := 0.0, 0.0
			for _, x := range m.Near {
				if x.Apart == 0 {
					sum, weight = x.Worth, 1
					stored++
					break
				}
				sum += x.Worth / float64(x.Apart)
				weight += 1 / float64(x.Apart)
				guessed++
			}
			if math.Abs(*m.Worth-sum/weight) > 1e-9 {
				t.Fatalf("node %d, move %s: worth %v, its neighbours say %v", n, m.Move, *m.Worth, sum/weight)
			}
		}
	}
	if stored == 0 || guessed == 0 {
		t.Errorf("%d stored, %d guessed", stored, guessed)
	}
}
