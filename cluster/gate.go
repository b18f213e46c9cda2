package cluster

import (
	"context"
	"sync"

	"oxo/cluster/broker"
)

// gate lets in so many parts of each priority that those of higher ones never
// wait for those of lower ones: a part gets in where fewer than all slots are
// taken by parts of its own and higher priority. The machine then shares its
// cores out among all, so that a long proof goes on, slower, beside a tournament.
type gate struct {
	mu    sync.Mutex
	slots int
	in    []int // parts inside, by priority, the highest first
	moved chan struct{}
}

func newGate(slots int) *gate {
	return &gate{slots: slots, in: make([]int, len(broker.Priorities())), moved: make(chan struct{})}
}

// open waits until a part of the priority may come in.
func (g *gate) open(ctx context.Context, level int) error {
	for {
		g.mu.Lock()
		taken := 0
		for _, n := range g.in[:level+1] {
			taken += n
		}
		if taken < g.slots {
			g.mu.Unlock()
			return nil
		}
		moved := g.moved
		g.mu.Unlock()
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-moved:
		}
	}
}

// enter lets a part in. Whoever asks the server for one is not inside yet, so
// that those who wait in vain keep nobody out.
func (g *gate) enter(level int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.in[level]++
}

func (g *gate) leave(level int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.in[level]--
	close(g.moved)
	g.moved = make(chan struct{})
}
