package learn

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"oxo"
	"oxo/board"
	"oxo/games/meta"
	"oxo/learn/space"
)

// published are the constants of the static opponent in the published code.
var published = []float64{3, 1, .5, .5, .5, .5}

func static(t testing.TB, weights []float64, depth int) *space.Static[meta.Pos] {
	t.Helper()
	s, err := space.NewStatic(meta.New(), "weger", weights, depth)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func always[P oxo.Position[P]](p oxo.Player[P]) func(*rand.Rand) oxo.Player[P] {
	return func(*rand.Rand) oxo.Player[P] { return p }
}

// TestWegerSeries: twenty games against the static constants, depth 3, the
// learner always first. With the right leaf: 3 wins, 1 tie, 16 losses (facts' §6);
// with that of the published program the published run, constants included.
func TestWegerSeries(t *testing.T) {
	for _, c := range []struct {
		spec, want string
		constants  []float64
	}{
		{"td-leaf", "llllllllllwwwllltlll", []float64{2.915, 1.381, 0.569, 0.708, 0.375, 0.051}},
		{"td-leaf:bug=published", "lllllllllwlllllwwwww", []float64{3.05, 1.14, .74, .66, .33, .08}},
	} {
		a := space.Explore(meta.New())
		l, err := New(a.Space, spec(t, c.spec), Plan{Against: "static", Seats: "first"}, Live(a, always[meta.Pos](static(t, published, 3))), 1)
		if err != nil {
			t.Fatal(err)
		}
		series := ""
		for range 20 {
			before := l.Tally()
			run(t, l, 1)
			switch now := l.Tally(); {
			case now.Wins > before.Wins:
				series += "w"
			case now.Draws > before.Draws:
				series += "t"
			default:
				series += "l"
			}
		}
		if series != c.want {
			t.Errorf("%s: series %s, want %s", c.spec, series, c.want)
		}
		sum := 0.0
		for i, want := range c.constants {
			w := l.memory.(*leaf).w[i]
			if sum += w; math.Abs(w-want) > 0.0055 {
				t.Errorf("%s: constant %d is %.4f after the series, want %.3f", c.spec, i+1, w, want)
			}
		}
		if math.Abs(sum-6) > 1e-9 {
			t.Errorf("%s: the constants sum to %v, want 6", c.spec, sum)
		}
	}
}

// TestLeafRules: each rule's step by hand, on weights (2, 1) of the marks of either
// side that are rescaled to sum 3. With φ(s) = (0, 1), φ(ŝ) = (1, 1) the surprise is
// 3 − 1 = 2.
func TestLeafRules(t *testing.T) {
	a := ttt(t)
	here, leafNode := find(t, a, "x../.../... o"), find(t, a, "x../.o./... x")
	for _, c := range []struct {
		rule    string
		want    [2]float64
		tooMuch Example // leads to a negative sum
	}{
		// cᵢ −= 0.1·2·cᵢ·(φᵢ(ŝ) − φᵢ(s)): 2 − 0.4, 1; sum 2.6
		{"weger", [2]float64{1.6 * 3 / 2.6, 1 * 3 / 2.6}, Example{Node: here, Leaf: leafNode, Target: 1e6}},
		// cᵢ += 0.1·2·φᵢ(s): 2, 1.2; sum 3.2
		{"textbook", [2]float64{2 * 3 / 3.2, 1.2 * 3 / 3.2}, Example{Node: leafNode, Target: -10}},
	} {
		l := trainer(t, a.Space, "td-leaf:features=marks,weights=2/1,alpha=0.1,sum=3,rule="+c.rule, Plan{}, nil, 1).memory.(*leaf)
		l.Learn(Example{Node: here, Seat: oxo.Second, Leaf: leafNode, Target: 3})
		for i, want := range c.want {
			if math.Abs(l.w[i]-want) > 1e-12 {
				t.Errorf("%s: weight %d is %v, want %v", c.rule, i, l.w[i], want)
			}
		}
		l.alpha, c.tooMuch.Seat = 100, oxo.Second
		l.Learn(c.tooMuch)
		if l.refused != 1 {
			t.Errorf("%s: a step to a negative sum is taken: %v", c.rule, l.w)
		}
	}
}

// TestLeafEnds: what a finished game was worth is what is said of a won one, or
// else what the last position is by the weights, here 2·1 + 1·1.
func TestLeafEnds(t *testing.T) {
	a := ttt(t)
	end := find(t, a, "x../.o./... x")
	for option, want := range map[string]float64{"win=0": 3, "win=7": -7} {
		l := trainer(t, a.Space, "td-leaf:features=marks,weights=2/1,"+option, Plan{}, nil, 1).memory.(*leaf)
		if got := l.end(&Trace{Nodes: []space.Node{a.Start, end}, Worth: 1}, oxo.Second); got != want {
			t.Errorf("%s: %v, want %v", option, got, want)
		}
	}
}

// find is the number of a position that is written as text.
func find(t testing.TB, a *space.Graph[board.Pos64], text string) space.Node {
	t.Helper()
	n, err := a.Find(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestLeafAverage: in earnest it plays by the mean of its weights after the game
// that was named and later ones, before that by the last.
func TestLeafAverage(t *testing.T) {
	l := trainer(t, ttt(t).Space, "td-leaf:features=wins,average=3", Plan{}, nil, 1).memory.(*leaf)
	for game, c := range []struct{ after, mean float64 }{{1, 1}, {2, 2}, {6, 6}, {10, 8}, {2, 6}} {
		l.w = []float64{c.after, c.after, 0}
		l.count()
		if got := l.weights(); !slices.Equal(got, []float64{c.mean, c.mean, 0}) {
			t.Errorf("after game %d with %v it plays by %v", game+1, l.w, got)
		}
	}
}

// TestMatch: a match between equals, and one that the better side wins.
func TestMatch(t *testing.T) {
	g := meta.New()
	strong, weak := always[meta.Pos](static(t, published, 2)), always[meta.Pos](static(t, []float64{1, 1, 1, 1, 1, 1}, 1))
	even, err := match(t.Context(), g, strong, strong, 10, 4, 1)
	if err != nil || even.Games != 20 || even.Wins != even.Losses || even.Score != 0.5 || even.Error != 0 {
		t.Errorf("a player against itself: %+v %v", even, err)
	}
	s, err := match(t.Context(), g, strong, weak, 20, 4, 1)
	if err != nil || s.Score < 0.8 || s.Wins+s.Draws+s.Losses != 40 {
		t.Errorf("the better player: %+v %v", s, err)
	}
}

// BenchmarkWegerSeries is the twenty games of the published experiment.
func BenchmarkWegerSeries(b *testing.B) {
	for b.Loop() {
		a := space.Explore(meta.New())
		l, err := New(a.Space, spec(b, "td-leaf"), Plan{Against: "static", Seats: "first"}, Live(a, always[meta.Pos](static(b, published, 3))), 1)
		if err != nil {
			b.Fatal(err)
		}
		run(b, l, 20)
	}
}
