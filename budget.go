package oxo

import (
	"context"
	"errors"
	"sync/atomic"
)

// ErrMemory is the cause of a context's end where its work took more memory than its [Budget].
var ErrMemory = errors.New("it needs more memory than it may take")

// Budget is how many bytes the tables and frontiers of some work may take together. They are
// counted where they are allocated, by a [Charge] each.
type Budget struct {
	most int64
	used atomic.Int64
	end  context.CancelCauseFunc
}

// budgetKey is where a context has its [Budget].
type budgetKey struct{}

// WithMemoryBudget returns a context for work that may take so many bytes, 0 for any number. It
// ends, with [ErrMemory] as its cause, once the work takes more.
func WithMemoryBudget(ctx context.Context, maxBytes int64) (context.Context, *Budget) {
	b := &Budget{most: maxBytes}
	ctx, b.end = context.WithCancelCause(ctx)
	return context.WithValue(ctx, budgetKey{}, b), b
}

// Used returns how many bytes the work takes now.
func (b *Budget) Used() int64 { return b.used.Load() }

// End ends the work, for that reason.
func (b *Budget) End(cause error) { b.end(cause) }

// Charge is what one table or frontier takes of the budget of its work. The zero value
// is of work without a budget.
type Charge struct {
	budget *Budget
	bytes  int64
}

// NewCharge returns a charge on the budget of ctx, which is of nothing yet.
func NewCharge(ctx context.Context) Charge {
	b, _ := ctx.Value(budgetKey{}).(*Budget)
	return Charge{budget: b}
}

// SetBytes says how many bytes the table takes now; 0 gives all back.
func (c *Charge) SetBytes(bytes int64) {
	if c.budget == nil || bytes == c.bytes {
		return
	}
	used := c.budget.used.Add(bytes - c.bytes)
	c.bytes = bytes
	if most := c.budget.most; most > 0 && used > most {
		c.budget.end(ErrMemory)
	}
}

// Grow says that the table takes so many bytes more.
func (c *Charge) Grow(bytes int64) { c.SetBytes(c.bytes + bytes) }

// TableBytesWithinBudget returns how many bytes a table or tree that nobody gave a size may come to take: mostBytes, or
// in work with a budget no more than a quarter of what that has left, as what grows is copied
// to twice its length.
func TableBytesWithinBudget(ctx context.Context, mostBytes int) int {
	b, _ := ctx.Value(budgetKey{}).(*Budget)
	if b == nil || b.most == 0 {
		return mostBytes
	}
	return min(mostBytes, int(max(0, b.most-b.used.Load())/4))
}

// CoresWithinBudget returns how many cores work may use that would use most: one, where it has a budget.
func CoresWithinBudget(ctx context.Context, most int) int {
	if ctx.Value(budgetKey{}) != nil {
		return 1
	}
	return most
}
