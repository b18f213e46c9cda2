package exam

import (
	"context"
	"math"
	"slices"
	"testing"

	"oxo"
	"oxo/board"
	"oxo/learn/space"
	"oxo/player"
	"oxo/solve"
)

func near(a, b float64) bool { return math.Abs(a-b) < 1e-12 }

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
	ratio, err := space.Compile(t.Context(), a, player.WinRatio[board.Pos64]{Tallies: tallies})
	if err != nil {
		t.Fatal(err)
	}
	w := x.Exam(ratio)
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
			best = max(best, space.Sign(p.Turn())*value(p.Play(m)))
		}
		values[p] = space.Sign(p.Turn()) * best
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
			t.Errorf("seat %d: mistakes in %d of %d positions, want %d of %d; worst %q", seat, got.Mistakes,
				got.Decisions, mistakes[seat], decisions[seat], got.Worst)
		}
		for _, text := range got.Worst {
			p, err := a.Game.Parse(text)
			if err != nil || int(p.Turn()) != seat ||
				!slices.ContainsFunc(p.Moves(nil), func(m oxo.Move) bool { return value(p.Play(m)) != value(p) }) {
				t.Errorf("seat %d: %q is no mistake: %v", seat, text, err)
			}
		}
	}
}

// TestWorstMistakes: the positions that are listed are those where most value is given away, by the player's own odds,
// whenever they are met, and equals keep their order.
func TestWorstMistakes(t *testing.T) {
	a := ttt(t)
	x := examiner(t, a)
	e := x.Exam(x.Random())
	given := func(n space.Node) float64 {
		children := a.Children(n)
		mean := 0.0
		for _, c := range children {
			mean += math.Abs(a.Value(n)-a.Value(c)) / float64(len(children))
		}
		return mean
	}
	for seat, worst := range [][]string{e.AsFirst.Worst, e.AsSecond.Worst} {
		var want []space.Node
		for n := range space.Node(a.Len()) {
			if !a.Over(n) && int(a.Turn(n)) == seat {
				want = append(want, n)
			}
		}
		slices.SortStableFunc(want, func(m, n space.Node) int {
			if d := given(n) - given(m); math.Abs(d) > 1e-9 {
				return int(math.Copysign(1, d))
			}
			return 0
		})
		for i, text := range worst {
			at := slices.IndexFunc(want, func(n space.Node) bool { return a.Format(n) == text })
			if at < 0 {
				t.Fatalf("seat %d does not move in %q", seat, text)
			}
			n := want[at]
			if !near(given(n), given(want[i])) {
				t.Errorf("seat %d: %s is the %d. of the worst mistakes and gives away %v, another %v", seat, text, i+1,
					given(n), given(want[i]))
			}
		}
	}
}

// TestResignedAtOnce: who makes no move has no share of moves that keep the value.
func TestResignedAtOnce(t *testing.T) {
	x := examiner(t, ttt(t))
	e := x.Exam(make(space.Mix, len(x.Random())))
	for _, score := range []Score{e.AsFirst.VsRandom, e.AsFirst.VsBest, e.AsSecond.VsRandom, e.AsSecond.VsBest} {
		if score.Optimal != nil || !near(score.Resigned, 1) {
			t.Errorf("resigned %v, optimal %v, want 1 and none", score.Resigned, score.Optimal)
		}
	}
}

// TestExamCertain: on the Fano plane no game is drawn and the best response always wins, of which sums of a random
// player's odds are off by rounding. What is certain is exact.
func TestExamCertain(t *testing.T) {
	b, err := board.New(7, [][]int{{0, 1, 2}, {0, 3, 4}, {0, 5, 6}, {1, 3, 5}, {1, 4, 6}, {2, 3, 6}, {2, 4, 5}})
	if err != nil {
		t.Fatal(err)
	}
	a, err := space.Enumerate(t.Context(), board.Game64("fano", "fano", b, board.Normal), 10_000)
	if err != nil {
		t.Fatal(err)
	}
	x := examiner(t, a)
	e := x.Exam(x.Random())
	if s := e.AsSecond.VsBest; s.Win != 0 || s.Draw != 0 || s.Loss != 1 {
		t.Errorf("random play as second against the best response %v, 1-loss %v; it always loses", s, 1-s.Loss)
	}
	e = x.Exam(space.UniformOverBest(a.Space))
	if s := e.AsFirst.VsRandom; s.Win != 1 || s.Draw != 0 || s.Loss != 0 {
		t.Errorf("perfect play as first against random %v, 1-win %v; it always wins", s, 1-s.Win)
	}
}
