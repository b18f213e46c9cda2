// Package player holds the players that need no search: random, the
// Newell–Simon heuristic, row scores, win ratios, and the perfect player. Each
// is an [oxo.Policy], so that what it does can be examined exactly, and
// [NewSamplingPlayer] makes a player of a policy.
package player

import (
	"context"
	"errors"
	"math/rand/v2"

	"oxo"
)

// SamplingPlayer is a player that draws each move from a policy.
type SamplingPlayer[P oxo.Position[P]] struct {
	policy oxo.Policy[P]
	rand   *rand.Rand
	moves  []oxo.Move
	odds   []float64
}

// NewSamplingPlayer returns the player that draws its moves from the policy with that
// source of chance.
func NewSamplingPlayer[P oxo.Position[P]](policy oxo.Policy[P], r *rand.Rand) *SamplingPlayer[P] {
	return &SamplingPlayer[P]{policy: policy, rand: r}
}

// Choose draws a move.
func (d *SamplingPlayer[P]) Choose(_ context.Context, p P) (oxo.Choice, error) {
	d.moves = p.Moves(d.moves[:0])
	if len(d.moves) == 0 {
		return oxo.Choice{Move: oxo.NoMove}, errors.New("the game is over: there is no move to choose")
	}
	d.odds = append(d.odds[:0], make([]float64, len(d.moves))...)
	d.policy.Policy(p, d.moves, d.odds)
	return oxo.Choice{Move: d.moves[drawIndex(d.rand, d.odds)]}, nil
}

// Policy is the one that the player was made of.
func (d *SamplingPlayer[P]) Policy(p P, moves []oxo.Move, probs []float64) {
	d.policy.Policy(p, moves, probs)
}

// drawIndex returns an index with the given probabilities. A single possibility
// takes nothing from r.
func drawIndex(r *rand.Rand, odds []float64) int {
	last := 0
	for i, w := range odds {
		if w == 1 {
			return i
		}
		if w > 0 {
			last = i
		}
	}
	x := r.Float64()
	for i, w := range odds {
		if x -= w; x < 0 {
			return i
		}
	}
	return last
}

// spreadEvenly gives equal probability to the moves that are marked.
func spreadEvenly(chosen []bool, probs []float64) {
	n := 0
	for _, c := range chosen {
		if c {
			n++
		}
	}
	for i, c := range chosen {
		probs[i] = 0
		if c {
			probs[i] = 1 / float64(n)
		}
	}
}

// Random plays every move with equal probability.
type Random[P oxo.Position[P]] struct{}

// Policy is uniform.
func (Random[P]) Policy(_ P, _ []oxo.Move, probs []float64) {
	for i := range probs {
		probs[i] = 1 / float64(len(probs))
	}
}
