package learn

import (
	"math"
	"math/rand/v2"
	"testing"

	"oxo"
	"oxo/games/meta"
	"oxo/learn/space"
)

// published are the constants of the static opponent in the published code.
var published = []float64{3, 1, .5, .5, .5, .5}

func static(t testing.TB, weights []float64, depth int) *space.Static[meta.Pos] {
	t.Helper()
	s, err := space.NewStatic(meta.New(), "weger", weights, depth)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func always[P oxo.Position[P]](p oxo.Player[P]) func(*rand.Rand) oxo.Player[P] {
	return func(*rand.Rand) oxo.Player[P] { return p }
}

// TestWegerSeries: twenty games against the static constants, depth 3, the
// learner always first. With the right leaf: 3 wins, 1 tie, 16 losses (facts' §6);
// with that of the published program the published run, constants included.
func TestWegerSeries(t *testing.T) {
	for _, c := range []struct {
		spec, want string
		constants  []float64
	}{
		{"td-leaf", "llllllllllwwwllltlll", []float64{2.915, 1.381, 0.569, 0.708, 0.375, 0.051}},
		{"td-leaf:bug=published", "lllllllllwlllllwwwww", []float64{3.05, 1.14, .74, .66, .33, .08}},
	} {
		a := space.NewLazyGraph(meta.New())
		l, err := New(a.Space, spec(t, c.spec), Plan{Against: "static", Seats: "first"},
			NewPlayerOpponent(a, always[meta.Pos](static(t, published, 3))), 1)
		if err != nil {
			t.Fatal(err)
		}
		series := ""
		for range 20 {
			before := l.Tally()
			run(t, l, 1)
			switch now := l.Tally(); {
			case now.Wins > before.Wins:
				series += "w"
			case now.Draws > before.Draws:
				series += "t"
			default:
				series += "l"
			}
		}
		if series != c.want {
			t.Errorf("%s: series %s, want %s", c.spec, series, c.want)
		}
		sum := 0.0
		for i, want := range c.constants {
			w := l.Weights()[i].Weight
			if sum += w; math.Abs(w-want) > 0.0055 {
				t.Errorf("%s: constant %d is %.4f after the series, want %.3f", c.spec, i+1, w, want)
			}
		}
		if math.Abs(sum-6) > 1e-9 {
			t.Errorf("%s: the constants sum to %v, want 6", c.spec, sum)
		}
	}
}

// TestMatch: a match between equals, and one that the better side wins.
func TestMatch(t *testing.T) {
	g := meta.New()
	strong, weak := always[meta.Pos](static(t, published, 2)),
		always[meta.Pos](static(t, []float64{1, 1, 1, 1, 1, 1}, 1))
	even, err := match(t.Context(), g, strong, strong, 10, 4, 1)
	if err != nil || even.Games != 20 || even.Wins != even.Losses || even.Score != 0.5 || even.Error != 0 {
		t.Errorf("a player against itself: %+v %v", even, err)
	}
	s, err := match(t.Context(), g, strong, weak, 20, 4, 1)
	if err != nil || s.Score < 0.8 || s.Wins+s.Draws+s.Losses != 40 {
		t.Errorf("the better player: %+v %v", s, err)
	}
}

// BenchmarkWegerSeries is the twenty games of the published experiment.
func BenchmarkWegerSeries(b *testing.B) {
	for b.Loop() {
		a := space.NewLazyGraph(meta.New())
		l, err := New(a.Space, spec(b, "td-leaf"), Plan{Against: "static", Seats: "first"},
			NewPlayerOpponent(a, always[meta.Pos](static(b, published, 3))), 1)
		if err != nil {
			b.Fatal(err)
		}
		run(b, l, 20)
	}
}
