// Package model holds what is learned and how: the kinds of learners, each a [Hypothesis] that plays, a [Critic] that
// makes examples of a game, a [Generalizer] that learns from them, and the [Memory] that is kept and shown. [Parse]
// reads a learner's spec, [Spec.Build] makes the learner for the space of a game.
package model

import (
	"context"
	"math/rand/v2"

	"oxo"
	"oxo/learn/space"
)

// Hypothesis is what has been learned, as far as playing goes.
type Hypothesis interface {
	// Choose returns the move to try in n while learning.
	Choose(n space.Node, r *rand.Rand) Choice
	// Odds sets w to the probability of each move of n in earnest, when nothing is tried out. What is missing from 1 is
	// the probability that the learner resigns.
	Odds(n space.Node, w []float64)
}

// thinker is a hypothesis that may take long to choose. It takes the context within which
// it may: where that is done, it chooses at once.
type thinker interface {
	within(ctx context.Context)
}

// ThinkWithin lets a hypothesis think within ctx until the function that it returns is called.
func ThinkWithin(ctx context.Context, h Hypothesis) (end func()) {
	t, ok := h.(thinker)
	if !ok {
		return func() {}
	}
	t.within(ctx)
	return func() { t.within(context.Background()) }
}

// Choice is a move chosen by a hypothesis.
type Choice struct {
	Edge     int32      // the move, or -1 to resign
	Explores bool       // it was tried out, not thought best
	Leaf     space.Node // the position that the choice looked forward to, where it searched
}

// Trace is the history of a game.
type Trace struct {
	Nodes   []space.Node // every position, from the problem's start to the end
	Choices []Choice     // the moves, one fewer than the nodes
	Learner [2]bool      // the seats that the learner played
	Outcome oxo.Outcome
	Worth   float64 // to First, 1 the most
}

// Critic makes training examples of a trace and hands each to the generalizer
// as soon as it is made, so that the next one sees what was learned from it.
type Critic interface {
	LearnGame(t *Trace, g Generalizer)
}

// MoveCritic is a critic that judges moves while the game goes on.
type MoveCritic interface {
	Critic
	// LearnMove judges the last move of t, the learner's.
	LearnMove(t *Trace, g Generalizer)
}

// Example is a training example: what a position, or a move in it, should have been worth to a seat.
type Example struct {
	Node   space.Node
	Edge   int32    // the move made in Node, where the learner judges moves
	Seat   oxo.Seat // whose worth Target is
	Target float64
	Rate   float64    // how far to go from the old value to Target, where the critic says so
	Leaf   space.Node // the position that Target was taken from, where the learner needs it
	Begins bool       // the first example of a game and seat
}

// Generalizer is the module that learns: it changes the hypothesis.
type Generalizer interface {
	Learn(e Example)
}

// worthTo returns what the traced game was worth to a seat.
func (t *Trace) worthTo(seat oxo.Seat) float64 { return space.Sign(seat) * t.Worth }

// LearnerSeat returns the learner's seat, First where it played both.
func (t *Trace) LearnerSeat() oxo.Seat {
	if t.Learner[oxo.First] {
		return oxo.First
	}
	return oxo.Second
}

// End returns the last position.
func (t *Trace) End() space.Node { return t.Nodes[len(t.Nodes)-1] }

// boardAfterMove returns the board that the i-th move of t led to, and chance after it.
func (t *Trace) boardAfterMove(s *space.Space, i int) space.Node {
	for i++; i < len(t.Choices) && s.Turn(t.Nodes[i]) == oxo.Chance; i++ {
	}
	return t.Nodes[i]
}
