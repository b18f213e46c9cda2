package lab

import (
	"context"
	"errors"
	"math/rand/v2"

	"oxo"
	"oxo/learn"
)

// points is how many times a curve is measured unless told otherwise.
const points = 40

// Curve trains several learners that differ in their seed alone, o.Seed and
// those after it, and measures them every o.ExamEvery games: by exact exams
// where the game can be enumerated, and by what a learner shows of itself,
// such as weights or beads.
func (b *bound[P]) Curve(ctx context.Context, o TrainOptions, runs, workers int) (*learn.Curve, error) {
	if o.Resume != nil {
		return nil, errors.New("a curve begins with a learner that knows nothing, so it can't resume")
	}
	measure, err := b.measures(ctx)
	if err != nil {
		return nil, err
	}
	every := o.ExamEvery
	if every == 0 {
		every = max(1, o.Games/points)
	}
	c, err := learn.Learn(ctx, func(run int) (*learn.Trainer, error) {
		own := o
		own.Seed += uint64(run)
		return b.trainer(ctx, b.ground(), own)
	}, measure, o.Games, every, runs, workers)
	if err != nil {
		return nil, err
	}
	c.Title = o.Learner + " on " + b.Spec + " against " + o.Against
	return c, nil
}

// CurveLines returns the names of the lines that a curve would have.
func (b *bound[P]) CurveLines(ctx context.Context, o TrainOptions) ([]string, error) {
	if _, err := b.enumerate(ctx); err != nil && err == ctx.Err() {
		return nil, err
	}
	measure, err := b.measures(ctx)
	if err != nil {
		return nil, err
	}
	t, err := b.trainer(ctx, b.ground(), o)
	if err != nil {
		return nil, err
	}
	return measure(t).Names, nil
}

// measures prepares what is measured of each run.
func (b *bound[P]) measures(ctx context.Context) (func(t *learn.Trainer) learn.Measure, error) {
	if !b.ground().Complete() {
		return learn.Probed, nil
	}
	x, err := b.examiner(ctx, b.gameTree())
	if err != nil {
		return nil, err
	}
	return learn.Both(learn.Graded(x), learn.Probed), nil
}

// gameTree returns the game-tree player of the old notes, to be examined
// against besides the usual opponents; nothing where the game is too large.
func (b *bound[P]) gameTree() map[string]oxo.Policy[P] {
	m, err := b.player("winratio")
	if err != nil {
		return nil
	}
	one, err := m(rand.New(rand.NewPCG(0, 0)))
	policy, ok := one.(oxo.Policy[P])
	if err != nil || !ok {
		return nil
	}
	return map[string]oxo.Policy[P]{"winratio": policy}
}
