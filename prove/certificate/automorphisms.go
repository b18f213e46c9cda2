package certificate

import "oxo/board"

// maxElements bounds the automorphisms used: each costs a little in every position.
const maxElements = 2048

// maxKeys bounds the number of words a symmetry table may take.
const maxKeys = 1 << 22

// Automorphisms returns automorphisms of b that form a group, the identity first: all of them, or
// where they are too many those made by some of the generators. Each is a list of images: element i
// goes to list[k][i]. A generator is left out if with it the group would have more elements than the
// bounds allow.
func Automorphisms(b *board.Board) [][]uint8 {
	limit := min(maxKeys/4/b.N, maxElements)
	list := [][]uint8{Identity(b.N)}
	var used [][]int
	for _, g := range b.Group().Generators() {
		if grown, ok := generateGroup(b.N, append(used, g), limit); ok {
			list, used = grown, append(used, g)
		}
	}
	return list
}

// generateGroup returns the group made by the generators, or false if it has more than limit elements. It closes the
// list under the generators breadth first, the identity first. Products of generators are enough: in a finite group
// an inverse is one of them.
func generateGroup(n int, generators [][]int, limit int) (group [][]uint8, withinLimit bool) {
	list := [][]uint8{Identity(n)}
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
