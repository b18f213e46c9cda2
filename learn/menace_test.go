package learn

import (
	"context"
	"testing"

	"oxo/learn/model"
	"oxo/learn/space"
)

func spec(t testing.TB, text string) model.Spec {
	t.Helper()
	s, err := model.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// trainer returns a trainer against an opponent given by its mix, or against
// itself where there is none.
func trainer(t testing.TB, s *space.Space, text string, plan Plan, m space.Mix, seed uint64) *Trainer {
	t.Helper()
	var opponent Opponent
	plan.Against = Itself
	if m != nil {
		plan.Against, opponent = "test", NewMixOpponent(s, m)
	}
	l, err := New(s, spec(t, text), plan, opponent, seed)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func run(t testing.TB, l *Trainer, games int) {
	t.Helper()
	if err := l.Run(context.Background(), games, nil); err != nil {
		t.Fatal(err)
	}
}
