package oxo

import (
	"context"
	"math/big"
	"math/rand/v2"
)

// Game is a start position and what is known about it. Algorithms choose
// their method by these facts and never by a game's name. A nil field is an
// ability the game does not have.
type Game[P Position[P]] struct {
	Spec  string // canonical spec, such as "mnk:3,3,3+misere"
	Title string // for people, such as "tic-tac-toe, misère"
	Start P

	// MaxMoves is an upper bound on the number of moves in any position, and
	// MaxPlies on the length of any game in plies, chance's included.
	// MaxPlies is 0 where play can go in circles.
	MaxMoves int
	MaxPlies int

	// Odds returns the probability of chance move m in p, where p.Turn() is
	// Chance; over all moves of p they sum to 1. It is nil in games without
	// chance.
	Odds func(p P, m Move) float64

	// Payoff returns what a terminal position is worth to First, within
	// [MinPayoff, MaxPayoff]. It is nil where only winning, drawing and losing
	// count, which are worth 1, 0 and -1.
	Payoff               func(p P) float64
	MinPayoff, MaxPayoff float64

	// Parse reads a position as Format writes it and refuses, with the
	// reason, one that cannot be reached from the start. ParseMove reads a
	// move that is legal in p.
	Format     func(p P) string
	Parse      func(text string) (P, error)
	FormatMove func(p P, m Move) string
	ParseMove  func(p P, text string) (Move, error)

	// ParsePlayable reads also a position that cannot be reached, with any marks and
	// either side to move, as long as play can go on from it. Only who goes by the
	// marks alone may be given one. It is nil where marks are not all there is.
	ParsePlayable func(text string) (P, error)

	// Symmetries is the order of the group of automorphisms of the game that
	// keep the seats; it is never nil.
	Symmetries *big.Int

	// Canonical returns the representative of p's class under that group and
	// the number of positions in the class, 0 where 64 bits do not hold it. It is nil where
	// only the identity is a symmetry or where classes are not to be had.
	Canonical func(p P) (P, uint64)

	// CanonicalUntil returns Canonical for work that may be stopped: once stop says
	// so, which may be asked often, forms are had at once. They are then any
	// member of the class, and the number is 1. It is nil where forms never take long.
	CanonicalUntil func(stop func() bool) func(p P) (P, uint64)

	// Code packs a position into 64 bits, one to one, and Decode unpacks it;
	// the start's code need not be 0. Both are nil where 64 bits don't hold a
	// position. Decode returns false for a number that Code never returns.
	Code   func(p P) uint64
	Decode func(code uint64) (P, bool)

	// Perft, Playout and AlphaBeta are kernels: optional faster ways to count
	// the leaves at an exact depth, to play uniformly random moves to the end,
	// and to search. The conformance kit proves them equal to the generic
	// answer.
	//
	// AlphaBeta searches an ongoing p to the end, moves in natural order, and
	// returns its worth to First, fail-soft within a window of integers, and
	// the number of nodes, p included. It returns false where that could take
	// long, so that the caller goes on a ply by itself and keeps an eye on its
	// limits.
	//
	// Minimax is the same without a window: it visits every node.
	Perft     func(p P, depth int) uint64
	Playout   func(p P, r *rand.PCG) Outcome
	AlphaBeta func(p P, alpha, beta int) (worth int, nodes uint64, ok bool)
	Minimax   func(p P) (worth int, nodes uint64, ok bool)

	// WinsNow and MinMovesToWin are kernels too: they tell a search for a win what it
	// would find a ply later, and how far off a win is.
	//
	// WinsNow reports whether p is ongoing and the seat to move has a move that
	// wins the game at once.
	//
	// MinMovesToWin returns a lower bound on how many more moves of its own seat, which
	// is First or Second, has to make from an ongoing p before it has won, however
	// the opponent plays. It is [Never] where the seat can't win any more.
	WinsNow       func(p P) bool
	MinMovesToWin func(p P, seat Seat) int
}

// Never is the [Game.MinMovesToWin] of a seat that can't win any more.
const Never = 1 << 20

// PayoffToFirst returns what terminal position p is worth to First: its payoff where
// the game has payoffs, else 1, 0 or -1.
func (g *Game[P]) PayoffToFirst(p P) float64 {
	if g.Payoff != nil {
		return g.Payoff(p)
	}
	return float64(p.Outcome().Value(First))
}

// PayoffBounds returns the least and the greatest PayoffToFirst.
func (g *Game[P]) PayoffBounds() (lo, hi float64) {
	if g.Payoff != nil {
		return g.MinPayoff, g.MaxPayoff
	}
	return -1, 1
}

// DrawChanceMove returns one of chance's moves in p, which are given, drawn by their odds.
func (g *Game[P]) DrawChanceMove(p P, moves []Move, r *rand.Rand) Move {
	x := r.Float64()
	for _, m := range moves {
		if x -= g.Odds(p, m); x < 0 {
			return m
		}
	}
	return moves[len(moves)-1]
}

// WithDrawPayoff returns the game in which a draw is worth that much to First, more than a
// loss and less than a win: -1 < worth < 1. It has no kernels, which count a draw as 0.
func (g *Game[P]) WithDrawPayoff(worth float64) *Game[P] {
	own := *g
	own.AlphaBeta, own.Minimax = nil, nil
	own.MinPayoff, own.MaxPayoff = -1, 1
	own.Payoff = func(p P) float64 {
		if p.Outcome() == Drawn {
			return worth
		}
		return float64(p.Outcome().Value(First))
	}
	return &own
}

// WithCancelableCanonical returns the game for work that ctx ends: once it is done, no canonical form
// takes long, but forms are not to be relied on any more.
func (g *Game[P]) WithCancelableCanonical(ctx context.Context) *Game[P] {
	if g.CanonicalUntil == nil || ctx.Done() == nil {
		return g
	}
	own := *g
	own.Canonical = g.CanonicalUntil(func() bool { return ctx.Err() != nil })
	return &own
}

// Representative returns p's class representative; p itself where the game has no
// canonical form.
func (g *Game[P]) Representative(p P) P {
	if g.Canonical == nil {
		return p
	}
	c, _ := g.Canonical(p)
	return c
}

// Loopy reports whether play can go in circles.
func (g *Game[P]) Loopy() bool { return g.MaxPlies == 0 }
