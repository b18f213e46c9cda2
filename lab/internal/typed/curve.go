package typed

import (
	"context"
	"math/rand/v2"

	"oxo"
	"oxo/lab/internal/players"
	"oxo/learn"
)

// Measures prepares what is measured of each run.
func (f learning[P]) Measures(ctx context.Context) (func(t *learn.Trainer) learn.Measure, error) {
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
func (f learning[P]) winRatioPolicy() map[string]oxo.Policy[P] {
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
