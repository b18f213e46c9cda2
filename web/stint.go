package web

import (
	"context"
	"sync"
)

// stint is a part's hold of a processor, which it gives back while it has
// nothing to compute.
type stint struct {
	ctx   context.Context // of the part
	cores *turns
	mu    sync.Mutex
	away  int // how many reasons there are not to compute; with none it has a processor
}

type stintKey struct{}

// stintOf returns the stint of the part that a context is of: there is one in
// all that a part does.
func stintOf(ctx context.Context) *stint {
	s, _ := ctx.Value(stintKey{}).(*stint)
	return s
}

// leave gives the processor back, unless that has been done.
func (s *stint) leave() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.away++; s.away == 1 {
		s.cores.give()
	}
}

// back waits for a processor, unless there is still a reason to do without.
// Where the part is stopped first, it does without for good.
func (s *stint) back() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.away == 1 {
		if err := s.cores.take(s.ctx); err != nil {
			return err
		}
	}
	s.away--
	return nil
}

// rest gives the processor back until the function that it returns is called.
func (s *stint) rest() func() {
	s.leave()
	return func() { _ = s.back() } // where it fails, the part is stopped
}
