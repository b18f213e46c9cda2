package search_test

import (
	"fmt"
	"math/rand/v2"

	"oxo"
	"oxo/games/tree"
)

// plain is the slow obvious twin of every algorithm: the value of p to First
// by the definition, looking depth plies ahead.
func plain[P oxo.Position[P]](g *oxo.Game[P], p P, depth int, judge func(P) float64) float64 {
	if p.Outcome() != oxo.Ongoing {
		return g.PayoffToFirst(p)
	}
	if depth == 0 {
		return judge(p)
	}
	var best float64
	for i, m := range p.Moves(nil) {
		v := plain(g, p.Play(m), depth-1, judge)
		switch turn := p.Turn(); {
		case turn == oxo.Chance:
			best += g.Odds(p, m) * v
		case i == 0, turn == oxo.First && v > best, turn == oxo.Second && v < best:
			best = v
		}
	}
	return best
}

// randomTree grows a tree of at most depth plies: nodes of all kinds in any
// order, small whole leaves between -4 and 4, and odds that are sums of
// sixteenths, so that every mean is exact.
func randomTree(r *rand.Rand, depth int, chance bool) *tree.Node {
	if depth == 0 || r.IntN(6) == 0 {
		return &tree.Node{Kind: tree.Leaf, Value: float64(r.IntN(9) - 4)}
	}
	n := &tree.Node{Kind: tree.NodeKind(1 + r.IntN(2))}
	if chance && r.IntN(3) == 0 {
		n.Kind = tree.Chance
	}
	for range 1 + r.IntN(4) {
		n.Children = append(n.Children, randomTree(r, depth-1, chance))
	}
	if n.Kind == tree.Chance {
		n.Odds = randomOdds(r, len(n.Children))
	}
	return n
}

func randomOdds(r *rand.Rand, n int) []float64 {
	odds := make([]float64, n)
	for i := range odds {
		odds[i] = 1.0 / 16
	}
	for range 16 - n {
		odds[r.IntN(n)] += 1.0 / 16
	}
	return odds
}

// randomGame returns a tree game, its leaves known to lie in [-4, 4].
func randomGame(r *rand.Rand, depth int, chance bool) (*oxo.Game[tree.NodePos], *tree.Node) {
	for {
		root := randomTree(r, depth, chance)
		if root.Kind == tree.Leaf {
			continue
		}
		g, err := tree.NewBounded("random", root, -4, 4)
		if err != nil {
			panic(fmt.Sprint("random tree: ", err))
		}
		return g, root
	}
}

// setLeaves gives the leaves with the given numbers (in natural order, counted
// from 1) new random values.
func setLeaves(r *rand.Rand, n *tree.Node, change map[int]bool) {
	number := 0
	var walk func(n *tree.Node)
	walk = func(n *tree.Node) {
		if n.Kind == tree.Leaf {
			if number++; change[number] {
				n.Value = float64(r.IntN(9) - 4)
			}
		}
		for _, c := range n.Children {
			walk(c)
		}
	}
	walk(n)
}
