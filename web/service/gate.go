package service

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"oxo/lab"

	"github.com/danielgtaylor/huma/v2"
)

// The queue in front of a gate: where an address has more than QueueLength requests
// a slot there, or all have mostWaiting, and after waits longer than Patience, requests are
// turned away.
const (
	QueueLength = 16
	mostWaiting = 1024
	Patience    = 8 * time.Second
)

// requestMemory is how many bytes the tables and frontiers of a request may take.
const requestMemory = 256 << 20

// Short is how much processor time a request may take before it has to wait for one of the slots
// for long ones.
const Short = 200 * time.Millisecond

// allowance is what work may take in a slot: processor time, time, and memory.
// The first of the three that is used up ends the work.
type allowance struct {
	processor, time time.Duration
	memory          int64
}

// short is what a request may take in a slot for short ones. The time is for those that are
// given little of a processor.
var short = allowance{Short, 5 * Short, requestMemory / 4}

// Gate lets a few requests at a time do heavy work, so that light ones, which
// are moves in games, always find a processor. Slots go to who has waited longest of
// the address that has not had one for the longest time, and in an address by owner
// in the same way: many requests of one hold nobody else up.
type Gate struct {
	mu      sync.Mutex
	Slots   int
	running int
	queue   []*waiter
	turn    uint64
	last    map[string]uint64 // turn that an address, or an owner at it, had last
}

// ErrSpent is why a request is ended at its limit.
var ErrSpent = errors.New(words["refused.spent"])

// waiter is a request that waits for a slot.
type waiter struct {
	from  asker
	ready chan error // nil is a slot
}

// asker is who asks: an address, an owner there, and whether by TLS; and what the request
// comes to cost.
// Without knowledge of who asks, as in the server's own work, it is the zero value.
type asker struct {
	Address, owner string
	tls            bool
	Cost           *Cost
	Noted          *Noted
}

// Noted is what a request turned out to be about, for its line in the log: the bot or the visitor that asks, and the
// id of a game or a job. A nil one notes nothing.
type Noted struct {
	mu      sync.Mutex
	who, id string
}

// Note notes what is not empty.
func (n *Noted) Note(who, id string) {
	if n == nil {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.who, n.id = cmp.Or(who, n.who), cmp.Or(id, n.id)
}

// Read returns what was noted.
func (n *Noted) Read() (who, id string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.who, n.id
}

// Cost is how long a request has waited for slots, and how much processor time it has
// computed for in them.
type Cost struct{ Waited, Computed atomic.Int64 }

// String tells the cost as the header Server-Timing does.
func (c *Cost) String() string {
	return fmt.Sprintf("wait;dur=%.1f, cpu;dur=%.1f", float64(c.Waited.Load())/1e6, float64(c.Computed.Load())/1e6)
}

// askerKey is where a context has who asks.
type askerKey struct{}

// WithAsker returns the request with the knowledge of who asks in its context. The owner
// is what the request says, not checked: it counts for nobody at another address.
func WithAsker(r *http.Request) *http.Request {
	from := asker{ClientAddress(r), r.Header.Get("Authorization"), IsEncrypted(r), &Cost{}, &Noted{}}
	if c, err := r.Cookie(VisitorCookie); err == nil && from.owner == "" {
		from.owner = c.Value
	}
	return r.WithContext(context.WithValue(r.Context(), askerKey{}, from))
}

// AskerOf returns who asks.
func AskerOf(ctx context.Context) asker {
	from, _ := ctx.Value(askerKey{}).(asker)
	return from
}

// NewGate makes a gate with so many slots.
func NewGate(slots int) *Gate { return &Gate{Slots: slots, last: map[string]uint64{}} }

// Enter waits for a slot. The caller calls leave when its work is done.
// The error is a problem: there is too much to do, or the request was given up.
func (g *Gate) Enter(ctx context.Context) (leave func(), err error) {
	from := AskerOf(ctx)
	w := &waiter{from, make(chan error, 1)}
	g.mu.Lock()
	if g.queue = append(g.queue, w); len(g.queue) > mostWaiting {
		g.refuseLatestOf(g.busiestAddress())
	} else if g.countWaiting(from.Address) > QueueLength*g.Slots {
		g.refuseLatestOf(from.Address)
	}
	g.grant()
	g.mu.Unlock()
	select {
	case err := <-w.ready:
		return g.leave, err
	case <-time.After(Patience):
		err = BusyProblem("busy", 5)
	case <-ctx.Done():
		err = BusyProblem("given-up.waiting", 5)
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
func (g *Gate) leave() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.running--
	g.grant()
}

// grant gives free slots to those who are next. The caller holds g.mu.
func (g *Gate) grant() {
	for g.running < g.Slots && len(g.queue) > 0 {
		next := g.queue[0]
		for _, w := range g.queue[1:] {
			if a, b := g.last[w.from.Address], g.last[next.from.Address]; a < b ||
				w.from.Address == next.from.Address && g.last[w.from.key()] < g.last[next.from.key()] {
				next = w
			}
		}
		g.remove(next)
		g.turn++
		if len(g.last) > maxLimits {
			clear(g.last)
		}
		g.last[next.from.Address], g.last[next.from.key()] = g.turn, g.turn
		g.running++
		next.ready <- nil
	}
}

// key names an owner at an address.
func (a asker) key() string { return a.Address + "\n" + a.owner }

// refuseLatestOf turns away the request of an address that came last. The caller holds g.mu.
func (g *Gate) refuseLatestOf(address string) {
	for i := len(g.queue) - 1; i >= 0; i-- {
		if w := g.queue[i]; w.from.Address == address {
			g.remove(w)
			w.ready <- BusyProblem("busy.waiting", 5)
			return
		}
	}
}

// remove takes a request out of the queue. The caller holds g.mu.
func (g *Gate) remove(w *waiter) {
	g.queue = slices.DeleteFunc(g.queue, func(other *waiter) bool { return other == w })
}

// countWaiting returns how many requests of an address wait. The caller holds g.mu.
func (g *Gate) countWaiting(address string) (n int) {
	for _, w := range g.queue {
		if w.from.Address == address {
			n++
		}
	}
	return n
}

// busiestAddress returns the address with the most requests that wait. The caller holds g.mu.
func (g *Gate) busiestAddress() (address string) {
	counts := map[string]int{}
	for _, w := range g.queue {
		if counts[w.from.Address]++; counts[w.from.Address] > counts[address] {
			address = w.from.Address
		}
	}
	return address
}

// Load returns how many requests compute and how many wait.
func (g *Gate) Load() (running, waiting int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.running, len(g.queue)
}

// Compute does what may take long, within a time and within [requestMemory]. It is tried first for
// the short while that a slot for short requests allows, and where that was not enough once more
// in a slot for long ones, unless it is known to be long. Of the slots for short requests all but
// one are kept for those whose address computes nothing else. The work must end soon after its context
// does, and may be done twice.
func (s *Base) Compute(ctx context.Context, limit time.Duration, long bool, do func(context.Context) error) error {
	from := AskerOf(ctx)
	brief := s.Alone
	if s.computing.Add(from.Address, 1) > 1 {
		brief = s.Brief
	}
	defer s.computing.Add(from.Address, -1)
	if !long {
		if spent, err := brief.runWithinAllowance(ctx, short, do); !spent || ctx.Err() != nil {
			return err
		}
	}
	_, err := s.Heavy.runWithinAllowance(ctx, allowance{limit, limit, requestMemory}, do)
	return err
}

// Computed is [Base.Compute] of work that has a result. Beside an error the result means nothing.
func Computed[T any](ctx context.Context, s *Base, limit time.Duration, long bool,
	do func(context.Context) (T, error)) (result T, err error) {
	err = s.Compute(ctx, limit, long, func(ctx context.Context) (err error) {
		result, err = do(ctx)
		return err
	})
	return result, err
}

// runWithinAllowance does work in a slot. It reports whether the work has spent what it may take, though it
// may be done.
func (g *Gate) runWithinAllowance(ctx context.Context, may allowance,
	do func(context.Context) error) (spent bool, err error) {
	begin := time.Now()
	leave, err := g.Enter(ctx)
	if err != nil {
		return false, err
	}
	defer leave()
	runtime.LockOSThread() // whose processor time is the work's
	defer runtime.UnlockOSThread()
	entered, used := time.Now(), newThreadTimeMeter()
	// Not a deadline: that would have mcts ignore its default of simulations.
	limited, budget := lab.WithBudget(ctx, may.memory)
	defer budget.End(context.Canceled)
	done := make(chan struct{})
	defer close(done)
	// It looks when the allowance can be used up at the soonest, until the work is done.
	go func() {
		for {
			left := min(may.processor-used(), may.time-time.Since(entered))
			if left <= 0 {
				budget.End(ErrSpent)
				return
			}
			select {
			case <-time.After(left): // sooner it can't have had so much of a processor
			case <-done:
				return
			}
		}
	}()
	err = do(limited)
	if c := AskerOf(ctx).Cost; c != nil {
		c.Waited.Add(int64(entered.Sub(begin)))
		c.Computed.Add(int64(used()))
	}
	why := context.Cause(limited)
	if why != nil && ctx.Err() == nil && !IsProblem(err) && errors.Is(err, context.Canceled) {
		problem := error(huma.NewError(http.StatusUnprocessableEntity, why.Error()))
		if errors.Is(why, ErrSpent) {
			problem = NewProblem(http.StatusUnprocessableEntity, "spent")
		}
		err = errors.Join(problem, why)
	}
	return errors.Is(why, ErrSpent) || errors.Is(why, lab.ErrMemory), err
}
