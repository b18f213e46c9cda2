package search

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"oxo"
	"oxo/search/mcts"
)

// Player chooses moves by searching. Among moves of the same value it chooses
// at random.
type Player[P oxo.Position[P]] struct {
	g       *oxo.Game[P]
	a       Algorithm
	o       Options[P]
	perMove time.Duration
	random  *rand.Rand
}

// Lookahead is a Player that searches every position to the same depth by a
// depth-first algorithm: what it chooses from depends on the position alone.
type Lookahead[P oxo.Position[P]] struct{ Player[P] }

// NewPlayer returns a player of g that searches by a with the given options,
// perMove at most for each move where that is not 0. Its tie-breaks and
// simulations draw from seed. Depth-first algorithms deepen where time is
// limited, and keep their table from move to move, as mcts does its trees where
// it has an evaluation. Without limits of time and nodes, a depth-first player
// is a *Lookahead, which also tells its policy.
// What [Search] refuses is refused here.
func NewPlayer[P oxo.Position[P]](g *oxo.Game[P], a Algorithm, o Options[P], perMove time.Duration,
	seed uint64) (oxo.Player[P], error) {
	if _, err := ParseAlgorithm(string(a)); err != nil {
		return nil, err
	}
	if perMove < 0 {
		return nil, fmt.Errorf("%s on %s: %v for a move: it must be more than nothing", a, g.Spec, perMove)
	}
	depthFirst := a.HasDepth()
	if depthFirst && perMove > 0 {
		o.Deepen = true
	}
	if err := o.checkFor(g, a, perMove > 0); err != nil {
		return nil, fmt.Errorf("%s on %s: %w", a, g.Spec, err)
	}
	o.Trace, o.Leaves, o.Lines = nil, false, 0
	if o.Eval != nil && a == MCTS && o.Trees == nil && !o.Forget {
		o.Trees = &mcts.Trees[P]{}
	}
	p := Player[P]{g: g, a: a, o: o, perMove: perMove, random: rand.New(rand.NewPCG(seed, 0))}
	if depthFirst {
		p.o.Shuffle = p.random
	}
	if depthFirst && perMove == 0 && o.MaxNodes == 0 && !o.Deepen {
		return &Lookahead[P]{p}, nil
	}
	return &p, nil
}

// Limit holds the player to a depth and a number of nodes for a move, for mcts
// of simulations, where those are not 0 and it is not held to fewer already.
func (x *Player[P]) Limit(depth int, nodes uint64) error {
	switch {
	case depth > 0 && !x.a.HasDepth():
		return fmt.Errorf("%s has no depth to stop at; limit its nodes or its time", x.a)
	case x.a == MCTS && nodes > 0:
		x.o.Sims = int(tighterLimit(uint64(x.o.Sims), min(nodes, 1<<30)))
	case nodes > 0:
		x.o.MaxNodes, x.o.Deepen = tighterLimit(x.o.MaxNodes, nodes), true
	}
	x.o.Depth = int(tighterLimit(uint64(x.o.Depth), uint64(depth)))
	return nil
}

// tighterLimit returns the lesser of two limits, of which 0 is none.
func tighterLimit(a, b uint64) uint64 {
	if a == 0 || b == 0 {
		return a + b
	}
	return min(a, b)
}

// searchOptions returns the options of a search, with a table from the first on.
func (x *Player[P]) searchOptions() Options[P] {
	if x.o.Memory != NoMemory && x.o.Table == nil {
		x.o.Table = newTableFor(x.g, &x.o)
	}
	return x.o
}

// Choose searches p and returns the best move found.
func (x *Player[P]) Choose(ctx context.Context, p P) (oxo.Choice, error) {
	ctx, cancel := oxo.WithTimeLimit(ctx, x.perMove)
	defer cancel()
	o := x.searchOptions()
	if seed := x.random.Uint64(); x.a == MCTS {
		o.Seed = seed
	}
	r, err := Search(ctx, x.g, p, x.a, o)
	if err != nil {
		return oxo.Choice{}, err
	}
	if r.Move == oxo.NoMove {
		return oxo.Choice{}, fmt.Errorf("%s on %s: no move to choose in %q", x.a, x.g.Spec, x.g.Format(p))
	}
	return oxo.Choice{
		Move:   r.Move,
		Score:  x.scoreOnUnitScale(r.Score, p.Turn()),
		Depth:  max(r.Depth, len(r.PV)),
		Nodes:  r.Nodes,
		Scored: r.Numbers == nil,
		Exact:  r.Exact(),
	}, nil
}

// scoreOnUnitScale returns a worth to turn on the scale from -1, the worst the game
// pays, to 1, the best.
func (x *Player[P]) scoreOnUnitScale(worthToTurn float64, turn oxo.Seat) float64 {
	b := x.o.leafBounds(x.g)
	if turn == oxo.Second {
		b = oxo.Interval{Lo: -b.Hi, Hi: -b.Lo}
	}
	if !(b.Lo < b.Hi) {
		return 0
	}
	return 2*(worthToTurn-b.Lo)/(b.Hi-b.Lo) - 1
}

// Policy gives the same weight to all moves of the greatest value.
func (x *Lookahead[P]) Policy(p P, moves []oxo.Move, weights []float64) {
	o := x.searchOptions()
	o.Lines, o.Shuffle, o.Symmetry = len(moves), nil, NoSymmetry
	clear(weights)
	r, err := Search(context.Background(), x.g, p, x.a, o)
	if err != nil {
		return
	}
	best := 0
	for best < len(r.Lines) && r.Lines[best].Value == r.Lines[0].Value {
		best++
	}
	for i, m := range moves {
		for _, l := range r.Lines[:best] {
			if l.Move == m {
				weights[i] = 1 / float64(best)
			}
		}
	}
}
