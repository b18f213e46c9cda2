package search

import (
	"math"
	"slices"

	"oxo"
)

// trace records the most visited nodes of the tree. As no node is visited more
// than its parent, they hang together.
func (s *sampler[P]) trace(t *Tracer[P]) {
	var visits []uint32
	for i := range s.nodes {
		visits = append(visits, s.nodes[i].visits)
	}
	slices.Sort(visits)
	least := visits[max(0, len(visits)-t.limit())]
	s.traceNode(t, nil, s.root, 0, max(1, least))
}

// traceNode records node at, reached from parent, and those below it with at
// least so many visits.
func (s *sampler[P]) traceNode(t *Tracer[P], parent *openNode[P], p P, at, least uint32) {
	n := &s.nodes[at]
	node := t.add(parent, p, n.move)
	if node == nil {
		return
	}
	node.Kind, node.Visits = Searched, uint64(n.visits)
	node.Alpha, node.Beta = Number(n.known.Lo), Number(n.known.Hi)
	node.Value, node.Bound = Number(mean(n.sum, n.visits)), "≈"
	if n.known.Proven() {
		node.Value, node.Bound = Number(n.known.Lo), "="
	}
	here := &openNode[P]{p, node, math.Inf(-1), math.Inf(1)}
	for c := n.first; c < n.first+uint32(n.children); c++ {
		if s.nodes[c].visits < least {
			t.Omitted++
			continue
		}
		s.traceNode(t, here, p.Play(s.nodes[c].move), c, least)
	}
	if p.Outcome() != oxo.Ongoing {
		node.Kind = AtLeaf
	}
}
