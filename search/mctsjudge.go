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

// judge makes the children of node at, judges each by the evaluation, and
// returns the worth of the best of them: so a simulation looks at all replies to
// the last of its moves. At a chance node it is the expectation. Where the tree
// is full, it is p's own worth by the evaluation.
//
// How likely a child is to be tried follows from what the evaluation says of
// it and its siblings.
func (s *sampler[P]) judge(at uint32, p P) float64 {
	if !s.expand(at, p) {
		return s.o.Eval(p)
	}
	s.after, s.values = s.after[:0], s.values[:0]
	for _, m := range s.moves {
		s.after, s.values = append(s.after, p.Play(m)), append(s.values, 0)
	}
	if s.o.EvalAll != nil {
		s.o.EvalAll(p, s.moves, s.after, s.drawn, s.values)
	}
	n := &s.nodes[at]
	children := s.nodes[n.first : n.first+uint32(n.children)]
	for i := range children {
		c, q := &children[i], s.after[i]
		c.rarity = 1
		switch out := q.Outcome(); {
		case out != oxo.Ongoing:
			v := s.g.Worth(q)
			c.known = Interval{v, v}
			c.guess = float32(s.felt(v))
		case s.o.EvalAll == nil:
			c.guess = float32(s.o.Eval(q))
		default:
			c.guess = s.values[i]
		}
	}
	if n.turn == oxo.Chance {
		v := 0.0
		for i := range children {
			v += s.g.Odds(p, children[i].move) * float64(children[i].guess)
		}
		return v
	}
	return s.expect(n.turn, children)
}

// expect sets the priors of the moves of turn by their guesses and returns the
// best guess.
func (s *sampler[P]) expect(turn oxo.Seat, children []sample) float64 {
	scale := sign(turn) / s.half
	best := math.Inf(-1)
	for i := range children {
		best = max(best, scale*float64(children[i].guess))
	}
	sum := 0.0
	for i := range children {
		x := math.Exp((scale*float64(children[i].guess) - best) / s.temperature)
		children[i].prior = float32(x)
		sum += x
	}
	for i := range children {
		children[i].prior /= float32(sum)
	}
	return best / scale
}

// chooseJudged returns the index of the child of n to visit next: the best by
// PUCT, which adds C·P·√N/(n+1) to the mean. The guess counts as a first visit.
//
// Source: Rosin, Multi-armed bandits with episode context, Annals of
// Mathematics and Artificial Intelligence (2011), in the form of Silver et al.,
// Mastering the game of Go without human knowledge, Nature (2017).
func (s *sampler[P]) chooseJudged(n *sample, children []sample) int {
	scale := sign(n.turn) / s.half
	wide := s.explore * math.Sqrt(float64(n.visits))
	best, value := 0, math.Inf(-1)
	for i := range children {
		c := &children[i]
		v := (scale*(c.sum+float64(c.guess)) + wide*float64(c.prior)) * c.rarity
		if v > value && !s.hopeless(n, c) {
			best, value = i, v
		}
	}
	return best
}
