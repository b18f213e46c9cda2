package learn

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"

	"oxo"
	"oxo/learn/model"
	"oxo/learn/space"
)

// compileHypothesis works out what a hypothesis plays in earnest in every position.
// m is written over where it has the size of the space's edges. Edges of chance, and of positions that are over, are
// not set.
func compileHypothesis(ctx context.Context, s *space.Space, h model.Hypothesis, m space.Mix) (space.Mix, error) {
	if len(m) != s.EdgeCount() {
		m = make(space.Mix, s.EdgeCount())
	}
	for n := range s.Len() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if !s.Over(space.Node(n)) && s.Turn(space.Node(n)) != oxo.Chance {
			w := m.Of(s, space.Node(n))
			h.Odds(space.Node(n), w)
			if err := space.CheckOdds(w); err != nil {
				return nil, fmt.Errorf("in %q: %w", s.Format(space.Node(n)), err)
			}
		}
	}
	return m, nil
}

// MixOpponent is an opponent that draws its moves from a compiled policy: no more
// than a look-up a move.
// Nothing in it changes after it was made.
type MixOpponent struct {
	space *space.Space
	upTo  []uint32 // cumulative probabilities of a node's edges, in 1/2³²
}

// NewMixOpponent returns the opponent that plays by the mix. It may be shared.
func NewMixOpponent(s *space.Space, m space.Mix) *MixOpponent {
	t := &MixOpponent{space: s, upTo: make([]uint32, len(m))}
	for n := range s.Len() {
		from, to := s.Edges(space.Node(n))
		sum := 0.0
		for e := from; e < to; e++ {
			sum += m[e]
			t.upTo[e] = uint32(min(sum*(1<<32), 1<<32-1))
		}
		for e := to - 1; e >= from && m[e] == 0; e-- {
			t.upTo[e] = 0 // never reached: an earlier edge takes what is left
		}
	}
	return t
}

// Begin does nothing.
func (t *MixOpponent) Begin(context.Context, *rand.Rand) error { return nil }

// Choose draws an edge.
func (t *MixOpponent) Choose(n space.Node, r *rand.Rand) (edge int32, err error) {
	from, to := t.space.Edges(n)
	x := r.Uint32()
	last := int32(0)
	for e, up := range t.upTo[from:to] {
		if x < up {
			return int32(e), nil
		}
		if up != 0 {
			last = int32(e)
		}
	}
	return last, nil
}

// playerOpponent is an opponent that thinks at every move.
type playerOpponent[P oxo.Position[P]] struct {
	graph  *space.Graph[P]
	open   func(r *rand.Rand) oxo.Player[P]
	player oxo.Player[P]
	ctx    context.Context // of the game
	moves  []oxo.Move
}

// NewPlayerOpponent returns the opponent that is a new player in each game. It belongs to
// one trainer. A player that is an io.Closer is closed when the next game begins.
func NewPlayerOpponent[P oxo.Position[P]](a *space.Graph[P], open func(r *rand.Rand) oxo.Player[P]) Opponent {
	return &playerOpponent[P]{graph: a, open: open}
}

// Begin opens a new player, whose chance is r's, for a game within ctx, and closes the last one.
func (l *playerOpponent[P]) Begin(ctx context.Context, r *rand.Rand) error {
	if c, ok := l.player.(io.Closer); ok {
		c.Close()
	}
	l.ctx, l.player = ctx, l.open(r)
	return nil
}

// Terms says why a player that is a weighted sum made its last move.
func (l *playerOpponent[P]) Terms() []Term {
	if p, ok := l.player.(reasoned); ok {
		return p.Terms()
	}
	return nil
}

// Choose returns the edge of the move that the player makes in n, -1 where it resigns. The error is the player's, or of
// a move that is none.
func (l *playerOpponent[P]) Choose(n space.Node, _ *rand.Rand) (edge int32, err error) {
	p := l.graph.Position(n)
	l.moves = p.Moves(l.moves[:0])
	c, err := l.graph.Game.Ask(l.ctx, l.player, p, l.moves)
	if err != nil || c.Resign {
		return -1, err
	}
	return int32(slices.Index(l.moves, c.Move)), nil
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

// Begin draws the member for the game with the learner's source of chance.
func (p *pool) Begin(ctx context.Context, r *rand.Rand) error {
	p.now = p.members[r.IntN(len(p.members))]
	return p.now.Begin(ctx, r)
}

func (p *pool) Choose(n space.Node, r *rand.Rand) (edge int32, err error) { return p.now.Choose(n, r) }
