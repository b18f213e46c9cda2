package learn

import (
	"context"
	"encoding/json"
	"testing"

	"oxo/board"
	"oxo/learn/exam"
	"oxo/learn/space"
)

// menaceRuns returns, over runs of 500 games as First against perfect play,
// the percentage of runs whose first box was empty at the end, and the draw
// rates in games 1–20, 51–100 and 151–220 while it was not.
func menaceRuns(t *testing.T, a *space.Graph[board.Pos64], text string, runs int) (emptied float64, draws [3]float64) {
	t.Helper()
	opponent := NewMixOpponent(a.Space, space.UniformOverBest(a.Space))
	var drawn, played [3]float64
	for seed := range runs {
		l, err := New(a.Space, spec(t, text), Plan{Against: "perfect", Seats: "first"}, opponent, uint64(seed))
		if err != nil {
			t.Fatal(err)
		}
		_, _, first := l.memory.Probes()
		beads := func() (sum float64) {
			for _, colour := range first() {
				sum += colour
			}
			return sum
		}
		for game := 1; game <= 500; game++ {
			before := l.tally.Draws
			if err := l.PlayAndLearn(context.Background()); err != nil {
				t.Fatal(err)
			}
			for k, span := range [3][2]int{{1, 20}, {51, 100}, {151, 220}} {
				if game >= span[0] && game <= span[1] && beads() > 0 {
					played[k]++
					drawn[k] += float64(l.tally.Draws - before)
				}
			}
		}
		if beads() == 0 {
			emptied += 100 / float64(runs)
		}
	}
	for k := range draws {
		draws[k] = 100 * drawn[k] / played[k]
	}
	return emptied, draws
}

// TestMenaceDraws: a small sample of what the soak test of the learning room
// compares with facts' §4.
func TestMenaceDraws(t *testing.T) {
	if _, draws := menaceRuns(t, ttt(t), "menace:as=michie", 50); draws[0] < 20 || draws[0] > 40 || draws[1] < 80 ||
		draws[2] < 93 {
		t.Errorf("draw rates %.1f, want about 28, 90 and 98", draws)
	}
}

// The learners that become unbeatable, with their plans.
const (
	unbeatableTable = "table:merge=classes,draw=50,learn=both,tries=skip,epsilon=0.05"
	unbeatableQ     = "q:merge=classes,order=backward,alpha=1,next=other,epsilon=0.3,initial=-0.01"
	unbeatableSteps = "lms:features=threats,states=after,ends=known,eta=0.1,scaled=yes,target=outcome"
	unbeatableLMS   = "lms:features=threats,states=after,ends=known,fit=exact,target=outcome,epsilon=0.2"
)

func poolOf(a *space.Graph[board.Pos64], x *exam.Examiner) Opponent {
	return Pool(NewMixOpponent(a.Space, x.Random()), NewMixOpponent(a.Space, space.UniformOverBest(a.Space)),
		NewMixOpponent(a.Space, x.Heuristic()))
}

// unbeatable are the learners above: each is unbeatable by a number of games,
// whatever the seed.
func unbeatable(a *space.Graph[board.Pos64], x *exam.Examiner) []unbeatableCase {
	return []unbeatableCase{
		{unbeatableTable, Plan{Against: "pool"}, poolOf(a, x), 32000},
		{unbeatableQ, Plan{Against: Itself}, nil, 12000},
		{unbeatableSteps, Plan{Against: "pool"}, poolOf(a, x), 3000},
		{unbeatableLMS, Plan{Against: "perfect"}, NewMixOpponent(a.Space, space.UniformOverBest(a.Space)), 200},
		{"td-leaf:depth=3,alpha=0.005,epsilon=0,average=0", Plan{Against: Itself}, nil, 3000},
	}
}

type unbeatableCase struct {
	text     string
	plan     Plan
	opponent Opponent
	games    int
}

// TestUnbeatable looks at the end; the soak test of the learning room looks at
// many seeds and at when it began.
func TestUnbeatable(t *testing.T) {
	a := ttt(t)
	x := examiner(t, a)
	for _, c := range unbeatable(a, x) {
		l, err := New(a.Space, spec(t, c.text), c.plan, c.opponent, 1)
		if err != nil {
			t.Fatal(err)
		}
		run(t, l, c.games)
		if e := graded(t, x, l); e.Exploitability != 0 || e.AsFirst.VsBest.Loss+e.AsSecond.VsBest.Loss > 0 {
			t.Errorf("%s is beatable after %d games: exploitability %v", c.text, c.games, e.Exploitability)
		}
	}
}

// oneOptimal is one optimal opponent: it plays the first move that keeps the
// value, always the same.
func oneOptimal(s *space.Space) space.Mix {
	m := make(space.Mix, s.EdgeCount())
	for n := range s.Len() {
		for e, c := range s.Children(space.Node(n)) {
			if s.KeepsWorth(space.Node(n), c) {
				from, _ := s.Edges(space.Node(n))
				m[int(from)+e] = 1
				break
			}
		}
	}
	return m
}

// TestTrap: a player trained against one optimal opponent draws 40 of 40
// against it, on either seat, and is still beaten by force.
func TestTrap(t *testing.T) {
	a := ttt(t)
	x := examinerWith(t, a, "one optimal", oneOptimal(a.Space))
	opponent := NewMixOpponent(a.Space, oneOptimal(a.Space))
	l, err := New(a.Space, spec(t, "table:epsilon=0.1,draw=0,learn=own,tries=learn"), Plan{Against: "one optimal"},
		opponent, 6)
	if err != nil {
		t.Fatal(err)
	}
	run(t, l, 3000)
	e := graded(t, x, l)
	for i, s := range []exam.SeatExam{e.AsFirst, e.AsSecond} {
		if d := s.Vs["one optimal"].Draw; d < 1-1e-12 {
			t.Errorf("seat %d draws %v against the opponent it was trained on, want all", i, d)
		}
	}
	if e.AsFirst.VsBest.Loss != 1 {
		t.Errorf("it is not beaten by force: %+v", e)
	}
	draws := 0
	greedy := trainer(t, a.Space, "table:epsilon=0", Plan{}, oneOptimal(a.Space), 1)
	learned, err := json.Marshal(l.memory.Save())
	if err != nil {
		t.Fatal(err)
	}
	if err := greedy.memory.Load(learned); err != nil {
		t.Fatal(err)
	}
	for range 40 {
		trace, err := greedy.Performance.Play(t.Context(), greedy.nextProblem(), greedy.rand)
		if err != nil {
			t.Fatal(err)
		}
		if trace.Worth == 0 {
			draws++
		}
		greedy.tally.add(trace)
	}
	if draws != 40 {
		t.Errorf("it draws %d of 40", draws)
	}
	t.Logf("draws %d of 40; best response wins %.2f against it as first and %.2f as second; %d and %d mistakes", draws,
		e.AsFirst.VsBest.Loss, e.AsSecond.VsBest.Loss, e.AsFirst.Mistakes, e.AsSecond.Mistakes)
}
