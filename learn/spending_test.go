package learn

import (
	"context"
	"errors"
	"testing"
	"time"
)

// TestSpending: to measure counts as spent of a limited time, time for the last measure is left, and a measure that
// takes too long is given up.
func TestSpending(t *testing.T) {
	const limit, each = time.Second, 10 * time.Millisecond
	var s Spending
	quick := Measure{Take: func(context.Context) ([]float64, error) {
		time.Sleep(each)
		return []float64{1}, nil
	}}
	values, err := s.Take(t.Context(), quick, limit)
	if err != nil || len(values) != 1 || s.Taken < each || s.Spent != s.Taken || s.Left(limit, 1) != limit-2*s.Spent ||
		s.MayMeasure() {
		t.Errorf("%v, error %v; %+v, left %v", values, err, s, s.Left(limit, 1))
	}
	slow := Measure{Take: func(ctx context.Context) ([]float64, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}}
	values, err = s.Take(t.Context(), slow, limit)
	if err != nil || values != nil || !s.TooSlow || s.Spent < limit/measuringPart || s.Left(limit, 1) != limit-s.Spent {
		t.Errorf("%v, error %v; %+v", values, err, s)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, err = s.Take(ctx, slow, limit); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: error %v", err)
	}
}
