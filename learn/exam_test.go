package learn

import (
	"context"
	"errors"
	"testing"

	"oxo"
	"oxo/board"
	"oxo/games/grid"
	"oxo/games/race"
	"oxo/learn/exam"
	"oxo/learn/space"
	"oxo/player"
)

// ttt returns the whole of tic-tac-toe.
func ttt(t testing.TB) *space.Graph[board.Pos64] {
	t.Helper()
	return whole64(t, grid.Shape{Cols: 3, Rows: 3, Run: 3}, board.Normal)
}

func whole64(t testing.TB, shape grid.Shape, rules board.Rules) *space.Graph[board.Pos64] {
	t.Helper()
	b, err := grid.New(shape)
	if err != nil {
		t.Fatal(err)
	}
	a, err := space.Enumerate(context.Background(), board.Game64("test", "test", b, rules), 1_000_000)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// examiner grades by the usual opponents.
func examiner[P oxo.Position[P]](t testing.TB, a *space.Graph[P]) *exam.Examiner {
	t.Helper()
	x, err := exam.NewExaminer(t.Context(), a, nil)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// graded is how good a learner is.
func graded(t testing.TB, x *exam.Examiner, l *Trainer) *exam.Exam {
	t.Helper()
	e, err := Grade(t.Context(), x, l)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// TestExamEnds: what takes long of an exam ends where it is called off.
func TestExamEnds(t *testing.T) {
	a := ttt(t)
	x := examiner(t, a)
	l := trainer(t, a.Space, "td-leaf:depth=2,features=counts", Plan{}, nil, 1)
	off, cancel := context.WithCancel(t.Context())
	cancel()
	for what, do := range map[string]func() error{
		"a policy":  func() error { _, err := space.Compile(off, a, player.Random[board.Pos64]{}); return err },
		"an exam":   func() error { _, err := Grade(off, x, l); return err },
		"a measure": func() error { _, err := ExamMeasure(x)(l).Take(off); return err },
		"opponents": func() error { _, err := exam.NewExaminer(off, a, nil); return err },
		"both kinds": func() error {
			_, err := JoinMeasures(ExamMeasure(x), ParameterMeasure)(l).Take(off)
			return err
		},
	} {
		if err := do(); !errors.Is(err, context.Canceled) {
			t.Errorf("%s that was called off: %v", what, err)
		}
	}
	m := JoinMeasures(ExamMeasure(x), ParameterMeasure)(l)
	if values, err := m.Take(t.Context()); err != nil || len(values) != len(m.Names) || len(m.Names) < 16 {
		t.Errorf("%d values of %q: %v", len(values), m.Names, err)
	}
}

// TestRaceLearned: a learner solves a game in which play can go in circles.
func TestRaceLearned(t *testing.T) {
	g, err := race.New(4)
	if err != nil {
		t.Fatal(err)
	}
	a, err := space.Enumerate(t.Context(), g, 1000)
	if err != nil {
		t.Fatal(err)
	}
	l := trainer(t, a.Space, "q:next=other", Plan{}, nil, 1)
	run(t, l, 500)
	if e := graded(t, examiner(t, a), l); e.AsFirst.VsBest.Win != 1 {
		t.Errorf("after 500 games first does not win by force: %+v", e.AsFirst)
	}
}

// mixPolicy is a mix as a policy.
type mixPolicy[P oxo.Position[P]] struct {
	graph *space.Graph[P]
	mix   space.Mix
}

func (m mixPolicy[P]) Policy(p P, _ []oxo.Move, w []float64) {
	if n, err := m.graph.Node(p); err == nil {
		copy(w, m.mix.Of(m.graph.Space, n))
	}
}

// examinerWith grades by the usual opponents and one more.
func examinerWith[P oxo.Position[P]](t testing.TB, a *space.Graph[P], name string, m space.Mix) *exam.Examiner {
	t.Helper()
	x, err := exam.NewExaminer(t.Context(), a, map[string]oxo.Policy[P]{name: mixPolicy[P]{a, m}})
	if err != nil {
		t.Fatal(err)
	}
	return x
}
