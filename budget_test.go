package oxo

import (
	"context"
	"testing"
)

func TestBudget(t *testing.T) {
	ctx, b := WithMemoryBudget(t.Context(), 100)
	one, other := NewCharge(ctx), NewCharge(ctx)
	one.SetBytes(60)
	other.SetBytes(40)
	one.SetBytes(50)
	if b.Used() != 90 || ctx.Err() != nil {
		t.Fatalf("%d used, %v", b.Used(), ctx.Err())
	}
	one.SetBytes(0)
	other.SetBytes(100)
	if ctx.Err() != nil {
		t.Fatal("ended at its limit")
	}
	within, cancel := context.WithCancel(ctx)
	defer cancel()
	deep := NewCharge(within)
	deep.SetBytes(1)
	if context.Cause(within) != ErrMemory {
		t.Errorf("above its limit: %v", context.Cause(within))
	}
	free := NewCharge(t.Context())
	free.SetBytes(1 << 60) // nobody counts
}

// TestRoom: what grows within its room stays within the budget, and without a budget it is as
// large as it likes.
func TestRoom(t *testing.T) {
	if got := TableBytesWithinBudget(t.Context(), 1000); got != 1000 {
		t.Errorf("%d without a budget", got)
	}
	ctx, _ := WithMemoryBudget(t.Context(), 1000)
	if one, all := CoresWithinBudget(ctx, 8), CoresWithinBudget(t.Context(), 8); one != 1 || all != 8 {
		t.Errorf("%d cores with a budget and %d without", one, all)
	}
	if got := TableBytesWithinBudget(ctx, 100); got != 100 {
		t.Errorf("%d of 100", got)
	}
	c := NewCharge(ctx)
	c.SetBytes(600)
	if got := TableBytesWithinBudget(ctx, 1000); got != 100 {
		t.Errorf("%d with 400 left", got)
	}
	unbounded, _ := WithMemoryBudget(t.Context(), 0)
	if got := TableBytesWithinBudget(unbounded, 1000); got != 1000 {
		t.Errorf("%d of an unbounded budget", got)
	}
}
