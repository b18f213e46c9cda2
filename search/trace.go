package search

import (
	"encoding/json"
	"io"
	"math"
	"slices"

	"oxo"
	"oxo/search/mcts"
)

// Tracer records the tree that a search walks: give one to [Options.Trace] and
// read [Tracer.Passes], or write it with [Tracer.WriteJSON] or [Tracer.WriteSVG]. Of an
// iterative search it keeps the last iteration, of mcts, which then runs on one
// worker, the first simulations, and the most visited nodes of the tree in the
// end, with their means as values and what is proven of them as windows.
type Tracer[P oxo.Position[P]] struct {
	// Max is how many nodes to record at most, cut branches included; 0 is
	// 2,000. The rest is counted in Omitted, its cut branches in OmittedCuts too.
	Max         int
	Omitted     int
	OmittedCuts int

	Cuts int // branches that were cut, recorded or not

	// Passes are the recorded trees: one, or for mtdf one a pass.
	Passes []*TraceNode

	Simulations *mcts.Simulations // of mcts

	g       *oxo.Game[P]
	bounds  oxo.Interval
	open    []openNode[P] // from the root to the node being searched
	size    int
	path    []byte         // the moves from the root, two bytes each
	leaves  []tracedLeaf   // in the order first looked at
	leafNum map[string]int // by path, counted from 1
	bytes   int64          // that the leaves take
}

// tracedLeaf is a leaf by the moves that lead to it.
type tracedLeaf struct {
	path  string
	value float64
}

// openNode is a node on the path that is being searched.
type openNode[P oxo.Position[P]] struct {
	p           P
	node        *TraceNode // nil where it was omitted
	alpha, beta float64
}

// TraceNode is a node of a recorded search tree. All values are payoffs to
// First.
type TraceNode struct {
	Move     string       `json:"move,omitempty"` // that leads here
	Odds     float64      `json:"odds,omitempty"` // of the move, if chance made it
	Position string       `json:"position"`
	Turn     string       `json:"turn"` // first, second or chance
	Kind     NodeKind     `json:"kind"`
	Over     bool         `json:"over,omitempty"` // a cut node where the game is over
	Alpha    Number       `json:"alpha"`          // the window
	Beta     Number       `json:"beta"`
	Value    Number       `json:"value"`            // what the search returned
	Bound    string       `json:"bound,omitempty"`  // what Value is: "=", "≤" or "≥"
	Leaf     int          `json:"leaf,omitempty"`   // leaves are counted in the order evaluated
	Visits   uint64       `json:"visits,omitempty"` // simulations, in a tree of mcts
	Mean     *Number      `json:"mean,omitempty"`   // of their results, whatever is proven
	Won      string       `json:"won,omitempty"`    // who wins, where values are scores: Value is infinite
	Known    []Known      `json:"known,omitempty"`  // set by [Tracer.WriteJSON], for small trees
	Children []*TraceNode `json:"children,omitempty"`
	Omitted  int          `json:"omitted,omitempty"` // moves that were looked at or cut, and are not among Children
}

// Known is where a node's value is known to lie after so many leaves were
// looked at, if that is not where it was known to lie before.
type Known struct {
	Leaves int    `json:"leaves"`
	Lo     Number `json:"lo"`
	Hi     Number `json:"hi"`
}

// NodeKind says what became of a node.
type NodeKind string

// The kinds of nodes.
const (
	Searched   NodeKind = "searched"   // its moves were looked at
	AtLeaf     NodeKind = "leaf"       // the game is over here, or the depth used up
	Probed     NodeKind = "probed"     // only its first move was looked at
	Remembered NodeKind = "remembered" // answered from memory
	Repeated   NodeKind = "repeated"   // a position that is on the path already
	CutOff     NodeKind = "cut"        // never looked at, as it could not matter
	Unfinished NodeKind = "unfinished" // a limit ended the search here
)

// Number is a float64 that JSON can carry: infinite and unknown numbers are
// null.
type Number float64

// MarshalJSON writes the number, or null.
func (n Number) MarshalJSON() ([]byte, error) {
	if v := float64(n); math.IsInf(v, 0) || math.IsNaN(v) {
		return []byte("null"), nil
	}
	return json.Marshal(float64(n) + 0)
}

// leafBytes is about how much memory a leaf takes beside its path.
const leafBytes = 96

// defaultTraceMax is the size of a trace that nobody gave a size.
const defaultTraceMax = 2000

// beginSearch makes t ready for a search.
func (t *Tracer[P]) beginSearch(g *oxo.Game[P], bounds oxo.Interval) {
	t.g, t.bounds = g, bounds
	t.leaves, t.leafNum, t.bytes = nil, map[string]int{}, 0
	t.restart()
}

// restart forgets the tree recorded so far, but not the leaves.
func (t *Tracer[P]) restart() {
	t.Passes, t.Omitted, t.OmittedCuts, t.Cuts, t.size = nil, 0, 0, 0, 0
	t.open, t.path = t.open[:0], t.path[:0]
}

// enterNode notes that p, reached by m, is being searched.
func (t *Tracer[P]) enterNode(p P, m oxo.Move, alpha, beta float64) {
	var parent *openNode[P]
	if len(t.open) > 0 {
		parent = &t.open[len(t.open)-1]
		t.path = append(t.path, byte(m>>8), byte(m))
	}
	node := t.addNode(parent, p, m)
	if node != nil {
		node.Kind = Unfinished
		node.Alpha, node.Beta = Number(alpha), Number(beta)
	}
	t.open = append(t.open, openNode[P]{p, node, alpha, beta})
}

// addNode hangs a new node under parent, or starts a pass. It returns nil where
// the trace is full.
func (t *Tracer[P]) addNode(parent *openNode[P], p P, m oxo.Move) *TraceNode {
	if t.size >= t.maxNodes() || parent != nil && parent.node == nil {
		t.Omitted++
		if parent != nil && parent.node != nil {
			parent.node.Omitted++
		}
		return nil
	}
	t.size++
	node := &TraceNode{
		Position: t.g.Format(p),
		Turn:     p.Turn().String(),
		Alpha:    Number(math.Inf(-1)), Beta: Number(math.Inf(1)),
		Value: Number(math.NaN()),
	}
	if parent == nil {
		t.Passes = append(t.Passes, node)
		return node
	}
	node.Move = t.g.FormatMove(parent.p, m)
	if parent.p.Turn() == oxo.Chance {
		node.Odds = t.g.Odds(parent.p, m)
	}
	parent.node.Children = append(parent.node.Children, node)
	return node
}

// maxNodes returns how many nodes are recorded at most.
func (t *Tracer[P]) maxNodes() int {
	if t.Max == 0 {
		return defaultTraceMax
	}
	return t.Max
}

// leave ends the node being searched, with value v.
func (t *Tracer[P]) leave(v float64) { t.endNode(v, Searched) }

// endLeaf ends it as a leaf.
func (t *Tracer[P]) endLeaf(v float64) {
	path := string(t.path)
	if t.leafNum[path] == 0 {
		t.leaves = append(t.leaves, tracedLeaf{path, v})
		t.leafNum[path] = len(t.leaves)
		t.bytes += int64(len(path)) + leafBytes
	}
	if node := t.open[len(t.open)-1].node; node != nil {
		node.Leaf = t.leafNum[path]
	}
	t.endNode(v, AtLeaf)
}

// endProbed ends it after a look at one move, which bounds its value.
func (t *Tracer[P]) endProbed(v float64) {
	node := t.open[len(t.open)-1].node
	t.endNode(v, Probed)
	if node != nil {
		node.Bound = "≥"
		if node.Turn == oxo.Second.String() {
			node.Bound = "≤"
		}
	}
}

// endNode ends the node that was begun last as one of a kind that has nothing below it.
func (t *Tracer[P]) endNode(v float64, kind NodeKind) {
	last := len(t.open) - 1
	n := t.open[last]
	t.open = t.open[:last]
	t.path = t.path[:max(0, len(t.path)-2)]
	if n.node == nil {
		return
	}
	n.node.Kind, n.node.Value = kind, Number(v)
	switch {
	case math.IsNaN(v):
	case kind == Searched && n.node.isExactByChildren():
		n.node.Bound = "="
	case v <= n.alpha && v > t.bounds.Lo && kind != AtLeaf:
		n.node.Bound = "≤"
	case v >= n.beta && v < t.bounds.Hi && kind != AtLeaf:
		n.node.Bound = "≥"
	default:
		n.node.Bound = "="
	}
}

// isExactByChildren reports whether a node has the best value of its children, all of which are recorded and exact and
// none of which was cut: then so is its own, outside its window too.
func (n *TraceNode) isExactByChildren() bool {
	best := math.Inf(-1)
	sign := 1.0
	if n.Turn == oxo.Second.String() {
		sign = -1
	}
	for _, c := range n.Children {
		if c.Bound != "=" {
			return false
		}
		best = max(best, sign*float64(c.Value))
	}
	return n.Omitted == 0 && n.Turn != oxo.Chance.String() && sign*float64(n.Value) == best
}

// addCutMoves notes the moves that the node being searched leaves out.
func (t *Tracer[P]) addCutMoves(moves []oxo.Move) {
	at := &t.open[len(t.open)-1]
	t.Cuts += len(moves)
	for _, m := range moves {
		node := t.addNode(at, at.p.Play(m), m)
		if node == nil {
			t.OmittedCuts++
			continue
		}
		node.Kind = CutOff
		node.Over = at.p.Play(m).Outcome() != oxo.Ongoing
	}
}

// KnownAfterLeaves returns where n's value is known to lie after the first k leaves were
// looked at, all leaves lying within bounds.
func (n *TraceNode) KnownAfterLeaves(k int, bounds oxo.Interval) oxo.Interval {
	if len(n.Children) == 0 {
		if n.Leaf > 0 && n.Leaf <= k {
			return oxo.Exactly(float64(n.Value))
		}
		return bounds
	}
	// A move that was searched twice counts once, with all that is known.
	var known []oxo.Interval
	var odds []float64
	index := map[string]int{}
	for _, c := range n.Children {
		in := c.KnownAfterLeaves(k, bounds)
		if i, again := index[c.Move]; again {
			known[i] = oxo.Interval{Lo: max(known[i].Lo, in.Lo), Hi: min(known[i].Hi, in.Hi)}
			continue
		}
		index[c.Move] = len(known)
		known = append(known, in)
		odds = append(odds, c.Odds)
	}
	all := known[0]
	for _, in := range known[1:] {
		if n.Turn == oxo.Second.String() {
			all = oxo.Interval{Lo: min(all.Lo, in.Lo), Hi: min(all.Hi, in.Hi)}
		} else {
			all = oxo.Interval{Lo: max(all.Lo, in.Lo), Hi: max(all.Hi, in.Hi)}
		}
	}
	if n.Turn == oxo.Chance.String() {
		all = oxo.Interval{}
		for i, in := range known {
			if odds[i] == 0 {
				continue
			}
			all.Lo += odds[i] * in.Lo
			all.Hi += odds[i] * in.Hi
		}
	}
	return all
}

// setKnownBelow sets Known of n and of the nodes below it.
func (n *TraceNode) setKnownBelow(leaves int, bounds oxo.Interval) {
	n.Known = nil
	if len(n.Children) == 0 {
		return
	}
	last := oxo.Exactly(math.NaN())
	for k := range leaves + 1 {
		if now := n.KnownAfterLeaves(k, bounds); now != last {
			n.Known = append(n.Known, Known{k, Number(now.Lo), Number(now.Hi)})
			last = now
		}
	}
	for _, c := range n.Children {
		c.setKnownBelow(leaves, bounds)
	}
}

// ShowScores replaces all values by the scores that they were estimated from, where any is
// an estimate. A win is worth more than any score.
func (t *Tracer[P]) ShowScores(score func(estimate float64) float64) {
	convert := func(v Number) Number {
		if math.Abs(float64(v)) >= 1 {
			return v * Number(math.Inf(1))
		}
		return Number(score(float64(v)))
	}
	if !slices.ContainsFunc(t.Passes, (*TraceNode).estimated) {
		return
	}
	var walk func(n *TraceNode)
	walk = func(n *TraceNode) {
		low, high := float64(n.Alpha), float64(n.Beta)
		asks, null := asksAbove(low, high)
		n.Alpha, n.Beta, n.Value = convert(n.Alpha), convert(n.Beta), convert(n.Value)
		switch {
		case null && asks:
			n.Beta = Number(justAbove(float64(n.Alpha)))
		case null:
			n.Alpha = Number(justBelow(float64(n.Beta)))
		}
		if v := float64(n.Value); math.IsInf(v, 0) {
			n.Won = oxo.First.String()
			if v < 0 {
				n.Won = oxo.Second.String()
			}
		}
		for _, c := range n.Children {
			walk(c)
		}
	}
	for _, pass := range t.Passes {
		walk(pass)
	}
	t.bounds = Unbounded
}

// estimated reports whether a node here or below has a value that is no win, draw or loss.
func (n *TraceNode) estimated() bool {
	v := math.Abs(float64(n.Value))
	return 0 < v && v < 1 || slices.ContainsFunc(n.Children, (*TraceNode).estimated)
}

// maxKnownLeaves is the size of the trees for which WriteJSON tells what was known
// when.
const maxKnownLeaves = 64

// WriteJSON writes the recorded trees as one JSON object.
func (t *Tracer[P]) WriteJSON(w io.Writer) error {
	if n := len(t.leaves); 0 < n && n <= maxKnownLeaves && t.Omitted == 0 {
		for _, pass := range t.Passes {
			pass.setKnownBelow(len(t.leaves), t.bounds)
		}
	}
	spec := ""
	if t.g != nil {
		spec = t.g.Spec
	}
	return json.NewEncoder(w).Encode(struct {
		Game        string       `json:"game"`
		Nodes       int          `json:"nodes"`
		Omitted     int          `json:"omitted"`
		OmittedCuts int          `json:"omitted_cuts"`
		Cuts        int          `json:"cuts"`
		Passes      []*TraceNode `json:"passes"`

		Simulations *mcts.Simulations `json:"simulations,omitempty" doc:"of mcts"`
	}{spec, t.size, t.Omitted, t.OmittedCuts, t.Cuts, t.Passes, t.Simulations})
}
