package search

import (
	"math"
	"slices"

	"oxo"
)

// trace records the most visited positions of the tree. As none is visited more
// than its parent, they hang together.
func (s *sampler[P]) trace(t *Tracer[P]) {
	var visits []uint32
	for i := range s.edges {
		visits = append(visits, s.edges[i].visits)
	}
	slices.Sort(visits)
	least := visits[max(0, len(visits)-t.limit())]
	s.traceNode(t, nil, s.root, 0, max(1, least))
}

// traceNode records p, which edge at leads to, reached from parent, and those below it with at
// least so many visits.
func (s *sampler[P]) traceNode(t *Tracer[P], parent *openNode[P], p P, at, least uint32) {
	know := s.tally(at)
	record := t.add(parent, p, s.moves[at])
	if record == nil {
		return
	}
	record.Kind, record.Visits = Searched, uint64(know.visits)
	record.Alpha, record.Beta = Number(know.known.Lo), Number(know.known.Hi)
	record.Value, record.Bound = Number(know.mean()), "≈"
	if know.known.Proven() {
		record.Value, record.Bound = Number(know.known.Lo), "="
	}
	here := &openNode[P]{p, record, math.Inf(-1), math.Inf(1)}
	n := &s.nodes[s.edges[at].node&nodeIndex]
	for i, m := range s.movesOf(n) {
		c := n.first + uint32(i)
		if s.edges[c].visits < least {
			t.Omitted++
			continue
		}
		s.traceNode(t, here, p.Play(m), c, least)
	}
	if p.Outcome() != oxo.Ongoing {
		record.Kind = AtLeaf
	}
}
