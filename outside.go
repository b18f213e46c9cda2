package oxo

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime/debug"
	"slices"
	"strconv"
	"sync"
)

// GameFault is the error of a game that does not keep what [Position] and [Game] promise. Where a function has no error
// to return, it panics with it.
type GameFault struct{ text string }

func (f *GameFault) Error() string { return f.text }

// OngoingFault returns what is wrong with p, a position that is not over, where it has so many moves and comes after
// so many plies: there must be a move, and play in p must not be beyond MaxPlies.
func (g *Game[P]) OngoingFault(p P, moves, plies int) error {
	switch {
	case moves == 0:
		return &GameFault{fmt.Sprintf("%s: the position %q has no moves and is not over", g.Spec, g.Format(p))}
	case plies >= g.MaxPlies && !g.Loopy():
		return &GameFault{fmt.Sprintf("%s: the game goes on beyond its MaxPlies, which are %d, from %q; MaxPlies is 0 "+
			"where play can go in circles", g.Spec, g.MaxPlies, g.Format(p))}
	}
	return nil
}

// OngoingMoves is p.Moves(buf) of a position that is not over. It panics with a [*GameFault] where there are none.
func (g *Game[P]) OngoingMoves(p P, buf []Move) []Move {
	moves := p.Moves(buf)
	if len(moves) == len(buf) {
		panic(g.OngoingFault(p, 0, 0))
	}
	return moves
}

// WithPosition returns an error that says in which position err was.
func (g *Game[P]) WithPosition(err error, p P) error {
	text := "a position that can't be written"
	_ = CatchPanic(func() error {
		text = strconv.Quote(g.Format(p))
		return nil
	})
	return fmt.Errorf("in %s: %w", text, err)
}

// IllegalMove is the error of a player that chooses a move which is not legal.
type IllegalMove struct{ text string }

func (e *IllegalMove) Error() string { return e.text }

// Termination is how a game ends that is lost by it, as [Record] has it.
func (e *IllegalMove) Termination() string { return EndIllegal }

// Ask has a player choose among the legal moves of p, which are given. A choice of another move is an [*IllegalMove],
// and a panic of the player, or a score that is no number, an error that names p.
func (g *Game[P]) Ask(ctx context.Context, player Player[P], p P, moves []Move) (Choice, error) {
	var c Choice
	err := CatchPanic(func() (err error) {
		c, err = player.Choose(ctx, p)
		return err
	})
	switch {
	case IsPanic(err):
		return Choice{}, g.WithPosition(err, p)
	case err == nil && !c.Resign && !slices.Contains(moves, c.Move):
		return Choice{}, &IllegalMove{fmt.Sprintf("move number %d is not legal in %s", c.Move, g.Format(p))}
	case err == nil && c.Scored && (math.IsNaN(c.Score) || math.IsInf(c.Score, 0)):
		return Choice{}, g.WithPosition(fmt.Errorf("the player's score is %v", c.Score), p)
	}
	return c, err
}

// PanicError is a panic in a game or a player, as an error.
type PanicError struct {
	Value any
	Stack []byte // of the goroutine that panicked
}

func (e *PanicError) Error() string { return fmt.Sprintf("panic: %v", e.Value) }

// RecoverInto, deferred, makes a panic of the function the error that it returns: a [*GameFault], or a [*PanicError].
// It is for functions that call games and players, which may come from outside.
func RecoverInto(err *error) {
	switch v := recover().(type) {
	case nil:
	case *GameFault:
		*err = v
	case *PanicError: // met by a [Group] first
		*err = v
	default:
		*err = &PanicError{v, debug.Stack()}
	}
}

// CatchPanic calls do and returns its error, or that of a panic in it, as [RecoverInto] has it.
func CatchPanic(do func() error) (err error) {
	defer RecoverInto(&err)
	return do()
}

// IsPanic reports whether an error is that of a panic: a [*PanicError] or a [*GameFault].
func IsPanic(err error) bool {
	return errors.As(err, new(*PanicError)) || errors.As(err, new(*GameFault))
}

// Group is goroutines that call games and players. A panic in one of them does not end the program: Wait
// panics with it, in the goroutine of who waits for them. The zero value is a group of none.
type Group struct {
	wait  sync.WaitGroup
	once  sync.Once
	first error // of the first panic
}

// Go calls f in a goroutine.
func (g *Group) Go(f func()) {
	g.wait.Go(func() {
		if err := CatchPanic(func() error { f(); return nil }); err != nil {
			g.once.Do(func() { g.first = err })
		}
	})
}

// Wait waits for all goroutines, and panics as the first of them that did.
func (g *Group) Wait() {
	g.wait.Wait()
	if g.first != nil {
		panic(g.first)
	}
}
