package mcts

import (
	"math"
	"unsafe"

	"oxo"
)

// BiasKeys tells which positions an evaluation probably errs about alike: two numbers
// for the position after move m of p, each shared by those that are alike in one
// way. Numbers that differ count as the same where they are so modulo 2¹⁵.
type BiasKeys[P any] func(p P, m oxo.Move, after P) [2]uint32

// bias is by how much the evaluation was wrong about the positions of one kin
// that the tree has visited: the sum of the differences between what simulations
// brought and what it said, each times its weight, and of the weights.
//
// What the search has found out about one position then corrects what the
// evaluation says of others: it need not find it out in every branch of the tree
// again.
//
// Source: Wu, Subtree Value Bias Correction, in Other Methods Implemented in
// KataGo (2021).
type bias struct{ sum, weight float32 }

// biases are those of all kin. There are none where they would take more than a quarter of the
// search's memory.
type biases [2][]bias

const (
	kinMask   = 1<<15 - 1
	biasBytes = 2 * (kinMask + 1) * int(unsafe.Sizeof(bias{}))

	biasShare  = 0.4 // how much of a bias is made good
	biasWeight = 0.8 // how fast a position's weight grows: its visits to this power
)

// newBiases returns biases of which nothing is known yet.
func newBiases() (b biases) {
	for way := range b {
		b[way] = make([]bias, kinMask+1)
	}
	return b
}

// correction returns what to add to what the evaluation says.
func (b *biases) correction(keys [2]uint32) float32 {
	x, y := &b[0][keys[0]&kinMask], &b[1][keys[1]&kinMask]
	return biasShare * (x.sum/(x.weight+1) + y.sum/(y.weight+1))
}

// correctWorthsByBias corrects what the evaluation says of the moves of x.
func (s *sampler[P]) correctWorthsByBias(x *simulation[P]) {
	x.judged = append(x.judged[:0], x.worths...)
	lo, hi := float32(s.bounds.Lo), float32(s.bounds.Hi)
	for i, kin := range x.biasKeys {
		x.worths[i] = max(lo, min(hi, x.worths[i]+s.biases.correction(kin)))
	}
	for _, i := range x.over {
		x.worths[i] = x.judged[i]
	}
}

// weights are the weights of positions by their visits.
var weights = valuesByScheduleIndex(func(visits float64) float64 { return math.Pow(visits, biasWeight) })

// learnBias adds to the biases how far the evaluation was wrong about after, the
// position of node i, which follows p and has been visited so often.
func (s *sampler[P]) learnBias(nodeIndex, visits uint32, p, after P) {
	n, r := s.nodes.at(nodeIndex), s.records.at(nodeIndex)
	weight := float32(weights[scheduleIndex(visits)])
	sum := weight * (float32(n.sum/float64(visits+1)) - r.judged)
	for way, kin := range s.o.BiasKeys(p, n.move, after) {
		b := &s.biases[way][kin&kinMask]
		b.sum += sum - r.sum
		b.weight += weight - r.weight
	}
	r.sum, r.weight = sum, weight
}
