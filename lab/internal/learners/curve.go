package learners

import (
	"context"
	"math/rand/v2"

	"oxo"
	"oxo/lab/internal/players"
	"oxo/learn"
	"oxo/learn/exam"
)

// sampledPositions are how many positions a learner is graded by.
const sampledPositions = 300

// Measures prepares what is measured of each run.
func (f Game[P]) Measures(ctx context.Context) (func(t *learn.Trainer) learn.Measure, error) {
	if !f.b.LearningGraph().Complete() {
		if !f.b.Falls() {
			return learn.ProbeMeasure, nil
		}
		s, err := f.b.Sample(ctx, sampledPositions, 1)
		if err != nil {
			return nil, err
		}
		return learn.JoinMeasures(learn.SampleMeasure(s), learn.ProbeMeasure), nil
	}
	x, err := f.newExaminer(ctx, f.winRatioPolicy())
	if err != nil {
		return nil, err
	}
	return learn.JoinMeasures(learn.ExamMeasure(x), learn.ProbeMeasure), nil
}

// winRatioPolicy returns the game-tree player of the old notes, to be examined
// against besides the usual opponents; nothing where the game is too large.
func (f Game[P]) winRatioPolicy() map[string]oxo.Policy[P] {
	m, err := players.Open(f.b, "winratio")
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

// GradeBySample grades what a trainer has learned by the positions of a sample; nil where the
// game has no solver for them.
func (f Game[P]) GradeBySample(ctx context.Context, t *learn.Trainer) (*exam.Sampled, error) {
	if !f.b.Falls() || f.b.LearningGraph().Complete() {
		return nil, nil
	}
	s, err := f.b.Sample(ctx, sampledPositions, 1)
	if err != nil {
		return nil, err
	}
	return t.GradeBySample(s)
}
