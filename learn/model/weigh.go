package model

import (
	"cmp"

	"oxo"
	"oxo/eval/ninenet"
	"oxo/learn/pattern"
	"oxo/learn/space"
)

// Weighted is a memory, or a model on the bench, that is a weighted sum of features. The weights are its own.
type Weighted interface {
	Weights() (*space.Features, []float64)
}

// Judging is a memory that is a weighted sum of features by which it plays in earnest: a set and the weights, and what
// half of a won game comes to, as far as that is known.
type Judging interface {
	Judges() (set string, weights []float64, half float64)
}

// unknownHalf is what half of a won game is taken to come to where a sum says nothing of that.
const unknownHalf = 10

func (l *leafLearner) Judges() (set string, weights []float64, half float64) {
	return l.set, l.playingWeights(), cmp.Or(l.win/2, unknownHalf)
}

func (v *evolve) Judges() (set string, weights []float64, half float64) {
	return v.set, v.champion, unknownHalf
}

// Judges returns no set where the model is no weighted sum of features.
func (b *valueLearner) Judges() (set string, weights []float64, half float64) {
	if l, ok := b.valueModel.(*linear); ok {
		return l.set, l.w, hundred / 2
	}
	return "", nil, 0
}

func (l *leafLearner) Weights() (*space.Features, []float64) { return l.search.Features(), l.w }
func (l *linear) Weights() (*space.Features, []float64)      { return l.features, l.w }
func (v *evolve) Weights() (*space.Features, []float64)      { return v.features, v.champion }

// Weights returns nil where the model is no weighted sum.
func (b *valueLearner) Weights() (*space.Features, []float64) {
	if m, ok := b.valueModel.(Weighted); ok {
		return m.Weights()
	}
	return nil, nil
}

// Netted is a memory, or a model on the bench, that is a net over what squares hold. Marks are those that the net sees
// in a position.
type Netted interface {
	Net() (net *pattern.Net, marks space.Marks)
}

func (n *net) Net() (*pattern.Net, space.Marks) { return n.net, n.marks }

// Net returns nil where the model is no net.
func (b *valueLearner) Net() (*pattern.Net, space.Marks) {
	if m, ok := b.valueModel.(Netted); ok {
		return m.Net()
	}
	return nil, nil
}

// NineNetted is a memory that is a net over nine boards.
type NineNetted interface {
	Nine() *ninenet.Net
}

// Nine returns the net.
func (n *nine) Nine() *ninenet.Net { return n.net }

// Summed is a memory, or a model on the bench, that judges a position by a weighted sum of features, as
// the seat sees them that has moved to it, and knows what finished games are worth. It hands out the
// features; names are nil where it is no such sum.
type Summed interface {
	SumTerms() (names []string, setTerms func(n space.Node, seat oxo.Seat, x []float64))
}

func (l *linear) SumTerms() (names []string, setTerms func(n space.Node, seat oxo.Seat, x []float64)) {
	return l.features.Names, func(n space.Node, seat oxo.Seat, x []float64) { copy(x, l.features.Of(n, seat)) }
}

// SumTerms returns a term for each row and a bias for each seat; no names where there are hidden layers.
func (n *net) SumTerms() (names []string, setTerms func(n space.Node, seat oxo.Seat, x []float64)) {
	if len(n.shape.Layers) > 0 {
		return nil, nil
	}
	for _, row := range n.net.Table() {
		names = append(names, n.describeRow(row))
	}
	names = append(names, "after a move of first", "after a move of second")
	return names, func(at space.Node, seat oxo.Seat, x []float64) {
		first, second := n.marks(at)
		n.net.CountRows(first, second, seat, x)
	}
}

// SumTerms returns no names also where boards before moves, moves, or finished boards like others are judged.
func (b *valueLearner) SumTerms() (names []string, setTerms func(n space.Node, seat oxo.Seat, x []float64)) {
	m, ok := b.valueModel.(Summed)
	if !ok || !b.known || b.before || b.judges == moves {
		return nil, nil
	}
	return m.SumTerms()
}

// Searching is a memory of a learner that looks ahead as many plies as one says.
type Searching interface {
	SearchDepth() int
	SetSearchDepth(depth int)
}

func (l *leafLearner) SearchDepth() int { return l.depth }

// SetSearchDepth is of learning, and of earnest play unless option play gives that a depth of its own.
func (l *leafLearner) SetSearchDepth(depth int) {
	l.depth = depth
	l.search.SetDepth(depth)
	l.earnest.SetDepth(cmp.Or(l.play, depth))
}
