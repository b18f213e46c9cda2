package model_test

import (
	"testing"

	"oxo/board"
	"oxo/learn"
	"oxo/learn/exam"
	"oxo/learn/model"
	"oxo/learn/space"
)

var ttt, slippery, spec = model.TTT, model.Slippery, model.SpecOf

// node is the number of a position.
func node(t testing.TB, a *space.Graph[board.Pos64], p board.Pos64) space.Node {
	t.Helper()
	n, err := a.Node(p)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// trainer returns a trainer against an opponent given by its mix, or against
// itself where there is none.
func trainer(t testing.TB, s *space.Space, text string, plan learn.Plan, m space.Mix, seed uint64) *learn.Trainer {
	t.Helper()
	var opponent learn.Opponent
	plan.Against = learn.Itself
	if m != nil {
		plan.Against, opponent = "test", learn.NewMixOpponent(s, m)
	}
	l, err := learn.New(s, spec(t, text), plan, opponent, seed)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func run(t testing.TB, l *learn.Trainer, games int) {
	t.Helper()
	if err := l.Run(t.Context(), games, nil); err != nil {
		t.Fatal(err)
	}
}

// examiner grades by the usual opponents.
func examiner(t testing.TB, a *space.Graph[board.Pos64]) *exam.Examiner {
	t.Helper()
	x, err := exam.NewExaminer(t.Context(), a, nil)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// graded is how good a learner is.
func graded(t testing.TB, x *exam.Examiner, l *learn.Trainer) *exam.Exam {
	t.Helper()
	e, err := learn.Grade(t.Context(), x, l)
	if err != nil {
		t.Fatal(err)
	}
	return e
}
