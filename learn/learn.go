// Package learn is the learning room: programs that come to play well by
// playing, on one bench, graded by the truth.
//
// Every learner is the four modules of Mitchell's design (Machine Learning,
// McGraw-Hill 1997, section 1.2.5), wired into the one loop of [Trainer.Game]:
// the [Generator] sets a problem, the [Performance] system plays it with what
// has been learned so far, the [Critic] makes training examples of the game,
// and the [Generalizer] learns from them.
//
// A game comes in as a [Space], made by [Enumerate] where all its positions
// can be listed and by [Explore] where not. [Parse] reads a learner's spec and
// [New] makes its trainer; an [Examiner] grades what it has learned without
// sampling anything; a [Brain] keeps it in a file; a [Curve] is a learning
// curve over several runs.
package learn

import (
	"context"
	"math/rand/v2"

	"oxo"
	"oxo/learn/space"
)

// Problem is where an experiment begins and which seats the learner plays.
type Problem struct {
	Start   space.Node
	Learner [2]bool
}

// Generator is the experiment generator: it sets the next problem's start. It
// sees the hypothesis, and knows how many games have been played and the last of
// them, which is nil before the first.
type Generator interface {
	Next(h Hypothesis, games int, last *Trace, r *rand.Rand) space.Node
}

// Performance is the performance system: it plays a problem with the
// hypothesis, which is what has been learned so far, against an opponent.
type Performance struct {
	Space      *space.Space
	Hypothesis Hypothesis
	Opponent   Opponent

	// Made, where it is not nil, is called after each move of the learner.
	Made func(t *Trace)

	// Seen, where it is not nil, is called after each move, and after Made.
	Seen func(t *Trace)

	traces [2]Trace // of the game under way and of the one before
	next   int      // which of them is for the next game
}

// Hypothesis is what has been learned, as far as playing goes.
type Hypothesis interface {
	// Choose returns the move to try in n while learning.
	Choose(n space.Node, r *rand.Rand) Choice
	// Odds sets w to the probability of each move of n in earnest, when
	// nothing is tried out. What is missing from 1 is the probability that
	// the learner resigns.
	Odds(n space.Node, w []float64)
}

// thinker is a hypothesis that may take long to choose. It is told within which
// context it may: where that is done, it chooses at once.
type thinker interface {
	within(ctx context.Context)
}

// within lets a hypothesis think within ctx until the function that it returns
// is called.
func within(ctx context.Context, h Hypothesis) (end func()) {
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

// Opponent moves for the other side.
type Opponent interface {
	// Begin is called before each game. Where ctx is done, Choose returns at
	// once: what it then chooses is not learned from.
	Begin(ctx context.Context, r *rand.Rand) error
	// Choose returns the edge of its move in n, or -1 to resign.
	Choose(n space.Node, r *rand.Rand) (int32, error)
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
	Judge(t *Trace, g Generalizer)
}

// AtOnce is a critic that judges moves while the game goes on.
type AtOnce interface {
	Critic
	// Step judges the last move of t, the learner's.
	Step(t *Trace, g Generalizer)
}

// Example is a training example: what a position, or a move in it, should have
// been worth to a seat.
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

// Play plays a problem to the end. The trace is valid until the next game but
// one has begun. Where ctx is done before the end, the game is nothing: the
// error is that of ctx, and the trace of the game before stays valid.
func (f *Performance) Play(ctx context.Context, p Problem, r *rand.Rand) (*Trace, error) {
	defer within(ctx, f.Hypothesis)()
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

func (f *Performance) play(p Problem, t *Trace, r *rand.Rand) error {
	s := f.Space
	t.Nodes, t.Choices = append(t.Nodes[:0], p.Start), t.Choices[:0]
	t.Learner = p.Learner
	n := p.Start
	for !s.Over(n) {
		c := Choice{Leaf: space.None}
		var err error
		switch turn := s.Turn(n); {
		case turn == oxo.Chance:
			c.Edge = s.DrawChance(n, r)
		case p.Learner[turn]:
			c = f.Hypothesis.Choose(n, r)
		default:
			if c.Edge, err = f.Opponent.Choose(n, r); err != nil {
				return err
			}
		}
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

// longest is the number of positions after which a game that goes in circles
// is called a draw.
const longest = 1000

// worthTo returns what the traced game was worth to a seat.
func (t *Trace) worthTo(seat oxo.Seat) float64 { return space.Sign(seat) * t.Worth }

// seat returns the learner's seat, First where it played both.
func (t *Trace) seat() oxo.Seat {
	if t.Learner[oxo.First] {
		return oxo.First
	}
	return oxo.Second
}

// End returns the last position.
func (t *Trace) End() space.Node { return t.Nodes[len(t.Nodes)-1] }

// after returns the board that the i-th move of t led to, and chance after it.
func (t *Trace) after(s *space.Space, i int) space.Node {
	for i++; i < len(t.Choices) && s.Turn(t.Nodes[i]) == oxo.Chance; i++ {
	}
	return t.Nodes[i]
}
