package learn

import (
	"strings"
	"testing"

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
		for _, s := range trainer(t, c.space, c.text, Plan{}, nil, 1).spec.Settings() {
			settled[s.Key] = s.Value
		}
		for _, word := range strings.Fields(c.want) {
			if key, value, _ := strings.Cut(word, "="); settled[key] != value {
				t.Errorf("%s: %s=%s, want %s", c.text, key, settled[key], value)
			}
		}
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
	if s := l.Show(0).Summary[0]; s != "the best of 10 individuals in generation 10" {
		t.Errorf("it is %s", s)
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
			if got := l.Show(0).Summary[0]; !strings.Contains(got, " of the features "+c.want+";") {
				t.Errorf("%s goes by %s, not %s", c.text, got, c.want)
			}
		}
	}
}
