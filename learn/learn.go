// Package learn is the learning room: programs that come to play well by
// playing, on one bench, graded by the truth.
//
// Every learner is the four modules of Mitchell's design (Machine Learning,
// McGraw-Hill 1997, section 1.2.5), wired into the one loop of [Trainer.PlayAndLearn]:
// the [Generator] sets a problem, the [Performance] system plays it with what
// has been learned so far, the [model.Critic] makes training examples of the
// game, and the [model.Generalizer] learns from them.
//
// A game comes in as a [space.Space]. [model.Parse] reads a learner's spec and
// [New] makes its trainer; [Grade] has an [exam.Examiner] grade what it has
// learned; a [Brain] keeps it in a file.
package learn

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"oxo"
	"oxo/learn/model"
	"oxo/learn/space"
)

// Problem is where an experiment begins and which seats the learner plays.
// Learner is by seat, and both are set where it plays against itself.
type Problem struct {
	Start   space.Node
	Learner [2]bool
}

// Generator is the experiment generator: it sets the next problem's start. It
// sees the hypothesis, and knows how many games have been played and the last of
// them, which is nil before the first.
type Generator interface {
	NextStart(h model.Hypothesis, games int, last *model.Trace, r *rand.Rand) space.Node
}

// Performance is the performance system: it plays a problem with the
// hypothesis, which is what has been learned so far, against an opponent.
// It belongs to one goroutine. Its opponent is nil where the learner plays both seats.
type Performance struct {
	Space      *space.Space
	Hypothesis model.Hypothesis
	Opponent   Opponent

	// Made, where it is not nil, is called after each move of the learner.
	Made func(t *model.Trace)

	// Seen, where it is not nil, is called after each move, and after Made.
	Seen func(t *model.Trace)

	traces [2]model.Trace // of the game under way and of the one before
	next   int            // which of them is for the next game
}

// Opponent moves for the other side.
type Opponent interface {
	// Begin is called before each game. Where ctx is done, Choose returns at
	// once: what it then chooses is not learned from.
	Begin(ctx context.Context, r *rand.Rand) error
	// Choose returns the edge of its move in n, or -1 to resign.
	Choose(n space.Node, r *rand.Rand) (edge int32, err error)
}

// Play plays a problem to the end. The trace is valid until the next game but
// one has begun. Where ctx is done before the end, the game is nothing: the
// error is that of ctx, and the trace of the game before stays valid.
func (f *Performance) Play(ctx context.Context, p Problem, r *rand.Rand) (*model.Trace, error) {
	defer model.ThinkWithin(ctx, f.Hypothesis)()
	t := &f.traces[f.next]
	err := f.play(p, t, r)
	if ctx.Err() != nil { // thought may have been cut short
		err = ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	f.next ^= 1
	return t, nil
}

// play plays a problem to its end, or to a resignation, and writes it into t.
func (f *Performance) play(p Problem, t *model.Trace, r *rand.Rand) error {
	s := f.Space
	t.Nodes, t.Choices = append(t.Nodes[:0], p.Start), t.Choices[:0]
	t.Learner = p.Learner
	n := p.Start
	for !s.Over(n) {
		c := model.Choice{Leaf: space.None}
		var err error
		switch turn := s.Turn(n); {
		case turn == oxo.Chance:
			c.Edge = s.DrawChance(n, r)
		case p.Learner[turn]:
			c = f.Hypothesis.Choose(n, r)
			err = checkChoice(s, n, c)
		default:
			c.Edge, err = f.Opponent.Choose(n, r)
		}
		if err != nil {
			return err
		}
		// A resignation is a loss of the side to move, at a position that is not over.
		if c.Edge < 0 {
			loser := s.Turn(n)
			t.Outcome, t.Worth = oxo.WinFor(loser.Other()), -space.Sign(loser)
			return nil
		}
		n = s.Children(n)[c.Edge]
		turn := s.Turn(t.End())
		t.Nodes, t.Choices = append(t.Nodes, n), append(t.Choices, c)
		if f.Made != nil && turn != oxo.Chance && p.Learner[turn] {
			f.Made(t)
		}
		if f.Seen != nil {
			f.Seen(t)
		}
		if s.Loopy() && len(t.Nodes) > longest {
			t.Outcome, t.Worth = oxo.Drawn, 0
			return nil
		}
	}
	t.Outcome, t.Worth = s.Outcome(n), s.WorthTo(n, oxo.First)
	return nil
}

// errChoice is the error of a learner that chooses a move which is not there.
var errChoice = errors.New("it chose a move that is not there")

// checkChoice refuses a choice that is no move of n, nor a resignation.
func checkChoice(s *space.Space, n space.Node, c model.Choice) error {
	if moves := len(s.Children(n)); int(c.Edge) >= moves {
		return fmt.Errorf("%w: number %d of %d in %q", errChoice, c.Edge, moves, s.Format(n))
	}
	return nil
}

// longest is the number of positions after which a game that goes in circles
// is called a draw.
const longest = 1000
