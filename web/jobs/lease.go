package jobs

import (
	"context"
	"sync"
	"time"
)

// processorLease is a part's hold of a processor, which it gives back while it has nothing to compute.
// Reasons nest: resting while a bot is waited for counts twice.
// Its methods may be called by several goroutines of the part.
type processorLease struct {
	ctx        context.Context // of the part
	processors *semaphore
	mu         sync.Mutex
	away       int // how many reasons there are not to compute; with none it has a processor
	since      time.Time
}

// turn is how long a part computes at least before it makes way: by turns of one report each, what takes a moment
// would wait for as many of another's reports as it makes.
const turn = 100 * time.Millisecond

// turnIsOver reports whether another part waits for the processor and it is its turn.
// Where nobody waits a part goes on for as long as it likes.
func (s *processorLease) turnIsOver() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return time.Since(s.since) >= turn && s.processors.contended()
}

// leaseKey is where a context has the lease of its part.
type leaseKey struct{}

// leaseOf returns the lease of the part that a context is of: there is one in
// all that a part does.
// A context that is of no part has none: nil.
func leaseOf(ctx context.Context) *processorLease {
	s, _ := ctx.Value(leaseKey{}).(*processorLease)
	return s
}

// releaseProcessor gives the processor back, unless that has been done.
// Each call is one reason more, which one call of reacquire takes away.
func (s *processorLease) releaseProcessor() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.away++; s.away == 1 {
		s.processors.release()
	}
}

// reacquireProcessor waits for a processor, unless there is still a reason to do without.
// Where the part is stopped first, it does without for good.
// A part's first processor is waited for in the same way: a lease begins with one reason to be away.
func (s *processorLease) reacquireProcessor() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.away == 1 {
		if err := s.processors.acquire(s.ctx); err != nil {
			return err
		}
		s.since = time.Now()
	}
	s.away--
	return nil
}

// releaseMeanwhile gives the processor back until the function that it returns is called.
func (s *processorLease) releaseMeanwhile() func() {
	s.releaseProcessor()
	return func() { _ = s.reacquireProcessor() } // where it fails, the part is stopped
}
