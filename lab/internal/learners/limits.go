package learners

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"oxo/learn/exam"
	"oxo/learn/limit"
	"oxo/learn/model"
	"oxo/learn/space"
)

// LimitsOfFeatures says what the weighted sums of a learner's features can play, however it is taught. Where
// claimed is not nil it looks for nothing and checks what that claims. Each of the three questions is
// whether some weights can't be beaten as First, as Second, or as both. Answers are checked before
// they are given: weights by an exact exam, certificates by adding up inequalities in exact
// arithmetic.
// Where ctx is done, what was decided by then comes with the error.
func (f Trainable[P]) LimitsOfFeatures(ctx context.Context, learnerSpec string,
	claimed *limit.Limits) (*limit.Limits, error) {
	learner, err := f.b.Lab.ParseLearner(learnerSpec)
	if err != nil {
		return nil, err
	}
	// A learner that is no weighted sum is refused before positions are listed.
	if _, _, err := hypothesisSpace(f.b.GraphToCheckLearners().Space, learner); err != nil {
		return nil, err
	}
	g, err := f.b.Enumerate(ctx)
	if err != nil {
		return nil, err
	}
	x, err := f.newExaminer(ctx, nil)
	if err != nil {
		return nil, err
	}
	h, names, err := hypothesisSpace(g.Space, learner)
	if err != nil {
		return nil, err
	}
	l := &limit.Limits{Game: f.b.Game.Spec, Learner: learnerSpec, Features: names}
	if claimed != nil {
		return claimed, checkLimitAnswers(h, x, l, claimed)
	}
	for _, seats := range []string{"first", "second", "both"} {
		a, err := h.FindUnbeatableWeights(ctx, limit.Seats[seats])
		if err != nil {
			return l, err // what was decided until it was stopped
		}
		a.Seats = seats
		l.Answers = append(l.Answers, *a)
	}
	return l, checkLimitAnswers(h, x, l, l)
}

// hypothesisSpace returns what a learner judges by, with the names of its features. The learner is built
// and not trained; of it only the features of a board after a move are used.
// h.Size is the number of features, and names are in their order.
func hypothesisSpace(s *space.Space, spec model.Spec) (h limit.Hypothesis, featureNames []string,
	err error) {
	// The source of chance does not matter, as untrained weights are not used.
	built, err := spec.AdaptedTo(s).Build(s, rand.New(rand.NewPCG(0, 0)))
	if err != nil {
		return h, nil, err
	}
	h.Space = s
	if m, ok := built.Memory.(model.Summed); ok {
		featureNames, h.Of = m.SumTerms()
	}
	h.Size = len(featureNames)
	switch {
	case featureNames == nil:
		return h, nil, fmt.Errorf("learner %q judges no boards after moves by a weighted sum, as lms, td and ntuple "+
			"do with states=after,ends=known: what it can play at all is not known; exam grades what it has learned "+
			"(oxo train, then oxo exam brain:FILE)", spec)
	case s.Odds() != nil || s.Loopy():
		return h, nil, fmt.Errorf("what weights can play is decided for games without chance and circles")
	}
	return h, featureNames, nil
}

// checkLimitAnswers checks each answer: weights by an exam, and that there are none by adding up. The file
// that is checked must be of the same game, learner and features.
// own says of what the answers must be, and may be claimed itself. An answer with neither weights nor cases claims
// nothing.
func checkLimitAnswers(h limit.Hypothesis, x *exam.Examiner, own, claimed *limit.Limits) error {
	if claimed.Game != own.Game || claimed.Learner != own.Learner || !slices.Equal(claimed.Features, own.Features) {
		return fmt.Errorf("it is of %s in %s, not of %s in %s", claimed.Learner, claimed.Game, own.Learner, own.Game)
	}
	for _, a := range claimed.Answers {
		seats, ok := limit.Seats[a.Seats]
		switch {
		case !ok:
			return fmt.Errorf("%q are no seats; there are first, second and both", a.Seats)
		case a.Weights != nil && a.Cases != nil:
			return fmt.Errorf("%s: it claims weights and that there are none", a.Seats)
		case a.Cases != nil:
			if err := h.Check(a.Cases, seats); err != nil {
				return fmt.Errorf("%s: %w", a.Seats, err)
			}
		case a.Weights != nil:
			if len(a.Weights) != h.Size {
				return fmt.Errorf("%s: %d weights of %d features", a.Seats, len(a.Weights), h.Size)
			}
			e := x.Exam(h.GreedyPolicy(a.Weights))
			// Unbeaten weights are those that the best reply gains nothing against.
			for _, seat := range seats {
				if lost := []exam.SeatExam{e.AsFirst, e.AsSecond}[seat].Exploitability; lost != 0 {
					return fmt.Errorf("%s: as %v its weights have exploitability %v", a.Seats, seat, lost)
				}
			}
		}
	}
	return nil
}
