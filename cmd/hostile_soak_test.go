//go:build soak

package cmd

import (
	"os"
	"testing"
	"time"
)

// TestBesiegedForAnHour: 100 games beside hostile visitors, for an hour or for as long as
// OXO_SOAK says. Of the short things that somebody else asks for, 99 % are answered within
// a second.
func TestBesiegedForAnHour(t *testing.T) {
	during := time.Hour
	if text := os.Getenv("OXO_SOAK"); text != "" {
		var err error
		if during, err = time.ParseDuration(text); err != nil {
			t.Fatal(err)
		}
	}
	s := besiege(t, during, 100, time.Second)
	for _, text := range s.unanswered {
		t.Errorf("a short thought was refused: %s", text)
	}
	if late := s.choices.share(time.Second); late > 0.01 {
		t.Errorf("%.1f %% of the short thoughts took longer than a second", 100*late)
	}
}

// share returns the share of answers that took longer.
func (l *latencies) share(than time.Duration) float64 {
	late := 0
	for _, d := range l.times {
		if d > than {
			late++
		}
	}
	return float64(late) / float64(max(1, len(l.times)))
}
