package learn

import (
	"slices"
	"strings"
	"testing"

	"oxo/board"
	"oxo/games/grid"
	"oxo/games/meta"
	"oxo/learn/exam"
	"oxo/learn/model"
	"oxo/learn/space"
)

// TestNewRefuses: what means nothing for a game is refused before training.
func TestNewRefuses(t *testing.T) {
	a := ttt(t)
	notakto := whole64(t, grid.Shape{Cols: 3, Rows: 3, Run: 3}, board.Notakto)
	nine := space.NewLazyGraph(meta.New())
	for _, c := range []struct {
		space   *space.Space
		learner string
		plan    Plan
		want    string
	}{
		{a.Space, "lms:features=weger", Plan{Against: Itself}, "threats, counts, twelve, squares, wins"},
		{nine.Space, "lms:features=twelve", Plan{Against: Itself}, "weger"},
		{notakto.Space, "lms", Plan{Against: Itself}, "no features"},
		{nine.Space, "menace", Plan{Against: Itself}, "too many"},
		{nine.Space, "table", Plan{Against: Itself}, "too many"},
		{nine.Space, "nearest", Plan{Against: Itself}, "too many"},
		{a.Space, "td-leaf:features=threats,weights=1/2", Plan{Against: Itself}, "2 of them"},
		{a.Space, "menace", Plan{Against: "random"}, `"random"`},
		{a.Space, "menace", Plan{Against: Itself, Seats: "third"}, "third"},
		{a.Space, "menace", Plan{Against: Itself, Start: "middle"}, "middle"},
		{a.Space, "menace", Plan{Against: Itself, Start: "empty+x"}, "empty+x"},
		{nine.Space, "td:features=weger", Plan{Against: Itself, Start: "endgames"}, "solved"},
	} {
		_, err := New(c.space, spec(t, c.learner), c.plan, nil, 1)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %+v: error %v, want one with %q", c.learner, c.plan, err, c.want)
		}
	}
	if _, err := exam.NewExaminer(t.Context(), nine, nil); err == nil {
		t.Error("a game too large to enumerate is examined")
	}
}

// TestEveryLearner: learners of each kind are stopped and brought back by tests.
func TestEveryLearner(t *testing.T) {
	for _, k := range model.Forms() {
		if !slices.ContainsFunc(everyLearner,
			func(text string) bool { name, _, _ := strings.Cut(text, ":"); return name == k.Name }) {
			t.Errorf("no learner of the kind %s is among those that are stopped and brought back", k.Name)
		}
	}
}
