package learn

import (
	"context"
	"testing"

	"oxo"
	"oxo/learn/space"
)

func spec(t testing.TB, text string) Spec {
	t.Helper()
	s, err := Parse(text)
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
		plan.Against, opponent = "test", NewTable(s, m)
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

// TestMenaceBoxes: facts' §1 and §4.
func TestMenaceBoxes(t *testing.T) {
	a := ttt(t)
	m := trainer(t, a.Space, "menace", Plan{}, nil, 1).memory.(*menace)
	if boxes, beads := m.boxes(oxo.First); boxes != 304 || beads != 1720 {
		t.Errorf("%d boxes with %d beads for the opener, want 304 with 1720", boxes, beads)
	}
	if boxes, _ := m.boxes(oxo.Second); boxes != 289 {
		t.Errorf("%d boxes for the second player, want 289", boxes)
	}
	if b := m.boxOf[a.Start]; m.total[b] != 12 || m.from[b+1]-m.from[b] != 3 {
		t.Errorf("the first box has %d beads of %d colours, want 12 of 3", m.total[b], m.from[b+1]-m.from[b])
	}
}
