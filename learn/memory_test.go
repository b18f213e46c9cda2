package learn

import (
	"context"
	"errors"
	"runtime"
	"testing"

	"oxo"
	"oxo/learn/space"
)

// TestMemoryOfLearners: while a learner trains, what it takes counts toward the budget of its
// work, about as much as the heap grows by; afterwards nothing does, and one that would take
// more is ended.
func TestMemoryOfLearners(t *testing.T) {
	small, drop := ttt(t).Space, space.NewLazyGraph(connectFour(t)).Space
	for _, c := range []struct {
		s      *space.Space
		text   string
		weighs bool // enough for the heap to be told from what else there is
	}{
		{small, "menace", false}, {small, "table", false}, {small, "q", true}, {small, "lms", false},
		{small, "nearest", true}, {small, "tree", false}, {small, "evolve", false}, {small, "td-leaf:depth=1", false},
		{small, "ntuple", false}, {drop, "net:layers=32", true}, {drop, "ntuple", true},
	} {
		before := heap()
		l := trainer(t, c.s, c.text, Plan{}, nil, 1)
		ctx, budget := oxo.WithMemoryBudget(t.Context(), 0)
		var counted int64
		if err := l.Run(ctx, 300, func(Tally) { counted = budget.Used() }); err != nil {
			t.Fatal(c.text, err)
		}
		grown := heap() - before
		if counted < 100 || c.weighs && (counted < grown/2 || counted > 2*grown) {
			t.Errorf("%s counts %d bytes, and the heap grew by %d", c.text, counted, grown)
		}
		if n := budget.Used(); n != 0 {
			t.Errorf("%s: %d bytes are counted after the work", c.text, n)
		}
		runtime.KeepAlive(l)
		ctx, _ = oxo.WithMemoryBudget(t.Context(), 99)
		if err := l.Run(ctx, 1000, nil); err == nil || !errors.Is(context.Cause(ctx), oxo.ErrMemory) {
			t.Errorf("%s goes on with more memory than it may take: %v", c.text, err)
		}
	}
}

// heap is how much of the heap is in use.
func heap() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
