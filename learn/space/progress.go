package space

import "context"

// Work is what is done with the positions of a game, one after another.
type Work string

// The kinds of work.
const (
	Listing  Work = "listing positions"
	Classing Work = "telling symmetric positions"
	Asking   Work = "asking players for their moves"
	Grading  Work = "grading against opponents"
)

// Progress is told how far a kind of work is: with how many positions it is done, and of how many; of 0 where their
// number is not known. Asking counts moves, by
// which it takes its time, and Grading opponents.
type Progress func(w Work, done, of int)

// progressKey is the key of the [Progress] in a context.
type progressKey struct{}

// WithProgress returns a context of work on graphs that tells how far it is, from the goroutine that does it.
func WithProgress(ctx context.Context, tell Progress) context.Context {
	return context.WithValue(ctx, progressKey{}, tell)
}

// pollEvery is how many positions are worked on quickly before ctx is looked at again.
const pollEvery = 256

// PollAndTell returns the error of ctx, and tells its [Progress], if there is one, that a work is done with so many
// positions.
func PollAndTell(ctx context.Context, w Work, done, of int) error {
	if tell, ok := ctx.Value(progressKey{}).(Progress); ok {
		tell(w, done, of)
	}
	return ctx.Err()
}
