//go:build soak

package learn

import (
	"math"
	"oxo/learn/exam"
	"oxo/learn/model"
	"slices"
	"testing"
)

// unbeatableFrom trains and returns the number of games after which no
// opponent can ever win, on either seat, at any later exam; 0 if never.
func unbeatableFrom(t testing.TB, x *exam.Examiner, l *Trainer, games int) int {
	t.Helper()
	from := 0
	for l.Tally().Games < games {
		run(t, l, 1+l.Tally().Games/20)
		e := graded(t, x, l)
		switch {
		case e.AsFirst.VsBest.Loss+e.AsSecond.VsBest.Loss > 0:
			from = 0
		case from == 0:
			from = l.Tally().Games
		}
	}
	return from
}

// TestUnbeatableSeeds: sixteen seeds of each learner.
func TestUnbeatableSeeds(t *testing.T) {
	a := ttt(t)
	x := examiner(t, a)
	for _, c := range unbeatable(a, x) {
		var from []int
		for seed := range uint64(16) {
			l, err := New(a.Space, spec(t, c.text), c.plan, c.opponent, seed)
			if err != nil {
				t.Fatal(err)
			}
			n := unbeatableFrom(t, x, l, c.games)
			if n == 0 {
				t.Errorf("%s seed %d is beatable after %d games", c.text, seed, c.games)
			}
			from = append(from, n)
		}
		slices.Sort(from)
		t.Logf("%s: unbeatable from game %d on at best, %d in the middle, %d at worst", c.text, from[0], from[8],
			from[15])
	}
}

// TestDefaultsEndWellSeeds: every learner with its usual options is unbeatable in
// sixteen of sixteen seeds, against itself and against the pool, as it plays and
// greedily. One learner: -run TestDefaultsEndWellSeeds/menace.
func TestDefaultsEndWellSeeds(t *testing.T) {
	a := ttt(t)
	x := examiner(t, a)
	for _, k := range model.Forms() {
		for _, against := range []string{Itself, "pool"} {
			t.Run(k.Name+"/"+against, func(t *testing.T) {
				for seed := range uint64(16) {
					endsWell(t, a, x, k.Name, against, usualGames(k.Name), seed)
				}
			})
		}
	}
}

// TestMenaceEndsSeeds: a hundred machines of a hundred.
func TestMenaceEndsSeeds(t *testing.T) {
	a := ttt(t)
	x := examiner(t, a)
	for seed := range uint64(100) {
		menaceEnds(t, a, x, seed)
	}
}

// TestMenaceStatistics: facts' §4, 400 runs. Both samples have an error: the
// tolerance is three standard errors of their difference for the boxes, and
// three points for the draw rates.
func TestMenaceStatistics(t *testing.T) {
	a := ttt(t)
	for _, c := range []struct {
		text    string
		emptied float64
		draws   [3]float64
	}{
		{"menace:as=michie", 63, [3]float64{28, 90, 98}},
		{"menace:as=michie,beads=8/4/2/1", 14, [3]float64{27, 81, 97}},
		{"menace:as=michie,beads=8/4/2/1,merge=boxes", 0, [3]float64{26, 48, 83}},
	} {
		emptied, draws := menaceRuns(t, a, c.text, 400)
		t.Logf("%s: first box emptied in %.1f%%, draws %.1f %.1f %.1f%%", c.text, emptied, draws[0], draws[1], draws[2])
		if tolerance := 3 * math.Sqrt(2*c.emptied*(100-c.emptied)/400); math.Abs(emptied-c.emptied) > tolerance {
			t.Errorf("%s: first box emptied in %.1f%% of the runs, want %v ± %.1f", c.text, emptied, c.emptied,
				tolerance)
		}
		for k, want := range c.draws {
			if math.Abs(draws[k]-want) > 3 {
				t.Errorf("%s: draw rates %.1f, want %v", c.text, draws, c.draws)
			}
		}
	}
}
