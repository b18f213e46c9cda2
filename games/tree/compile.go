package tree

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"

	"oxo"
)

// What a tree may be at most. A node has fewer children than there are moves.
const (
	MaxDepth    = 1000 // plies
	maxNodes    = 1 << 20
	MaxChildren = int(oxo.NoMove) - 1
)

// source is a tree as it is given.
type source struct {
	name   string
	root   *Node
	lo, hi float64 // infinite where nothing is known
}

// compiled is a tree as it is played on: all nodes in one slice, by depth, so that the children of a node are
// neighbours. Deepest is how many plies the longest path has, and widest the most children of a node. Known is
// where the leaves are said to lie, infinite where nothing is said; lo and hi are the game's bounds, which are
// always finite: what is said, or else the least and the greatest leaf.
type compiled struct {
	nodes           []compiledNode
	deepest, widest int
	chance          bool // there are chance nodes
	known           oxo.Interval
	lo, hi          float64
}

// compiledNode is a node in the array that a tree is compiled to. Parent is a place in that array too, −1 at the
// root. A leaf has no children: its first and count are 0.
type compiledNode struct {
	value        float64
	odds         float64 // of coming here from the parent, where that is a chance node
	label        string
	parent       int32
	first, count int32 // the children are nodes[first : first+count]
	kind         NodeKind
}

// compile checks a tree and lays it out by depth, level after level, the children of a node in their order. The
// error names the node that is at fault as positions are written. The tree that is given is not kept.
func compile(t source) (*compiled, error) {
	if err := oxo.CheckLength("name", t.name); err != nil {
		return nil, err
	}
	if t.name == "" || !oxo.IsPrintable(t.name) {
		return nil, fmt.Errorf("name %q of the tree: want some words", t.name)
	}
	if t.root == nil {
		return nil, errors.New("the tree has no root")
	}
	if t.root.Kind == Leaf {
		return nil, errors.New("the root of the tree is a leaf; want at least one move")
	}
	if !(t.lo <= t.hi) || t.lo == math.Inf(1) || t.hi == math.Inf(-1) {
		return nil, fmt.Errorf("leaves between lo %v and hi %v: want numbers, lo no more than hi", t.lo, t.hi)
	}
	c := &compiled{known: oxo.Interval{Lo: t.lo, Hi: t.hi}, lo: math.Inf(1), hi: math.Inf(-1)}
	c.nodes = append(c.nodes, compiledNode{kind: t.root.Kind, label: t.root.Label, parent: -1})
	if t.root.Label != "" {
		return nil, fmt.Errorf("label %q: no move leads to the root", t.root.Label)
	}
	// All of level are in nodes already, from place i on; their children come behind them.
	for level, i := []*Node{t.root}, int32(0); len(level) > 0; c.deepest++ {
		var below []*Node
		for _, n := range level {
			if err := c.layOutNode(i, n); err != nil {
				return nil, fmt.Errorf("node %s: %w", format(NodePos{c, i}), err)
			}
			below = append(below, n.Children...)
			i++
		}
		if c.deepest > MaxDepth {
			return nil, fmt.Errorf("the tree is deeper than %d plies", MaxDepth)
		}
		level = below
	}
	// The loop counted levels, of which there is one more than plies.
	c.deepest--
	for i, n := range c.nodes {
		if n.kind == Leaf && !c.known.Holds(n.value) {
			return nil, fmt.Errorf("node %s: leaf %v is not between lo %v and hi %v", format(NodePos{c, int32(i)}),
				n.value, t.lo, t.hi)
		}
	}
	if finite(t.lo) {
		c.lo = t.lo
	}
	if finite(t.hi) {
		c.hi = t.hi
	}
	return c, nil
}

// layOutNode checks node n, which is nodes[i], and appends its children, whose own fields are checked when it is
// their turn. Leaves widen the game's bounds. Labels may not come twice among the children of a node.
func (c *compiled) layOutNode(i int32, n *Node) error {
	if err := n.checkFields(); err != nil {
		return err
	}
	if n.Kind == Leaf {
		value := n.Value + 0 // of the two zeros the positive one
		c.nodes[i].value = value
		c.lo, c.hi = min(c.lo, value), max(c.hi, value)
		return nil
	}
	if len(c.nodes)+len(n.Children) > maxNodes {
		return fmt.Errorf("the tree has more than %d nodes", maxNodes)
	}
	c.nodes[i].first, c.nodes[i].count = int32(len(c.nodes)), int32(len(n.Children))
	c.widest = max(c.widest, len(n.Children))
	c.chance = c.chance || n.Kind == Chance
	labels := map[string]bool{}
	for j, child := range n.Children {
		if child == nil {
			return fmt.Errorf("child %d is missing", j+1)
		}
		if child.Label != "" {
			if err := checkLabel(child.Label); err != nil {
				return err
			}
			if labels[child.Label] {
				return fmt.Errorf("two children with the label %q", child.Label)
			}
			labels[child.Label] = true
		}
		below := compiledNode{kind: child.Kind, label: child.Label, parent: i}
		if n.Kind == Chance {
			below.odds = n.Odds[j]
		}
		c.nodes = append(c.nodes, below)
	}
	return nil
}

// checkFields checks what a node says of itself: that it has what its kind needs, nothing that only other kinds have,
// and odds that are probabilities.
func (n *Node) checkFields() error {
	switch {
	case n.Kind > Chance:
		return fmt.Errorf("unknown kind %d", n.Kind)
	case n.Kind == Leaf && len(n.Children) > 0:
		return fmt.Errorf("a leaf with %d children", len(n.Children))
	case n.Kind == Leaf && !finite(n.Value):
		return fmt.Errorf("leaf %v: want a finite number", n.Value)
	case n.Kind != Leaf && n.Value != 0:
		return fmt.Errorf("a %v node with the value %v: only leaves have values", n.Kind, n.Value)
	case n.Kind != Leaf && len(n.Children) == 0:
		return fmt.Errorf("a %v node without children", n.Kind)
	case len(n.Children) > MaxChildren:
		return fmt.Errorf("%d children, want at most %d", len(n.Children), MaxChildren)
	case n.Kind != Chance && len(n.Odds) > 0:
		return fmt.Errorf("a %v node with odds", n.Kind)
	case n.Kind == Chance && len(n.Odds) != len(n.Children):
		return fmt.Errorf("%d odds for %d children", len(n.Odds), len(n.Children))
	}
	sum := 0.0
	for j, odds := range n.Odds {
		if !(odds > 0 && odds <= 1) {
			return fmt.Errorf("odds %v of child %d: want more than 0 and at most 1", odds, j+1)
		}
		sum += odds
	}
	if n.Kind == Chance && math.Abs(sum-1) > 1e-9 {
		return fmt.Errorf("odds sum to %v, want 1", sum)
	}
	return nil
}

// checkLabel refuses labels that can't be told from a move's number or a path.
func checkLabel(label string) error {
	if err := oxo.CheckLength("label", label); err != nil {
		return err
	}
	_, err := strconv.Atoi(label)
	switch {
	case err == nil:
		return fmt.Errorf("label %q is a number; moves have numbers already", label)
	case label == "-" || strings.Contains(label, ".") || strings.ContainsFunc(label, unicode.IsSpace) ||
		!oxo.IsPrintable(label):
		return fmt.Errorf("label %q: want one word without dots", label)
	}
	return nil
}

// finite reports whether x is a number, neither infinite nor not-a-number.
func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }
