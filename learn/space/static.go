package space

import (
	"context"
	"errors"
	"fmt"

	"oxo"
)

// Static is the player that searches to a depth with weights that never
// change, and takes the first of the best moves.
type Static[P oxo.Position[P]] struct {
	search  *leafSearch[P]
	weights []float64
	most    uint64 // nodes for a move; 0 for no limit
}

// NewStatic returns the static player with a feature set of the game.
func NewStatic[P oxo.Position[P]](g *oxo.Game[P], set string, weights []float64, depth int) (*Static[P], error) {
	s, err := newLeafSearch(Explore(g), set, depth)
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
	return oxo.Choice{Move: s.search.moves[e], Depth: s.search.depth, Nodes: s.search.nodes - before}, nil
}

// Policy gives the chosen move probability 1.
func (s *Static[P]) Policy(p P, _ []oxo.Move, w []float64) {
	clear(w)
	s.search.SetContext(context.Background())
	e, _ := s.search.searchRoot(p, s.weights)
	w[e] = 1
}
