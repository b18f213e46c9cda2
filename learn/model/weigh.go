package model

import (
	"oxo/learn/pattern"
	"oxo/learn/space"
)

// Weighted is a memory, or a model on the bench, that is a weighted sum of
// features. It hands out the weights themselves.
type Weighted interface {
	Weights() (*space.Features, []float64)
}

func (l *leafLearner) Weights() (*space.Features, []float64) { return l.search.Features(), l.w }

func (l *linear) Weights() (*space.Features, []float64) { return l.features, l.w }

func (v *evolve) Weights() (*space.Features, []float64) { return v.features, v.champion }

func (b *valueLearner) Weights() (*space.Features, []float64) {
	if m, ok := b.model.(Weighted); ok {
		return m.Weights()
	}
	return nil, nil
}

// Netted is a memory, or a model on the bench, that is a net over what squares hold.
type Netted interface {
	Net() *pattern.Net
}

func (n *net) Net() *pattern.Net { return n.net }

func (b *valueLearner) Net() *pattern.Net {
	if m, ok := b.model.(Netted); ok {
		return m.Net()
	}
	return nil
}
