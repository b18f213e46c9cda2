package learn

import (
	"errors"
	"fmt"

	"oxo/learn/model"
	"oxo/learn/pattern"
	"oxo/learn/space"
)

// weightedSum returns the features and weights of a learner that is a weighted sum, nil
// of any other.
func (t *Trainer) weightedSum() (*space.Features, []float64) {
	if m, ok := t.memory.(model.Weighted); ok {
		return m.Weights()
	}
	return nil, nil
}

// Net returns the net of a learner that is one, nil of any other.
func (t *Trainer) Net() *pattern.Net {
	if m, ok := t.memory.(model.Netted); ok {
		return m.Net()
	}
	return nil
}

// Adjust sets the weights that the learner goes on from. Of one that plays by the
// mean of its weights that is not the mean.
func (t *Trainer) Adjust(weights []float64) error {
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

// Term is a feature as the side to move sees it, in the position in which it chose
// and in the one that the choice looked forward to: the leaf of a search, else the
// position after the move.
type Term struct {
	Feature string  `json:"feature"`
	Here    float64 `json:"here"`
	Then    float64 `json:"then"`
}

// choiceTerms returns the features of the i-th choice; nil of a learner without weights.
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
	list := make([]Term, len(f.Names))
	for k, x := range f.Of(n, seat) {
		list[k] = Term{Feature: f.Names[k], Here: x}
	}
	for k, x := range f.Of(then, seat) {
		list[k].Then = x
	}
	return list
}
