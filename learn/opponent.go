package learn

import (
	"context"
	"fmt"
	"math/rand/v2"

	"oxo"
)

// Mix is the probability of every edge of a complete space, in the order of
// the space's edges: a way to play, whole.
type Mix []float64

// of returns the probabilities of n's edges.
func (m Mix) of(s *Space, n Node) []float64 {
	at := s.span[n]
	return m[at.from:at.to]
}

// Compile works out a policy in every position of a complete graph. It gives up
// where ctx is done.
func Compile[P oxo.Position[P]](ctx context.Context, a *Graph[P], policy oxo.Policy[P]) (Mix, error) {
	m := make(Mix, len(a.child))
	var moves []oxo.Move
	for n, p := range a.position {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if a.over(Node(n)) || p.Turn() == oxo.Chance {
			continue
		}
		moves = p.Moves(moves[:0])
		policy.Policy(p, moves, m.of(a.Space, Node(n)))
	}
	return m, nil
}

// Optimal plays every move that keeps the position's value with equal
// probability: perfect play that leaves the most to chance, and so meets a
// learner with the most different games.
func Optimal(s *Space) Mix {
	m := make(Mix, len(s.child))
	for n := range s.Len() {
		if s.turn[n] == oxo.Chance {
			continue
		}
		w, count := m.of(s, Node(n)), 0.0
		for e, c := range s.children(Node(n)) {
			if s.keeps(Node(n), c) {
				w[e] = 1
				count++
			}
		}
		for e := range w {
			w[e] /= count
		}
	}
	return m
}

// hypothesisMix works out what a hypothesis plays in earnest in every position.
func (s *Space) hypothesisMix(ctx context.Context, h Hypothesis, m Mix) (Mix, error) {
	if len(m) != len(s.child) {
		m = make(Mix, len(s.child))
	}
	for n := range s.Len() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if !s.over(Node(n)) && s.turn[n] != oxo.Chance {
			h.Odds(Node(n), m.of(s, Node(n)))
		}
	}
	return m, nil
}

// Table is an opponent that draws its moves from a compiled policy: no more
// than a look-up a move.
type Table struct {
	space *Space
	upTo  []uint32 // cumulative probabilities of a node's edges, in 1/2³²
}

// NewTable returns the opponent that plays by the mix. It may be shared.
func NewTable(s *Space, m Mix) *Table {
	t := &Table{space: s, upTo: make([]uint32, len(m))}
	for n := range s.Len() {
		at, sum := s.span[n], 0.0
		for e := at.from; e < at.to; e++ {
			sum += m[e]
			t.upTo[e] = uint32(min(sum*(1<<32), 1<<32-1))
		}
		for e := at.to - 1; e >= at.from && m[e] == 0; e-- {
			t.upTo[e] = 0 // never reached: an earlier edge takes what is left
		}
	}
	return t
}

// Begin does nothing.
func (t *Table) Begin(context.Context, *rand.Rand) error { return nil }

// Choose draws an edge.
func (t *Table) Choose(n Node, r *rand.Rand) (int32, error) {
	at := t.space.span[n]
	x := r.Uint32()
	last := int32(0)
	for e, up := range t.upTo[at.from:at.to] {
		if x < up {
			return int32(e), nil
		}
		if up != 0 {
			last = int32(e)
		}
	}
	return last, nil
}

// live is an opponent that thinks at every move.
type live[P oxo.Position[P]] struct {
	graph  *Graph[P]
	open   func(r *rand.Rand) oxo.Player[P]
	player oxo.Player[P]
	ctx    context.Context // of the game
	moves  []oxo.Move
}

// Live returns the opponent that is a new player in each game. It belongs to
// one trainer.
func Live[P oxo.Position[P]](a *Graph[P], open func(r *rand.Rand) oxo.Player[P]) Opponent {
	return &live[P]{graph: a, open: open}
}

func (l *live[P]) Begin(ctx context.Context, r *rand.Rand) error {
	l.ctx, l.player = ctx, l.open(r)
	return nil
}

func (l *live[P]) Choose(n Node, _ *rand.Rand) (int32, error) {
	p := l.graph.position[n]
	c, err := l.player.Choose(l.ctx, p)
	if err != nil || c.Resign {
		return -1, err
	}
	l.moves = p.Moves(l.moves[:0])
	for e, m := range l.moves {
		if m == c.Move {
			return int32(e), nil
		}
	}
	return -1, fmt.Errorf("in %q the opponent chose a move that is not legal", l.graph.Game.Format(p))
}

// pool is an opponent that is another one in each game, drawn at random.
type pool struct {
	members []Opponent
	now     Opponent
}

// Pool returns the opponent that is one of the members in each game.
func Pool(members ...Opponent) Opponent {
	if len(members) == 1 {
		return members[0]
	}
	return &pool{members: members}
}

func (p *pool) Begin(ctx context.Context, r *rand.Rand) error {
	p.now = p.members[r.IntN(len(p.members))]
	return p.now.Begin(ctx, r)
}

func (p *pool) Choose(n Node, r *rand.Rand) (int32, error) { return p.now.Choose(n, r) }
