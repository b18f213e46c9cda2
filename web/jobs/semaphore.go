package jobs

import (
	"context"
	"sync/atomic"
)

// semaphore shares a few processors among more workers: each works while it has
// one and hands it on now and then, in the order of asking.
// While somebody waits none is free: a channel hands what is sent to whoever has waited longest.
type semaphore struct {
	free    chan struct{} // one for each processor that is free
	waiting atomic.Int32
}

// newSemaphore returns one with n processors, all of them free.
func newSemaphore(n int) *semaphore {
	t := &semaphore{free: make(chan struct{}, n)}
	for range n {
		t.release()
	}
	return t
}

// acquire waits for a processor. Where it returns an error the caller has none.
func (t *semaphore) acquire(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	t.waiting.Add(1)
	defer t.waiting.Add(-1)
	select {
	case <-t.free:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// release gives a processor back, to the first who waits where somebody does.
func (t *semaphore) release() { t.free <- struct{}{} }

// contended reports whether somebody waits for a processor.
func (t *semaphore) contended() bool { return t.waiting.Load() > 0 }
