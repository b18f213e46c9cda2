// Package space holds the positions of a game as numbers: what learners and exams
// see of it. A [Graph] makes the [Space] of a game, [Enumerate] where all positions
// can be listed and [NewLazyGraph] where not; a [Mix] is a way to play in all of them;
// [Features] measure positions, and a [Searcher] looks ahead by their weighted sum.
package space

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"oxo"
	"oxo/board"
)

// Node is the number of a position in a [Space].
type Node int32

// None is no position.
const None Node = -1

// Space is a game as numbers: each position a [Node], each move an edge to
// another node. Learners see nothing else of a game, so that one loop over
// arrays serves them all. A [Graph] makes it from a game.
//
// The moves of a node are numbered 0, 1, … in the order of the game's; the
// number of a move is called its edge.
type Space struct {
	Start Node
	Scale float64 // what payoffs are divided by here: the most that the game can pay
	Pays  bool    // whether the game has payoffs of its own, beside who wins

	turn    []oxo.Seat
	outcome []oxo.Outcome
	worth   []float64 // of a finished game to First, 1 the most that the game can pay
	span    []span
	child   []Node
	odds    []float64 // of each edge that chance takes; nil in games without chance

	// Illegal are boards that no play leads to and that can be played on, where there are such.
	Illegal []Node

	// whole is nil until every position is in the space.
	whole *whole

	expand func(n Node) // fills in span[n]

	// What only the game knows is filled in by the graph.
	Format      func(n Node) string             // the position as text
	Find        func(text string) (Node, error) // the node of a position
	FormatMove  func(n Node, edge int) string   // the move as text
	FeatureSets []string
	Features    func(name string) (*Features, error)
	Searcher    func(set string, depth int) (Searcher, error)
	Pictures    func(n Node) []Picture // nil where positions are not on a board
	Board       *board.Board           // nil there too
	Marks       Marks
	Nine        *NineBoards // nil in games that are not on nine boards
	Forget      func()      // empties a space that grows; the start stays

	// Solved returns the worth to First of a position that is not over by the game's own
	// solver, where so few squares are free that it answers at once. It is nil where there is
	// none, and belongs to one goroutine.
	Solved func(n Node) (worth float64, ok bool)
}

// Marks returns the marks of a position, those of First and of Second.
type Marks func(n Node) (x, o board.Set)

// span is where a node's edges are: child[from:to]. A node that has not been
// expanded has from < 0.
type span struct{ from, to int32 }

// whole is what is known once every position is in the space.
type whole struct {
	order []Node    // every node, each before all that can follow it
	value []float64 // worth to First under best play
	class []Node    // the representative of the node's class under symmetry
	loopy bool
}

// Len returns the number of positions met so far; all of them where the space
// is complete.
func (s *Space) Len() int { return len(s.turn) }

// Complete reports whether every position of the game is in the space.
func (s *Space) Complete() bool { return s.whole != nil }

// Children returns the nodes that n's edges lead to.
func (s *Space) Children(n Node) []Node {
	at := s.span[n]
	if at.from < 0 {
		s.expand(n)
		at = s.span[n]
	}
	return s.child[at.from:at.to]
}

// Turn returns who is to move in n.
func (s *Space) Turn(n Node) oxo.Seat { return s.turn[n] }

// Outcome returns how the game stands at n.
func (s *Space) Outcome(n Node) oxo.Outcome { return s.outcome[n] }

// Edges returns where the edges of n are, from and to the one before, among those
// of all nodes of a complete space.
func (s *Space) Edges(n Node) (from, to int32) { return s.span[n].from, s.span[n].to }

// EdgeCount returns the number of edges met so far.
func (s *Space) EdgeCount() int { return len(s.child) }

// Odds returns the probability of each edge that chance takes; nil in games
// without chance.
func (s *Space) Odds() Mix { return s.odds }

// Loopy reports whether play can go in circles, as far as that is known: in a
// complete space.
func (s *Space) Loopy() bool { return s.whole != nil && s.whole.loopy }

// ErrNoValues is the error of what goes by values in a game in which play can go in circles with chance.
var ErrNoValues = errors.New("play can go in circles with chance, where values are limits that are not worked out")

// CheckValues refuses complete spaces in which [Space.Value] is no more than near the truth.
func (s *Space) CheckValues() error {
	if s.Loopy() && s.odds != nil {
		return ErrNoValues
	}
	return nil
}

// Value returns the worth of n to First under best play in a complete space.
func (s *Space) Value(n Node) float64 { return s.whole.value[n] }

// Over reports whether the game is finished at n.
func (s *Space) Over(n Node) bool { return s.Outcome(n) != oxo.Ongoing }

// WorthTo returns what the finished game n is worth to a seat, 1 the most.
func (s *Space) WorthTo(n Node, seat oxo.Seat) float64 { return Sign(seat) * s.worth[n] }

// Sign returns 1 for First and -1 for Second: what turns a worth to First into
// one to the seat and back.
func Sign(seat oxo.Seat) float64 { return 1 - 2*float64(seat) }

// ChanceMean returns what judge makes of n; where chance is to act, of what can follow,
// each by its odds. Before chance acts, the board doesn't show the move made.
func (s *Space) ChanceMean(n Node, judge func(n Node) float64) float64 {
	if s.Over(n) || s.Turn(n) != oxo.Chance {
		return judge(n)
	}
	v := 0.0
	for e, c := range s.Children(n) {
		v += s.odds[int(s.span[n].from)+e] * s.ChanceMean(c, judge)
	}
	return v
}

// Class returns the representative of n's class; n itself where classes are
// not known.
func (s *Space) Class(n Node) Node {
	if s.whole == nil {
		return n
	}
	return s.whole.class[n]
}

// EdgeTo returns the edge of n that leads to a node of that class, or -1.
func (s *Space) EdgeTo(n, class Node) int {
	return slices.IndexFunc(s.Children(n), func(c Node) bool { return s.Class(c) == class })
}

// KeepsWorth reports whether the move from n to its child keeps n's worth.
func (s *Space) KeepsWorth(n, child Node) bool {
	d := s.Value(n) - s.Value(child)
	return d < 1e-9 && d > -1e-9
}

// DrawChance draws chance's move.
func (s *Space) DrawChance(n Node, r *rand.Rand) int32 {
	children := s.Children(n)
	x := r.Float64()
	for e := range children {
		if x -= s.odds[int(s.span[n].from)+e]; x < 0 {
			return int32(e)
		}
	}
	return int32(len(children) - 1)
}

// The errors of games that a space of which all is kept, features and searches don't suit.
var (
	ErrTooMany    = errors.New("for every position, and this game has too many")
	ErrNoFeatures = errors.New("has no features, which need marks of one's own")
	ErrChance     = errors.New("has chance moves, which its search does not know")
)

// RequireComplete refuses spaces that are not complete; what is kept of every position.
func (s *Space) RequireComplete(what string) error {
	if !s.Complete() {
		return fmt.Errorf("it keeps %s %w", what, ErrTooMany)
	}
	return nil
}
