package board

import "slices"

// search walks the tree of ordered partitions of a graph: a node's children
// give each square of one cell, in turn, a cell of its own; at a leaf every
// square stands alone, so the leaf is an order of the squares (McKay,
// Practical graph isomorphism, Congressus Numerantium 30, 1981). Two leaves
// that mean the same differ by an automorphism. The walk finds automorphisms
// that generate the group, and such that those that fix the first k choices of
// the first leaf generate all that do. Where it is to rank leaves, it also
// finds the greatest one.
//
// Subtrees are left out
//   - where their traces tell them apart from the first leaf's path and rank
//     them below the best leaf's,
//   - at a node, where a known automorphism that fixes the choices so far
//     carries the choice to one tried before,
//   - where a leaf has just been found equivalent to an earlier one: all the
//     way up to the choice that parts the two.
type search struct {
	p       *partition
	choices []uint8
	traces  []uint64

	// leaf reads the leaf off the partition. match returns the automorphism
	// that carries leaf a to leaf b, or nil. rank compares two leaves with
	// equal traces; it is nil where there is nothing to rank.
	leaf  func() *leaf
	match func(a, b *leaf) perm
	rank  func(a, b *leaf) int

	first, best *leaf
	found       []perm
}

// leaf is a leaf of the tree, the way to it, and what its finder keeps of it.
type leaf struct {
	choices []uint8
	traces  []uint64
	order   []int32 // all vertices, cell by cell
	image   triple
	pull    perm // carries image to the position it is of
}

// visit walks the subtree at the current node. alike says that its traces are
// those of the first leaf's path; rank is how they compare with those of the
// best leaf's path, where a path on the way to a first leaf counts as equal.
// It returns the depth of the node where the walk goes on.
func (s *search) visit(alike bool, rank int) int {
	depth := len(s.choices)
	if s.p.discrete() {
		return s.reach(alike, rank)
	}
	cell := slices.Clone(s.p.target())
	same := orbits{fixed: s.choices[:depth:depth]}
	for k, v := range cell {
		if k > 0 && same.any(s.found, cell[:k], v, s.p.g.squares) {
			continue
		}
		best, cuts := s.best, len(s.p.cuts)
		s.traces = append(s.traces, s.p.individualize(v))
		s.choices = append(s.choices, uint8(v))
		back := depth
		if alike, rank := s.compare(depth, alike, rank); alike || rank >= 0 {
			back = s.visit(alike, rank)
		}
		s.choices, s.traces = s.choices[:depth], s.traces[:depth]
		s.p.undo(cuts)
		if back < depth {
			return back
		}
		if s.best != best {
			rank = 0 // the best leaf is now below this node
		}
	}
	return depth - 1
}

// compare tells how the path stands after the trace at the given depth.
func (s *search) compare(depth int, alike bool, rank int) (bool, int) {
	if s.first == nil {
		return true, 0
	}
	alike = alike && depth < len(s.first.traces) && s.traces[depth] == s.first.traces[depth]
	if s.rank == nil {
		rank = -1
	}
	if rank == 0 {
		rank = slices.Compare(s.traces[depth:], s.best.traces[depth:min(depth+1, len(s.best.traces))])
	}
	return alike, rank
}

// reach handles a leaf and returns the depth where the walk goes on.
func (s *search) reach(alike bool, rank int) int {
	l := s.leaf()
	l.choices, l.traces = slices.Clone(s.choices), slices.Clone(s.traces)
	if s.first == nil {
		s.first, s.best = l, l
		return len(s.choices) - 1
	}
	if alike {
		if depth, ok := s.join(l, s.first); ok {
			return depth
		}
	}
	if rank == 0 {
		if depth, ok := s.join(l, s.best); ok {
			return depth
		}
		rank = s.rank(l, s.best)
	}
	if rank > 0 {
		s.best = l
	}
	return len(s.choices) - 1
}

// join notes the automorphism that carries leaf a to leaf b. If it carries
// the one's choices to the other's, join returns the depth of the last node
// that is on both ways.
func (s *search) join(a, b *leaf) (int, bool) {
	g := s.match(a, b)
	if g == nil {
		return 0, false
	}
	if g.fixed().Len() < len(g) {
		s.found = append(s.found, g)
	}
	if len(a.choices) != len(b.choices) {
		return 0, false
	}
	depth := -1
	for k, v := range a.choices {
		if g[v] != b.choices[k] {
			return 0, false
		}
		if depth < 0 && v != b.choices[k] {
			depth = k
		}
	}
	return depth, depth >= 0
}

// orbits are the orbits of the automorphisms that fix some squares, kept up
// to date as more are found. The zero value with fixed set is ready.
type orbits struct {
	fixed []uint8
	used  int     // automorphisms looked at
	up    []uint8 // a square of the same orbit, or the square itself for one a orbit
}

// any reports whether v lies in the orbit of one of the given squares.
func (o *orbits) any(found []perm, squares []int32, v int32, n int) bool {
	if o.up == nil {
		o.up = identity(n)
	}
	for _, g := range found[o.used:] {
		o.merge(g)
	}
	o.used = len(found)
	root := o.root(uint8(v))
	return slices.ContainsFunc(squares, func(w int32) bool { return o.root(uint8(w)) == root })
}

// merge joins the orbits that g joins, if it fixes what it must.
func (o *orbits) merge(g perm) {
	for _, i := range o.fixed {
		if g[i] != i {
			return
		}
	}
	for i, j := range g {
		o.up[o.root(uint8(i))] = o.root(j)
	}
}

func (o *orbits) root(i uint8) uint8 {
	for o.up[i] != i {
		o.up[i] = o.up[o.up[i]]
		i = o.up[i]
	}
	return i
}
