package board

import "slices"

// search walks the tree of ordered partitions of a graph: a node's children
// give each square of one cell, in turn, a cell of its own; at a leaf every
// square stands alone, so the leaf is an order of the squares (McKay,
// Practical graph isomorphism, Congressus Numerantium 30, 1981). Two leaves
// that see the same graph differ by an automorphism. The walk finds
// automorphisms that generate the group, and such that those that fix the
// first k choices of the first leaf generate all that do. Where leaves are
// ranked, it also finds the greatest one.
//
// Subtrees are left out
//   - where their traces tell them apart from the first leaf's path and, if
//     leaves are ranked, rank them below the best leaf's,
//   - at a node, where a known automorphism that fixes the choices so far
//     carries the choice to one tried before,
//   - where a leaf has just been found equivalent to an earlier one: all the
//     way up to the choice that parts the two.
type search struct {
	p       *partition
	choices []uint8
	traces  []uint64 // one for every choice

	rank func(*leaf) // reads off the leaf what ranks it; nil where none does

	stop    func() bool // whether to give up; nil for never
	stopped bool

	first, best *leaf
	seen        map[uint64]*leaf // by what the leaf sees of the graph
	found       []perm
}

// maxSeen is how many leaves a search keeps. It bounds memory; a search that
// forgets some still finds the group, but may take longer.
const maxSeen = 4096

// leaf is a leaf of the tree and the way to it.
type leaf struct {
	choices []uint8
	traces  []uint64
	order   []int32 // all vertices, cell by cell
	image   triple  // ranks leaves with equal traces
	pull    perm    // carries image to the position it is of
}

// run walks the whole tree of the partition.
func (s *search) run() {
	s.seen = make(map[uint64]*leaf)
	s.visit(nil, true, 0)
}

// visit walks the subtree at the current node. alike says that its traces are
// those of the first leaf's path; rank is how they compare with those of the
// best leaf's path, where a path on the way to a first leaf counts as equal.
// It returns the depth of the node where the walk goes on.
func (s *search) visit(above *stabilizer, alike bool, rank int) (resumeDepth int) {
	depth := len(s.choices)
	if s.stopped = s.stopped || s.stop != nil && s.stop(); s.stopped {
		return -1
	}
	if s.p.squaresAreDiscrete() {
		return s.handleLeaf(rank)
	}
	cell := slices.Clone(s.p.targetCell())
	here := &stabilizer{above: above, fixed: s.choices[:depth:depth], complete: s.first == nil}
	for k, v := range cell {
		if k > 0 && here.sharesOrbitWithAny(s.found, v, cell[:k]) {
			continue
		}
		best, cuts := s.best, len(s.p.cuts)
		s.traces = append(s.traces, s.p.individualize(v))
		s.choices = append(s.choices, uint8(v))
		back := depth
		if alike, rank := s.compareTrace(depth, alike, rank); alike || rank >= 0 {
			back = s.visit(here, alike, rank)
		}
		s.choices, s.traces = s.choices[:depth], s.traces[:depth]
		s.p.undoCutsBeyond(cuts)
		if back < depth {
			return back
		}
		if s.best != best {
			rank = 0 // the best leaf is now below this node
		}
	}
	return depth - 1
}

// compareTrace tells how the path stands after the trace at the given depth.
func (s *search) compareTrace(depth int, alike bool, rank int) (stillAlike bool, newRank int) {
	if s.first == nil {
		return true, 0
	}
	next := func(l *leaf) []uint64 { return l.traces[depth:min(depth+1, len(l.traces))] }
	switch {
	case s.rank == nil:
		rank = -1
	case rank == 0:
		rank = slices.Compare(s.traces[depth:], next(s.best))
	}
	return alike && slices.Equal(s.traces[depth:], next(s.first)), rank
}

// handleLeaf handles a leaf and returns the depth where the walk goes on.
func (s *search) handleLeaf(rank int) (resumeDepth int) {
	l := &leaf{choices: slices.Clone(s.choices), traces: slices.Clone(s.traces), order: slices.Clone(s.p.elem)}
	sight := s.p.relabelledGraphHash()
	if earlier := s.seen[sight]; earlier != nil {
		if depth, ok := s.addAutomorphism(l, earlier); ok {
			return depth
		}
	} else if len(s.seen) < maxSeen {
		s.seen[sight] = l
	}
	if s.rank != nil {
		s.rank(l)
	}
	switch {
	case s.first == nil:
		s.first, s.best = l, l
	case rank > 0, rank == 0 && l.image.compare(s.best.image) > 0:
		s.best = l
	}
	return len(s.choices) - 1
}

// addAutomorphism notes the automorphism that carries leaf a to an earlier leaf b, and
// returns the depth of the last node that is on the ways to both. It returns
// false where the leaves are not equivalent.
func (s *search) addAutomorphism(a, b *leaf) (branchDepth int, equivalent bool) {
	if len(a.choices) != len(b.choices) || !s.p.g.isAutomorphism(a.order, b.order) {
		return 0, false
	}
	g := make(perm, s.p.g.squares)
	for k := range g {
		g[a.order[k]] = uint8(b.order[k])
	}
	s.found = append(s.found, g)
	depth := 0
	for a.choices[depth] == b.choices[depth] {
		depth++
	}
	return depth, true
}
