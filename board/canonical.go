package board

import "math/bits"

// triple is a position as far as symmetry is concerned: three disjoint sets.
type triple struct{ x, o, z Set }

// images returns where p carries t.
func (p perm) images(t triple) triple { return triple{t.x.Image(p), t.o.Image(p), t.z.Image(p)} }

// Canonical64 returns the representative of a position's class under the group, and the number of positions in the
// class, or 0 where that is 2⁶⁴ or more. A position is three disjoint sets of squares: those marked x, those marked o,
// and a set z that is usually empty. Two positions have the same representative exactly where an automorphism carries
// one to the other. The board must have no more than 64 squares.
//
// Where at most 8192 automorphisms keep the order of squares that can be exchanged freely, nothing is allocated, and
// the representative is the position of the class with the greatest x, among those the greatest o, and among those the
// greatest z; of two sets, the greater is the one that has the first square that only one of them has.
func (g *Group) Canonical64(x, o, z uint64) (cx, co, cz uint64, orbitSize uint64) {
	return g.canonical64(x, o, z, nil)
}

// canonical64 is Canonical64. Once stop, where it is not nil, says so, the answer is any member of the class and 1.
func (g *Group) canonical64(x, o, z uint64, stop func() bool) (cx, co, cz uint64, orbitSize uint64) {
	g.canonical.Do(g.prepareCanonical)
	ways := uint64(1)
	for k := range g.sorters {
		x, o, z, ways = g.sorters[k].sortMarks64(x, o, z, ways)
	}
	if g.listing64 != nil {
		x, o, z, orbitSize = g.listing64.greatestImage(x, o, z)
		if ways != 1 {
			orbitSize = productOrZero(orbitSize, ways)
		}
		return x, o, z, orbitSize
	}
	t, _, orbitSize := g.representative(triple{Set{A: x}, Set{A: o}, Set{A: z}}, stop)
	return t.x.A, t.o.A, t.z.A, productOrZero(orbitSize, ways)
}

// IsRepresentative reports whether [Group.Canonical64] leaves a set of squares as it is, and then how many sets its
// class has. It takes much less time for those of which it does not.
func (g *Group) IsRepresentative(set uint64) (itself bool, orbitSize uint64) {
	g.canonical.Do(g.prepareCanonical)
	if l := g.listing; len(g.sorters) == 0 && g.listing64 == nil && l != nil && len(l.perms) <= 256 {
		var running [256]uint16
		_, stabilizer := l.greatestImage(triple{x: Set{A: set}}, running[:], true)
		return stabilizer > 0, uint64(len(l.perms) / max(stabilizer, 1))
	}
	same, _, _, orbitSize := g.Canonical64(set, 0, 0)
	return same == set, orbitSize
}

// Canonical is [Group.Canonical64] for boards of any size.
func (g *Group) Canonical(x, o, z Set) (cx, co, cz Set, orbitSize uint64) {
	return g.canonicalUntil(x, o, z, nil)
}

// canonicalUntil is canonical64 for boards of any size.
func (g *Group) canonicalUntil(x, o, z Set, stop func() bool) (cx, co, cz Set, orbitSize uint64) {
	if g.n <= 64 {
		x, o, z, orbit := g.canonical64(x.A, o.A, z.A, stop)
		return Set{A: x}, Set{A: o}, Set{A: z}, orbit
	}
	t, orbitSize := g.canonicalTriple(triple{x, o, z}, stop)
	return t.x, t.o, t.z, orbitSize
}

// canonicalTriple returns what Canonical returns, for boards of any size.
func (g *Group) canonicalTriple(t triple, stop func() bool) (canonical triple, orbitSize uint64) {
	g.canonical.Do(g.prepareCanonical)
	ways := uint64(1)
	for k := range g.sorters {
		t, ways = g.sorters[k].sortMarks(t, ways)
	}
	t, _, orbit := g.representative(t, stop)
	return t, productOrZero(orbit, ways)
}

// CanonicalBy returns the same representative as [Group.Canonical], and an automorphism that carries the position to
// it, as the images of squares 0…N−1.
func (g *Group) CanonicalBy(x, o, z Set) (cx, co, cz Set, perm []uint8) {
	g.canonical.Do(g.prepareCanonical)
	by, t := identity(g.n), triple{x, o, z}
	for _, s := range g.sorters {
		s.setSortingImages(t, by)
	}
	t, p, _ := g.representative(by.images(t), nil)
	return t.x, t.o, t.z, p.compose(by)
}

// prepareCanonical makes what the canonical form needs.
func (g *Group) prepareCanonical() {
	g.listing = g.quotient.listElements(g.n)
	g.listing64 = g.listing.asListing64()
	g.sorters = newSorters(g.twins)
}

// representative returns the representative of t's class under the quotient, an element that carries t to it, and the
// size of the class, 0 for 2⁶⁴ or more. The marks of twins must be sorted.
func (g *Group) representative(t triple, stop func() bool) (rep triple, toRep perm, orbitSize uint64) {
	if g.listing == nil {
		return g.representativeBySearch(t, stop)
	}
	var e, stabilizer int
	if len(g.listing.perms) <= 256 {
		var running [256]uint16
		e, stabilizer = g.listing.greatestImage(t, running[:], false)
	} else {
		var running [maxListed]uint16
		e, stabilizer = g.listing.greatestImage(t, running[:], false)
	}
	p := g.listing.perms[e]
	return p.images(t), p, uint64(len(g.listing.perms) / stabilizer)
}

// productOrZero returns a·b, or 0 where it is 2⁶⁴ or more. A factor 0 stands for such a number.
func productOrZero(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	if hi != 0 {
		return 0
	}
	return lo
}
