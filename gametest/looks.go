package gametest

import (
	"context"
	"sync/atomic"
)

// Looks is a context that ends when its error has been asked for so many times:
// for tests of what can be called off at any point, which a clock would hit by
// chance.
type Looks struct {
	context.Context
	left atomic.Int64
}

// NewLooks returns a context that ends with ctx, or after that many looks. With 0 looks it has ended already.
func NewLooks(ctx context.Context, looks int) *Looks {
	l := &Looks{Context: ctx}
	l.left.Store(int64(looks))
	return l
}

// Err implements [context.Context]. Each call is a look, and may be made by any goroutine. It doesn't close Done,
// so work that waits for that is not called off.
func (l *Looks) Err() error {
	if l.left.Add(-1) < 0 {
		return context.Canceled
	}
	return l.Context.Err()
}

// Left returns how many looks are left, less than 0 where work has looked again after its end.
func (l *Looks) Left() int { return int(l.left.Load()) }
