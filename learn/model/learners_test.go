package model_test

import (
	"slices"
	"strings"
	"testing"

	"oxo/board"
	"oxo/games/cube"
	"oxo/games/grid"
	"oxo/games/meta"
	"oxo/learn"
	"oxo/learn/exam"
	"oxo/learn/space"
)

// TestLearnWithChance: before a mark has landed the board doesn't show where it
// was meant to, and so learners that judge boards must look at where it may
// land. Those that looked at the board before it played like random ones.
func TestLearnWithChance(t *testing.T) {
	a := slippery(t)
	x := examiner(t, a)
	chance := x.Exam(x.Random()).AsFirst.VsRandom
	for _, text := range []string{"td", "lms:features=threats,scaled=yes", "evolve", "nearest"} {
		l := trainer(t, a.Space, text, learn.Plan{}, x.Random(), 1)
		run(t, l, 2000)
		if e := graded(t, x, l).AsFirst.VsRandom; e.Win < chance.Win+0.2 {
			t.Errorf("%s wins %.3f against a random player, which wins %.3f against itself", text, e.Win, chance.Win)
		}
	}
}

// TestShownWithChance: what chance does is no move of either side: a second
// move is one, and a worth is to the side that moved.
func TestShownWithChance(t *testing.T) {
	a := slippery(t)
	for _, b := range trainer(t, a.Space, "menace", learn.Plan{}, nil, 1).Show(a.Len()).Boxes {
		p, err := a.Game.Parse(b.Position)
		if err != nil {
			t.Fatal(err)
		}
		x, o := p.Marks()
		if want := (x.Len()+o.Len())/2 + 1; b.Stage != want || b.Beads[0].Beads != max(1, 5-want) {
			t.Fatalf("the box of %s: %+v, want stage %d", b.Position, b, want)
		}
	}
	l := trainer(t, a.Space, "table:learn=own", learn.Plan{Seats: "first"}, space.UniformOverBest(a.Space), 1)
	run(t, l, 50)
	for _, v := range l.Show(a.Len()).Positions {
		if v.Seat != "first" {
			t.Fatalf("%+v, though only the first player learns", v)
		}
	}
}

// TestFirstWeights: a learner begins with the weights that it is given.
func TestFirstWeights(t *testing.T) {
	a := ttt(t)
	for text, want := range map[string][]float64{
		"lms:features=wins,weights=0/100/-100": {0, 100, -100},
		"td:weights=1":                         {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1},
	} {
		var got []float64
		for _, w := range trainer(t, a.Space, text, learn.Plan{}, nil, 1).Weights() {
			got = append(got, w.Weight)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: weights %v", text, got)
		}
	}
	_, err := learn.New(a.Space, spec(t, "lms:features=wins,weights=1/2"), learn.Plan{Against: learn.Itself}, nil, 1)
	if err == nil || !strings.Contains(err.Error(),
		"2 of them for the 3 features of wins, which are constant, own line, other line") {
		t.Errorf("error %v", err)
	}
}

// TestNeverDiverges: a step is never so large that weights run off, on boards of
// any size.
func TestNeverDiverges(t *testing.T) {
	for _, name := range []string{"lms", "td", "td-leaf"} {
		for _, a := range []*space.Space{ttt(t).Space, space.NewLazyGraph(meta.New()).Space, slippery(t).Space} {
			if a.Odds() != nil && name == "td-leaf" {
				continue // it does not search games with chance
			}
			run(t, trainer(t, a, name, learn.Plan{}, nil, 1), 300)
		}
	}
}

// TestCubeLearned: the usual features are for boards in three dimensions too.
func TestCubeLearned(t *testing.T) {
	b, err := cube.New(3, 3, false)
	if err != nil {
		t.Fatal(err)
	}
	run(t, trainer(t, space.NewLazyGraph(board.Game64("cube:3,3", "", b, board.Normal)).Space, "td:epsilon=0.1",
		learn.Plan{}, nil, 1), 20)
}

// TestUsualSettings: with features of boards td-leaf learns by temporal differences
// from nothing, with those of the meta game as their author did, and what is said
// goes before what is usual.
func TestUsualSettings(t *testing.T) {
	board, nine := ttt(t).Space, space.NewLazyGraph(meta.New()).Space
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
		for _, s := range trainer(t, c.space, c.text, learn.Plan{}, nil, 1).Spec().Settings() {
			settled[s.Key] = s.Value
		}
		for word := range strings.FieldsSeq(c.want) {
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
	l := trainer(t, a.Space, "evolve:size=10,rounds=10", learn.Plan{}, x.Random(), 1)
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

// TestDiverges: a step that is too large ends in an error, not in nonsense.
func TestDiverges(t *testing.T) {
	a := ttt(t)
	l := trainer(t, a.Space, "lms:eta=1.5,scaled=no,target=successor", learn.Plan{}, nil, 1)
	if err := l.Run(t.Context(), 5000, nil); err == nil || !strings.Contains(err.Error(), "eta=1.5") {
		t.Errorf("error %v, want one about eta", err)
	}
}
