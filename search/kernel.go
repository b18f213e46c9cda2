package search

import (
	"math"

	"oxo"
)

// gameKernelApplies says whether a kernel of the game gives what alphabeta or minimax
// would, node for node: to the end, in natural order, with nothing remembered,
// recorded, left out or limited.
func (s *run[P]) gameKernelApplies() bool {
	o := s.o
	kernel := s.a == AlphaBeta || s.a == Minimax && s.g.Minimax != nil && !o.Stop
	return s.g.AlphaBeta != nil && kernel && o.Depth == 0 && !o.Deepen && s.table == nil && s.trace == nil &&
		!s.merge && !s.ordered && s.decay == 1 && o.MaxNodes == 0
}

// searchByGameKernel searches p, which enterNode has counted, by the game's kernel, alpha-beta within a window.
func (s *run[P]) searchByGameKernel(p P, alpha, beta float64) (v float64, ok bool) {
	var worth int
	var nodes uint64
	if s.a == Minimax {
		worth, nodes, ok = s.g.Minimax(p)
	} else {
		worth, nodes, ok = s.g.AlphaBeta(p, clampToInt(alpha), clampToInt(beta))
	}
	if !ok {
		return 0, false
	}
	s.nodes += nodes - 1
	return float64(worth), true
}

// clampToInt returns a bound as an integer; infinite ones become ±2.
func clampToInt(x float64) int { return int(math.Max(-2, math.Min(2, x))) }

// lineByGameKernel goes on from p, worth v, with the first moves that keep that value,
// as far as the kernel can tell. What it searches for that is not counted.
func (s answers[P]) lineByGameKernel(p P, v float64) []oxo.Move {
	var line []oxo.Move
	for p.Outcome() == oxo.Ongoing {
		next := oxo.NoMove
		for _, m := range p.Moves(nil) {
			q := p.Play(m)
			worth := s.worth[q.Outcome()]
			if q.Outcome() == oxo.Ongoing {
				w, _, ok := s.g.AlphaBeta(q, -2, 2)
				if !ok {
					return line
				}
				worth = float64(w)
			}
			if worth == v {
				next = m
				break
			}
		}
		if next == oxo.NoMove {
			return line
		}
		line = append(line, next)
		p = p.Play(next)
	}
	return line
}
