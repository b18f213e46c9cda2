package prove

import (
	"oxo/board"
	"oxo/prove/certificate"
)

// maxElements bounds the automorphisms used: each costs a little in every position.
const maxElements = 2048

// maxKeys bounds the number of words a symmetry table may take.
const maxKeys = 1 << 22

// usableAutomorphisms returns automorphisms of b that form a group, the identity first:
// all of them, or where they are too many those made by some of the generators.
func usableAutomorphisms(b *board.Board) [][]uint8 {
	limit := min(maxKeys/4/b.N, maxElements)
	list := [][]uint8{certificate.Identity(b.N)}
	var used [][]int
	for _, g := range b.Group().Generators() {
		if grown, ok := generateGroup(b.N, append(used, g), limit); ok {
			list, used = grown, append(used, g)
		}
	}
	return list
}

// generateGroup returns the group made by the generators, unless it has more than
// limit elements.
func generateGroup(n int, generators [][]int, limit int) ([][]uint8, bool) {
	list := [][]uint8{certificate.Identity(n)}
	seen := map[string]bool{string(list[0]): true}
	for k := 0; k < len(list); k++ {
		for _, g := range generators {
			h := make([]uint8, n)
			for i, j := range list[k] {
				h[i] = uint8(g[j])
			}
			if seen[string(h)] {
				continue
			}
			if len(list) == limit {
				return nil, false
			}
			seen[string(h)] = true
			list = append(list, h)
		}
	}
	return list, true
}

// permutations collects the automorphisms a proof uses.
type permutations struct {
	list  [][]uint8
	index map[string]int
}

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
