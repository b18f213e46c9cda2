package arena_test

import (
	"context"
	"testing"
	"time"

	"oxo"
	"oxo/arena"
)

// ownClock is a player that keeps its own time, and says that it has run out of it.
type ownClock struct{}

func (ownClock) Choose(context.Context, pos) (oxo.Choice, error) { return oxo.Choice{}, outOfTime{} }
func (ownClock) Took() time.Duration                             { return time.Hour }

type outOfTime struct{}

func (outOfTime) Error() string       { return "deep has run out of time" }
func (outOfTime) Termination() string { return oxo.EndTime }

// TestOwnClockSaysItself: what a player that keeps its own time says of its loss is told, and no time of the referee's.
func TestOwnClockSaysItself(t *testing.T) {
	r := arena.Referee[pos]{Game: ttt(t), Time: arena.TimeControl{Bank: 2 * time.Second, Increment: time.Second}}
	g, err := r.Play(t.Context(), [2]oxo.Player[pos]{ownClock{}, ownClock{}}, arena.Opening[pos]{Start: r.Game.Start,
		Position: r.Game.Start}, 1)
	if err != nil || g.Termination != oxo.EndTime || g.Reason != "deep has run out of time" {
		t.Errorf("%v, ended by %s: %s", err, g.Termination, g.Reason)
	}
}
