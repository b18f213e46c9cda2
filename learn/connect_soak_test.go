//go:build soak

package learn

import (
	"syscall"
	"testing"

	"oxo/learn/space"
)

// TestConnectFour: how often nets keep the value of Connect Four after so much processor
// time of play with themselves.
func TestConnectFour(t *testing.T) {
	g := connectFour(t)
	list := exercises(t, g, 1200, 14, 1)
	begin := userSeconds(t)
	for _, text := range []string{"net:epsilon=0.1", "net:epsilon=0.1,sides=alike"} {
		a := space.Explore(g)
		l, err := New(a.Space, spec(t, text), Plan{Against: Itself, Start: "empty+6"}, nil, 1)
		if err != nil {
			t.Fatal(err)
		}
		for l.Tally().Games < 180_000 {
			run(t, l, 20_000)
			all, quiet := keeping(t, a, l, list)
			t.Logf("%s: %d games, %.0f s: %.1f %%, quiet %.1f %%", text, l.Tally().Games, userSeconds(t)-begin, 100*all,
				100*quiet)
		}
		if all, quiet := keeping(t, a, l, list); all < 0.85 || quiet < 0.75 {
			t.Errorf("%s keeps the value in %.3f of all, %.3f of quiet positions", text, all, quiet)
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
