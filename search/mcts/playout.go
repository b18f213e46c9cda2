package mcts

import (
	"math/bits"
	"math/rand/v2"

	"oxo"
)

// playout plays random moves to the end and returns the result.
func (s *sampler[P]) playout(p P) float64 {
	if s.g.Playout != nil && s.g.Payoff == nil && s.o.RAVE == 0 {
		return s.worth[s.g.Playout(p, &s.rng)]
	}
	for range maxPlayout {
		out := p.Outcome()
		if out != oxo.Ongoing {
			return s.terminalValue(p, out)
		}
		s.legal = s.g.OngoingMoves(p, s.legal[:0])
		var m oxo.Move
		if turn := p.Turn(); turn == oxo.Chance {
			m = s.legal[s.drawChanceMove(p, s.legal)]
		} else {
			m = s.legal[s.draw(len(s.legal))]
			if s.o.RAVE > 0 {
				s.markPlayedInSimulation(turn, m)
			}
		}
		p = p.Play(m)
	}
	return s.bounds.Clamp(0)
}

// dice draws at random.
type dice struct{ rng rand.PCG }

// draw returns a uniform number from 0 to n-1.
func (d *dice) draw(n int) int {
	high, _ := bits.Mul64(d.rng.Uint64(), uint64(n))
	return int(high)
}

// drawUnit returns a uniform number in [0, 1).
func (d *dice) drawUnit() float64 { return float64(d.rng.Uint64()>>11) / (1 << 53) }

// shuffle brings moves into random order.
func (d *dice) shuffle(moves []oxo.Move) {
	for i := len(moves) - 1; i > 0; i-- {
		j := d.draw(i + 1)
		moves[i], moves[j] = moves[j], moves[i]
	}
}

// drawChanceMove returns the index of one of chance's moves in p, drawn by the odds.
func (s *sampler[P]) drawChanceMove(p P, moves []oxo.Move) (index int) {
	last := 0
	for x, i := s.drawUnit(), 0; i < len(moves); i++ {
		odds := s.g.Odds(p, moves[i])
		if x < odds {
			return i
		}
		x -= odds
		if odds > 0 {
			last = i
		}
	}
	return last
}
