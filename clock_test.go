package oxo_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"oxo"
)

// slow is a context whose timer has not been heard yet.
type slow struct {
	context.Context
	deadline time.Time
}

func (s slow) Deadline() (time.Time, bool) { return s.deadline, true }

func TestPunctual(t *testing.T) {
	ctx := t.Context()
	if got := oxo.WithPunctualDeadline(ctx); got != ctx {
		t.Error("without a deadline it is another context")
	}
	late := slow{ctx, time.Now().Add(-time.Millisecond)}
	if late.Err() != nil {
		t.Fatal("its timer was heard")
	}
	p := oxo.WithPunctualDeadline(late)
	if err := p.Err(); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("after its deadline: %v", err)
	}
	if again := oxo.WithPunctualDeadline(p); again != p {
		t.Error("it is wrapped twice")
	}
	early, cancel := context.WithTimeout(ctx, time.Hour)
	p = oxo.WithPunctualDeadline(early)
	if err := p.Err(); err != nil {
		t.Errorf("before its deadline: %v", err)
	}
	cancel()
	if err := p.Err(); !errors.Is(err, context.Canceled) {
		t.Errorf("once it is cancelled: %v", err)
	}
}
