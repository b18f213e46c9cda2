package model

import (
	"math"
	"slices"
	"testing"

	"oxo"
	"oxo/learn/space"
)

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
		l := built(t, a.Space, "td-leaf:features=marks,weights=2/1,alpha=0.1,sum=3,rule="+c.rule).Memory.(*leafLearner)
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
		l := built(t, a.Space, "td-leaf:features=marks,weights=2/1,"+option).Memory.(*leafLearner)
		if got := l.endWorth(&Trace{Nodes: []space.Node{a.Start, end}, Worth: 1}, oxo.Second); got != want {
			t.Errorf("%s: %v, want %v", option, got, want)
		}
	}
}

// TestLeafAverage: in earnest it plays by the mean of its weights after the game
// that was named and later ones, before that by the last.
func TestLeafAverage(t *testing.T) {
	l := built(t, ttt(t).Space, "td-leaf:features=wins,average=3").Memory.(*leafLearner)
	for game, c := range []struct{ after, mean float64 }{{1, 1}, {2, 2}, {6, 6}, {10, 8}, {2, 6}} {
		l.w = []float64{c.after, c.after, 0}
		l.countAndAverage()
		if got := l.playingWeights(); !slices.Equal(got, []float64{c.mean, c.mean, 0}) {
			t.Errorf("after game %d with %v it plays by %v", game+1, l.w, got)
		}
	}
}

// TestLeafStepCut: a step that would move U(s) more than three times as far as its target reaches it,
// a smaller one is as large as alpha says.
func TestLeafStepCut(t *testing.T) {
	a := ttt(t)
	n := find(t, a, "x../.o./... x") // φ = (1, 1): a step of 1 moves U by 2
	for alpha, want := range map[string]float64{"0.1": 2, "0.9": 18, "1": 20} {
		l := built(t, a.Space, "td-leaf:features=marks,rule=textbook,alpha="+alpha).Memory.(*leafLearner)
		l.Learn(Example{Node: n, Seat: oxo.First, Leaf: n, Target: 10})
		if got := l.leafWorth(n, oxo.First); math.Abs(got-want) > 1e-12 {
			t.Errorf("alpha=%s: U is %v, want %v", alpha, got, want)
		}
		l = built(t, a.Space, "td-leaf:features=marks,rule=textbook,weights=0").Memory.(*leafLearner)
		l.alpha = 1.6 // 3.2 times as far
		l.Learn(Example{Node: n, Seat: oxo.First, Leaf: n, Target: 10})
		if got := l.leafWorth(n, oxo.First); math.Abs(got-10) > 1e-12 {
			t.Errorf("a step that is cut comes to %v, not 10", got)
		}
	}
}

// TestRunOff: where weights have run off, the error names an option that the learner has.
func TestRunOff(t *testing.T) {
	a := ttt(t)
	for learner, want := range map[string]string{"td-leaf:alpha=0.5": "alpha=0.5 is too large for these features",
		"lms:eta=2,scaled=no": "eta=2 is too large for these features, or use scaled=yes",
		"td:eta=2":            "eta=2 is too large for these features"} {
		m := built(t, a.Space, learner).Memory
		_, w := m.(Weighted).Weights()
		w[0] = math.Inf(1)
		if err := m.Check(); err == nil || err.Error() != "the weights have run off to infinity: "+want {
			t.Errorf("%s: %v", learner, err)
		}
	}
}
