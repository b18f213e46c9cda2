package learn

import (
	"context"
	"time"
)

// Spending is how much of a limited time a training has spent. The zero value has spent none.
type Spending struct {
	Spent   time.Duration `json:"spent,omitempty"`    // at play, and to measure
	Taken   time.Duration `json:"taken,omitempty"`    // of it, to measure
	TooSlow bool          `json:"too_slow,omitempty"` // whether a measure took longer than it may
}

// measuringPart is the part of a limited time that measures may take, one in so many: a single one no more than that,
// and all but the last together no more than that of what is spent.
const measuringPart = 5

// Left is what is left of a limit to play in, before a last measure that takes as long as those of so many points did.
func (s *Spending) Left(limit time.Duration, points int) time.Duration {
	return limit - s.Spent - s.Taken/time.Duration(max(1, points))
}

// MayMeasure reports whether so little of what is spent was taken to measure that there may be another point.
func (s *Spending) MayMeasure() bool { return measuringPart*s.Taken <= s.Spent }

// Take takes a measure, which counts as spent; a limit of 0 is none. What takes longer than it may of the limit is
// given up, without values and without an error: no other is to be taken then.
func (s *Spending) Take(ctx context.Context, m Measure, limit time.Duration) ([]float64, error) {
	if limit == 0 {
		return m.Take(ctx)
	}
	own, stop := context.WithTimeout(ctx, limit/measuringPart)
	defer stop()
	begin := time.Now()
	values, err := m.Take(own)
	took := time.Since(begin)
	s.Spent += took
	if err != nil && own.Err() != nil && ctx.Err() == nil {
		s.TooSlow, s.Taken = true, 0 // no time is to be left for another
		return nil, nil
	}
	s.Taken += took
	return values, err
}
