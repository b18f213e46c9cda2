package service

import "sync"

// Watchers are told when something changes, each on a channel of its own. The zero
// value has none.
type Watchers struct {
	mu  sync.Mutex
	all map[chan struct{}]struct{}
}

// Watch returns a channel that says when there is something new, until leave is called.
func (w *Watchers) Watch() (changes chan struct{}, leave func()) {
	changes = make(chan struct{}, 1)
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.all == nil {
		w.all = map[chan struct{}]struct{}{}
	}
	w.all[changes] = struct{}{}
	return changes, func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		delete(w.all, changes)
	}
}

// Notify tells all of them that there is something new.
// It never waits: several changes may come as one.
func (w *Watchers) Notify() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for c := range w.all {
		select {
		case c <- struct{}{}:
		default: // it has not looked since the last change
		}
	}
}
