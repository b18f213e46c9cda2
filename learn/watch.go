package learn

import (
	"context"

	"oxo"
	"oxo/learn/model"
	"oxo/learn/show"
)

// Seen is a move of a game that is watched or, with the game's result and without a
// move, its end.
type Seen struct {
	Game int `json:"game"` // from 1
	show.Step
	After   string        `json:"after"`             // the position that the move led to
	Terms   []Term        `json:"terms,omitempty"`   // why a player that is a weighted sum moved so
	Weights []show.Weight `json:"weights,omitempty"` // after what was learned from it
	Result  string        `json:"result,omitempty"`  // who won, or draw
	Learned string        `json:"learned,omitempty"` // the learner's seat, at the end
}

// RunWatched is [Trainer.Run] that shows each move of each game. An error of see ends it
// as ctx's end does: as if the game under way had never begun.
// see is called by the goroutine that plays, which waits for it.
func (t *Trainer) RunWatched(ctx context.Context, games int, see func(Seen) error) error {
	defer func() { t.Performance.Seen = nil }()
	for range games {
		// An error of see ends the context of the game, whose moves are undone then.
		within, cancel := context.WithCancelCause(ctx)
		number := t.tally.Games + 1
		t.Performance.Seen = func(trace *model.Trace) {
			i := len(trace.Choices) - 1
			if within.Err() != nil || t.space.Turn(trace.Nodes[i]) == oxo.Chance {
				return
			}
			seen := Seen{Game: number, Step: t.step(trace, i), After: t.space.Format(trace.End()), Weights: t.Weights()}
			if seen.Learner {
				seen.Terms = t.choiceTerms(trace, i)
			} else if o, ok := t.Performance.Opponent.(reasoned); ok {
				seen.Terms = o.Terms()
			}
			if err := see(seen); err != nil {
				cancel(err)
			}
		}
		err := t.PlayAndLearn(within)
		if cause := context.Cause(within); err != nil && cause != nil {
			err = cause
		}
		cancel(nil)
		if err == nil {
			err = t.memory.Check()
		}
		if err == nil {
			err = see(Seen{Game: number, After: t.space.Format(t.last.End()), Weights: t.Weights(),
				Result: t.last.Outcome.String(), Learned: t.last.LearnerSeat().String()})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// reasoned is a player or an opponent that can say why it made its last move.
type reasoned interface{ Terms() []Term }
