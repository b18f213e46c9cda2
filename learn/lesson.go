package learn

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"

	"oxo"
	"oxo/learn/model"
	"oxo/learn/show"
	"oxo/learn/space"
)

// ManualOpponent is the opponent whose moves come from outside the program, such as a
// person's. Games against it are played by [Trainer.BeginLesson] alone.
type ManualOpponent struct {
	ask  func() bool // waits for edge; false where the teacher has left
	edge int32
}

// errLeft ends the game of a lesson that is left; it is undone like any that comes to no end.
var errLeft = errors.New("the teacher has left")

// Begin refuses games in which nobody would move.
// A lesson sets ask, so that any other game is refused.
func (h *ManualOpponent) Begin(context.Context, *rand.Rand) error {
	if h.ask == nil {
		return errors.New("nobody is there to move for the other side")
	}
	return nil
}

// Choose draws once as [MixOpponent] does, so that the learner draws the same whether a person or a program makes the
// same moves.
func (h *ManualOpponent) Choose(_ space.Node, r *rand.Rand) (edge int32, err error) {
	r.Uint32()
	if !h.ask() {
		return -1, errLeft
	}
	return h.edge, nil
}

// Lesson is a game that a learner is taught by hand. It belongs to one goroutine
// and has to be left, whether it has ended or not.
// next runs the game up to the teacher's next move, and stop ends it there; waits says that the teacher has to move.
type Lesson struct {
	hand    *ManualOpponent
	trainer *Trainer
	space   *space.Space
	trace   *model.Trace
	next    func() (struct{}, bool)
	stop    func()
	waits   bool
	taught  *Taught
	err     error
}

// BeginLesson begins a game of a trainer whose opponent is a [ManualOpponent], and plays until
// the teacher has to move. Where ctx is done before the game's end, or the lesson
// is left, all is as it was before.
func (t *Trainer) BeginLesson(ctx context.Context) (*Lesson, error) {
	hand, ok := t.Performance.Opponent.(*ManualOpponent)
	switch {
	case !ok:
		return nil, fmt.Errorf("the learner plays against %s, not by hand", t.plan.Against)
	case hand.ask != nil:
		return nil, errors.New("the lesson before is not over")
	}
	l := &Lesson{hand: hand, trainer: t, space: t.space, trace: &t.Performance.traces[t.Performance.next]}
	l.next, l.stop = iter.Pull(func(yield func(struct{}) bool) {
		hand.ask = func() bool { return yield(struct{}{}) }
		defer func() { hand.ask = nil }()
		l.taught, l.err = t.playAndReportChanges(ctx)
	})
	l.playToTeacher()
	if l.err != nil {
		return nil, l.err
	}
	return l, nil
}

// playToTeacher plays until the teacher's next move, or the end.
// The game runs as a coroutine, which yields where the teacher has to move.
func (l *Lesson) playToTeacher() { _, l.waits = l.next() }

// Leave gives a game up that has not ended.
// After the end it does nothing.
func (l *Lesson) Leave() { l.stop(); l.waits = false }

// Start returns the position that the game began with, as text.
func (l *Lesson) Start() string { return l.space.Format(l.trace.Nodes[0]) }

// Seat returns the learner's seat.
func (l *Lesson) Seat() oxo.Seat { return l.trace.LearnerSeat() }

// PlayedEdges returns the moves made so far, the learner's, the teacher's and those of
// chance, each by its place among the legal ones.
func (l *Lesson) PlayedEdges() []int32 {
	var list []int32
	for _, c := range l.trace.Choices {
		list = append(list, c.Edge)
	}
	return list
}

// PlayedSteps lists the moves made so far, those of chance left out.
func (l *Lesson) PlayedSteps() []show.Step {
	list := []show.Step{}
	for i := range l.trace.Choices {
		if l.space.Turn(l.trace.Nodes[i]) != oxo.Chance {
			list = append(list, l.trainer.step(l.trace, i))
		}
	}
	return list
}

// Considered is what a learner made of a position when it moved there, and why
// it moved so.
type Considered struct {
	show.Step
	Explores bool           `json:"explores,omitempty"` // the move was tried out
	Moves    []model.Looked `json:"moves"`
	Terms    []Term         `json:"terms,omitempty"`
}

// EvaluateLastTurn returns what the learner makes of the position of its last move,
// or of the one in which it resigned; nil where it has had no turn.
// It is looked at anew, with what the learner knows now: after the end, with what it has learned from the game.
func (l *Lesson) EvaluateLastTurn(ctx context.Context) *Considered {
	t, trace := l.trainer, l.trace
	i := len(trace.Choices) - 1
	if l.taught != nil && l.taught.Resigned {
		i++
	}
	// The last position in which the learner was to move is looked for from the end.
	for ; i >= 0; i-- {
		if seat := l.space.Turn(trace.Nodes[i]); seat != oxo.Chance && trace.Learner[seat] {
			break
		}
	}
	if i < 0 {
		return nil
	}
	c := &Considered{Step: t.step(trace, i), Moves: t.Look(ctx, trace.Nodes[i]).Moves}
	if i < len(trace.Choices) {
		c.Explores, c.Terms = trace.Choices[i].Explores, t.choiceTerms(trace, i)
	}
	return c
}

// Waits reports whether the teacher has to move.
func (l *Lesson) Waits() bool { return l.waits }

// PlayTeacherMove makes the teacher's move and plays on; -1 resigns.
// The error of a game that ended but could not be learned from is that of Taught.
func (l *Lesson) PlayTeacherMove(edge int32) error {
	switch {
	case !l.waits:
		return errors.New("it is not the teacher's turn")
	case edge < -1 || int(edge) >= len(l.space.Children(l.trace.End())):
		return fmt.Errorf("position %q has no move number %d", l.space.Format(l.trace.End()), edge)
	}
	l.hand.edge = edge
	l.playToTeacher()
	return nil
}

// Taught returns what the game changed; nil where it has not ended, and the error
// that kept it from being learned from.
func (l *Lesson) Taught() (*Taught, error) { return l.taught, l.err }

// Taught is what a game changed in a learner.
type Taught struct {
	Seat     string      `json:"seat"`     // the learner's
	Result   string      `json:"result"`   // who won, or draw
	Resigned bool        `json:"resigned"` // whether the learner did: its box was empty
	Tally    Tally       `json:"tally"`    // with this game
	Moves    []Changed   `json:"moves"`    // of both sides, in their order
	Weights  []Reweighed `json:"weights,omitempty"`
}

// Changed is a position of the game with what the learner made of its moves when
// the game had ended, and what it makes of them after learning from it. The move
// is empty where it resigned instead.
type Changed struct {
	show.Step
	Explores bool           `json:"explores,omitempty"` // the move was tried out
	Before   []model.Looked `json:"before"`
	After    []model.Looked `json:"after"`
}

// Reweighed is a weight before the game and after it was learned from.
type Reweighed struct {
	Feature string  `json:"feature"`
	Before  float64 `json:"before"`
	After   float64 `json:"after"`
}

// playAndReportChanges is [Trainer.PlayAndLearn], and says what it changed.
// Moves are looked at twice, as looking itself changes nothing: before learning and after.
func (t *Trainer) playAndReportChanges(ctx context.Context) (*Taught, error) {
	weights := t.Weights()
	trace, err := t.playOrUndo(ctx)
	if err != nil {
		return nil, err
	}
	s, end := t.space, trace.End()
	r := &Taught{Seat: trace.LearnerSeat().String(), Result: trace.Outcome.String(), Moves: []Changed{}}
	r.Resigned = !s.Over(end) && s.Turn(end) == trace.LearnerSeat() && trace.Outcome != oxo.Drawn
	var nodes []space.Node
	for i, n := range trace.Nodes {
		made := i < len(trace.Choices)
		if s.Turn(n) == oxo.Chance || !made && !r.Resigned {
			continue
		}
		nodes = append(nodes, n)
		r.Moves = append(r.Moves, Changed{Step: t.step(trace, i), Before: t.Look(ctx, n).Moves, Explores: made &&
			trace.Choices[i].Explores})
	}
	t.learnFromGame(trace)
	for i, n := range nodes {
		r.Moves[i].After = t.Look(ctx, n).Moves
	}
	for i, w := range t.Weights() {
		r.Weights = append(r.Weights, Reweighed{w.Feature, weights[i].Weight, w.Weight})
	}
	r.Tally = t.tally
	return r, t.memory.Check()
}

// Weights returns the weights of a learner that has them.
// They are those of now, in the order of the features.
func (t *Trainer) Weights() []show.Weight {
	if f, _ := t.weightedSum(); f == nil { // its probes are of something else
		return nil
	}
	_, names, probe := t.memory.Probes()
	var list []show.Weight
	for i, name := range names {
		list = append(list, show.Weight{Feature: name, Weight: probe()[i]})
	}
	return list
}
