package board

import (
	"math/big"
	"math/bits"
)

// maxListed is the number of elements up to which a quotient is listed.
const maxListed = 8192

// listing is a group with all its elements, for finding the element that carries a position to the greatest of its
// class. It keeps the elements that are still in the running. For each square j in turn, some of them bring a mark to
// j, and if so, the others drop out.
type listing struct {
	n     int
	perms []perm  // in order of the squares that they carry to square 0
	from  []uint8 // from[e*n+j] is the square that element e carries to j
	start []int   // elements start[i] to before start[i+1] carry square i to 0
	reach []Set   // for each square j, the squares that an element carries to j
}

// listElements returns the listing of a group of permutations of n squares, or nil where the group is too large.
func (c chain) listElements(n int) *listing {
	order := c.order()
	if order.Cmp(big.NewInt(maxListed)) > 0 {
		return nil
	}
	size := int(order.Int64())
	l := &listing{n: n, perms: make([]perm, 0, size), from: make([]uint8, 0, size*n), start: make([]int, n+1),
		reach: make([]Set, n)}
	byFirst := make([][]perm, n)
	c.forEachElement(n, func(p perm) {
		i := p.inverse()[0]
		byFirst[i] = append(byFirst[i], p)
	})
	for i, perms := range byFirst {
		for _, p := range perms {
			inverse := p.inverse()
			l.perms = append(l.perms, p)
			l.from = append(l.from, inverse...)
			for j, k := range inverse {
				l.reach[j] = l.reach[j].With(int(k))
			}
		}
		l.start[i+1] = len(l.perms)
	}
	return l
}

// greatestImage returns an element that carries t to the greatest position of its class, and how many do; with
// stopIfGreater none once another than t is seen to be greater. It works in running, which has room for all elements.
func (l *listing) greatestImage(t triple, running []uint16, stopIfGreater bool) (element, stabilizerSize int) {
	if stopIfGreater && t.x.Meets(l.reach[0]) && !t.x.Has(0) {
		return 0, 0
	}
	running = l.initialCandidates(t.x, running)
	for _, marks := range [3]Set{t.x, t.o, t.z} {
		words := [4]uint64{marks.A, marks.B, marks.C, marks.D}
		left := marks.Len()
		for j := 0; left > 0 && len(running) > 1; j++ {
			if !marks.Meets(l.reach[j]) {
				continue
			}
			first, k := running[0], 0
			for _, e := range running {
				i := l.from[int(e)*l.n+j]
				running[k] = e
				k += int(words[i>>6] >> (i & 63) & 1)
			}
			if k == 0 {
				running[0] = first
				continue
			}
			if stopIfGreater && !marks.Has(j) {
				return 0, 0
			}
			running = running[:k]
			left--
		}
	}
	return int(running[0]), len(running)
}

// initialCandidates fills running with the elements that bring a square of x to square 0, or with all where there are
// none.
func (l *listing) initialCandidates(x Set, running []uint16) []uint16 {
	running = running[:0]
	for i := range x.And(l.reach[0]).All() {
		for e := l.start[i]; e < l.start[i+1]; e++ {
			running = append(running, uint16(e))
		}
	}
	if len(running) == 0 {
		for e := range l.perms {
			running = append(running, uint16(e))
		}
	}
	return running
}

// listing64 is a listing of at most 64 elements on at most 64 squares. The elements in the running are the bits of a
// word.
type listing64 struct {
	all      uint64
	perms    [][64]uint8
	reach    [64]uint64   // for each square j, the squares that an element carries to j
	carriers [][64]uint64 // carriers[j][i] are the elements that carry i to j
}

// asListing64 returns l as a listing64, or nil where it is too large for one.
func (l *listing) asListing64() *listing64 {
	if l == nil || l.n > 64 || len(l.perms) > 64 {
		return nil
	}
	m := &listing64{
		all:   1<<len(l.perms) - 1,
		perms: make([][64]uint8, len(l.perms)), carriers: make([][64]uint64, l.n),
	}
	for e, p := range l.perms {
		copy(m.perms[e][:], p)
		for i, j := range p {
			m.reach[j] |= 1 << i
			m.carriers[j][i] |= 1 << e
		}
	}
	return m
}

// greatestImage returns the greatest position of the class of x, o, z and the size of the class.
func (m *listing64) greatestImage(x, o, z uint64) (cx, co, cz, classSize uint64) {
	running := m.all
search:
	for _, marks := range [3]uint64{x, o, z} {
		left := bits.OnesCount64(marks)
		for j := 0; left > 0; j++ {
			var hit uint64
			for from := marks & m.reach[j&63]; from != 0; from &= from - 1 {
				hit |= m.carriers[j][bits.TrailingZeros64(from)&63]
			}
			if hit &= running; hit != 0 {
				running = hit
				left--
				if hit&(hit-1) == 0 {
					break search
				}
			}
		}
	}
	p := &m.perms[bits.TrailingZeros64(running)]
	classSize = uint64(len(m.perms))
	if running&(running-1) != 0 {
		classSize /= uint64(bits.OnesCount64(running))
	}
	return image64(p, x), image64(p, o), image64(p, z), classSize
}

// image64 returns where p carries the squares of s.
func image64(p *[64]uint8, s uint64) (t uint64) {
	for ; s != 0; s &= s - 1 {
		t |= 1 << (p[bits.TrailingZeros64(s)] & 63)
	}
	return t
}
