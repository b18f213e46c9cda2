package learn

import (
	"slices"
	"strings"
	"testing"

	"oxo"
	"oxo/board"
	"oxo/games/cube"
	"oxo/games/meta"
	"oxo/learn/space"
)

// TestFirstWeights: a learner begins with the weights that it is given.
func TestFirstWeights(t *testing.T) {
	a := ttt(t)
	_, l := linearOf(t, a, "lms:features=wins,weights=0/100/-100")
	if !slices.Equal(l.w, []float64{0, 100, -100}) {
		t.Errorf("weights %v", l.w)
	}
	if _, l = linearOf(t, a, "td:weights=1"); l.w[0] != 1 || l.w[10] != 1 {
		t.Errorf("weights %v, want ones", l.w)
	}
	_, err := New(a.Space, spec(t, "lms:features=wins,weights=1/2"), Plan{Against: Itself}, nil, 1)
	if err == nil || !strings.Contains(err.Error(), "2 of them for the 3 features of wins, which are constant, own line, other line") {
		t.Errorf("error %v", err)
	}
}

// TestTree: examples by hand become rules, and the rules are shown.
func TestTree(t *testing.T) {
	a := ttt(t)
	b := trainer(t, a.Space, "tree:features=marks", Plan{}, nil, 1).memory.(*bench)
	g := b.model.(*grown)
	at := func(text string) space.Node {
		n, err := a.Find(text)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	one, two, three := at("x../.../... o"), at("x.x/o../... o"), at("x.x/oxo/... o")
	for n, worth := range map[space.Node]float64{one: 10, two: 20, three: 20} {
		b.Learn(Example{Node: n, Seat: oxo.First, Target: worth, Rate: 1})
	}
	g.settle(1)
	for n, want := range map[space.Node]float64{one: 10, two: 20, three: 20} {
		if got := g.value(n, 0, oxo.First); got != want {
			t.Errorf("%s is worth %v, want %v", a.Format(n), got, want)
		}
	}
	want := []string{"A board is worth 20.0 where own marks is more than 1 (of 2).", "A board is worth 10.0 where own marks is at most 1 (of 1)."}
	if got := b.show(9).Rules; !slices.Equal(got, want) {
		t.Errorf("rules %q, want %q", got, want)
	}
}

// TestNeverDiverges: a step is never so large that weights run off, on boards of
// any size.
func TestNeverDiverges(t *testing.T) {
	for _, name := range []string{"lms", "td", "td-leaf"} {
		for _, a := range []*space.Space{ttt(t).Space, space.Explore(meta.New()).Space, slippery(t).Space} {
			if a.Odds() != nil && name == "td-leaf" {
				continue // it does not search games with chance
			}
			run(t, trainer(t, a, name, Plan{}, nil, 1), 300)
		}
	}
}

// TestCubeLearned: the usual features are for boards in three dimensions too.
func TestCubeLearned(t *testing.T) {
	b, err := cube.New(3, 3, false)
	if err != nil {
		t.Fatal(err)
	}
	run(t, trainer(t, space.Explore(board.Game64("cube:3,3", "", b, board.Normal)).Space, "td:epsilon=0.1", Plan{}, nil, 1), 20)
}
