package live

import (
	"testing"
	"time"

	"oxo"
)

// TestClockGoesBack: where the time goes back nobody's clock shows more than before, and where
// it goes far forward no less than nothing.
func TestClockGoesBack(t *testing.T) {
	now := time.Now()
	for _, c := range []struct {
		later, want time.Duration
	}{{-time.Hour, 10 * time.Second}, {lagAllowance, 10 * time.Second}, {lagAllowance + time.Second, 9 * time.Second},
		{24 * time.Hour, 0}} {
		clock := newClock(Terms{BankMS: 10_000, IncrementMS: 500})
		clock.start(oxo.Second, now)
		if got := clock.remaining(oxo.Second, now.Add(c.later)); got != c.want {
			t.Errorf("%v later the clock shows %v, want %v", c.later, got, c.want)
		}
		if clock.stopAfterMove(now.Add(c.later)); clock.left[oxo.Second] != c.want+500*time.Millisecond ||
			clock.left[oxo.First] != 10*time.Second {
			t.Errorf("%v later it is pressed: %v", c.later, clock.left)
		}
	}
}
