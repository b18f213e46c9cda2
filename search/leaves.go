package search

import (
	"errors"

	"oxo"
)

// maxLeaves is the size of the trees whose leaves can be listed.
const maxLeaves = 1 << 20

// errLeaves refuses to list the leaves of a large tree.
var errLeaves = errors.New("the tree has over a million leaves, too many to list")

// leavesEvaluatedAndPruned numbers the leaves of the whole tree below p, depth plies deep, and
// sorts them into those that the traced search looked at, in that order, and
// those that it did not.
func leavesEvaluatedAndPruned[P oxo.Position[P]](g *oxo.Game[P], p P, t *Tracer[P], depth int,
	judge func(P) float64) (evaluated, pruned []Leaf, err error) {
	evaluated = make([]Leaf, len(t.leaves))
	number := 0
	var path []byte
	var walk func(p P, depth int)
	walk = func(p P, depth int) {
		over := p.Outcome() != oxo.Ongoing
		if over || depth == 0 {
			if number++; number > maxLeaves {
				return
			}
			if k := t.leafNum[string(path)]; k > 0 {
				evaluated[k-1] = Leaf{number, t.leaves[k-1].value}
				return
			}
			v := 0.0
			if over {
				v = g.PayoffToFirst(p)
			} else {
				v = judge(p)
			}
			pruned = append(pruned, Leaf{number, v})
			return
		}
		for _, m := range p.Moves(nil) {
			if number > maxLeaves {
				return
			}
			path = append(path, byte(m>>8), byte(m))
			walk(p.Play(m), depth-1)
			path = path[:len(path)-2]
		}
	}
	walk(p, depth)
	if number > maxLeaves {
		return nil, nil, errLeaves
	}
	return evaluated, pruned, nil
}
