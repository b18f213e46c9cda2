package mcts

import (
	"math"

	"oxo"
)

// chooseChildByRAVE returns the index of the child of n that is best by UCT-RAVE: its
// mean is mixed with its all-moves-as-first mean, which counts the less the
// more visits the child has. A child that neither mean knows comes first.
func (s *sampler[P]) chooseChildByRAVE(e *edge, n *node) (childIndex int) {
	best, value := 0, math.Inf(-1)
	for i, c := range s.edgesOf(n) {
		if s.isDominated(n, &c) {
			continue
		}
		if v := (treeReport[P]{s}).raveScore(e, n, i); v > value {
			best, value = i, v
		}
	}
	return best
}

// raveScore returns the score by UCT-RAVE of the child of n of that index, n being the node of e: infinity where
// nothing is known of it.
func (s treeReport[P]) raveScore(e *edge, n *node, childIndex int) float64 {
	c, all := s.edges.at(n.first+uint32(childIndex)), s.amaf.at(n.first+uint32(childIndex))
	if c.visits+all.visits == 0 {
		return math.Inf(1)
	}
	weight := math.Sqrt(s.o.RAVE / (3*float64(c.visits) + s.o.RAVE))
	if c.visits == 0 {
		weight = 1
	} else if all.visits == 0 {
		weight = 0
	}
	shared := 0.0
	if all.visits > 0 {
		shared = all.sum / float64(all.visits)
	}
	wide := s.explore * math.Sqrt(math.Log(float64(e.visits)))
	return n.turn.Sign()/s.half*((1-weight)*float64(c.worth)+weight*shared) + wide/math.Sqrt(float64(c.visits+1))
}

// markPlayedInSimulation remembers that the current simulation played m.
func (s *sampler[P]) markPlayedInSimulation(turn oxo.Seat, m oxo.Move) {
	for int(m) >= len(s.played[turn]) {
		s.played[turn] = append(s.played[turn], 0)
	}
	s.played[turn][m] = int32(s.sims)
}

// addResultToAMAF adds the result of the simulation to the all-moves-as-first
// means: at each node of the path, those of the moves that the seat to move
// there played then or later.
func (s *sampler[P]) addResultToAMAF(x *simulation[P]) {
	for i := len(x.path) - 1; i >= 0; i-- {
		n := s.nodeAt(x.path[i].edge)
		if n.first == 0 || n.turn == oxo.Chance {
			continue
		}
		if i+1 < len(x.path) {
			s.markPlayedInSimulation(n.turn, *s.moves.at(x.path[i+1].edge))
		}
		played := s.played[n.turn]
		for c, m := range s.movesOf(n) {
			if int(m) < len(played) && played[m] == int32(s.sims) {
				all := s.amaf.at(n.first + uint32(c))
				all.sum += x.result
				all.visits++
			}
		}
	}
}
