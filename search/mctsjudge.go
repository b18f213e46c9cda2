package search

import (
	"math"

	"oxo"
)

// What mcts does with an evaluation where the options leave it open. Both were
// measured on Ultimate tic-tac-toe (docs/ultimate.md).
const (
	defaultJudgedExplore = 0.35
	defaultTemperature   = 0.15
)

// judge makes the edges of n, the node of p, judges the positions that they lead
// to by the evaluation, and returns the worth of the best of them: so a
// simulation looks at all replies to the last of its moves. At a chance node it
// is the expectation. Where the tree is full, it is p's own worth by the
// evaluation.
//
// How likely a move is to be tried follows from what the evaluation says of
// it and its siblings.
func (s *sampler[P]) judge(n *node, p P) float64 {
	if !s.expand(n, p) {
		return s.o.Eval(p)
	}
	s.after, s.values = s.after[:0], s.values[:0]
	for _, m := range s.legal {
		s.after, s.values = append(s.after, p.Play(m)), append(s.values, 0)
	}
	if s.o.EvalAll != nil {
		s.o.EvalAll(p, s.legal, s.after, s.drawn, s.values)
	}
	turn := n.turn // link may move n
	edges := s.edgesOf(n)
	for i := range edges {
		q := s.after[i]
		switch out := q.Outcome(); {
		case out != oxo.Ongoing:
			v := s.g.Worth(q)
			s.values[i] = float32(s.felt(v))
			s.link(&edges[i], node{sum: s.felt(v), known: Interval{v, v}, move: s.legal[i], turn: q.Turn()})
		case s.o.EvalAll == nil:
			s.values[i] = float32(s.o.Eval(q))
		}
		edges[i].worth = s.values[i]
	}
	if turn == oxo.Chance {
		v := 0.0
		for i, m := range s.legal {
			v += s.g.Odds(p, m) * float64(s.values[i])
		}
		return v
	}
	best := s.expect(turn, edges)
	for i := range edges {
		if e := &edges[i]; e.node != 0 {
			s.nodes[e.node&nodeIndex].prior = e.bonus
		}
	}
	return best
}

// expect sets the priors of the moves of turn, not yet visited, by what the
// evaluation says of them and returns the best.
func (s *sampler[P]) expect(turn oxo.Seat, edges []edge) float64 {
	scale := sign(turn) / s.half
	best := math.Inf(-1)
	for i := range edges {
		best = max(best, scale*float64(edges[i].worth))
	}
	sum := 0.0
	for i := range edges {
		x := math.Exp((scale*float64(edges[i].worth) - best) / s.temperature)
		edges[i].bonus = float32(x)
		sum += x
	}
	share := float32(1 / sum)
	for i := range edges {
		edges[i].bonus *= share
	}
	return best / scale
}
