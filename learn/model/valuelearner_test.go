package model

import (
	"math"
	"slices"
	"testing"

	"oxo"
	"oxo/board"
	"oxo/learn/space"
)

// linearOf returns a linear learner with the features of raw squares and no
// exploration.
func linearOf(t *testing.T, a *space.Graph[board.Pos64], text string) (*valueLearner, *linear) {
	t.Helper()
	b := built(t, a.Space, text).Memory.(*valueLearner)
	return b, b.valueModel.(*linear)
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
		n, err := a.Node(p)
		if err != nil {
			t.Fatal(err)
		}
		trace.Nodes = append(trace.Nodes, n)
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
	b.LearnGame(trace, &c)
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
	built(t, a.Space, "table:factor=0.25,draw=0,learn=own").Memory.(*valueLearner).LearnGame(trace, &c)
	want = []Example{{Node: at(5), Target: 100, Rate: 1}, {Node: at(3), Target: 100, Rate: 0.25},
		{Node: at(1), Target: 100, Rate: 0.0625}}
	if !slices.EqualFunc(c.examples, want, sameExample) {
		t.Errorf("outcomes walked backwards: %+v, want %+v", c.examples, want)
	}

	c = collect{}
	both := *trace
	both.Learner = [2]bool{true, true}
	built(t, a.Space, "table:draw=0").Memory.(*valueLearner).LearnGame(&both, &c)
	if len(c.examples) != 5 || c.examples[1].Seat != oxo.Second || c.examples[1].Target != -1000 ||
		c.examples[1].Rate != 1 {
		t.Errorf("one table for both seats: %+v", c.examples)
	}

	c = collect{}
	(*menaceCritic)(built(t, a.Space, "menace").Memory.(*menace)).LearnGame(trace, &c)
	if len(c.examples) != 3 || c.examples[0].Node != at(4) || c.examples[2].Target != 3 {
		t.Errorf("boxes used: %+v", c.examples)
	}

	c = collect{}
	built(t, a.Space, "q:initial=0.5,gamma=0.9,next=own,order=forward").Memory.(*valueLearner).LearnGame(trace, &c)
	if len(c.examples) != 3 || c.examples[0].Target != 0.45 || c.examples[2].Target != 1 {
		t.Errorf("Q-learning: %+v", c.examples)
	}
	c = collect{}
	built(t, a.Space, "q:initial=0.5,next=other,order=forward").Memory.(*valueLearner).LearnGame(trace, &c)
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
	b.LearnGame(trace, &c)
	// The last board is finished, and what it is worth is known.
	want := []Example{{Node: trace.Nodes[3], Target: 100, Rate: 1}, {Node: trace.Nodes[1], Target: 55, Rate: 1}}
	if !slices.EqualFunc(c.examples, want, sameExample) {
		t.Errorf("%+v, want %+v", c.examples, want)
	}
	// A second move that was tried out says nothing of the board before it.
	trace.Choices[2].Explores = true
	c = collect{}
	b.LearnGame(trace, &c)
	if !slices.EqualFunc(c.examples, want[:1], sameExample) {
		t.Errorf("%+v, want %+v", c.examples, want[:1])
	}
}

// TestSearchTarget: what a search of some plies says of a board, by hand: the
// reply that is best for the other side.
func TestSearchTarget(t *testing.T) {
	a := ttt(t)
	b := built(t, a.Space, "table:win=1,draw=0,loss=-1,target=search,merge=none").Memory.(*valueLearner)
	n, err := a.Find("xx./oo./..x o")
	if err != nil {
		t.Fatal(err)
	}
	if v := b.searchedWorth(n, oxo.First, 1); v != 0 {
		t.Errorf("a search of one ply by an empty table says %v, want 0", v)
	}
	if v := b.searchedWorth(n, oxo.First, 2); v != -1 {
		t.Errorf("a search of two plies, which sees the finished board, says %v, want -1", v)
	}
	b.Learn(Example{Node: a.Children(n)[1], Seat: oxo.Second, Target: 1, Rate: 1})
	if v := b.searchedWorth(n, oxo.First, 1); v != -1 {
		t.Errorf("a search of one ply says %v where o can win, want -1", v)
	}
}
