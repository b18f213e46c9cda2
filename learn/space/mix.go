package space

import (
	"context"
	"errors"

	"oxo"
)

// Mix is the probability of every edge of a complete space, in the order of
// the space's edges: a way to play, whole.
type Mix []float64

// Of returns the probabilities of n's edges.
func (m Mix) Of(s *Space, n Node) []float64 {
	from, to := s.Edges(n)
	return m[from:to]
}

// Compile works out a policy in every position of a complete graph. It gives up
// where ctx is done.
func Compile[P oxo.Position[P]](ctx context.Context, a *Graph[P], policy oxo.Policy[P]) (Mix, error) {
	m := make(Mix, a.EdgeCount())
	var moves []oxo.Move
	for n, p := range a.position {
		from, _ := a.Edges(Node(n))
		if err := PollAndTell(ctx, Asking, int(from), a.EdgeCount()); err != nil {
			return nil, err
		}
		if a.Over(Node(n)) || p.Turn() == oxo.Chance {
			continue
		}
		moves = p.Moves(moves[:0])
		w := m.Of(a.Space, Node(n))
		err := oxo.CatchPanic(func() error {
			policy.Policy(p, moves, w)
			return CheckOdds(w)
		})
		if err != nil {
			return nil, a.Game.WithPosition(err, p)
		}
	}
	return m, nil
}

// ErrOdds is the error of weights that are no probabilities.
var ErrOdds = errors.New("the probabilities of the moves are not numbers from 0 to 1, or are more than 1 together")

// CheckOdds refuses weights that are no probabilities. What is missing from 1 is the probability of a resignation.
func CheckOdds(w []float64) error {
	sum := 0.0
	for _, x := range w {
		if !(x >= 0) {
			return ErrOdds
		}
		sum += x
	}
	if sum > 1+1e-6 {
		return ErrOdds
	}
	return nil
}

// UniformOverBest plays every move that keeps the position's value with equal
// probability: perfect play that leaves the most to chance, and so meets a
// learner with the most different games.
func UniformOverBest(s *Space) Mix {
	m := make(Mix, s.EdgeCount())
	for n := range s.Len() {
		if s.Turn(Node(n)) == oxo.Chance {
			continue
		}
		w, count := m.Of(s, Node(n)), 0.0
		for e, c := range s.Children(Node(n)) {
			if s.KeepsWorth(Node(n), c) {
				w[e] = 1
				count++
			}
		}
		for e := range w {
			w[e] /= count
		}
	}
	return m
}
