package board

import (
	"context"
	"math/big"
	"sync"
)

// Group is the automorphism group of a board: all permutations of the squares that carry lines to lines, Need to Need
// together with Bar to Bar, and, on a board with gravity, the square below i to the square below i's image. It is not
// changed once made, and may be used by many at once.
//
// The group is put together from two parts. Squares that can be exchanged freely are twins; permuting them within their
// classes in every way is one part. The other part, here called the quotient, is the automorphisms that keep the order
// of the squares within each class of twins. Every automorphism is, in one way only, an element of the quotient
// followed by a permutation within the classes.
type Group struct {
	n         int
	order     *big.Int
	twins     [][]uint8 // classes of two or more squares, each ascending
	found     []perm    // generators of the quotient
	quotient  chain
	equitable *partition // of the quotient's graph, before any choice

	canonical sync.Once // makes the rest
	sorters   []sorter
	listing   *listing   // nil where the quotient is too large
	listing64 *listing64 // nil where the quotient or the board is too large
}

// groupCache holds a board's group once it has been asked for.
type groupCache struct {
	mu    sync.Mutex
	group *Group
}

// Group returns the board's automorphism group, found at the first call by refinement and backtracking (McKay,
// Practical graph isomorphism, Congressus Numerantium 30, 1981).
func (b *Board) Group() *Group {
	g, _ := b.GroupWithin(context.Background())
	return g
}

// GroupWithin is Group, or ctx's error where that ends first.
func (b *Board) GroupWithin(ctx context.Context) (*Group, error) {
	b.cache.mu.Lock()
	defer b.cache.mu.Unlock()
	if b.cache.group == nil {
		g := newGroup(b, func() bool { return ctx.Err() != nil })
		if g == nil {
			return nil, ctx.Err()
		}
		b.cache.group = g
	}
	return b.cache.group, nil
}

// newGroup finds the group of a board. Once stop says so, it returns nil.
func newGroup(b *Board, stop func() bool) *Group {
	p := newEquitablePartition(newGraph(b, nil))
	g := &Group{n: b.N, twins: findTwins(b, p)}
	if len(g.twins) > 0 {
		p = newEquitablePartition(newGraph(b, g.twins))
	}
	g.equitable = p
	s := search{p: p, stop: stop}
	if s.run(); s.stopped {
		return nil
	}
	g.found = s.found
	g.quotient = newChain(g.n, s.first.choices, s.found)

	g.order = g.quotient.order()
	for _, class := range g.twins {
		g.order.Mul(g.order, new(big.Int).MulRange(1, int64(len(class))))
	}
	return g
}

// Order returns the number of automorphisms.
func (g *Group) Order() *big.Int { return new(big.Int).Set(g.order) }

// HasSymmetry reports whether canonical forms are worth asking for: whether some class has more than one position, as
// is so where there is an automorphism but the identity. They are to be had for every group, however large.
func (g *Group) HasSymmetry() bool { return g.order.Cmp(big.NewInt(1)) > 0 }

// Generators returns automorphisms that generate the group, fewer than twice as many as there are squares. Each is the
// list of the images of squares 0…N−1. The trivial group has none.
func (g *Group) Generators() [][]int {
	var list [][]int
	add := func(p perm) {
		images := make([]int, len(p))
		for i, j := range p {
			images[i] = int(j)
		}
		list = append(list, images)
	}
	for _, p := range g.found {
		add(p)
	}
	for _, class := range g.twins {
		add(cycle(g.n, class[:2]))
		if len(class) > 2 {
			add(cycle(g.n, class))
		}
	}
	return list
}

// cycle returns the permutation of n squares that carries each of the given squares to the next, and the last to the
// first.
func cycle(n int, squares []uint8) perm {
	p := identity(n)
	for k, i := range squares {
		p[i] = squares[(k+1)%len(squares)]
	}
	return p
}

// CountByFixedSquares returns, for every set of squares, how many automorphisms fix those squares and move all others;
// sets with none are left out. It goes through the whole group, and returns false where the order is above limit.
func (g *Group) CountByFixedSquares(limit int) (counts map[Set]uint64, withinLimit bool) {
	if g.order.Cmp(big.NewInt(int64(limit))) > 0 {
		return nil, false
	}
	count := make(map[Set]uint64)
	g.chain().forEachElement(g.n, func(p perm) { count[p.fixedSquares()]++ })
	return count, true
}

// Elements returns all automorphisms, the identity first, as the lists of the squares' images; none where there are
// more than limit.
func (g *Group) Elements(limit int) (list [][]uint8) {
	if g.order.Cmp(big.NewInt(int64(limit))) <= 0 {
		g.chain().forEachElement(g.n, func(p perm) { list = append(list, p) })
	}
	return list
}

// chain returns the chain of the whole group.
func (g *Group) chain() chain {
	var c chain
	for _, class := range g.twins {
		for k := range class[1:] {
			l := level{orbit: class[k:], to: []perm{identity(g.n)}}
			for _, j := range class[k+1:] {
				l.to = append(l.to, cycle(g.n, []uint8{class[k], j}))
			}
			c = append(c, l)
		}
	}
	return append(c, g.quotient...)
}
