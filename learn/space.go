package learn

import "oxo"

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

	turn    []oxo.Seat
	outcome []oxo.Outcome
	worth   []float64 // of a finished game to First, 1 the most that the game can pay
	span    []span
	child   []Node
	odds    []float64 // of each edge that chance takes; nil in games without chance

	// whole is nil until every position is in the space.
	whole *whole

	expand   func(n Node)        // fills in span[n]
	format   func(n Node) string // the position as text
	find     func(text string) (Node, error)
	moveText func(n Node, edge int) string // the move as text
	sets     []string                      // names of the feature sets
	features func(name string) (*Features, error)
	searcher func(set string, depth int) (searcher, error)
	pictures func(n Node) []picture // nil where positions are not on a board
	forget   func()
}

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

// children returns the nodes that n's edges lead to.
func (s *Space) children(n Node) []Node {
	at := s.span[n]
	if at.from < 0 {
		s.expand(n)
		at = s.span[n]
	}
	return s.child[at.from:at.to]
}

// over reports whether the game is finished at n.
func (s *Space) over(n Node) bool { return s.outcome[n] != oxo.Ongoing }

// worthTo returns what the finished game n is worth to a seat, 1 the most.
func (s *Space) worthTo(n Node, seat oxo.Seat) float64 { return side(seat) * s.worth[n] }

// side returns 1 for First and -1 for Second: what turns a worth to First into
// one to the seat and back.
func side(seat oxo.Seat) float64 { return 1 - 2*float64(seat) }

// mean returns what judge makes of n; where chance is to act, of what can follow,
// each by its odds. Before chance acts, the board doesn't show the move made.
func (s *Space) mean(n Node, judge func(n Node) float64) float64 {
	if s.over(n) || s.turn[n] != oxo.Chance {
		return judge(n)
	}
	v := 0.0
	for e, c := range s.children(n) {
		v += s.odds[int(s.span[n].from)+e] * s.mean(c, judge)
	}
	return v
}

// after returns the board that the i-th move of t led to, and chance after it.
func (s *Space) after(t *Trace, i int) Node {
	for i++; i < len(t.Choices) && s.turn[t.Nodes[i]] == oxo.Chance; i++ {
	}
	return t.Nodes[i]
}

// class returns the representative of n's class; n itself where classes are
// not known.
func (s *Space) class(n Node) Node {
	if s.whole == nil {
		return n
	}
	return s.whole.class[n]
}

// edgeTo returns the edge of n that leads to a node of that class, or -1.
func (s *Space) edgeTo(n, class Node) int {
	for e, c := range s.children(n) {
		if s.class(c) == class {
			return e
		}
	}
	return -1
}
