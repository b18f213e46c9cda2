package jobs

import (
	"context"
	"errors"
	"fmt"

	"oxo"
	"oxo/lab"
	"oxo/web/service"
)

// replay is a lesson played again, from a brain and what the teacher did, with
// what has come to it.
// It belongs to one request. The plays are what was done in the end, with the moves of a player in the teacher's
// place.
type replay struct {
	game    *service.Opened
	trainer *lab.Trainer
	lesson  lab.Lesson
	view    *LessonView
	plays   []teacherAction
	brain   []byte // after the game, where it has ended
}

// replayLesson plays a lesson again. What the learner and chance do follows from the brain.
// The seed is for a player in the teacher's place, which draws anew at each ply. The brain is not written into;
// neither are the plays of l.
func (s *pupils) replayLesson(ctx context.Context, g *service.Opened, brain []byte, l lessonRecord,
	seed uint64) (*replay, error) {
	learning := g.Learning()
	t, err := learning.NewOrResumedTrainer(ctx, lab.TrainOptions{Resume: brain, Against: lab.Human, Seats: l.Seats})
	if err != nil {
		return nil, err
	}
	r := &replay{game: g, trainer: t, view: &LessonView{}}
	r.noteWeights() // before the learner, where it begins, moves and learns
	lesson, err := learning.BeginLesson(ctx, t)
	if err != nil {
		return nil, err
	}
	defer lesson.Close()
	r.lesson, r.view.Start, r.view.Seat = lesson, lesson.State().Position, lesson.Seat().String()
	if err := r.playUntilTeacher(ctx); err != nil {
		return nil, err
	}
	for i, p := range l.Plays {
		last := i == len(l.Plays)-1
		if last && l.ply >= 0 && l.player == "" && l.ply != len(lesson.Record().Moves) {
			break // it came late, or twice
		}
		if err := r.applyTeacherAction(ctx, p); err != nil {
			return nil, err
		}
	}
	// A player moves once in the teacher's place or, with all, until the end of the game.
	for first := true; l.player != "" && lesson.Person() &&
		(l.all || first && l.ply == len(lesson.Record().Moves)); first = false {
		state := lesson.State()
		played, move, err := s.PlayNextMove(ctx, g, l.player, state, service.PlySeed(seed, len(lesson.Record().Moves)))
		if err != nil {
			return nil, service.FieldProblem("player", l.player, err)
		}
		made := teacherAction{Move: move, Resigned: move == "", Terms: played.LastMoveTerms()}
		if err := r.applyTeacherAction(ctx, made); err != nil {
			return nil, err
		}
	}
	return r, r.fillViewAndBrain(ctx)
}

// noteWeights notes the weights as they are.
// One row is added; a learner that has no weights has no features and no rows.
func (r *replay) noteWeights() {
	v := r.view
	list := r.trainer.Weights()
	if v.Features = []string{}; len(list) == 0 {
		v.Weights = [][]float64{}
		return
	}
	row := make([]float64, len(list))
	for i, w := range list {
		v.Features, row[i] = append(v.Features, w.Feature), w.Weight
	}
	v.Weights = append(v.Weights, row)
}

// playUntilTeacher lets the learner and chance act until it is the teacher's turn, or the end.
// Where somebody has moved, or the game is over, the weights are noted once, after all of it.
func (r *replay) playUntilTeacher(ctx context.Context) error {
	before := len(r.lesson.Record().Moves)
	for !r.lesson.Over() && !r.lesson.Person() {
		if _, err := r.lesson.Step(ctx); err != nil {
			return err
		}
	}
	if len(r.lesson.Record().Moves) > before || r.lesson.Over() {
		r.noteWeights()
	}
	return nil
}

// applyTeacherAction does what the teacher did.
// A change of the learner leaves it the teacher's turn; after a move the learner and chance answer.
func (r *replay) applyTeacherAction(ctx context.Context, p teacherAction) error {
	switch {
	case !r.lesson.Person():
		return service.NewProblem(409, "not-your-turn")
	case p.adjusts():
		if err := r.adjustLearner(p); err != nil {
			return err
		}
	case p.Resigned:
		r.lesson.Resign()
	default:
		if err := r.lesson.Move(p.Move); err != nil {
			return service.FieldProblem("move", p.Move, err)
		}
	}
	if p.adjusts() {
		r.plays = append(r.plays, p)
		return nil
	}
	// Terms are kept of the last move alone.
	for i := range r.plays {
		r.plays[i].Terms = nil
	}
	r.plays, r.view.Answered = append(r.plays, p), p.Terms
	return r.playUntilTeacher(ctx)
}

// adjustLearner changes the depth or the weights of the learner.
// What the learner refuses, such as another number of weights, is a problem of that field.
func (r *replay) adjustLearner(p teacherAction) error {
	if p.Depth > 0 {
		if err := r.trainer.SetSearchDepth(p.Depth); err != nil {
			return service.FieldProblem("depth", p.Depth, err)
		}
	}
	if p.Weights == nil {
		return nil
	}
	if err := r.trainer.SetWeights(p.Weights); err != nil {
		return service.FieldProblem("weights", p.Weights, err)
	}
	r.noteWeights()
	return nil
}

// fillViewAndBrain shows the game and, where it has ended, keeps what was learned.
// A request that was given up meanwhile is an error, and nothing of it is kept.
func (r *replay) fillViewAndBrain(ctx context.Context) error {
	v, record := r.view, r.lesson.Record()
	v.Moves, v.Ply, v.State, v.Owned = record.Moves, len(record.Moves), r.lesson.State(), r.lesson.CompletedSetSquares()
	v.Over, v.Result, v.Resigned = r.lesson.Over(), record.Result, record.Termination == oxo.EndResigned
	v.Depth = r.trainer.SearchDepth()
	v.Steps, v.Considered = r.lesson.Steps(), r.lesson.Considered(ctx)
	if ctx.Err() != nil || !v.Over {
		return ctx.Err()
	}
	var err error
	if v.Taught, err = r.lesson.Taught(); err == nil && v.Taught == nil {
		err = errors.New("the game has ended, but nothing was learned from it")
	}
	if err != nil {
		return fmt.Errorf("nothing was learned from the game: %w", err)
	}
	v.Result = v.Taught.Result
	brain, err := r.game.Learning().Brain(r.trainer)
	if err != nil {
		return err
	}
	r.brain, err = brain.Bytes()
	return err
}
