package board

import "math/big"

// perm is a permutation of squares: square i goes to perm[i].
type perm []uint8

// identity returns the permutation of n squares that moves none.
func identity(n int) perm {
	p := make(perm, n)
	for i := range p {
		p[i] = uint8(i)
	}
	return p
}

// compose returns the permutation that applies first, then p.
func (p perm) compose(first perm) perm {
	r := make(perm, len(p))
	for i, j := range first {
		r[i] = p[j]
	}
	return r
}

// inverse returns the permutation that undoes p.
func (p perm) inverse() perm {
	r := make(perm, len(p))
	for i, j := range p {
		r[j] = uint8(i)
	}
	return r
}

// fixedSquares returns the squares that p does not move.
func (p perm) fixedSquares() Set {
	var s Set
	for i, j := range p {
		if int(j) == i {
			s = s.With(i)
		}
	}
	return s
}

// level is one step of a stabilizer chain (Sims 1970): of the permutations
// that fix the bases of all levels above, to[k] carries this level's base, orbit[0], to orbit[k], and
// orbit has every square that any of them carries the base to.
type level struct {
	orbit []uint8
	to    []perm
}

// chain is a group as levels: every element is, in one way only, a product
// u1·u2·…·uk with ui among the to of level i, the last applied first.
type chain []level

// newChain returns the chain of a group of permutations of n squares. Only the
// identity may fix the whole base, and for every k, those generators that fix
// the first k squares of the base must generate all that fix them. Squares
// that the ones before already hold still make no level.
func newChain(n int, base []uint8, generators []perm) chain {
	var c chain
	for _, b := range base {
		l := level{orbit: []uint8{b}, to: []perm{identity(n)}}
		var reached Set
		reached = reached.With(int(b))
		for k := 0; k < len(l.orbit); k++ {
			for _, g := range generators {
				if i := g[l.orbit[k]]; !reached.Has(int(i)) {
					reached = reached.With(int(i))
					l.orbit = append(l.orbit, i)
					l.to = append(l.to, g.compose(l.to[k]))
				}
			}
		}
		if len(l.orbit) > 1 {
			c = append(c, l)
		}
		var rest []perm
		for _, g := range generators {
			if g[b] == b {
				rest = append(rest, g)
			}
		}
		generators = rest
	}
	return c
}

// forEachElement calls f with every element of the group, each a permutation of its own.
func (c chain) forEachElement(n int, f func(perm)) {
	var walk func(g perm, rest chain)
	walk = func(g perm, rest chain) {
		if len(rest) == 0 {
			f(g)
			return
		}
		for _, u := range rest[0].to {
			walk(g.compose(u), rest[1:])
		}
	}
	walk(identity(n), c)
}

// order returns the number of elements of the group.
func (c chain) order() *big.Int {
	order := big.NewInt(1)
	for _, l := range c {
		order.Mul(order, big.NewInt(int64(len(l.orbit))))
	}
	return order
}
