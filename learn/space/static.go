package space

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"oxo"
)

// Static is the player that searches to a depth with weights that never
// change, and takes the first of the best moves.
type Static[P oxo.Position[P]] struct {
	search  *leafSearch[P]
	weights []float64
	most    uint64 // nodes for a move; 0 for no limit
	last    P      // where it chose last
}

// NewStatic returns the static player with a feature set of the game.
func NewStatic[P oxo.Position[P]](g *oxo.Game[P], set string, weights []float64, depth int) (*Static[P], error) {
	s, err := newLeafSearch(NewLazyGraph(g), set, depth)
	if err != nil {
		return nil, err
	}
	if len(weights) != len(s.m.names) {
		return nil, fmt.Errorf("the features of %s take %d weights, not %d", set, len(s.m.names), len(weights))
	}
	return &Static[P]{search: s, weights: weights}, nil
}

// Limit holds the player to a depth and a number of nodes for a move, where those
// are not 0. It never looks further ahead than it did.
func (s *Static[P]) Limit(depth int, nodes uint64) error {
	if depth > 0 {
		s.search.depth = min(s.search.depth, depth)
	}
	s.most = nodes
	return nil
}

// Choose searches. Score is left out, as a weighted sum is no probability.
func (s *Static[P]) Choose(ctx context.Context, p P) (oxo.Choice, error) {
	if p.Outcome() != oxo.Ongoing {
		return oxo.Choice{Move: oxo.NoMove}, errors.New("the game is over: there is no move to choose")
	}
	s.search.SetContext(ctx)
	before := s.search.nodes
	if s.search.until = 0; s.most > 0 {
		s.search.until = before + s.most
	}
	e, _ := s.search.searchRoot(p, s.weights)
	s.last = p
	return oxo.Choice{Move: s.search.moves[e], Depth: s.search.depth, Nodes: s.search.nodes - before}, nil
}

// Policy gives the chosen move probability 1.
func (s *Static[P]) Policy(p P, _ []oxo.Move, w []float64) {
	clear(w)
	s.search.SetContext(context.Background())
	e, _ := s.search.searchRoot(p, s.weights)
	w[e] = 1
}

// Terms says why it made its last choice.
func (s *Static[P]) Terms() []Term {
	x := make([]float64, 2*len(s.weights))
	here, then := x[:len(s.weights)], x[len(s.weights):]
	s.search.m.measure(s.last, s.last.Turn(), here)
	s.search.m.measure(s.search.leaf[s.search.depth], s.last.Turn(), then)
	return NewTerms(s.search.m.names, s.weights, here, then)
}

// NewSum returns what a weighted sum of a feature set of the game says of a position as a seat sees it. Many goroutines
// may ask at once.
func NewSum[P oxo.Position[P]](g *oxo.Game[P], set string, weights []float64) (func(p P, seat oxo.Seat) float64,
	error) {
	if _, err := composeNamed(g, set); err != nil {
		return nil, err
	}
	type measurer struct {
		featureSet[P]
		x []float64
	}
	pool := sync.Pool{New: func() any {
		m, _ := composeNamed(g, set)
		return &measurer{m, make([]float64, len(weights))}
	}}
	return func(p P, seat oxo.Seat) (sum float64) {
		m := pool.Get().(*measurer)
		defer pool.Put(m)
		m.measure(p, seat, m.x)
		for i, w := range weights {
			sum += w * m.x[i]
		}
		return sum
	}, nil
}

// Term is a feature as the side to move sees it, in the position in which it chose
// and in the one that the choice looked forward to: the leaf of a search, else the
// position after the move.
type Term struct {
	Feature string  `json:"feature"`
	Weight  float64 `json:"weight" doc:"with which it chose"`
	Here    float64 `json:"here"`
	Then    float64 `json:"then"`
}

// NewTerms returns terms of what they hold.
func NewTerms(names []string, weights, here, then []float64) []Term {
	list := make([]Term, len(names))
	for i, name := range names {
		list[i] = Term{name, weights[i], here[i], then[i]}
	}
	return list
}
