package jobs

import (
	"context"
	"slices"
	"sync"
)

// semaphore shares a few processors among more workers: each works while it has
// one and hands it on now and then, in the order of asking.
// While somebody is in the queue none is free: a processor that is given back goes to the first one there, whose
// channel is closed.
type semaphore struct {
	mu    sync.Mutex
	free  int
	queue []chan struct{}
}

// newSemaphore returns one with n processors, all of them free.
func newSemaphore(n int) *semaphore { return &semaphore{free: n} }

// acquire waits for a processor. Where it returns an error the caller has none.
func (t *semaphore) acquire(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	t.mu.Lock()
	if t.free > 0 {
		t.free--
		t.mu.Unlock()
		return nil
	}
	own := make(chan struct{})
	t.queue = append(t.queue, own)
	t.mu.Unlock()
	select {
	case <-own:
		return nil
	case <-ctx.Done():
	}
	t.mu.Lock()
	i := slices.Index(t.queue, own)
	if i >= 0 {
		t.queue = slices.Delete(t.queue, i, i+1)
	}
	t.mu.Unlock()
	if i < 0 {
		t.release() // it was handed over just now
	}
	return ctx.Err()
}

// release hands a processor to who has waited longest.
func (t *semaphore) release() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.queue) == 0 {
		t.free++
		return
	}
	close(t.queue[0])
	t.queue = t.queue[1:]
}

// contended reports whether somebody waits.
// It may be out of date as soon as it returns.
func (t *semaphore) contended() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.queue) > 0
}
