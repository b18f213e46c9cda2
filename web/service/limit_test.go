package service

import (
	"testing"
	"time"
)

// TestLimiterClockGoesBack: a clock that goes back takes nothing from anybody, and one that
// goes forward gives nobody more than there is.
func TestLimiterClockGoesBack(t *testing.T) {
	l := NewLimiter(Pace{PerSecond: 2, AtOnce: 10})
	now := time.Now()
	for _, c := range []struct {
		later time.Duration
		want  float64
	}{{-time.Hour, 4}, {0, 4}, {time.Second, 6}, {365 * 24 * time.Hour, 10}} {
		if got := l.refilledTokens(bucket{4, now}, now.Add(c.later)); got != c.want {
			t.Errorf("%v later there are %v tokens, want %v", c.later, got, c.want)
		}
	}
}
