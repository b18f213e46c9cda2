package learn

import (
	"math/rand/v2"
	"testing"

	"oxo"
	"oxo/games/meta"
	"oxo/learn/space"
)

// The settings of the honest series: the learner plays itself, two plies
// deep, from four random moves, and plays by the mean of its weights.
const (
	honestFromOnes   = "td-leaf:depth=2,play=3,alpha=0.003,average=9"
	honestFromStatic = "td-leaf:depth=2,play=3,alpha=0.002,rule=textbook,average=5,epsilon=0.1," +
		"weights=3/1/0.5/0.5/0.5/0.5"
)

// honest runs that many series of 20 games, with seeds from the given one on,
// and plays each series' constants, which learn no more, in pairs of games of
// depth 3 against the static constants.
func honest(t testing.TB, text string, from uint64, series, pairs int) sampled {
	t.Helper()
	g := meta.New()
	var sum sampled
	for seed := from; seed < from+uint64(series); seed++ {
		a := space.NewLazyGraph(g)
		l, err := New(a.Space, spec(t, text), Plan{Against: Itself, Start: "empty+4"}, nil, seed)
		if err != nil {
			t.Fatal(err)
		}
		run(t, l, 20)
		mind := func(r *rand.Rand) oxo.Player[meta.Pos] { return NewPlayer(a, l, r) }
		m, err := match(t.Context(), g, mind, always[meta.Pos](static(t, published, 3)), pairs, 4, seed)
		if err != nil {
			t.Fatal(err)
		}
		sum.Games += m.Games
		sum.Wins += m.Wins
		sum.Draws += m.Draws
		sum.Losses += m.Losses
	}
	sum.Score = (float64(sum.Wins) + float64(sum.Draws)/2) / float64(sum.Games)
	return sum
}

// TestHonest is a short form of the soak test of the same name.
func TestHonest(t *testing.T) {
	if s := honest(t, honestFromStatic, 0, 12, 2); s.Score < 0.55 || s.Games != 48 {
		t.Errorf("learned constants score %+v", s)
	}
}
