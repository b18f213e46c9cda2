package learn

import (
	"context"
	"math"
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
	x, err := NewExaminer(a, nil)
	if err != nil {
		t.Fatal(err)
	}
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
	x, err := NewExaminer(a, nil)
	if err != nil {
		t.Fatal(err)
	}
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
	w := x.Exam(Compile(a, player.WinRatio[board.Pos64]{Tallies: tallies}))
	if w.AsFirst.VsBest.Loss != 0 || w.AsSecond.VsBest.Loss != 1 || w.AsSecond.Exploitability != 1 {
		t.Errorf("win-ratio player %+v, want never beaten as first and always as second", w)
	}
}
