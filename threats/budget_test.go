package threats

import (
	"context"
	"math/rand/v2"
	"testing"

	"oxo"
)

// TestBudget: the positions that a search for threats keeps are charged to the work that it
// made them for, and to no other.
func TestBudget(t *testing.T) {
	x, err := NewFinder(rows(15, 15, 5), [2]bool{true, true}, 10, 10)
	if err != nil {
		t.Fatal(err)
	}
	for k, sq := range rand.New(rand.NewPCG(1, 2)).Perm(15 * 15)[:80] {
		x.Play(k&1, sq)
	}
	search := func() (used int64, cause error) {
		ctx, budget := oxo.WithMemoryBudget(t.Context(), 1)
		for side := range 2 {
			x.WinningMoves(ctx, side, 1000)
			x.SlowWinningMove(ctx, side, 1000, Useful)
		}
		return budget.Used(), context.Cause(ctx)
	}
	if used, cause := search(); used == 0 || cause != oxo.ErrMemory {
		t.Errorf("%d bytes, %v", used, cause)
	}
	if used, cause := search(); used != 0 || cause != nil {
		t.Errorf("%d bytes of what was there already, %v", used, cause)
	}
}
