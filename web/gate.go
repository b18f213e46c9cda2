package web

import (
	"context"
	"net/http"
	"sync"
	"time"
)

// The queue in front of a gate: where an address has more than queueLength requests
// a slot there, or all have mostWaiting, and after waits longer than patience, requests are
// turned away.
const (
	queueLength = 16
	mostWaiting = 1024
	patience    = 8 * time.Second
)

// short is how long a request may compute before it has to wait for one of the slots
// for long ones.
const short = 200 * time.Millisecond

// gate lets a few requests at a time do heavy work, so that light ones, which
// are moves in games, always find a processor. Slots go to who has waited longest of
// the address that has not had one for the longest time, and in an address by owner
// in the same way: many requests of one hold nobody else up.
type gate struct {
	mu      sync.Mutex
	slots   int
	running int
	queue   []*waiter
	turn    uint64
	last    map[string]uint64 // turn that an address, or an owner at it, had last
}

// waiter is a request that waits for a slot.
type waiter struct {
	from  asker
	ready chan error // nil is a slot
}

// asker is who asks: an address, an owner there, and whether by TLS.
type asker struct {
	address, owner string
	tls            bool
}

type askerKey struct{}

// asking returns the request with the knowledge of who asks in its context. The owner
// is what the request says, not checked: it counts for nobody at another address.
func asking(r *http.Request) *http.Request {
	from := asker{sender(r), r.Header.Get("Authorization"), encrypted(r)}
	if c, err := r.Cookie(visitorCookie); err == nil && from.owner == "" {
		from.owner = c.Value
	}
	return r.WithContext(context.WithValue(r.Context(), askerKey{}, from))
}

// askerOf returns who asks.
func askerOf(ctx context.Context) asker {
	from, _ := ctx.Value(askerKey{}).(asker)
	return from
}

func newGate(slots int) *gate { return &gate{slots: slots, last: map[string]uint64{}} }

// enter waits for a slot. The caller calls leave when its work is done.
func (g *gate) enter(ctx context.Context) (leave func(), err error) {
	from := askerOf(ctx)
	w := &waiter{from, make(chan error, 1)}
	g.mu.Lock()
	if g.queue = append(g.queue, w); len(g.queue) > mostWaiting {
		g.refuse(g.longest())
	} else if g.count(from.address) > queueLength*g.slots {
		g.refuse(from.address)
	}
	g.grant()
	g.mu.Unlock()
	t := time.NewTimer(patience)
	defer t.Stop()
	select {
	case err := <-w.ready:
		return g.leave, err
	case <-t.C:
		err = busy("the server is busy computing for others", 5)
	case <-ctx.Done():
		err = busy("the request was given up while it waited", 5)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	select {
	case got := <-w.ready: // just now
		if got == nil && ctx.Err() == nil {
			return g.leave, nil
		}
		if got == nil {
			g.running--
			g.grant()
		}
	default:
		g.remove(w)
	}
	return nil, err
}

// leave gives a slot back.
func (g *gate) leave() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.running--
	g.grant()
}

// grant gives free slots to those who are next. The caller holds g.mu.
func (g *gate) grant() {
	for g.running < g.slots && len(g.queue) > 0 {
		next := g.queue[0]
		for _, w := range g.queue[1:] {
			if a, b := g.last[w.from.address], g.last[next.from.address]; a < b ||
				w.from.address == next.from.address && g.last[w.from.key()] < g.last[next.from.key()] {
				next = w
			}
		}
		g.remove(next)
		g.turn++
		if len(g.last) > maxBuckets {
			clear(g.last)
		}
		g.last[next.from.address], g.last[next.from.key()] = g.turn, g.turn
		g.running++
		next.ready <- nil
	}
}

// key names an owner at an address.
func (a asker) key() string { return a.address + "\n" + a.owner }

// refuse turns away the request of an address that came last. The caller holds g.mu.
func (g *gate) refuse(address string) {
	for i := len(g.queue) - 1; i >= 0; i-- {
		if w := g.queue[i]; w.from.address == address {
			g.remove(w)
			w.ready <- busy("too many requests are waiting to be computed", 5)
			return
		}
	}
}

// remove takes a request out of the queue. The caller holds g.mu.
func (g *gate) remove(w *waiter) {
	for i, other := range g.queue {
		if other == w {
			g.queue = append(g.queue[:i], g.queue[i+1:]...)
			return
		}
	}
}

// count returns how many requests of an address wait. The caller holds g.mu.
func (g *gate) count(address string) (n int) {
	for _, w := range g.queue {
		if w.from.address == address {
			n++
		}
	}
	return n
}

// longest returns the address with the most requests that wait. The caller holds g.mu.
func (g *gate) longest() (address string) {
	counts := map[string]int{}
	for _, w := range g.queue {
		if counts[w.from.address]++; counts[w.from.address] > counts[address] {
			address = w.from.address
		}
	}
	return address
}

// load returns how many requests compute and how many wait.
func (g *gate) load() (running, waiting int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.running, len(g.queue)
}

// compute does what may take long, within a time. It is tried first for the short while
// that the slot for short requests allows, and where that was not enough once more in
// a slot for long ones, unless it is known to be long. The work must end soon after its
// context does, and may be done twice.
func (s *base) compute(ctx context.Context, limit time.Duration, long bool, do func(context.Context) error) error {
	run := func(g *gate, limit time.Duration) (cut bool, err error) {
		leave, err := g.enter(ctx)
		if err != nil {
			return false, err
		}
		defer leave()
		// Not a deadline: that would have mcts ignore its default of simulations.
		limited, cancel := context.WithCancel(ctx)
		defer cancel()
		t := time.AfterFunc(limit, cancel)
		err = do(limited)
		return !t.Stop(), err
	}
	if !long {
		if cut, err := run(s.brief, short); !cut || ctx.Err() != nil {
			return err
		}
	}
	_, err := run(s.heavy, limit)
	return err
}
