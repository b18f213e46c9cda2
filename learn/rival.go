package learn

import (
	"context"
	"math/rand/v2"

	"oxo"
	"oxo/learn/model"
	"oxo/learn/space"
)

// Rival is the opponent that is a second learner: it learns from each game too. It
// belongs to one trainer, which it joins in [New].
// Its trainer never plays by itself: it is told the moves of the first learner's game, and learns when that has
// ended.
type Rival struct {
	spec    model.Spec
	from    *Brain // what it begins with; nil where it knows nothing
	trainer *Trainer
	first   *Performance   // of the learner that it plays against
	choices []model.Choice // its own of the game under way, by ply
}

// RivalPrefix begins the spec of an opponent that learns too.
const RivalPrefix = "learner:"

// NewRival returns the opponent that begins as a learner of that spec.
func NewRival(spec model.Spec) *Rival { return &Rival{spec: spec} }

// ResumeRival returns the opponent that goes on from a brain.
func ResumeRival(from *Brain) (*Rival, error) {
	spec, err := model.ParseWithSavedSettings(from.Learner, from.Settings, from.more...)
	return &Rival{spec: spec, from: from}, err
}

// otherSeats are the second learner's seats by the first one's.
var otherSeats = map[string]string{"alternate": "alternate", "first": "second", "second": "first"}

// joinTrainer makes the second learner of t, with the other seat and chance of its own.
// Its own opponent is a [ManualOpponent] that is never asked.
func (v *Rival) joinTrainer(t *Trainer) (err error) {
	plan := Plan{Against: RivalPrefix + t.spec.String(), Start: "empty", Seats: otherSeats[t.plan.Seats]}
	if v.from == nil {
		v.trainer, err = New(t.space, v.spec, plan, &ManualOpponent{}, ^t.seed)
	} else {
		b := *v.from
		b.Plan, b.Starts, b.Rival = plan, nil, nil
		v.trainer, err = Resume(t.space, &b, &ManualOpponent{})
	}
	v.first, t.rival = &t.Performance, v
	return err
}

// Begin begins a game.
func (v *Rival) Begin(context.Context, *rand.Rand) error {
	v.choices = v.choices[:0]
	return nil
}

// Choose chooses as the second learner does. Both draw as they do in a [Lesson], in which
// the other's moves are made by hand.
func (v *Rival) Choose(n space.Node, r *rand.Rand) (edge int32, err error) {
	r.Uint32()
	t := v.follow(&v.first.traces[v.first.next])
	var c model.Choice
	err = v.trainer.naming(func() error {
		c = v.trainer.Performance.Hypothesis.Choose(n, v.trainer.rand)
		return checkChoice(v.trainer.space, n, c)
	})
	if err != nil || c.Edge < 0 {
		return c.Edge, err
	}
	v.choices = append(v.choices, c)
	if made := v.trainer.Performance.Made; made != nil {
		t.Choices = append(t.Choices, c)
		t.Nodes = append(t.Nodes, v.trainer.space.Children(n)[c.Edge])
		made(t)
	}
	return c.Edge, nil
}

// follow takes in the moves of the first learner and of chance, up to where the trace of
// its game has come, and returns the second learner's.
func (v *Rival) follow(first *model.Trace) *model.Trace {
	f := &v.trainer.Performance
	t := &f.traces[f.next]
	for i := len(v.choices); i < len(first.Choices); i++ {
		if f.Space.Turn(first.Nodes[i]) != oxo.Chance {
			v.trainer.rand.Uint32()
		}
		v.choices = append(v.choices, model.Choice{Edge: first.Choices[i].Edge, Leaf: space.None})
	}
	t.Nodes = append(t.Nodes[:0], first.Nodes...)
	t.Choices = append(t.Choices[:0], v.choices...)
	for seat, learns := range first.Learner {
		t.Learner[seat] = !learns
	}
	return t
}

// learn has the second learner learn from a game that has ended.
// A resignation of the first learner takes a number from the source of chance too, as a choice by hand does.
func (v *Rival) learn(first *model.Trace) {
	t, f := v.follow(first), &v.trainer.Performance
	t.Outcome, t.Worth = first.Outcome, first.Worth
	end := first.End()
	if resigned := !f.Space.Over(end) && t.Outcome != oxo.Drawn; resigned && first.Learner[f.Space.Turn(end)] {
		v.trainer.rand.Uint32()
	}
	v.trainer.learnFromGame(t)
	f.next ^= 1
}
