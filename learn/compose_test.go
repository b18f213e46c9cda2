package learn

import (
	"slices"
	"strings"
	"testing"

	"oxo/board"
	"oxo/games/cube"
	"oxo/games/meta"
	"oxo/learn/space"
)

// TestFirstWeights: a learner begins with the weights that it is given.
func TestFirstWeights(t *testing.T) {
	a := ttt(t)
	for text, want := range map[string][]float64{
		"lms:features=wins,weights=0/100/-100": {0, 100, -100},
		"td:weights=1":                         {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1},
	} {
		var got []float64
		for _, w := range trainer(t, a.Space, text, Plan{}, nil, 1).Weights() {
			got = append(got, w.Weight)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: weights %v", text, got)
		}
	}
	_, err := New(a.Space, spec(t, "lms:features=wins,weights=1/2"), Plan{Against: Itself}, nil, 1)
	if err == nil || !strings.Contains(err.Error(), "2 of them for the 3 features of wins, which are constant, own line, other line") {
		t.Errorf("error %v", err)
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
