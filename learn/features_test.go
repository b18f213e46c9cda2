package learn

import (
	"math"
	"slices"
	"strings"
	"testing"

	"oxo"
	"oxo/board"
	"oxo/games/grid"
	"oxo/games/meta"
	"oxo/learn/exam"
	"oxo/learn/space"
)

// TestUsualSettings: with features of boards td-leaf learns by temporal differences
// from nothing, with those of the meta game as their author did, and what is said
// goes before what is usual.
func TestUsualSettings(t *testing.T) {
	board, nine := ttt(t).Space, space.Explore(meta.New()).Space
	for _, c := range []struct {
		space      *space.Space
		text, want string
	}{
		{board, "td-leaf", "features=threats rule=tdleaf win=10 sum=0 weights=0"},
		{board, "td-leaf:features=twelve,win=1", "features=twelve rule=tdleaf win=1 sum=0 weights=0"},
		{board, "td-leaf:rule=weger,weights=2", "features=threats rule=weger win=10 sum=0 weights=2"},
		{nine, "td-leaf", "features=weger rule=weger win=0 sum=6 weights=1"},
		{nine, "td-leaf:rule=tdleaf", "features=weger rule=tdleaf win=0 sum=6 weights=1"},
	} {
		settled := map[string]string{}
		for _, s := range trainer(t, c.space, c.text, Plan{}, nil, 1).spec.settings {
			settled[s.Key] = s.Value
		}
		for _, word := range strings.Fields(c.want) {
			if key, value, _ := strings.Cut(word, "="); settled[key] != value {
				t.Errorf("%s: %s=%s, want %s", c.text, key, settled[key], value)
			}
		}
	}
}

// linearOf returns a linear learner with the features of raw squares and no
// exploration.
func linearOf(t *testing.T, a *space.Graph[board.Pos64], text string) (*bench, *linear) {
	t.Helper()
	b := trainer(t, a.Space, text, Plan{}, nil, 1).memory.(*bench)
	return b, b.model.(*linear)
}

// TestLMSByHand: wᵢ ← wᵢ + η·(Vtrain − V̂)·xᵢ.
func TestLMSByHand(t *testing.T) {
	a := ttt(t)
	_, l := linearOf(t, a, "lms:features=wins,eta=0.1,scaled=no")
	l.w = []float64{1, 2, 3}
	n, err := a.Find("xxx/oo./... o")
	if err != nil {
		t.Fatal(err)
	}
	l.fit(Example{Node: n, Seat: oxo.First, Target: 100, Rate: 1}) // x = 1, 1, 0; V̂ = 3
	if want := []float64{1 + 9.7, 2 + 9.7, 3}; math.Abs(l.w[0]-want[0])+math.Abs(l.w[1]-want[1])+math.Abs(l.w[2]-want[2]) > 1e-9 {
		t.Errorf("weights %v, want %v", l.w, want)
	}
	fit := make([]float64, 3)
	l.fitted.into(fit)
	if math.Abs(fit[0]+fit[1]-100) > 0.01 {
		t.Errorf("least squares %v gives the only example %v, want 100", fit, fit[0]+fit[1])
	}
}

// collect is a generalizer that only collects.
type collect struct{ examples []Example }

func (c *collect) Learn(e Example) { c.examples = append(c.examples, e) }

// game returns the trace of moves from the start.
func game(t *testing.T, a *space.Graph[board.Pos64], learner [2]bool, moves ...oxo.Move) *Trace {
	t.Helper()
	p := a.Game.Start
	trace := &Trace{Nodes: []space.Node{a.Start}, Learner: learner}
	for _, m := range moves {
		e := slices.Index(p.Moves(nil), m)
		p = p.Play(m)
		trace.Choices = append(trace.Choices, Choice{Edge: int32(e), Leaf: space.None})
		trace.Nodes = append(trace.Nodes, node(t, a, p))
	}
	trace.Outcome, trace.Worth = p.Outcome(), a.WorthTo(trace.End(), oxo.First)
	return trace
}

// TestCritics: the examples that each critic makes of one game, in which First
// takes the top row.
func TestCritics(t *testing.T) {
	a := ttt(t)
	trace := game(t, a, [2]bool{true, false}, 0, 3, 1, 4, 2)
	at := func(i int) space.Node { return trace.Nodes[i] }

	b, l := linearOf(t, a, "lms:features=squares,target=successor,states=before,ends=judged")
	l.w[1] = 7 // V̂ is 7 wherever First holds the first square
	var c collect
	b.Judge(trace, &c)
	want := []Example{
		{Node: at(5), Target: 100, Rate: 1},
		{Node: at(4), Target: 7, Rate: 1},
		{Node: at(2), Target: 7, Rate: 1},
		{Node: at(0), Target: 7, Rate: 1},
	}
	if !slices.EqualFunc(c.examples, want, sameExample) {
		t.Errorf("Vtrain(b) ← V̂(Successor(b)): %+v, want %+v", c.examples, want)
	}

	c = collect{}
	trainer(t, a.Space, "table:factor=0.25,draw=0,learn=own", Plan{}, nil, 1).memory.(*bench).Judge(trace, &c)
	want = []Example{{Node: at(5), Target: 100, Rate: 1}, {Node: at(3), Target: 100, Rate: 0.25}, {Node: at(1), Target: 100, Rate: 0.0625}}
	if !slices.EqualFunc(c.examples, want, sameExample) {
		t.Errorf("outcomes walked backwards: %+v, want %+v", c.examples, want)
	}

	c = collect{}
	both := *trace
	both.Learner = [2]bool{true, true}
	trainer(t, a.Space, "table:draw=0", Plan{}, nil, 1).memory.(*bench).Judge(&both, &c)
	if len(c.examples) != 5 || c.examples[1].Seat != oxo.Second || c.examples[1].Target != -1000 || c.examples[1].Rate != 1 {
		t.Errorf("one table for both seats: %+v", c.examples)
	}

	c = collect{}
	(*menaceCritic)(trainer(t, a.Space, "menace", Plan{}, nil, 1).memory.(*menace)).Judge(trace, &c)
	if len(c.examples) != 3 || c.examples[0].Node != at(4) || c.examples[2].Target != 3 {
		t.Errorf("boxes used: %+v", c.examples)
	}

	c = collect{}
	trainer(t, a.Space, "q:initial=0.5,gamma=0.9,next=own,order=forward", Plan{}, nil, 1).memory.(*bench).Judge(trace, &c)
	if len(c.examples) != 3 || c.examples[0].Target != 0.45 || c.examples[2].Target != 1 {
		t.Errorf("Q-learning: %+v", c.examples)
	}
	c = collect{}
	trainer(t, a.Space, "q:initial=0.5,next=other,order=forward", Plan{}, nil, 1).memory.(*bench).Judge(trace, &c)
	if len(c.examples) != 5 || c.examples[0].Target != -0.5 || c.examples[4].Target != 1 {
		t.Errorf("minimax-Q: %+v", c.examples)
	}
}

func sameExample(a, b Example) bool {
	return a.Node == b.Node && a.Seat == b.Seat && math.Abs(a.Target-b.Target) < 1e-12 && a.Rate == b.Rate
}

// TestReturns: the λ-returns of a game by hand.
func TestReturns(t *testing.T) {
	a := ttt(t)
	trace := game(t, a, [2]bool{true, false}, 0, 3, 1, 4, 2)
	b, l := linearOf(t, a, "td:features=squares,lambda=0.5,tries=skip")
	l.w[1], l.w[2] = 6, 4 // the board with the second mark is worth 10, with the first 6
	var c collect
	b.Judge(trace, &c)
	// The last board is finished, and what it is worth is known.
	want := []Example{{Node: trace.Nodes[3], Target: 100, Rate: 1}, {Node: trace.Nodes[1], Target: 55, Rate: 1}}
	if !slices.EqualFunc(c.examples, want, sameExample) {
		t.Errorf("%+v, want %+v", c.examples, want)
	}
	// A second move that was tried out says nothing of the board before it.
	trace.Choices[2].Explores = true
	c = collect{}
	b.Judge(trace, &c)
	if !slices.EqualFunc(c.examples, want[:1], sameExample) {
		t.Errorf("%+v, want %+v", c.examples, want[:1])
	}
}

// TestNearest: a stored position is worth its mean; one that is not stored,
// what the nearest up to symmetry are.
func TestNearest(t *testing.T) {
	a := ttt(t)
	b := trainer(t, a.Space, "nearest:count=1", Plan{}, nil, 1).memory.(*bench)
	h := b.model.(*nearest)
	find := func(text string) space.Node {
		n, err := a.Find(text)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	corner, edge := find("x../.../... o"), find(".x./.../... o")
	b.Learn(Example{Node: corner, Seat: oxo.First, Target: 1})
	b.Learn(Example{Node: corner, Seat: oxo.First, Target: 0})
	b.Learn(Example{Node: edge, Seat: oxo.First, Target: -1})
	if v := b.worth(a.Start, 0, find("..x/.../... o")); v != 0.5 {
		t.Errorf("another corner is worth %v, want 0.5", v)
	}
	// From the mirror image of a corner: two marks more are 2 squares away;
	// from the edge 4 or more.
	if v := h.guess(a.Class(find("..x/.o./x.. o")), oxo.First); v != 0.5 {
		t.Errorf("a position near a corner is worth %v, want 0.5", v)
	}
}

// TestEvolves: after some generations the champion beats the random player
// more often than the first one did.
func TestEvolves(t *testing.T) {
	b, err := grid.New(grid.Shape{Cols: 3, Rows: 3, Run: 3})
	if err != nil {
		t.Fatal(err)
	}
	a, err := space.Enumerate(t.Context(), board.Game64("ttt", "", b, board.Normal), 10_000)
	if err != nil {
		t.Fatal(err)
	}
	x := examiner(t, a)
	l := trainer(t, a.Space, "evolve:size=10,rounds=10", Plan{}, x.Random(), 1)
	before := graded(t, x, l)
	run(t, l, 1000)
	after := graded(t, x, l)
	points := func(e *exam.Exam) float64 { return e.AsFirst.VsRandom.Points() + e.AsSecond.VsRandom.Points() }
	if points(after) < points(before)+0.1 {
		t.Errorf("points against random %v, at first %v", points(after), points(before))
	}
	if g := l.memory.(*evolve).generation; g != 10 {
		t.Errorf("%d generations, want 10", g)
	}
}

// TestEvolveSeats: in a generation each individual plays as often on either
// seat, against others and against its own kind.
func TestEvolveSeats(t *testing.T) {
	a := ttt(t)
	x := examiner(t, a)
	for name, opponent := range map[string]space.Mix{"others": x.Random(), "itself": nil} {
		l := trainer(t, a.Space, "evolve:size=4,rounds=6", Plan{}, opponent, 1)
		v := l.memory.(*evolve)
		games := map[*float64][2]int{}
		for range 4 * 6 {
			own := &v.population[v.game/v.games][0]
			seats := l.problem().Learner
			if opponent == nil && v.game > 0 { // a rival sits on one seat
				seats[v.game%2] = false
			}
			n := games[own]
			for seat := range n {
				if seats[seat] && &v.playing[seat][0] == own {
					n[seat]++
				}
			}
			games[own] = n
			run(t, l, 1)
		}
		for _, n := range games {
			if min(n[0], n[1]) < 3 || len(games) != 4 {
				t.Errorf("%s: an individual of %d played %d games first and %d second", name, len(games), n[0], n[1])
			}
		}
	}
}

// TestSearchTarget: what a search of some plies says of a board, by hand: the
// reply that is best for the other side.
func TestSearchTarget(t *testing.T) {
	a := ttt(t)
	b := trainer(t, a.Space, "table:win=1,draw=0,loss=-1,target=search,merge=none", Plan{}, nil, 1).memory.(*bench)
	n, err := a.Find("xx./oo./..x o")
	if err != nil {
		t.Fatal(err)
	}
	if v := b.ahead(n, oxo.First, 1); v != 0 {
		t.Errorf("a search of one ply by an empty table says %v, want 0", v)
	}
	if v := b.ahead(n, oxo.First, 2); v != -1 {
		t.Errorf("a search of two plies, which sees the finished board, says %v, want -1", v)
	}
	b.Learn(Example{Node: a.Children(n)[1], Seat: oxo.Second, Target: 1, Rate: 1})
	if v := b.ahead(n, oxo.First, 1); v != -1 {
		t.Errorf("a search of one ply says %v where o can win, want -1", v)
	}
}

// TestUsualFeatures: a learner that was not told what to go by goes by what the
// game has.
func TestUsualFeatures(t *testing.T) {
	board, nine := ttt(t).Space, space.Explore(meta.New()).Space
	for _, c := range []struct {
		space      *space.Space
		text, want string
	}{
		{board, "td", "threats"}, {board, "lms", "threats"}, {board, "lms:features=wins", "wins"},
		{nine, "td", "weger"}, {nine, "lms", "weger"},
	} {
		l := trainer(t, c.space, c.text, Plan{}, nil, 1)
		run(t, l, 3)
		b, err := ReadBrain(brainOf(t, l))
		if err != nil {
			t.Fatal(err)
		}
		again, err := Resume(c.space, b, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range []*Trainer{l, again} {
			if got := l.memory.(*bench).model.(*linear).features.Set; got != c.want {
				t.Errorf("%s goes by %s, not %s", c.text, got, c.want)
			}
		}
	}
}
