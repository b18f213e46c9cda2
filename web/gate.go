package web

import (
	"context"
	"sync/atomic"
	"time"
)

// The queue in front of a gate: more requests than queueLength a slot, or
// longer waits than patience, are turned away.
const (
	queueLength = 16
	patience    = 8 * time.Second
)

// gate lets a few requests at a time do heavy work, so that light ones, which
// are moves in games, always find a processor.
type gate struct {
	slots   chan struct{}
	waiting atomic.Int64
}

func newGate(slots int) *gate { return &gate{slots: make(chan struct{}, slots)} }

// enter waits for a slot. The caller calls leave when its work is done.
func (g *gate) enter(ctx context.Context) (leave func(), err error) {
	leave = func() { <-g.slots }
	select {
	case g.slots <- struct{}{}:
		return leave, nil
	default:
	}
	defer g.waiting.Add(-1)
	if g.waiting.Add(1) > int64(queueLength*cap(g.slots)) {
		return nil, busy("too many requests are waiting to be computed", 5)
	}
	t := time.NewTimer(patience)
	defer t.Stop()
	select {
	case g.slots <- struct{}{}:
		return leave, nil
	case <-t.C:
		return nil, busy("the server is busy computing for others", 5)
	case <-ctx.Done():
		return nil, busy("the request was given up while it waited", 5)
	}
}
