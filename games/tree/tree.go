// Package tree is play on an explicit game tree: First moves at max nodes,
// Second at min nodes and chance at chance nodes, and a leaf pays First its
// value and Second the opposite.
//
// A tree is made with [New] or read by [Parse] from a JSON object such as
//
//	{
//	  "name": "small", "lo": -2, "hi": 2,
//	  "root": {"kind": "max", "children": [
//	    {"kind": "chance", "label": "bet", "odds": [0.25, 0.75], "children": [2, -1]},
//	    {"kind": "min", "label": "wait", "children": [0, {"value": 1, "label": "raise"}]}
//	  ]}
//	}
//
// The object has a name, a root, and optionally lo and hi, or one of them, between
// which all leaves are known to lie. A node is a number, which is a leaf, or an object:
//
//   - kind: "max", "min", "chance" or "leaf"; a leaf need not say so;
//   - children: the nodes below a max, min or chance node, at least one and at
//     most 65,534;
//   - odds: at a chance node the probability of each child, all positive,
//     summing to 1;
//   - value: what a leaf pays, any finite number;
//   - label: the name of the move that leads here, if it has one: one word
//     without dots that is not a number, and unlike its siblings'.
//
// A move is named by its label or, where it has none, by its number among its
// siblings, counted from 1. A position is written as the numbers of the moves
// that lead to it, joined by dots, such as "1.2"; the root is "-".
package tree

import (
	"math"

	"oxo"
)

// NodeKind is what a node is.
type NodeKind uint8

// The kinds. The zero value is a leaf.
const (
	Leaf NodeKind = iota
	Max
	Min
	Chance
)

// kindNames are the names of the kinds in files and errors, by kind.
var kindNames = [...]string{"leaf", "max", "min", "chance"}

// String returns the name of the kind as files have it, or "unknown".
func (k NodeKind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "unknown"
}

// Node is a node and all that is below it.
type Node struct {
	Kind     NodeKind
	Label    string    // the name of the move that leads here; may be empty
	Value    float64   // of a leaf: what it pays First
	Odds     []float64 // of a chance node: the probability of each child
	Children []*Node   // of a max, min or chance node
}

// NodePos is a node of a tree. It is equal to the same node of the same game, made
// by the same call of [New] or [Parse].
type NodePos struct {
	t *compiled
	i int32 // which of t.nodes
}

// node returns the node that p is at, in the array that all positions of the tree share and nobody changes.
func (p NodePos) node() *compiledNode { return &p.t.nodes[p.i] }

// Turn returns the seat to move: First at max nodes and leaves, Second at min
// nodes, Chance at chance nodes.
func (p NodePos) Turn() oxo.Seat {
	switch p.node().kind {
	case Min:
		return oxo.Second
	case Chance:
		return oxo.Chance
	}
	return oxo.First
}

// Outcome returns who gains at a leaf: First where its value is positive,
// Second where it is negative.
func (p NodePos) Outcome() oxo.Outcome {
	switch n := p.node(); {
	case n.kind != Leaf:
		return oxo.Ongoing
	case n.value > 0:
		return oxo.FirstWins
	case n.value < 0:
		return oxo.SecondWins
	}
	return oxo.Drawn
}

// Moves appends the moves: the children's numbers, counted from 0.
func (p NodePos) Moves(buf []oxo.Move) []oxo.Move {
	for m := range oxo.Move(p.node().count) {
		buf = append(buf, m)
	}
	return buf
}

// Play returns the child that m leads to.
func (p NodePos) Play(m oxo.Move) NodePos {
	p.i = p.node().first + int32(m)
	return p
}

// Known is where the tree's leaves are known to lie before any of them has been
// looked at; an end of which nothing is known is infinite. The game's own bounds
// are the least and the greatest leaf there.
func (p NodePos) Known() oxo.Interval { return p.t.known }

// New returns the game tree:NAME of the tree with the given root. It refuses a
// tree that is not as the package comment says, and one that is too deep or
// too large.
func New(name string, root *Node) (*oxo.Game[NodePos], error) {
	return NewBounded(name, root, math.Inf(-1), math.Inf(1))
}

// NewBounded is New for a tree whose leaves are known to lie in [lo, hi], either of
// which may be infinite.
func NewBounded(name string, root *Node, lo, hi float64) (*oxo.Game[NodePos], error) {
	return newGame(source{name: name, root: root, lo: lo, hi: hi})
}

// newGame returns the game of a tree, whose bounds are those that compile found. Only trees with chance nodes have
// odds, and only those with symmetries have canonical forms.
func newGame(s source) (*oxo.Game[NodePos], error) {
	c, err := compile(s)
	if err != nil {
		return nil, err
	}
	g := &oxo.Game[NodePos]{
		Spec:       "tree:" + s.name,
		Title:      words.Say(title(s.name)),
		Start:      NodePos{t: c},
		MaxMoves:   c.widest,
		MaxPlies:   c.deepest,
		Payoff:     func(p NodePos) float64 { return p.node().value },
		MinPayoff:  c.lo,
		MaxPayoff:  c.hi,
		Format:     format,
		Parse:      c.parse,
		FormatMove: formatMove,
		ParseMove:  parseMove,
		Code:       func(p NodePos) uint64 { return uint64(p.i) },
		Decode: func(code uint64) (NodePos, bool) {
			if code >= uint64(len(c.nodes)) {
				return NodePos{}, false
			}
			return NodePos{c, int32(code)}, true
		},
	}
	if c.chance {
		g.Odds = func(p NodePos, m oxo.Move) float64 { return p.Play(m).node().odds }
	}
	symmetries, classes := c.symmetries()
	g.Symmetries = symmetries
	if classes != nil {
		g.Canonical = func(p NodePos) (NodePos, uint64) {
			own := classes[p.i]
			return NodePos{c, own.rep}, classes[own.rep].size
		}
	}
	return g, nil
}
