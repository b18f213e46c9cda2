package learn

import (
	"slices"
	"strings"
	"testing"

	"oxo"
	"oxo/games/meta"
)

// TestCompose: what texts make of a position, by hand. x holds two corners and
// threatens twice; o is to move and has the centre.
func TestCompose(t *testing.T) {
	a := ttt(t)
	n, err := a.find("x.x/.o./xo. o")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		text  string
		names string
		want  []float64
	}{
		{"wins", "constant|own line|other line", []float64{1, 0, 0}},
		{"corners+centre", "constant|own corners|other corners|own centre|other centre", []float64{1, 0, 3, 1, 0}},
		{"own-corners+other-corners*turn", "constant|own corners|other corners × turn", []float64{1, 0, 3}},
		{"winning*corners", "constant|own corners × own winning squares|other corners × own winning squares|" +
			"other winning squares × own corners|other corners × other winning squares", []float64{1, 0, 3, 0, 6}},
		{"marks^2", "constant|own marks|other marks|own marks × own marks|other marks × own marks|other marks × other marks", []float64{1, 2, 3, 4, 6, 9}},
		{"turn+turn", "constant|turn", []float64{1, 1}},
	} {
		f, err := a.Space.features(c.text)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(f.Names, "|"); got != c.names {
			t.Errorf("%s: features %s, want %s", c.text, got, c.names)
		}
		if got := f.of(n, oxo.Second); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v of %s", c.text, got, c.want, c.names)
		}
	}
	square, err := a.Space.features("threats^2")
	if err != nil || len(square.Names) != 1+10+10*11/2 {
		t.Errorf("threats^2 has %d features, %v", len(square.Names), err)
	}
	nine := Explore(meta.New())
	if f, err := nine.Space.features("boards+centres*corners"); err != nil || len(f.Names) != 3 {
		t.Errorf("%v, %v", f, err)
	}
	for text, want := range map[string]string{
		"own+fork":                      `"own" is no feature; there are threats, counts`,
		"wins+":                         `"" is no feature`,
		"wins*boards":                   `"boards" is no feature`,
		"threats^2*threats^2":           "at most 500",
		"squares^2*squares^2*squares^2": "at most 500",
	} {
		if _, err := a.Space.features(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %s", text, err, want)
		}
	}
}

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

func FuzzCompose(f *testing.F) {
	for _, text := range []string{"threats", "wins+forks*turn+corners", "own-line^2", "threats^2", "a*b^2+", "^2", "squares*squares"} {
		f.Add(text)
	}
	a := ttt(f)
	f.Fuzz(func(t *testing.T, text string) {
		m, err := measureNamed(a.Game, text)
		if err != nil {
			return
		}
		x := make([]float64, len(m.names))
		m.measure(a.Game.Start, oxo.First, x)
		if len(m.names) == 0 || len(m.names) > mostFeatures || slices.Contains(m.names, "") {
			t.Errorf("%q: features %q", text, m.names)
		}
	})
}

// TestTree: examples by hand become rules, and the rules are shown.
func TestTree(t *testing.T) {
	a := ttt(t)
	b := trainer(t, a.Space, "tree:features=marks", Plan{}, nil, 1).memory.(*bench)
	g := b.model.(*grown)
	at := func(text string) Node {
		n, err := a.find(text)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	one, two, three := at("x../.../... o"), at("x.x/o../... o"), at("x.x/oxo/... o")
	for n, worth := range map[Node]float64{one: 10, two: 20, three: 20} {
		b.Learn(Example{Node: n, Seat: oxo.First, Target: worth, Rate: 1})
	}
	g.settle(1)
	for n, want := range map[Node]float64{one: 10, two: 20, three: 20} {
		if got := g.value(n, 0, oxo.First); got != want {
			t.Errorf("%s is worth %v, want %v", a.format(n), got, want)
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
		for _, a := range []*Space{ttt(t).Space, Explore(meta.New()).Space, slippery(t).Space} {
			if a.odds != nil && name == "td-leaf" {
				continue // it does not search games with chance
			}
			run(t, trainer(t, a, name, Plan{}, nil, 1), 300)
		}
	}
}
