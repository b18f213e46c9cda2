package learn

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"oxo/eval/ninenet"
	"oxo/learn/model"
	"oxo/learn/pattern"
	"oxo/learn/space"
)

// weightedSum returns the features and weights of a learner that is a weighted sum, nil
// of any other.
// The weights are the learner's own, and not a copy.
func (t *Trainer) weightedSum() (*space.Features, []float64) {
	if m, ok := t.memory.(model.Weighted); ok {
		return m.Weights()
	}
	return nil, nil
}

// Sum returns the set of features and the weights of a learner that plays by a weighted sum, and what half of a won
// game comes to in it; no set of any other.
// The weights are a copy.
func (t *Trainer) Sum() (set string, weights []float64, half float64) {
	if m, ok := t.memory.(model.Judging); ok {
		set, weights, half = m.Judges()
	}
	return set, slices.Clone(weights), half
}

// Net returns the net of a learner that is one, with the marks that it sees in a position; nil of any other.
func (t *Trainer) Net() (net *pattern.Net, marks space.Marks) {
	if m, ok := t.memory.(model.Netted); ok {
		return m.Net()
	}
	return nil, nil
}

// NineNet returns the net over nine boards of a learner that is one, nil of any other.
func (t *Trainer) NineNet() *ninenet.Net {
	if m, ok := t.memory.(model.NineNetted); ok {
		return m.Nine()
	}
	return nil
}

// SetWeights sets the weights that the learner goes on from. Of one that plays by the
// mean of its weights that is not the mean.
// They are in the order of the features, and copied. Other learners, and weights that are not finite, are refused.
func (t *Trainer) SetWeights(weights []float64) error {
	f, w := t.weightedSum()
	switch {
	case f == nil:
		return fmt.Errorf("learner %q has no weights", t.spec)
	case len(weights) != len(w):
		return fmt.Errorf("%d weights for the %d features", len(weights), len(w))
	case !model.Finite(weights):
		return errors.New("a weight is not a number that a learner can go on from")
	}
	copy(w, weights)
	return nil
}

// SetSearchDepth sets how many plies the learner looks ahead from its next move on. Its
// spec says so from then on.
func (t *Trainer) SetSearchDepth(depth int) error {
	l, ok := t.memory.(model.Searching)
	if !ok {
		return fmt.Errorf("learner %q does not search", t.spec)
	}
	spec, err := t.spec.With("depth", strconv.Itoa(depth))
	if err != nil {
		return err
	}
	t.spec = spec
	l.SetSearchDepth(depth)
	return nil
}

// SearchDepth returns how many plies the learner looks ahead, 0 where it does not search.
func (t *Trainer) SearchDepth() int {
	if l, ok := t.memory.(model.Searching); ok {
		return l.SearchDepth()
	}
	return 0
}

// Term is a feature of a choice by a weighted sum.
type Term = space.Term

// choiceTerms returns the features of the i-th choice, the learner's last; nil of a
// learner without weights.
func (t *Trainer) choiceTerms(trace *model.Trace, i int) []Term {
	f, _ := t.weightedSum()
	if f == nil {
		return nil
	}
	n, then := trace.Nodes[i], trace.Choices[i].Leaf
	if then == space.None {
		then = trace.Nodes[i+1]
	}
	seat := t.space.Turn(n)
	// Features may be handed out in the same slice each time, so that the first are copied.
	here := slices.Clone(f.Of(n, seat))
	return space.NewTerms(f.Names, t.chosen, here, f.Of(then, seat))
}
