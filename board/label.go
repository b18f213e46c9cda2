package board

import (
	"cmp"
)

// representativeBySearch is representative for quotients of any size. The refinement search that finds the group
// runs on the board with the marks as colours. Each leaf is an order of the squares, and the order chooses an
// element of the quotient, so equivalent leaves lead to the same position. Of the positions that the leaves lead
// to, the one on the path with the greatest traces, and of those the greatest, is the representative. Where there
// are no marks, that is t. Once stop, where it is not nil, says so, the answer is t itself.
func (g *Group) representativeBySearch(t triple, stop func() bool) (rep triple, toRep perm, orbitSize uint64) {
	if t == (triple{}) || stop != nil && stop() {
		return t, identity(g.n), 1
	}
	p := g.equitable.clone()
	p.refineByMarks(t)
	s := search{p: p, stop: stop}
	s.rank = func(l *leaf) {
		l.pull = g.quotient.elementWithEarliestImages(g.n, p.at)
		l.image = l.pull.inverse().images(t)
	}
	s.run()
	if s.stopped {
		return t, identity(g.n), 1
	}

	class := g.quotient.order()
	if len(s.found) > 0 {
		class.Div(class, newChain(g.n, s.first.choices, s.found).order())
	}
	size := uint64(0)
	if class.IsUint64() {
		size = class.Uint64()
	}
	return s.best.image, s.best.pull.inverse(), size
}

// compare orders triples by x, then o, then z.
func (t triple) compare(u triple) int {
	return cmp.Or(t.x.Compare(u.x), t.o.Compare(u.o), t.z.Compare(u.z))
}

// refineByMarks splits the squares' cells by mark and refines.
func (p *partition) refineByMarks(t triple) {
	for k, marks := range []Set{t.x, t.o, t.z} {
		for i := range marks.All() {
			if v := int32(i); p.size[p.cell[v]] > 1 {
				for range k + 1 {
					p.incrementCount(v)
				}
			}
		}
	}
	p.splitTouched(0)
	p.refine()
}

// elementWithEarliestImages returns, of all elements of the group, the one that carries the first
// base to the square that stands first, of those the one that carries the next
// base to the square that stands first, and so on.
func (c chain) elementWithEarliestImages(n int, placeOf []int32) perm {
	h := identity(n)
	for _, l := range c {
		first := 0
		for k, i := range l.orbit {
			if placeOf[h[i]] < placeOf[h[l.orbit[first]]] {
				first = k
			}
		}
		h = h.compose(l.to[first])
	}
	return h
}
