package mcts

import (
	"oxo"
	"oxo/search/proof"
)

// What proof search beside simulations goes by. The numbers are those that
// proved most on Ultimate tic-tac-toe (docs/search.md).
const (
	firstQuestion = 256 // visits; a power of 4
	nodesPerSim   = 3   // of dfpn cost about as much as a simulation

	// hopeful is the greatest MinMovesToWin of a seat of which it is asked whether it
	// wins.
	hopeful = 3

	// manyLeft is from which proof number on the last answer to a question must
	// lean to one side for it to be asked again.
	manyLeft = 16

	proverBytes = 16 << 20
)

// proofDue reports whether it is time to ask dfpn about a position that was visited
// so often: at the first question's number of visits, and whenever they have
// grown fourfold.
func proofDue(visits uint32) bool {
	const even = 0x55555555
	return visits >= firstQuestion && visits&(visits-1) == 0 && visits&even != 0
}

// askProver asks dfpn whether the seat to move wins p, to which the edge leads, and
// if not, whether the other seat does. It narrows what is known of p and reports
// whether it did. A winning move, or one that does not lose, is narrowed itself,
// so that the search knows how.
func (s *sampler[P]) askProver(edgeIndex uint32, p P, visits uint32) (changed bool) {
	turn, budget := p.Turn(), uint64(s.o.Prove*float64(visits)*nodesPerSim)
	found := false
	best, worst := turn.Sign(), -turn.Sign() // for turn
	if s.nodeAt(edgeIndex).known.Holds(best) {
		switch a := s.tryToProve(p, turn, budget); a.Verdict {
		case proof.Proven:
			found = s.narrowAfterMove(edgeIndex, p, a.Move, oxo.Exactly(best))
		case proof.Disproven:
			found = s.narrowProvenInterval(edgeIndex, orDrawn(worst))
		}
	}
	if n := s.nodeAt(edgeIndex); n.known.Holds(worst) && !n.known.Proven() {
		switch a := s.tryToProve(p, turn.Other(), budget); a.Verdict {
		case proof.Proven:
			found = s.narrowProvenInterval(edgeIndex, oxo.Exactly(worst)) || found
		case proof.Disproven:
			found = s.narrowAfterMove(edgeIndex, p, a.Move, orDrawn(best)) || found
		}
	}
	return found
}

// tryToProve asks dfpn whether attacker wins from p, unless that is hopeless:
// because the attacker has far to go, or because the last answer left much to
// prove and as much to disprove.
func (s *sampler[P]) tryToProve(p P, attacker oxo.Seat, budget uint64) proof.Answer {
	if s.g.MinMovesToWin != nil {
		if far := s.g.MinMovesToWin(p, attacker); far > hopeful && far < oxo.Never {
			return proof.Answer{}
		}
	}
	if pn, dn := s.prover.KnownNumbers(p, attacker); pn >= manyLeft && pn/2 < dn && dn/2 < pn {
		return proof.Answer{}
	}
	left := s.maxSims - s.simsSpent()
	if budget = min(budget, uint64(max(0, left))*nodesPerSim); budget == 0 {
		return proof.Answer{}
	}
	a := s.prover.Prove(s.ctx, p, attacker, budget)
	s.proofNodes += a.Nodes
	return a
}

// simsSpent returns how many simulations were run or paid for proofs.
func (s *sampler[P]) simsSpent() int { return s.sims + int(s.proofNodes/nodesPerSim) }

// nodeAt returns the node that the edge leads to.
func (s *sampler[P]) nodeAt(at uint32) *node { return s.nodes.at(s.edges.at(at).node & nodeIndex) }

// narrowProvenInterval narrows what is known of the position that the edge leads to, and
// reports whether that is new. The edge must have a node.
func (s *sampler[P]) narrowProvenInterval(edgeIndex uint32, to oxo.Interval) (changed bool) {
	return s.edges.at(edgeIndex).narrow(s.nodeAt(edgeIndex), to)
}

// narrowAfterMove narrows what is known of the position after m in p, to which the
// edge leads, and with it what is known of p. It reports whether that is new;
// where there is no room for the position after m it leaves all as it is.
func (s *sampler[P]) narrowAfterMove(edgeIndex uint32, p P, m oxo.Move, to oxo.Interval) (changed bool) {
	n := s.nodeAt(edgeIndex)
	for i, other := range s.movesOf(n) {
		if other != m {
			continue
		}
		child := n.first + uint32(i)
		if s.edges.at(child).node == 0 {
			s.makeNode(child, p.Play(m))
		}
		if s.edges.at(child).node == 0 {
			return false
		}
		s.narrowProvenInterval(child, to)
		return s.proveFromEdges(s.edges.at(edgeIndex), s.nodeAt(edgeIndex), p)
	}
	return false
}

// orDrawn returns the interval from a value to a draw.
func orDrawn(value float64) oxo.Interval { return oxo.Interval{Lo: min(0, value), Hi: max(0, value)} }
