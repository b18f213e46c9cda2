package prove_test

import (
	"context"
	"testing"

	"oxo"
	"oxo/prove"
)

// TestBudget: a proof that nobody gave a size fits the budget that it has, and one of a
// given size that does not ends. Nothing is held when it has ended.
func TestBudget(t *testing.T) {
	for _, c := range []struct {
		given, memory int64
		short         bool
	}{{32 << 20, 0, false}, {32 << 20, 16 << 20, false}, {1 << 20, 16 << 20, true}} {
		ctx, budget := oxo.WithMemoryBudget(t.Context(), c.given)
		r, err := prove.Prove(ctx, game(t, "mnk:6,6,4"), prove.Options{Memory: c.memory})
		if err != nil || budget.Used() != 0 {
			t.Fatalf("%v, and %d bytes held", err, budget.Used())
		}
		if short := context.Cause(ctx) == oxo.ErrMemory; short != c.short || short != (r.Value == oxo.Ongoing) {
			t.Errorf("%d bytes of %d: %v, %v", c.memory, c.given, r, context.Cause(ctx))
		}
	}
}
