package learn

import (
	"context"
	"slices"

	"oxo/learn/exam"
	"oxo/learn/model"
	"oxo/learn/space"
)

// Measure takes some numbers of a trainer between two games, or gives up where
// the context is done. It is used by one run at a time.
type Measure struct {
	Names []string
	Bases []exam.Basis // what each is of
	Take  func(ctx context.Context) ([]float64, error)
	Exam  func() *exam.Exam // the exam that was taken last; nil where there are none
}

// Grade grades what the learner plays in earnest. It gives up where ctx is done.
func Grade(ctx context.Context, x *exam.Examiner, t *Trainer) (*exam.Exam, error) {
	m, err := t.Mix(ctx, nil)
	if err != nil {
		return nil, err
	}
	e, err := x.ExamWithin(ctx, m)
	if err != nil {
		return nil, err
	}
	return &e, nil
}

// ExamMeasure measures what an examiner finds, see [exam.Exam.Measures].
// The policy that is examined and the exam are kept from one point to the next, so that a run needs one of each.
func ExamMeasure(x *exam.Examiner) func(t *Trainer) Measure {
	return func(t *Trainer) Measure {
		var m space.Mix
		var e exam.Exam
		take := func(ctx context.Context) (values []float64, err error) {
			if m, err = t.Mix(ctx, m); err != nil {
				return nil, err
			}
			if e, err = x.ExamWithin(ctx, m); err != nil {
				return nil, err
			}
			return e.Measures(), nil
		}
		names := x.MeasureNames()
		return Measure{Names: names, Bases: slices.Repeat([]exam.Basis{{Of: "exam"}}, len(names)), Take: take,
			Exam: func() *exam.Exam { return &e }}
	}
}

// GradeBySample grades what the learner plays in earnest by the positions of a sample.
// The sample is not changed, and may be shared.
func (t *Trainer) GradeBySample(s *exam.Sample) (*exam.Sampled, error) {
	return s.Grade(func(trial *exam.Trial, w []float64) error {
		return t.Odds(context.Background(), trial.Position, w)
	})
}

// Odds sets w to the probabilities of the moves of a position as the learner plays in earnest.
// w has a place for each legal move, in their order; what is missing from 1 is the probability that the learner
// resigns.
func (t *Trainer) Odds(ctx context.Context, position string, w []float64) error {
	n, err := t.space.Find(position)
	if err != nil {
		return err
	}
	return t.naming(func() error {
		defer model.ThinkWithin(ctx, t.Performance.Hypothesis)()
		t.Performance.Hypothesis.Odds(n, w)
		return space.CheckOdds(w)
	})
}

// SampleMeasure measures how often a learner keeps the value in the positions of a sample.
// Shares are in per cent: of all positions, and of those in which no move ends the game.
func SampleMeasure(s *exam.Sample) func(t *Trainer) Measure {
	return func(t *Trainer) Measure {
		quiet := 0
		for i := range s.Trials {
			if s.Trials[i].Quiet {
				quiet++
			}
		}
		return Measure{Names: []string{"% kept", "% kept where no move ends the game"},
			Bases: []exam.Basis{{Of: "positions", Size: len(s.Trials)}, {Of: "positions", Size: quiet}},
			Take: func(context.Context) ([]float64, error) {
				e, err := t.GradeBySample(s)
				if err != nil {
					return nil, err
				}
				return []float64{100 * e.Positions.Kept, 100 * e.Quiet.Kept}, nil
			}}
	}
}

// ParameterMeasure measures the few numbers of a learner that are worth plotting: the
// beads of the first box, or the weights.
// A learner without such numbers has the zero Measure, whose Take is nil.
func ParameterMeasure(t *Trainer) Measure {
	of, names, take := t.memory.Probes()
	if take == nil {
		return Measure{}
	}
	return Measure{Names: names, Bases: slices.Repeat([]exam.Basis{{Of: of}}, len(names)),
		Take: func(context.Context) ([]float64, error) { return take(), nil }}
}

// JoinMeasures takes the measures of both, with the exams of the first.
// Names and values are those of a, then those of b. Either may have no Take.
func JoinMeasures(a, b func(t *Trainer) Measure) func(t *Trainer) Measure {
	return func(t *Trainer) Measure {
		m, n := a(t), b(t)
		take := func(ctx context.Context) (values []float64, err error) {
			for _, part := range []Measure{m, n} {
				if part.Take == nil {
					continue
				}
				more, err := part.Take(ctx)
				if err != nil {
					return nil, err
				}
				values = append(values, more...)
			}
			return values, nil
		}
		return Measure{slices.Concat(m.Names, n.Names), slices.Concat(m.Bases, n.Bases), take, m.Exam}
	}
}
