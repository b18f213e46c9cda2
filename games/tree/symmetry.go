package tree

import (
	"cmp"
	"encoding/binary"
	"math"
	"math/big"
	"slices"
)

// orbit is the class of nodes that the tree's symmetries take to each other, as it is noted of each node.
type orbit struct {
	rep  int32  // its first node
	size uint64 // how many nodes it has, kept at its first node
}

// nodeLook is what can be seen of a node from its parent: how likely it is and
// what the tree below it is like.
type nodeLook struct {
	odds  float64
	shape int32
}

// symmetries returns the order of the tree's group of automorphisms, and the
// class of each node under it, nil where there is only the identity. A symmetry
// is a way to rearrange children that look the same: at each node, any
// permutation of those.
func (c *compiled) symmetries() (groupOrder *big.Int, orbits []orbit) {
	shapes, alike := c.subtreeShapes()
	order := big.NewInt(1)
	// Of n children that look the same every order is a symmetry, and groups are rearranged independently.
	for n, times := range alike {
		ways := new(big.Int).MulRange(1, int64(n))
		order.Mul(order, ways.Exp(ways, big.NewInt(times), nil))
	}
	if len(alike) == 0 {
		return order, nil
	}
	// Two nodes are in the same class if their parents are and they look the
	// same from there.
	type place struct {
		parent int32
		look   nodeLook
	}
	classes := make([]orbit, len(c.nodes))
	classes[0].size = 1
	// Parents stand before their children in nodes, so the class of a parent is known first.
	first := map[place]int32{}
	for i := int32(1); i < int32(len(c.nodes)); i++ {
		at := place{classes[c.nodes[i].parent].rep, nodeLook{c.nodes[i].odds, shapes[i]}}
		rep, ok := first[at]
		if !ok {
			rep = i
			first[at] = i
		}
		classes[i].rep = rep
		classes[rep].size++
	}
	return order, classes
}

// subtreeShapes numbers the trees below all nodes so that two that are the same but for the order of children have
// the same number. It also returns how often there are n > 1 children that look the same, for each such n. Nodes
// are gone through from the last, so that children have their numbers before their parents.
func (c *compiled) subtreeShapes() (shapes []int32, equalSiblings map[int]int64) {
	shapes = make([]int32, len(c.nodes))
	equalSiblings = map[int]int64{}
	known := map[string]int32{}
	var looks []nodeLook
	var key []byte
	for i := len(c.nodes) - 1; i >= 0; i-- {
		n := c.nodes[i]
		looks = looks[:0]
		for j := n.first; j < n.first+n.count; j++ {
			looks = append(looks, nodeLook{c.nodes[j].odds, shapes[j]})
		}
		slices.SortFunc(looks, func(a, b nodeLook) int {
			return cmp.Or(cmp.Compare(a.odds, b.odds), cmp.Compare(a.shape, b.shape))
		})
		// The key has all that makes a subtree what it is: its kind, its value and its children in a fixed order.
		key = append(key[:0], byte(n.kind))
		key = binary.LittleEndian.AppendUint64(key, math.Float64bits(n.value))
		for from, to := 0, 0; from < len(looks); from = to {
			for to = from; to < len(looks) && looks[to] == looks[from]; to++ {
				key = binary.LittleEndian.AppendUint64(key, math.Float64bits(looks[to].odds))
				key = binary.LittleEndian.AppendUint32(key, uint32(looks[to].shape))
			}
			if to-from > 1 {
				equalSiblings[to-from]++
			}
		}
		shape, ok := known[string(key)]
		if !ok {
			shape = int32(len(known))
			known[string(key)] = shape
		}
		shapes[i] = shape
	}
	return shapes, equalSiblings
}
