package kind

import (
	"slices"
	"strings"
	"testing"

	"oxo"
	"oxo/board"
	"oxo/message"
)

func TestSplit(t *testing.T) {
	plain, path := Kind{Name: "mnk"}, Kind{Name: "tree", File: &FileFormat{}, Options: []string{"own"}}
	for _, c := range []struct {
		k                   Kind
		spec, name, in, opt string
	}{
		{plain, "mnk", "mnk", "", ""},
		{plain, "mnk:3,3,3+misere+x", "mnk", "3,3,3", "misere x"},
		{plain, "mnk+", "mnk", "", ""},
		{path, "tree:a+b.json", "tree", "a+b.json", ""},
		{path, "tree:a+b.json+wild+slip=.2+own", "tree", "a+b.json", "wild slip=.2 own"},
		{path, "tree:+misere", "tree", "", "misere"},
		{path, "tree:a+misere+b", "tree", "a+misere+b", ""},
		{path, "tree+exact", "tree", "", "exact"},
	} {
		s := c.k.Split(c.spec)
		if s.Name != c.name || s.Args != c.in || strings.Join(s.Options, " ") != c.opt || KindNameIn(c.spec) != c.name {
			t.Errorf("%s is %+v", c.spec, s)
		}
	}
}

// TestOptions: every rule has its option, its words and its suffix, and is read
// again from that.
func TestOptions(t *testing.T) {
	if got := strings.Join(PositionalOptions(Gravity), " "); got != "misere maker breaker avoider enforcer wild "+
		"wild+misere "+
		"notakto order chaos slip=P gravity" {
		t.Errorf("options %s", got)
	}
	said := map[string]bool{}
	for _, r := range board.AllRules {
		s := Settings{Rules: r, Gravity: true, Exact: true}
		s.Rules.Slip = 0.25
		read, err := Spec{}.ReadSettings(strings.Split(s.Suffix()[1:], "+"))
		if err != nil || read != s {
			t.Errorf("%s is read as %+v, %v", s.Suffix(), read, err)
		}
		title := Words().Say(s.TitleWithOptions(message.Of("title.own", message.Args{"title": "it"})))
		rules := Words().Say(s.Explain(message.Message{Key: "the aim"}, true)...)
		if said[rules] || strings.Count(rules, "the aim") != 1 || strings.Contains(rules, "{") ||
			!strings.HasPrefix(title, "it, ") || strings.Contains(title, "title.") {
			t.Errorf("%s: %s; %s", s.Suffix(), title, rules)
		}
		said[rules] = true
	}
	// Of an option that there is not, those are told that the kind takes, as it lists them.
	k := Kind{Name: "flat", Options: PositionalOptions()}
	s := k.Split("flat:3+fast")
	if _, err := s.ReadSettings(s.Options); err == nil ||
		!strings.HasSuffix(err.Error(), "options are "+strings.Join(PositionalOptions(), ", ")) {
		t.Error(err)
	}
}

func TestViews(t *testing.T) {
	v := GridView(3, 2)
	names := func(v View) (list []string) {
		for _, s := range v.Squares {
			list = append(list, s.Name)
		}
		return list
	}
	if got := names(v); !slices.Equal(got, []string{"a2", "b2", "c2", "a1", "b1", "c1"}) ||
		v.Squares[4] != (Square{"b1", 1, 1, 0}) {
		t.Errorf("squares %v", v.Squares)
	}
	if got := names(GridView(3, 1)); !slices.Equal(got, []string{"1", "2", "3"}) {
		t.Errorf("squares %v", got)
	}
	b, err := board.New(4, [][]int{{0, 1}, {2, 3}})
	if err != nil {
		t.Fatal(err)
	}
	if v := BoardView(b); v.Drawn != Grid || v.Falls || len(v.Squares) != 4 {
		t.Errorf("%+v", v)
	}
	b.Layout[3] = board.Point{Level: 1}
	if err := b.SetBelow([]int{1, -1, 3, -1}); err != nil {
		t.Fatal(err)
	}
	if v := BoardView(b); v.Drawn != Levels || !v.Falls || v.Seat(oxo.First) != "X" || v.Seat(oxo.Second) != "O" {
		t.Errorf("%+v", v)
	}
	if v := (View{Seats: [2]string{"Max", "Min"}}); v.Seat(oxo.First) != "Max" || v.Seat(oxo.Second) != "Min" {
		t.Errorf("%+v", v)
	}
}

// TestRoles: where both sides place the same marks, and where rules name them, sides have names of their own, which
// are among the words.
func TestRoles(t *testing.T) {
	rules := map[string]bool{}
	for _, r := range board.AllRules {
		rules[r.Name] = true
		if names := roles[r.Name]; names == nil && (r.Place != board.Own || !r.Tested[0] || !r.Tested[1]) {
			t.Errorf("%q: the sides have no names", r.Name)
		}
	}
	for name, names := range roles {
		if !rules[name] || len(names) != 2 || words[names[0].Key] == "" || words[names[1].Key] == "" {
			t.Errorf("%q: %v", name, names)
		}
	}
}
