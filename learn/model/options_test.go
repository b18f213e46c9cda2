package model

import (
	"context"
	"math"
	"strings"
	"testing"

	"oxo"
	"oxo/games/meta"
	"oxo/learn/space"
)

// TestTakes: each option says what it takes, and its usual value is of that.
func TestTakes(t *testing.T) {
	for _, f := range Forms() {
		for _, s := range f.Settings {
			if s.Takes == nil || s.Takes.Kind == "" {
				t.Fatalf("%s: option %s does not say what it takes", f.Name, s.Key)
			}
			if k := s.Takes.Kind; (k == "word") != (len(s.Takes.Words) > 0) || (k == "number" || k == "integer") &&
				s.Takes.Low >= s.Takes.High {
				t.Errorf("%s: option %s takes %+v", f.Name, s.Key, s.Takes)
			}
		}
	}
}

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
	for _, c := range []struct{ text, want string }{
		{"mence", "menace, table"},
		{"", "no learner"},
		{"table:", ""},
		{"table:epsilon", "key=value"},
		{"table:epsilon=", "key=value"},
		{"table:epsilon=2", "epsilon=2"},
		{"lms:target=solver", "outcome, successor, search"},
		{"tree:target=solver", "outcome, successor, search"},
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
	for _, form := range Forms() {
		f.Add(form.Name)
	}
	for _, text := range []string{"table:epsilon=0.2,to=0.01,over=500", "lms:features=squares,fit=exact",
		"q:order=backward,initial=1",
		"menace:beads=8/4/2/1", "x:y=z", "td-leaf:weights=3/1/.5/.5/.5/.5"} {
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

// TestEpsilonFalls: epsilon falls evenly over the games that a learner has played.
func TestEpsilonFalls(t *testing.T) {
	a := ttt(t)
	for _, text := range []string{"table", "lms", "td", "q", "nearest"} {
		l := built(t, a.Space, text+":epsilon=0.5,to=0.1,over=8")
		try := &l.Memory.(*valueLearner).try
		for _, want := range []float64{0.5, 0.4, 0.3, 0.2, 0.1, 0.1} {
			if got := try.currentRate(); math.Abs(got-want) > 1e-12 {
				t.Errorf("%s: after %d games %v, want %v", text, try.games, got, want)
			}
			for range 2 {
				l.Critic.LearnGame(&Trace{Nodes: []space.Node{a.Start}}, l.Generalizer)
			}
		}
	}
}
