package learn

import (
	"math"
	"strings"
	"testing"

	"oxo/learn/space"
)

// TestLook: what a learner is shown to do in a position is what it does there,
// and its beads and worths are the reasons.
func TestLook(t *testing.T) {
	a := ttt(t)
	for _, text := range everyLearner {
		l := trainer(t, a.Space, text, Plan{Start: "mix"}, nil, 4)
		run(t, l, 60)
		mix, err := l.Mix(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		for n := space.Node(0); int(n) < a.Len(); n += 37 {
			look := l.Look(t.Context(), n)
			if a.Over(n) {
				if len(look.Moves) != 0 {
					t.Errorf("%s: moves in a finished game", text)
				}
				continue
			}
			sum, beads, best := look.Resigns, 0, math.Inf(-1)
			for e, m := range look.Moves {
				from, _ := a.Edges(n)
				if want := mix[int(from)+e]; math.Abs(m.Odds-want) > 1e-12 {
					t.Errorf("%s: %s in %s is played with probability %v, want %v", text, m.Move, look.Position, m.Odds,
						want)
				}
				sum += m.Odds
				if m.Beads != nil {
					beads += *m.Beads
				}
				if m.Worth != nil {
					best = max(best, *m.Worth)
				}
			}
			if math.Abs(sum-1) > 1e-9 {
				t.Errorf("%s: the probabilities in %s add up to %v", text, look.Position, sum)
			}
			for _, m := range look.Moves {
				if m.Beads != nil && beads > 0 && strings.Contains(text, "michie") &&
					math.Abs(m.Odds-float64(*m.Beads)/float64(beads)) > 1e-12 {
					t.Errorf("%s: %d of %d beads give %v", text, *m.Beads, beads, m.Odds)
				}
				if m.Worth != nil && (m.Odds > 0) != (*m.Worth == best) {
					t.Errorf("%s: %s in %s is worth %v of at most %v and played with %v", text, m.Move, look.Position,
						*m.Worth, best, m.Odds)
				}
			}
		}
	}
}

// TestShownLast: the last game is shown move by move, with the boxes that the
// beads came from, also by a brain that was kept.
func TestShownLast(t *testing.T) {
	a := ttt(t)
	l := trainer(t, a.Space, "menace", Plan{Seats: "first"}, space.UniformOverBest(a.Space), 2)
	if l.Show(0).Last != nil {
		t.Error("there is a last game before the first")
	}
	run(t, l, 9)
	b, err := l.Brain("ttt", "ttt")
	if err != nil {
		t.Fatal(err)
	}
	kept, err := OpenBrain(a.Space, b)
	if err != nil {
		t.Fatal(err)
	}
	shown := kept.Show(1000)
	if len(shown.Last) < 5 || len(shown.Last) != len(l.Show(0).Last) {
		t.Fatalf("the last game: %+v", shown.Last)
	}
	n := a.Start
	for i, s := range shown.Last {
		if s.Position != a.Format(n) || s.Learner != (i%2 == 0) || s.Turn != a.Turn(n).String() {
			t.Errorf("ply %d: %+v in %s", i, s, a.Format(n))
		}
		if hasBox := s.Learner && len(a.Children(n)) > 1; hasBox != (s.Box != nil) {
			t.Errorf("ply %d: the box of %s is %v", i, s.Position, s.Box)
		}
		if s.Box != nil {
			if box := shown.Boxes[*s.Box]; box.Turn != "first" || box.Stage != i/2+1 {
				t.Errorf("ply %d came from %+v", i, box)
			}
		}
		n = a.Children(n)[l.last.Choices[i].Edge]
	}
}
