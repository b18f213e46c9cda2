package lines_test

import (
	"context"
	"testing"

	"oxo"
	"oxo/lines"
)

// TestBudget: a player whose table takes more than the budget of the question says so, and
// gives it back; its search for threats keeps a few positions.
func TestBudget(t *testing.T) {
	g := on(t, 9, 9, 5, false)
	for _, given := range []int64{1 << 10, 64 << 20} {
		ctx, budget := oxo.WithMemoryBudget(t.Context(), given)
		_, err := player(t, g, lines.PlayerOptions{Nodes: 400}).Choose(ctx, g.Start)
		if err != nil || budget.Used() >= 1<<10 {
			t.Errorf("%v, and %d bytes held", err, budget.Used())
		}
		if short := context.Cause(ctx) == oxo.ErrMemory; short != (given < 32<<20) {
			t.Errorf("of %d bytes: %v", given, context.Cause(ctx))
		}
	}
}
