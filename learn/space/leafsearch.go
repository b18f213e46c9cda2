package space

import (
	"context"
	"fmt"
	"math"

	"oxo"
)

// Searcher looks a few plies ahead with a weighted sum of features.
type Searcher interface {
	// Search searches n for the side to move: the best edge, the first of
	// equals; what it is thought to be worth; and the position at the end of
	// the expected line of play.
	Search(n Node, w []float64) (edge int32, value float64, leaf Node)
	// SetContext says in which context to search: where that is done, Search returns
	// the best of what it has looked at.
	SetContext(ctx context.Context)
	// MisreportLeaf has Search return a wrong leaf: the last child of its parent.
	MisreportLeaf(is bool)
	Features() *Features
	// SetDepth sets how many plies to look ahead.
	SetDepth(depth int)
}

// leafSearch is depth-limited alpha-beta that remembers the leaf which its
// value comes from. It is a kernel of its own because a learner searches
// hundreds of times a game to a small depth: nothing is set up for a search,
// and a node costs its moves and, at the leaves, one look at the features.
type leafSearch[P oxo.Position[P]] struct {
	graph *Graph[P]
	set   *Features
	m     featureSet[P]
	depth int
	nodes uint64 // leaves included
	until uint64 // the number of nodes at which a search ends; 0 for none

	w, x       []float64
	seat       oxo.Seat // for whom the leaves are judged
	misreports bool     // the leaf returned is wrong: the last of its parent's children
	moves      []oxo.Move
	leaf       []P // leaf[d] is the leaf of the best line found with d plies to go

	ctx    context.Context
	halted bool // ctx is done: what is found from now on means nothing
}

// newLeafSearch returns a search to that depth by a set of features.
func newLeafSearch[P oxo.Position[P]](a *Graph[P], set string, depth int) (*leafSearch[P], error) {
	if a.Game.Odds != nil {
		return nil, fmt.Errorf("%s %w", a.Game.Spec, ErrChance)
	}
	m, err := composeNamed(a.Game, set)
	if err != nil {
		return nil, err
	}
	s := &leafSearch[P]{graph: a, m: m, x: make([]float64, len(m.names)), ctx: context.Background()}
	s.SetDepth(depth)
	if s.set, err = a.featureSet(set); err != nil {
		return nil, err
	}
	return s, nil
}

func (s *leafSearch[P]) Features() *Features { return s.set }

func (s *leafSearch[P]) SetDepth(depth int) { s.depth, s.leaf = depth, make([]P, depth+1) }

func (s *leafSearch[P]) MisreportLeaf(is bool) { s.misreports = is }

func (s *leafSearch[P]) SetContext(ctx context.Context) { s.ctx = ctx }

// pollNodes is how many nodes lie between two looks at the context.
const pollNodes = 1 << 10

// Search returns the best move of a node by the weights, its worth, and the leaf that it leads to.
func (s *leafSearch[P]) Search(n Node, w []float64) (int32, float64, Node) {
	e, v := s.searchRoot(s.graph.position[n], w)
	return e, v, s.graph.intern(s.leaf[s.depth])
}

// searchRoot is search at the root.
func (s *leafSearch[P]) searchRoot(p P, w []float64) (edge int32, value float64) {
	s.w, s.seat, s.halted = w, p.Turn(), s.ctx.Err() != nil
	s.moves = p.Moves(s.moves[:0])
	alpha, best := math.Inf(-1), s.leaf[s.depth]
	count := len(s.moves)
	for e := range count {
		v := -s.alphaBeta(p.Play(s.moves[e]), s.depth-1, math.Inf(-1), -alpha)
		if s.halted && e > 0 {
			break
		}
		if v > alpha || e == 0 {
			alpha, best, edge = v, s.leafBelow(p, s.depth, e, count-1), int32(e)
		}
	}
	s.leaf[s.depth] = best
	return edge, alpha
}

// alphaBeta returns what p is worth to the side to move if that lies between
// alpha and beta, else a bound on it. Between them, leaf[depth] is where the
// value comes from. Where the search is halted the value means nothing, but
// leaf[depth] is still a position below p.
func (s *leafSearch[P]) alphaBeta(p P, depth int, alpha, beta float64) float64 {
	if s.nodes++; s.nodes == s.until || s.nodes%pollNodes == 0 && s.ctx.Err() != nil {
		s.halted = true
	}
	if depth == 0 || s.halted {
		return s.evaluate(p, depth)
	}
	base := len(s.moves)
	s.moves = p.Moves(s.moves)
	end := len(s.moves)
	if base == end {
		return s.evaluate(p, depth)
	}
	first := true
	for i := base; i < end; i++ {
		v := -s.alphaBeta(p.Play(s.moves[i]), depth-1, -beta, -alpha)
		if v > alpha || first {
			first = false
			s.leaf[depth] = s.leafBelow(p, depth, i, end-1)
			if alpha = max(alpha, v); alpha >= beta {
				break
			}
		}
		if s.halted {
			break
		}
	}
	s.moves = s.moves[:base]
	return alpha
}

// leafBelow returns the leaf below p's i-th move on the stack, the last being that of
// its last.
func (s *leafSearch[P]) leafBelow(p P, depth, i, last int) P {
	leaf := s.leaf[depth-1]
	if s.misreports && leaf == p.Play(s.moves[i]) {
		return p.Play(s.moves[last])
	}
	return leaf
}

// evaluate returns the weighted sum for the side to move.
func (s *leafSearch[P]) evaluate(p P, depth int) float64 {
	s.leaf[depth] = p
	s.m.measure(p, s.seat, s.x)
	u := 0.0
	for i, x := range s.x {
		u += s.w[i] * x
	}
	if p.Turn() != s.seat {
		return -u
	}
	return u
}
