// Package gate lets parts of jobs into a worker by their priority.
package gate

import (
	"context"
	"sync"

	"oxo/cluster/broker"
)

// Gate lets in so many parts of each priority that those of higher ones never
// wait for those of lower ones: a part gets in where fewer than all slots are
// taken by parts of its own and higher priority. The machine then shares its
// cores out among all, so that a long proof goes on, slower, beside a tournament.
type Gate struct {
	mu    sync.Mutex
	slots int
	in    []int // parts inside, by priority, the highest first
	moved chan struct{}
}

// New returns a gate to so many slots.
func New(slots int) *Gate {
	return &Gate{slots: slots, in: make([]int, len(broker.Priorities())), moved: make(chan struct{})}
}

// WaitForTurn waits until a part of the priority may come in. Level is the place of the priority in
// broker.Priorities. It does not reserve the place: see [Gate.Enter].
func (g *Gate) WaitForTurn(ctx context.Context, level int) error {
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

// Enter lets a part in. Whoever asks the server for one is not inside yet, so
// that those who wait in vain keep nobody out.
func (g *Gate) Enter(level int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.in[level]++
}

// Leave says that one has left.
func (g *Gate) Leave(level int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.in[level]--
	close(g.moved)
	g.moved = make(chan struct{})
}
