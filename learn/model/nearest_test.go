package model

import (
	"testing"

	"oxo"
	"oxo/learn/space"
)

// TestNearest: a stored position is worth its mean; one that is not stored,
// what the nearest up to symmetry are.
func TestNearest(t *testing.T) {
	a := ttt(t)
	b := built(t, a.Space, "nearest:count=1").Memory.(*valueLearner)
	h := b.valueModel.(*nearestModel)
	find := func(text string) space.Node {
		n, err := a.Find(text)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	corner, edge := find("x../.../... o"), find(".x./.../... o")
	b.Learn(Example{Node: corner, Seat: oxo.First, Target: 1})
	b.Learn(Example{Node: corner, Seat: oxo.First, Target: 0})
	b.Learn(Example{Node: edge, Seat: oxo.First, Target: -1})
	if v := b.Worth(a.Start, 0, find("..x/.../... o")); v != 0.5 {
		t.Errorf("another corner is worth %v, want 0.5", v)
	}
	// From the mirror image of a corner: two marks more are 2 squares away;
	// from the edge 4 or more.
	if v := h.weightedGuess(a.Class(find("..x/.o./x.. o")), oxo.First); v != 0.5 {
		t.Errorf("a position near a corner is worth %v, want 0.5", v)
	}
}
