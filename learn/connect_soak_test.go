//go:build soak

package learn

import (
	"syscall"
	"testing"

	"oxo/learn/space"
)

// TestConnectFour: how often the usual net keeps the value of Connect Four after so much
// processor time of play with itself. Without a solver that answers at once, as here, nets are
// taught by their successors.
func TestConnectFour(t *testing.T) {
	g := connectFour(t)
	sample := sampleOf(t, g, 1200)
	l, err := New(space.NewLazyGraph(g).Space, spec(t, "net:tuples=reach,sides=alike,layers=16,eta=10"),
		Plan{Against: Itself}, nil, 1)
	if err != nil {
		t.Fatal(err)
	}
	begin := userSeconds(t)
	for l.Tally().Games < 340_000 {
		run(t, l, 20_000)
		e, err := l.GradeBySample(sample)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%d games, %.0f s: %.1f %%, quiet %.1f %%", l.Tally().Games, userSeconds(t)-begin,
			100*e.Positions.Kept, 100*e.Quiet.Kept)
		if l.Tally().Games >= 340_000 && (e.Positions.Kept < 0.87 || e.Quiet.Kept < 0.77) {
			t.Errorf("it keeps the value in %.3f of all, %.3f of quiet positions", e.Positions.Kept, e.Quiet.Kept)
		}
	}
}

// userSeconds is the processor time of the test so far.
func userSeconds(t *testing.T) float64 {
	t.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return float64(u.Utime.Nano()) / 1e9
}

// TestSquaresSeeds: a net over nine raw squares is unbeatable on both seats in sixteen
// of sixteen seeds.
func TestSquaresSeeds(t *testing.T) {
	a := ttt(t)
	x := examiner(t, a)
	for seed := range uint64(16) {
		endsWell(t, a, x, squaresNet, Itself, 40_000, seed)
	}
}
