//go:build soak

package learn

import (
	"math/rand/v2"
	"testing"

	"oxo"
	"oxo/games/meta"
	"oxo/learn/space"
)

// TestHonestSeries: over 100 series the constants learned in 20 games score at
// least 65 % against the static player. The settings were chosen on other
// seeds.
func TestHonestSeries(t *testing.T) {
	for _, text := range []string{honestFromOnes, honestFromStatic} {
		s := honest(t, text, 1000, 100, 10)
		t.Logf("%s: %+v, %.1f%% won", text, s, 100*float64(s.Wins)/float64(s.Games))
		if s.Score < 0.65 {
			t.Errorf("%s scores %.3f, want at least 0.65", text, s.Score)
		}
	}
}

// TestPublishedConstants: what the author's best constants score, and others
// that learn nothing, as first player over 2,000 games (facts' §6).
func TestPublishedConstants(t *testing.T) {
	g := meta.New()
	for _, c := range []struct {
		name    string
		weights []float64
		wins    int // of 2,000 as first
	}{
		{"best", []float64{3.074038, 1.049451, .767944, .605861, .281883, .220823}, 1221},
		{"ones", []float64{1, 1, 1, 1, 1, 1}, 17},
		{"static", published, 924},
	} {
		wins := 0
		r := rand.New(rand.NewPCG(1, 1))
		a := space.NewLazyGraph(g)
		for range 2000 {
			a.Space.Forget()
			line := randomWalk(a.Space, a.Start, 4, r)
			players := [2]oxo.Player[meta.Pos]{static(t, c.weights, 3), static(t, published, 3)}
			o, err := duel(t.Context(), g, a.Position(line[len(line)-1]), players, r)
			if err != nil {
				t.Fatal(err)
			}
			if o == oxo.FirstWins {
				wins++
			}
		}
		t.Logf("%s: %d wins of 2,000 as first", c.name, wins)
		if d := wins - c.wins; d > 95 || d < -95 {
			t.Errorf("%s: %d wins of 2,000, want about %d", c.name, wins, c.wins)
		}
		m, err := match(t.Context(), g, always[meta.Pos](static(t, c.weights, 3)),
			always[meta.Pos](static(t, published, 3)), 1000, 4, 1)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s on both seats: %+v", c.name, m)
	}
}
