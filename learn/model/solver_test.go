package model

import (
	"math"
	"math/rand/v2"
	"testing"

	"oxo"
	"oxo/board"
	"oxo/learn/space"
)

// taught keeps the examples of a game and thinks every board worth the same.
type taught struct {
	valueModel
	list []Example
}

func (m *taught) value(space.Node, int32, oxo.Seat) float64 { return 0.25 }
func (m *taught) finishGame(int)                            {}
func (m *taught) Learn(e Example)                           { m.list = append(m.list, e) }

// TestSolverTargets: where the solver answers, boards are taught what it says, whatever was
// tried out after them; those before are taught λ-returns from there.
func TestSolverTargets(t *testing.T) {
	a := ttt(t)
	a.Solved = func(n space.Node) (float64, bool) {
		x, o := a.Marks(n)
		return a.Value(n), 9-x.Or(o).Len() <= 4
	}
	const lambda = 0.7
	m := &taught{}
	l := newValueLearner(a.Space, benchOptions{judges: reached, graded: 1, known: true, target: "solver",
		lambda: lambda, both: true, cut: true}, m)
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		trace := Trace{Nodes: []space.Node{a.Start}, Learner: [2]bool{true, true}}
		for !a.Over(trace.End()) {
			children := a.Children(trace.End())
			e := r.IntN(len(children))
			trace.Choices = append(trace.Choices, Choice{Edge: int32(e), Leaf: space.None,
				Explores: len(trace.Nodes) > 6 && r.IntN(2) == 0})
			trace.Nodes = append(trace.Nodes, children[e])
		}
		trace.Outcome, trace.Worth = a.Outcome(trace.End()), a.WorthTo(trace.End(), oxo.First)
		m.list = m.list[:0]
		l.Critic.LearnGame(&trace, m)
		after := map[oxo.Seat]float64{}
		for _, e := range m.list {
			worth, ok := a.Solved(e.Node)
			want := space.Sign(e.Seat) * worth
			if !ok {
				want = space.Sign(e.Seat) * trace.Worth
			}
			if next, started := after[e.Seat]; !ok && started {
				want = (1-lambda)*0.25 + lambda*next
				if x, o := a.Marks(e.Node); x.Or(o).Len() == 3 || x.Or(o).Len() == 4 { // the next was exact
					want = next
				}
			}
			if math.Abs(e.Target-want) > 1e-12 {
				t.Fatalf("%s: taught %v, want %v", a.Format(e.Node), e.Target, want)
			}
			after[e.Seat] = e.Target
		}
		if want := min(len(trace.Choices)-1, 8); len(m.list) < want {
			t.Fatalf("%d examples of %d moves", len(m.list), len(trace.Choices))
		}
	}
}

// TestUsualOfNets: on a flat grid from 36 squares on rows of a direction share a table, unless squares
// alone are looked up, somebody says otherwise, or a kept net does.
func TestUsualOfNets(t *testing.T) {
	grid := func(cols, rows, levels int) *space.Space {
		b, err := board.New(cols*rows*levels, [][]int{{0, 1, 2}})
		if err != nil {
			t.Fatal(err)
		}
		b.Cols, b.Rows, b.Levels = cols, rows, levels
		return &space.Space{Board: b}
	}
	falling, loose := grid(8, 8, 1), grid(8, 8, 1)
	falling.Board.Below, loose.Board.Cols = make([]int, 64), 0
	for _, c := range []struct {
		name, text, share string
		space             *space.Space
	}{
		{"6×6", "net", "translates", grid(6, 6, 1)},
		{"15×15", "ntuple", "translates", grid(15, 15, 1)},
		{"squares alone", "net:tuples=squares", "usual", grid(8, 8, 1)},
		{"said otherwise", "net:share=none", "none", grid(8, 8, 1)},
		{"7×5", "net", "usual", grid(7, 5, 1)},
		{"levels", "net", "usual", grid(4, 4, 4)},
		{"falling marks", "net", "usual", falling},
		{"no grid", "net", "usual", loose},
		{"no board", "net", "usual", &space.Space{}},
	} {
		s, err := Parse(c.text)
		if err != nil {
			t.Fatal(err)
		}
		if got := s.AdaptedTo(c.space).open.(netOptions).share; got != c.share {
			t.Errorf("%s: share=%s, want %s", c.name, got, c.share)
		}
		s.kept = true
		if got := s.AdaptedTo(c.space).open.(netOptions).share; got == "translates" {
			t.Errorf("%s: a kept net has share=%s", c.name, got)
		}
	}
}
