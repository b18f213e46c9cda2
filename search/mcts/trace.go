package mcts

import (
	"slices"

	"oxo"
)

// Trace is told of the first simulations, and in the end of the most visited positions of the tree. As none of these is
// visited more than its parent, they hang together.
type Trace[P oxo.Position[P]] struct {
	Simulations Simulations

	told  int                     // of Most: simulations, and moves that were compared in them
	known map[uint32]oxo.Interval // by edge, what has been told to be proven

	Most    int // positions, and simulations with the moves that are compared in them
	Omitted int // positions that were visited, and are left out

	// Visit is told of a position, before of those below it, of which it learns
	// only where it returns true.
	Visit func(Visited[P]) bool
}

// Visited is a position of the tree.
type Visited[P oxo.Position[P]] struct {
	Plies   int // below the root
	P       P
	Move    oxo.Move // that leads to it
	Known   oxo.Interval
	Mean    float64
	Visits  uint64
	Omitted int // moves of it that were made, and are left out
}

// traceTree tells t of the tree.
func (s treeReport[P]) traceTree(t *Trace[P]) {
	t.Simulations.setFormula(s.o.Eval != nil, s.o.RAVE > 0)
	t.Simulations.Explore, t.Simulations.Half = s.explore, s.half
	s.traceNode(t, s.root, 0, 0, max(1, s.visitsOfRank(t.Most)))
}

// visitsOfRank returns how many visits the edge has that is of that rank by them, or the last.
func (s treeReport[P]) visitsOfRank(rank int) (visits uint32) {
	all := []uint32{s.edges.at(0).visits}
	for i := uint32(1); i < uint32(s.nodes.n); i++ {
		if n := s.nodes.at(i); n.first != 0 {
			for _, e := range s.edgesOf(n) {
				all = append(all, e.visits)
			}
		}
		if len(all) > 2*rank {
			slices.Sort(all)
			all = append(all[:0], all[len(all)-rank:]...)
		}
	}
	slices.Sort(all)
	return all[max(0, len(all)-rank)]
}

// traceNode tells t of p, which the edge leads to, at that ply from the root,
// and of those below it with at least so many visits. Moves that no simulation
// has made are no positions of the tree.
func (s treeReport[P]) traceNode(t *Trace[P], p P, edgeIndex uint32, ply int, leastVisits uint32) {
	know := s.tally(edgeIndex)
	n, omitted := s.nodeAt(edgeIndex), 0
	for _, e := range s.edgesOf(n) {
		if 0 < e.visits && e.visits < leastVisits {
			omitted++
		}
	}
	if !t.Visit(Visited[P]{ply, p, *s.moves.at(edgeIndex), know.known, know.mean(), uint64(know.visits), omitted}) {
		t.Omitted += s.visitedFrom(edgeIndex)
		return
	}
	for i, m := range s.movesOf(n) {
		c := n.first + uint32(i)
		switch visits := s.edges.at(c).visits; {
		case visits >= leastVisits:
			s.traceNode(t, p.Play(m), c, ply+1, leastVisits)
		case visits > 0:
			t.Omitted += s.visitedFrom(c)
		}
	}
}

// visitedFrom returns how many positions were visited from the edge on.
func (s treeReport[P]) visitedFrom(edgeIndex uint32) int {
	positions := 1
	n := s.nodeAt(edgeIndex)
	for i := range s.movesOf(n) {
		if c := n.first + uint32(i); s.edges.at(c).visits > 0 {
			positions += s.visitedFrom(c)
		}
	}
	return positions
}
