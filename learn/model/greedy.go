package model

import (
	"math"
	"math/rand/v2"

	"oxo/learn/option"
	"oxo/learn/space"
)

// Valuer says what a hypothesis thinks a move is worth to who makes it: that of edge e of n, which leads to child.
type Valuer interface {
	Worth(n space.Node, e int, child space.Node) float64
}

// greedy chooses the move that is worth most, drawing among equals, and now and then tries another.
type greedy struct {
	space  *space.Space
	worth  Valuer
	try    exploration
	scores []float64
}

// NewGreedy returns the hypothesis that makes the move that is worth most, drawing among equals, and, while it learns,
// with probability epsilon any other.
func NewGreedy(s *space.Space, worth Valuer, epsilon float64) Hypothesis {
	return &greedy{space: s, worth: worth, try: exploration{from: epsilon, to: epsilon}}
}

// exploration is how often a move is tried at random: with probability from at first, to after over games, evenly.
type exploration struct {
	from, to float64
	over     int
	games    int
}

// readExploreOptions reads epsilon, to and over. Unless given, to is what epsilon is, so that nothing falls.
func readExploreOptions(o *option.Reader, usual string) exploration {
	var x exploration
	x.from = o.Number("epsilon", usual, 0, 1, "probability of a random move while learning")
	x.to = o.Number("to", o.Settings[len(o.Settings)-1].Value, 0, 1, "what epsilon falls to")
	x.over = o.Integer("over", "0", 0, 1<<40, "games over which epsilon falls")
	return x
}

// currentRate returns the probability of a move that is tried out in this game.
func (x *exploration) currentRate() float64 {
	if x.games >= x.over {
		return x.to
	}
	return x.from + (x.to-x.from)*float64(x.games)/float64(x.over)
}

// Choose tries a random move or takes the best.
func (g *greedy) Choose(n space.Node, r *rand.Rand) Choice {
	children := g.space.Children(n)
	if epsilon := g.try.currentRate(); epsilon > 0 && r.Float64() < epsilon {
		return Choice{Edge: int32(r.IntN(len(children))), Explores: true, Leaf: space.None}
	}
	best, count := g.scoreMoves(n, children)
	if count > 1 {
		count = r.IntN(count) + 1
	}
	for e, v := range g.scores {
		if v == best {
			if count--; count <= 0 {
				return Choice{Edge: int32(e), Leaf: space.None}
			}
		}
	}
	return Choice{Edge: 0, Leaf: space.None}
}

// scoreMoves leaves what each move is worth in scores, and returns the best of them and how many moves have it.
func (g *greedy) scoreMoves(n space.Node, children []space.Node) (best float64, count int) {
	g.scores = g.scores[:0]
	best = math.Inf(-1)
	for e, c := range children {
		v := g.worth.Worth(n, e, c)
		g.scores = append(g.scores, v)
		switch {
		case v > best:
			best, count = v, 1
		case v == best:
			count++
		}
	}
	return best, count
}

// Odds spreads over the best moves.
func (g *greedy) Odds(n space.Node, w []float64) {
	best, count := g.scoreMoves(n, g.space.Children(n))
	for e, v := range g.scores {
		w[e] = 0
		if v == best {
			w[e] = 1 / float64(count)
		}
	}
}
