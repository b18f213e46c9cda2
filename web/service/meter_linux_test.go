package service

import (
	"context"
	"errors"
	"testing"
	"time"
)

// TestSpentBelongsToTheWork: what other threads are given counts for nobody, and work that
// has had its processor time is cut off.
func TestSpentBelongsToTheWork(t *testing.T) {
	const most = 20 * time.Millisecond
	g := NewGate(2)
	cost := &Cost{}
	ctx := context.WithValue(t.Context(), askerKey{}, asker{Address: "a", Cost: cost})
	begun, left := make(chan struct{}), make(chan struct{})
	go func() {
		spent, err := g.runWithinAllowance(t.Context(), allowance{most, time.Hour, 0}, func(ctx context.Context) error {
			close(begun)
			<-left
			return ctx.Err()
		})
		if spent || err != nil {
			t.Errorf("who slept has spent its time: %v, %v", spent, err)
		}
		left <- struct{}{}
	}()
	<-begun
	spent, err := g.runWithinAllowance(ctx, allowance{most, time.Hour, 0}, func(ctx context.Context) error {
		for ctx.Err() == nil {
		}
		return ctx.Err()
	})
	if !spent || !errors.Is(err, ErrSpent) || cost.Computed.Load() < int64(most) {
		t.Errorf("%v, %v; %v", spent, err, cost)
	}
	left <- struct{}{}
	<-left
}
