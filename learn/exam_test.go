package learn

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"oxo"
	"oxo/board"
	"oxo/games/grid"
	"oxo/player"
	"oxo/solve"
)

// ttt returns the whole of tic-tac-toe.
func ttt(t testing.TB) *Graph[board.Pos64] {
	t.Helper()
	return whole64(t, grid.Shape{Cols: 3, Rows: 3, Run: 3}, board.Normal)
}

func whole64(t testing.TB, shape grid.Shape, rules board.Rules) *Graph[board.Pos64] {
	t.Helper()
	b, err := grid.New(shape)
	if err != nil {
		t.Fatal(err)
	}
	a, err := Enumerate(context.Background(), board.Game64("test", "test", b, rules), 1_000_000)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// compiled is a policy in every position.
func compiled[P oxo.Position[P]](t testing.TB, a *Graph[P], policy oxo.Policy[P]) Mix {
	t.Helper()
	m, err := Compile(t.Context(), a, policy)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// examiner grades by the usual opponents.
func examiner[P oxo.Position[P]](t testing.TB, a *Graph[P]) *Examiner {
	t.Helper()
	x, err := NewExaminer(t.Context(), a, nil)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// graded is how good a learner is.
func graded(t testing.TB, x *Examiner, l *Trainer) *Exam {
	t.Helper()
	e, err := x.Grade(t.Context(), l)
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
		"a policy":   func() error { _, err := Compile(off, a, player.Random[board.Pos64]{}); return err },
		"an exam":    func() error { _, err := x.Grade(off, l); return err },
		"a measure":  func() error { _, err := Graded(x)(l).Take(off); return err },
		"opponents":  func() error { _, err := NewExaminer(off, a, nil); return err },
		"both kinds": func() error { _, err := Both(Graded(x), Probed)(l).Take(off); return err },
	} {
		if err := do(); !errors.Is(err, context.Canceled) {
			t.Errorf("%s that was called off: %v", what, err)
		}
	}
	m := Both(Graded(x), Probed)(l)
	if values, err := m.Take(t.Context()); err != nil || len(values) != len(m.Names) || len(m.Names) < 16 {
		t.Errorf("%d values of %q: %v", len(values), m.Names, err)
	}
}

func near(a, b float64) bool { return math.Abs(a-b) < 1e-12 }

// TestGraph: the counts of facts' §1.
func TestGraph(t *testing.T) {
	a := ttt(t)
	classes, over := map[Node]bool{}, 0
	for n := range a.Len() {
		classes[a.class(Node(n))] = true
		if a.over(Node(n)) {
			over++
		}
	}
	if a.Len() != 5478 || len(classes) != 765 || over != 958 {
		t.Errorf("%d positions, %d classes, %d terminal; want 5478, 765, 958", a.Len(), len(classes), over)
	}
	s, err := solve.Solve(context.Background(), a.Game, a.Game.Start, solve.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for n, p := range a.position {
		v, _ := s.At(p)
		if want := float64(v.Outcome.Value(oxo.First)); a.whole.value[n] != want {
			t.Fatalf("%s: value %v, want %v", a.format(Node(n)), a.whole.value[n], want)
		}
	}
}

// TestExamRandom: random against random, 737/1260, 121/420, 8/63.
func TestExamRandom(t *testing.T) {
	a := ttt(t)
	x := examiner(t, a)
	e := x.Exam(x.Random())
	for _, c := range []struct {
		got  Score
		want [3]float64
	}{
		{e.AsFirst.VsRandom, [3]float64{737. / 1260, 8. / 63, 121. / 420}},
		{e.AsSecond.VsRandom, [3]float64{121. / 420, 8. / 63, 737. / 1260}},
	} {
		if !near(c.got.Win, c.want[0]) || !near(c.got.Draw, c.want[1]) || !near(c.got.Loss, c.want[2]) {
			t.Errorf("random against random %+v, want %v", c.got, c.want)
		}
	}
}

func TestExamHeuristic(t *testing.T) {
	a := ttt(t)
	tallies, err := solve.TallyGames(context.Background(), a.Game, 1_000_000)
	if err != nil {
		t.Fatal(err)
	}
	x := examiner(t, a)
	e := x.Exam(x.Heuristic())
	second := e.AsSecond.VsRandom
	round := func(v float64) float64 { return math.Round(1000*v) / 10 }
	if second.Loss != 0 || round(second.Win) != 88.3 || round(second.Draw) != 11.7 {
		t.Errorf("heuristic as second %+v, want 88.3%% wins, 11.7%% draws", second)
	}
	if first := e.AsFirst.VsRandom; first.Loss != 0 || round(first.Win) != 97.2 {
		t.Errorf("heuristic as first %+v, want 97.2%% wins", first)
	}
	if e.Exploitability != 0 || e.AsSecond.VsBest.Loss != 0 {
		t.Errorf("the heuristic is exploitable: %+v", e)
	}
	w := x.Exam(compiled(t, a, player.WinRatio[board.Pos64]{Tallies: tallies}))
	if w.AsFirst.VsBest.Loss != 0 || w.AsSecond.VsBest.Loss != 1 || w.AsSecond.Exploitability != 1 {
		t.Errorf("win-ratio player %+v, want never beaten as first and always as second", w)
	}
}

// TestMistakes: the positions in which the random player may give value away are
// those in which moves differ in value, and the worst that are listed are of them.
func TestMistakes(t *testing.T) {
	a := ttt(t)
	values := map[board.Pos64]float64{}
	var value func(p board.Pos64) float64 // to First
	value = func(p board.Pos64) float64 {
		if out := p.Outcome(); out != oxo.Ongoing {
			return float64(out.Value(oxo.First))
		}
		if v, ok := values[p]; ok {
			return v
		}
		best := math.Inf(-1)
		for _, m := range p.Moves(nil) {
			best = max(best, side(p.Turn())*value(p.Play(m)))
		}
		values[p] = side(p.Turn()) * best
		return values[p]
	}
	value(a.Game.Start)
	var decisions, mistakes [2]int
	for p, v := range values {
		decisions[p.Turn()]++
		if slices.ContainsFunc(p.Moves(nil), func(m oxo.Move) bool { return value(p.Play(m)) != v }) {
			mistakes[p.Turn()]++
		}
	}
	x := examiner(t, a)
	e := x.Exam(x.Random())
	for seat, got := range []SeatExam{e.AsFirst, e.AsSecond} {
		if got.Decisions != decisions[seat] || got.Mistakes != mistakes[seat] || len(got.Worst) != mostWorst {
			t.Errorf("seat %d: mistakes in %d of %d positions, want %d of %d; worst %q", seat, got.Mistakes, got.Decisions, mistakes[seat], decisions[seat], got.Worst)
		}
		for _, text := range got.Worst {
			p, err := a.Game.Parse(text)
			if err != nil || int(p.Turn()) != seat || !slices.ContainsFunc(p.Moves(nil), func(m oxo.Move) bool { return value(p.Play(m)) != value(p) }) {
				t.Errorf("seat %d: %q is no mistake: %v", seat, text, err)
			}
		}
	}
}
