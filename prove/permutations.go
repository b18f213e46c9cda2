package prove

import "oxo/prove/certificate"

// permutationList collects the automorphisms a proof uses.
type permutationList struct {
	list  [][]uint8
	index map[string]int
}

// newPermutationList returns a list of permutations of n squares that has the identity alone.
func newPermutationList(n int) *permutationList {
	p := &permutationList{index: map[string]int{}}
	p.numberOrAdd(certificate.Identity(n))
	return p
}

// numberOrAdd returns the number of perm in the list.
func (p *permutationList) numberOrAdd(perm []uint8) int {
	if k, ok := p.index[string(perm)]; ok {
		return k
	}
	p.index[string(perm)] = len(p.list)
	p.list = append(p.list, perm)
	return len(p.list) - 1
}
