package board

import "math/bits"

// A quotient is listed where it has at most maxListed elements and its table
// takes at most maxCarriers words.
const (
	maxListed   = 8192
	maxCarriers = 1 << 21
)

// listing is a group with all its elements, for finding the element that
// carries a position to the greatest of its class. It keeps the set of the
// elements that are still in the running. For each square j in turn, some of
// them bring a mark to j, namely those that carry any of the marked squares
// there: if there are such elements, the others drop out.
type listing struct {
	n, words int
	perms    []perm
	reach    []Set    // for each square j, the squares that an element carries to j
	carriers []uint64 // words [(j*n+i)*words:] are the set of elements that carry i to j
}

// list returns the listing of a group of permutations of n squares, or nil
// where the group is too large.
func (c chain) list(n int) *listing {
	order := c.order()
	if !order.IsInt64() || order.Int64() > maxListed {
		return nil
	}
	size := int(order.Int64())
	l := &listing{n: n, words: (size + 63) / 64, perms: make([]perm, 0, size), reach: make([]Set, n)}
	if n*n*l.words > maxCarriers {
		return nil
	}
	l.carriers = make([]uint64, n*n*l.words)
	c.each(n, func(p perm) {
		e := len(l.perms)
		for i, j := range p {
			l.reach[j] = l.reach[j].With(i)
			l.carriers[(int(j)*n+i)*l.words+e/64] |= 1 << (e % 64)
		}
		l.perms = append(l.perms, p)
	})
	return l
}

// greatest returns an element that carries t to the greatest position of its
// class, and how many do. running and hit have a word for every 64 elements.
func (l *listing) greatest(t triple, running, hit []uint64) (element, count int) {
	count = len(l.perms)
	for e := range count {
		running[e/64] |= 1 << (e % 64)
	}
	for _, marks := range [3]Set{t.x, t.o, t.z} {
		left := marks.Len()
		for j := 0; left > 0 && count > 1; j++ {
			from := marks.And(l.reach[j])
			if from.Empty() {
				continue
			}
			clear(hit)
			for i := range from.All() {
				row := l.carriers[(j*l.n+i)*l.words:][:len(hit)]
				for w := range hit {
					hit[w] |= row[w]
				}
			}
			k := 0
			for w := range hit {
				hit[w] &= running[w]
				k += bits.OnesCount64(hit[w])
			}
			if k > 0 {
				running, hit = hit, running
				count = k
				left--
			}
		}
	}
	w := 0
	for running[w] == 0 {
		w++
	}
	return 64*w + bits.TrailingZeros64(running[w]), count
}

// listing64 is a listing of at most 64 elements on at most 64 squares.
type listing64 struct {
	all      uint64
	perms    [][64]uint8
	reach    [64]uint64
	carriers [][64]uint64
}

// narrow returns l as a listing64, or nil where it is too large for one.
func (l *listing) narrow() *listing64 {
	if l == nil || l.n > 64 || l.words > 1 {
		return nil
	}
	m := &listing64{
		all:   1<<len(l.perms) - 1,
		perms: make([][64]uint8, len(l.perms)), carriers: make([][64]uint64, l.n),
	}
	for e, p := range l.perms {
		copy(m.perms[e][:], p)
	}
	for j := range l.n {
		m.reach[j] = l.reach[j].A
		copy(m.carriers[j][:], l.carriers[j*l.n:][:l.n])
	}
	return m
}

// greatest returns the greatest position of the class of x, o, z and the
// size of the class.
func (m *listing64) greatest(x, o, z uint64) (cx, co, cz, class uint64) {
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
	class = uint64(len(m.perms))
	if running&(running-1) != 0 {
		class /= uint64(bits.OnesCount64(running))
	}
	return image64(p, x), image64(p, o), image64(p, z), class
}

// image64 returns where p carries the squares of s.
func image64(p *[64]uint8, s uint64) (t uint64) {
	for ; s != 0; s &= s - 1 {
		t |= 1 << (p[bits.TrailingZeros64(s)] & 63)
	}
	return t
}
