package prove

import "oxo/prove/certificate"

// permutations collects the automorphisms a proof uses.
type permutations struct {
	list  [][]uint8
	index map[string]int
}

// newPermutations returns a list of permutations of n squares that has the identity alone.
func newPermutations(n int) *permutations {
	p := &permutations{index: map[string]int{}}
	p.numberOf(certificate.Identity(n))
	return p
}

// numberOf returns the number of perm in the list.
func (p *permutations) numberOf(perm []uint8) int {
	if k, ok := p.index[string(perm)]; ok {
		return k
	}
	p.index[string(perm)] = len(p.list)
	p.list = append(p.list, perm)
	return len(p.list) - 1
}
