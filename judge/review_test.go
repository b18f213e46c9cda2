package judge

import (
	"math"
	"testing"
	"time"
)

// TestBudgetLengthened: a budget too large to be multiplied is the largest there is, and not one without a limit.
func TestBudgetLengthened(t *testing.T) {
	for b, want := range map[Budget]Budget{
		{Nodes: 5}:                            {Nodes: 20},
		{Time: time.Second}:                   {Time: 4 * time.Second},
		{}:                                    {},
		{Nodes: 1 << 62}:                      {Nodes: math.MaxUint64 - 3},
		{Nodes: math.MaxUint64, Worth: true}:  {Nodes: math.MaxUint64 - 3, Worth: true},
		{Time: math.MaxInt64, Choice: true}:   {Time: math.MaxInt64 - 3, Choice: true},
		{Time: math.MaxInt64 / 2, Nodes: 100}: {Time: math.MaxInt64 - 3, Nodes: 400},
	} {
		if got := b.lengthened(); got != want {
			t.Errorf("%+v: %+v, want %+v", b, got, want)
		}
	}
	for nodes, want := range map[uint64]int{0: threatLimit, 100: 400, 1 << 62: threatLimit,
		math.MaxUint64: threatLimit} {
		if got := threatPositions(nodes); got != want {
			t.Errorf("%d nodes: %d positions for threats, want %d", nodes, got, want)
		}
	}
}
