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

// NewLooks returns a context that ends with ctx, or after that many looks.
func NewLooks(ctx context.Context, looks int) *Looks {
	l := &Looks{Context: ctx}
	l.left.Store(int64(looks))
	return l
}

// Err implements [context.Context]. It doesn't close Done.
func (l *Looks) Err() error {
	if l.left.Add(-1) < 0 {
		return context.Canceled
	}
	return l.Context.Err()
}

// Left returns how many looks are left.
func (l *Looks) Left() int { return int(l.left.Load()) }
