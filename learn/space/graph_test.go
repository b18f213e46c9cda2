package space

import (
	"context"
	"testing"

	"oxo"
	"oxo/solve"
)

// TestGraph: the counts of facts' §1.
func TestGraph(t *testing.T) {
	a := ttt(t)
	classes, over := map[Node]bool{}, 0
	for n := range a.Len() {
		classes[a.Class(Node(n))] = true
		if a.Over(Node(n)) {
			over++
		}
	}
	if a.Len() != 5478 || len(classes) != 765 || over != 958 {
		t.Errorf("%d positions, %d classes, %d terminal; want 5478, 765, 958", a.Len(), len(classes), over)
	}
	s, err := solve.Solve(context.Background(), a.Game, a.Game.Start, solve.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	for n := range a.Len() {
		v, _ := s.At(a.Position(Node(n)))
		if want := float64(v.Outcome.Value(oxo.First)); a.Value(Node(n)) != want {
			t.Fatalf("%s: value %v, want %v", a.Format(Node(n)), a.Value(Node(n)), want)
		}
	}
}
