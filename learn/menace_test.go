package learn

import (
	"context"
	"testing"

	"oxo"
	"oxo/board"
	"oxo/solve"
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
func trainer(t testing.TB, s *Space, text string, plan Plan, m Mix, seed uint64) *Trainer {
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

// perfectMix plays uniformly among the moves that keep the value.
func perfectMix(s *Space) Mix {
	m := make(Mix, len(s.child))
	for n := range s.Len() {
		count := 0.0
		for _, c := range s.children(Node(n)) {
			if s.keeps(Node(n), c) {
				count++
			}
		}
		for e, c := range s.children(Node(n)) {
			if s.keeps(Node(n), c) {
				m[int(s.span[n].from)+e] = 1 / count
			}
		}
	}
	return m
}

func solved(t testing.TB, g *oxo.Game[board.Pos64]) *solve.Solution[board.Pos64] {
	t.Helper()
	s, err := solve.Solve(context.Background(), g, g.Start, solve.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s
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
