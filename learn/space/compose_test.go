package space

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
	n, err := a.Find("x.x/.o./xo. o")
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
		{"marks^2", "constant|own marks|other marks|own marks × own marks|other marks × own marks|other marks × " +
			"other marks", []float64{1, 2, 3, 4, 6, 9}},
		{"turn+turn", "constant|turn", []float64{1, 1}},
	} {
		f, err := a.Space.Features(c.text)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(f.Names, "|"); got != c.names {
			t.Errorf("%s: features %s, want %s", c.text, got, c.names)
		}
		if got := f.Of(n, oxo.Second); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v of %s", c.text, got, c.want, c.names)
		}
	}
	square, err := a.Space.Features("threats^2")
	if err != nil || len(square.Names) != 1+10+10*11/2 {
		t.Errorf("threats^2 has %d features, %v", len(square.Names), err)
	}
	nine := NewLazyGraph(meta.New())
	if f, err := nine.Space.Features("boards+centres*corners"); err != nil || len(f.Names) != 3 {
		t.Errorf("%v, %v", f, err)
	}
	for text, want := range map[string]string{
		"own+fork":                      `"own" is no feature; there are threats, counts`,
		"wins+":                         `"" is no feature`,
		"wins*boards":                   `"boards" is no feature`,
		"threats^2*threats^2":           "at most 500",
		"squares^2*squares^2*squares^2": "at most 500",
	} {
		if _, err := a.Space.Features(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %s", text, err, want)
		}
	}
}

func FuzzCompose(f *testing.F) {
	for _, text := range []string{"threats", "wins+forks*turn+corners", "own-line^2", "threats^2", "a*b^2+", "^2",
		"squares*squares"} {
		f.Add(text)
	}
	a := ttt(f)
	f.Fuzz(func(t *testing.T, text string) {
		m, err := composeNamed(a.Game, text)
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
