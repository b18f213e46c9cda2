package model

import (
	"math/rand/v2"
	"testing"

	"oxo/board"
	"oxo/games/grid"
	"oxo/learn/space"
)

// What tests with the trainer, which are outside the package, share with the others.
var TTT, Slippery, SpecOf = ttt, slippery, spec

// built returns the learner of a spec, which has played no game.
func built(t testing.TB, s *space.Space, text string) *Learner {
	t.Helper()
	l, err := spec(t, text).AdaptedTo(s).Build(s, rand.New(rand.NewPCG(1, 3)))
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// find is the number of a position that is written as text.
func find(t testing.TB, a *space.Graph[board.Pos64], text string) space.Node {
	t.Helper()
	n, err := a.Find(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func spec(t testing.TB, text string) Spec {
	t.Helper()
	s, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// ttt returns the whole of tic-tac-toe.
func ttt(t testing.TB) *space.Graph[board.Pos64] {
	t.Helper()
	return enumerated(t, board.Normal)
}

// slippery returns the whole of tic-tac-toe in which a quarter of the marks slip.
func slippery(t testing.TB) *space.Graph[board.Pos64] {
	t.Helper()
	rules := board.Normal
	rules.Name, rules.Slip = "slip", 0.25
	return enumerated(t, rules)
}

func enumerated(t testing.TB, rules board.Rules) *space.Graph[board.Pos64] {
	t.Helper()
	b, err := grid.New(grid.Shape{Cols: 3, Rows: 3, Run: 3})
	if err != nil {
		t.Fatal(err)
	}
	a, err := space.Enumerate(t.Context(), board.Game64("test", "test", b, rules), 1_000_000)
	if err != nil {
		t.Fatal(err)
	}
	return a
}
