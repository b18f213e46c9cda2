package mcts

import (
	"math"

	"oxo"
)

// What mcts does with an evaluation where the options leave it open. Both were
// measured on Ultimate tic-tac-toe (docs/ultimate.md).
const (
	defaultJudgedExplore = 0.35
	defaultTemperature   = 0.15

	fewVisits = 64 // among fewer PUCT's constant has hardly grown
)

// exploreGrowth returns how much PUCT's constant has grown after so many visits to a
// position: 1 + ½ ln(1 + visits/1000), in steps. Among many simulations a constant that is
// good among few looks at one move of a position alone, and never finds out where
// the evaluation is wrong about the others.
//
// Source: the growing constant of Silver et al., A general reinforcement
// learning algorithm that masters chess, shogi, and Go through self-play,
// Science (2018), which grows from 20,000 visits on.
func exploreGrowth(visits uint32) float64 { return widenings[scheduleIndex(visits)] }

var widenings = valuesByScheduleIndex(func(visits float64) float64 { return 1 + math.Log1p(visits/1000)/2 })

// explorationVarianceFactor returns what to multiply PUCT's constant with at n, which has been visited
// so often, for how far the results of simulations through it lie apart: where they are all alike,
// little is to be gained by trying more. Where there are few results they are
// taken to lie as far apart as they do on average.
//
// Source: Wu, Dynamic Variance-Scaled cPUCT, in Other Methods Implemented in
// KataGo (2021).
func (s *sampler[P]) explorationVarianceFactor(n *node, visits uint32) float32 {
	const (
		usual = 0.2 // standard deviation
		few   = 8   // results
		share = 0.85
	)
	unit, count := float32(usual*usual*s.half*s.half), float32(visits+1)
	mean := float32(n.sum) / count
	variance := max(0, n.squares-mean*mean*count) + few*unit
	return 1 + share*(float32(math.Sqrt(float64(variance/((count+few)*unit))))-1)
}

// evaluation is what the evaluation says of the moves of a position.
type evaluation[P any] struct {
	legal  []oxo.Move
	after  []P // the positions after the legal moves
	worths []float32
	priors []float32
	over   []int // which of after are over

	biasKeys [][2]uint32 // of after, where the evaluation is corrected
	judged   []float32   // worths before that
}

// evaluateMovesOfLeaf judges by the evaluation what the moves of the last position of x lead
// to. It neither reads nor changes the tree.
func (s *sampler[P]) evaluateMovesOfLeaf(x *simulation[P]) {
	p := x.path[len(x.path)-1].p
	x.legal = s.g.OngoingMoves(p, x.legal[:0])
	if len(x.path) == 1 {
		s.shuffle(x.legal)
	}
	x.after, x.worths, x.over, x.biasKeys = x.after[:0], x.worths[:0], x.over[:0], x.biasKeys[:0]
	for i, m := range x.legal {
		q := p.Play(m)
		x.after, x.worths = append(x.after, q), append(x.worths, 0)
		if s.corrected {
			x.biasKeys = append(x.biasKeys, s.o.BiasKeys(p, m, q))
		}
		if q.Outcome() != oxo.Ongoing {
			x.over = append(x.over, i)
		} else if s.o.EvalAll == nil {
			x.worths[i] = float32(s.o.Eval(q))
		}
	}
	if s.o.EvalAll != nil {
		s.o.EvalAll(p, x.legal, x.after, s.drawn, x.worths)
	}
	for _, i := range x.over {
		x.worths[i] = float32(s.withContempt(s.g.PayoffToFirst(x.after[i])))
	}
}

// setResultFromMoves sets the result of x, whose last position has been evaluated: the
// worth of the best of its moves, so that a simulation looks at all replies to
// the last of its own. At a chance node it is the expectation.
//
// How likely a move is to be tried follows from what the evaluation says of
// it and its siblings.
func (s *sampler[P]) setResultFromMoves(x *simulation[P], p P) {
	if s.corrected {
		s.correctWorthsByBias(x)
	}
	x.priors = append(x.priors[:0], x.worths...)
	if turn := p.Turn(); turn != oxo.Chance {
		x.result = s.setPriorsByWorth(turn, x.worths, x.priors)
		return
	}
	x.result = 0
	for i, m := range x.legal {
		x.priors[i] = 0
		x.result += s.g.Odds(p, m) * float64(x.worths[i])
	}
}

// expandEvaluatedLeaf makes the edges of the last position of x, which has been evaluated.
// Where the tree is full, the result is the position's own worth by the
// evaluation.
func (s *sampler[P]) expandEvaluatedLeaf(x *simulation[P]) {
	x.proof = true
	last := &x.path[len(x.path)-1]
	if !s.hasRoom(len(x.legal), len(x.legal), s.bytes) {
		x.result = s.o.Eval(last.p)
		return
	}
	s.setResultFromMoves(x, last.p)
	n := s.nodeAt(last.edge)
	n.first, n.children = s.addEdges(x.legal), uint16(len(x.legal))
	if s.corrected {
		copy(s.judgedOf(n), x.judged)
	}
	edges := s.edgesOf(n)
	for i := range edges {
		edges[i].worth, edges[i].bonus = x.worths[i], x.priors[i]
	}
	for _, i := range x.over {
		q := x.after[i]
		v := s.g.PayoffToFirst(q)
		s.attachNode(n.first+uint32(i), node{sum: s.withContempt(v), known: oxo.Exactly(v), prior: x.priors[i],
			move: x.legal[i],
			turn: q.Turn()})
	}
}

// setPriorsByWorth sets the priors of the moves of turn by what they are worth and returns
// the best worth.
func (s *sampler[P]) setPriorsByWorth(turn oxo.Seat, worths, priors []float32) (bestWorth float64) {
	scale := turn.Sign() / s.half
	best := math.Inf(-1)
	for _, v := range worths {
		best = max(best, scale*float64(v))
	}
	sum := 0.0
	for i, v := range worths {
		x := math.Exp((scale*float64(v) - best) / s.temperature)
		priors[i] = float32(x)
		sum += x
	}
	share := float32(1 / sum)
	for i := range priors {
		priors[i] *= share
	}
	return best / scale
}
