package learn

import (
	"context"
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

func TestParse(t *testing.T) {
	s := spec(t, "td:lambda=0.7,features=twelve")
	if s.Name() != "td" || s.String() != "td:lambda=0.7,features=twelve" {
		t.Errorf("read as %q %q", s.Name(), s)
	}
	values := map[string]string{}
	for _, v := range s.Settings() {
		values[v.Key] = v.Value
		if v.About == "" {
			t.Errorf("setting %s is not explained", v.Key)
		}
	}
	if values["features"] != "twelve" || values["lambda"] != "0.7" || values["eta"] != "0.02" {
		t.Errorf("settings %v", values)
	}
	if forms := Forms(); len(forms) != len(kinds()) || forms[0].Name != "menace" {
		t.Errorf("forms %v", forms)
	}
	for _, k := range kinds() {
		if !slices.ContainsFunc(everyLearner, func(text string) bool { name, _, _ := strings.Cut(text, ":"); return name == k.name }) {
			t.Errorf("no learner of the kind %s is among those that are stopped and brought back", k.name)
		}
	}
	for _, c := range []struct{ text, want string }{
		{"mence", "menace, table"},
		{"", "no learner"},
		{"table:", ""},
		{"table:epsilon", "key=value"},
		{"table:epsilon=", "key=value"},
		{"table:epsilon=2", "epsilon=2"},
		{"table:epsilon=NaN", "epsilon=NaN"},
		{"table:epsilon=x", "from 0 to 1"},
		{"lms:eta=-1", "eta=-1"},
		{"lms:eta=5", "eta=5"},
		{"lms:speed=5", `"speed"`},
		{"lms:eta=0.1,eta=0.2", "twice"},
		{"menace:beads=4/3/0", "beads=4/3/0"},
		{"menace:beads=", "beads="},
		{"menace:beads=4/2.5", "beads=2.5: it must be whole numbers"},
		{"menace:beads=1e7", "from 1 to 1000000 joined"},
		{"menace:merge=all", "moves, boxes, none"},
		{"menace:win=1.5", "whole number"},
		{"td-leaf:depth=0", "depth=0"},
	} {
		_, err := Parse(c.text)
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%q: %v", c.text, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%q: error %v, want one with %q", c.text, err, c.want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range append(everyLearner, "menace:beads=8/4/2/1", "x:y=z", "td-leaf:weights=3/1/.5/.5/.5/.5") {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := Parse(text)
		if err != nil {
			return
		}
		if s.String() != text {
			t.Errorf("%q becomes %q", text, s)
		}
	})
}

func FuzzParseStatic(f *testing.F) {
	f.Add(StaticForm)
	f.Add("weights=1,features=x")
	f.Add("weights=1/2")
	f.Add("depth=99,weights=1/2/3/4/5/6")
	g := meta.New()
	f.Fuzz(func(t *testing.T, text string) {
		s, err := ParseStatic(g, text)
		if err != nil {
			return
		}
		off, cancel := context.WithCancel(t.Context()) // so that it does not search deep
		cancel()
		if c, err := s.Choose(off, g.Start); err != nil || c.Move == oxo.NoMove {
			t.Errorf("%q: move %d, %v", text, c.Move, err)
		}
	})
}

// TestNewRefuses: what means nothing for a game is refused before training.
func TestNewRefuses(t *testing.T) {
	a := ttt(t)
	notakto := whole64(t, grid.Shape{Cols: 3, Rows: 3, Run: 3}, board.Notakto)
	nine := space.Explore(meta.New())
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

// TestDiverges: a step that is too large ends in an error, not in nonsense.
func TestDiverges(t *testing.T) {
	a := ttt(t)
	l := trainer(t, a.Space, "lms:eta=1.5,scaled=no,target=successor", Plan{}, nil, 1)
	if err := l.Run(t.Context(), 5000, nil); err == nil || !strings.Contains(err.Error(), "eta=1.5") {
		t.Errorf("error %v, want one about eta", err)
	}
}

// TestEpsilonFalls: epsilon falls evenly over the games that a learner has played.
func TestEpsilonFalls(t *testing.T) {
	for _, text := range []string{"table", "lms", "td", "q", "nearest"} {
		l := trainer(t, ttt(t).Space, text+":epsilon=0.5,to=0.1,over=8", Plan{}, nil, 1)
		try := &l.memory.(*bench).try
		for _, want := range []float64{0.5, 0.4, 0.3, 0.2, 0.1, 0.1} {
			if got := try.now(); math.Abs(got-want) > 1e-12 {
				t.Errorf("%s: after %d games %v, want %v", text, try.games, got, want)
			}
			run(t, l, 2)
		}
	}
}
