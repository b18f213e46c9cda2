package oxo

import (
	"context"
	"time"
)

// WithTimeLimit is context.WithTimeout, or sets no limit where that is 0.
func WithTimeLimit(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	if limit <= 0 {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, limit)
}

// WithPunctualDeadline returns a context that is over as soon as its deadline has passed, for
// searches that look at it again and again. That of package context is ended by a
// timer, which a program that keeps all cores busy hears up to 10 ms late, when the
// scheduler takes a core from somebody.
func WithPunctualDeadline(ctx context.Context) context.Context {
	deadline, limited := ctx.Deadline()
	if _, already := ctx.(punctualContext); already || !limited {
		return ctx
	}
	return punctualContext{ctx, deadline}
}

// punctualContext is a context whose Err tells of its deadline by the clock, without waiting for its timer.
type punctualContext struct {
	context.Context
	deadline time.Time
}

// Err is the error of the context itself, or DeadlineExceeded once the clock has passed the deadline, timer or not.
func (p punctualContext) Err() error {
	if err := p.Context.Err(); err != nil {
		return err
	}
	if !time.Now().Before(p.deadline) {
		return context.DeadlineExceeded
	}
	return nil
}
