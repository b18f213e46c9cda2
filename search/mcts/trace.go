package mcts

import (
	"slices"

	"oxo"
)

// Trace is told of the most visited positions of the first worker's tree. As
// none is visited more than its parent, they hang together.
type Trace[P oxo.Position[P]] struct {
	Most    int // positions
	Omitted int // moves of those that are left out

	// Visit is told of a position, before of those below it, of which it learns
	// only where it returns true.
	Visit func(Visited[P]) bool
}

// Visited is a position of the tree.
type Visited[P oxo.Position[P]] struct {
	Plies  int // below the root
	P      P
	Move   oxo.Move // that leads to it
	Known  oxo.Interval
	Mean   float64
	Visits uint64
}

// traceTree tells t of the tree.
func (s report[P]) traceTree(t *Trace[P]) {
	var visits []uint32
	for i := range s.edges {
		visits = append(visits, s.edges[i].visits)
	}
	slices.Sort(visits)
	least := visits[max(0, len(visits)-t.Most)]
	s.traceNode(t, s.root, 0, 0, max(1, least))
}

// traceNode tells t of p, which edge at leads to, so many plies below the root,
// and of those below it with at least so many visits.
func (s report[P]) traceNode(t *Trace[P], p P, at uint32, plies int, least uint32) {
	know := s.tally(at)
	if !t.Visit(Visited[P]{plies, p, s.moves[at], know.known, know.mean(), uint64(know.visits)}) {
		return
	}
	n := &s.nodes[s.edges[at].node&nodeIndex]
	for i, m := range s.movesOf(n) {
		c := n.first + uint32(i)
		if s.edges[c].visits < least {
			t.Omitted++
			continue
		}
		s.traceNode(t, p.Play(m), c, plies+1, least)
	}
}
