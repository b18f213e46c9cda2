package cmd

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"oxo/lab"
)

// tracedNode is a node of a recorded search tree. Alpha and Beta are the window at entry, null where
// it is open; Bound says whether Value is exact (=), at most (≤) or at least (≥) the node's.
type tracedNode struct {
	Move     string       `json:"move"`
	Odds     float64      `json:"odds"`
	Turn     string       `json:"turn"`
	Kind     string       `json:"kind"`
	Alpha    *float64     `json:"alpha"`
	Beta     *float64     `json:"beta"`
	Value    *float64     `json:"value"`
	Bound    string       `json:"bound"`
	Won      string       `json:"won"` // where values are scores, and there is none
	Children []tracedNode `json:"children"`
	Omitted  int          `json:"omitted"` // moves that are not among them
	Visits   int          `json:"visits"`  // simulations that came here
	Mean     *float64     `json:"mean"`    // of their results

	above *tracedNode // set as the tree is told
}

// printSteps tells a search step by step: each node is entered and left, indented by its depth. Steps are numbered
// through all passes. Simulations are told one by one.
func (a *printer) printSteps(r *lab.SearchResult) error {
	trace, err := decodeSearchTree(r)
	if err != nil {
		return err
	}
	steps := 0
	say := func(depth int, format string, args ...any) {
		steps++
		a.printf("%5d  %s%s\n", steps, strings.Repeat("  ", depth), fmt.Sprintf(format, args...))
	}
	if trace.Simulations != nil && len(trace.Passes) > 0 {
		trace.Simulations.tellTo(a, &trace.Passes[0], say)
		return nil
	}
	for _, root := range trace.Passes {
		tellSubtree(root, nil, 0, say)
	}
	printOmitted(a, trace)
	return nil
}

// searchTree is the recorded tree of a search, once for each depth that was searched to, and how many nodes and cut
// branches there was no room for.
type searchTree struct {
	Omitted     uint64       `json:"omitted"`
	OmittedCuts uint64       `json:"omitted_cuts"` // of those the branches that were cut, and no nodes
	Passes      []tracedNode `json:"passes"`

	Simulations *toldSimulations `json:"simulations"` // of mcts
}

// decodeSearchTree reads the tree that a search recorded. It is an error where the algorithm records none.
func decodeSearchTree(r *lab.SearchResult) (t searchTree, err error) {
	if r.TraceJSON == nil {
		return t, fmt.Errorf("search: %s leaves no tree to show", r.Algorithm)
	}
	err = json.Unmarshal(r.TraceJSON, &t)
	return t, err
}

// printOmitted says how many nodes were not recorded, if any.
func printOmitted(a *printer, t searchTree) {
	if nodes := t.Omitted - t.OmittedCuts; nodes > 0 {
		a.printf("%s more nodes were not recorded: see --trace-nodes.\n", groupThousands(nodes))
	}
	a.printf("\n")
}

// printTree draws a search's tree in letters: each node under the one it was entered from, with what
// it was found to be worth, and … where more was below it than is recorded.
func (a *printer) printTree(r *lab.SearchResult) error {
	tree, err := decodeSearchTree(r)
	if err != nil {
		return err
	}
	for _, root := range tree.Passes {
		a.printf("%s\n", root.treeLabel())
		a.printChildren(root, "")
	}
	a.printf("▲ max, ▼ min, ● chance, ✕ cut\n")
	printOmitted(a, tree)
	return nil
}

// printChildren draws what is below a node; before stands in front of each line.
func (a *printer) printChildren(n tracedNode, before string) {
	for i, child := range n.Children {
		branch, below := "├─ ", "│  "
		if i == len(n.Children)-1 && n.Omitted == 0 {
			branch, below = "└─ ", "   "
		}
		a.printf("%s%s%s: %s\n", before, branch, child.Move, child.treeLabel())
		a.printChildren(child, before+below)
	}
	if n.Omitted > 0 {
		a.printf("%s└─ …\n", before)
	}
}

// ends reports whether nothing was looked at below the node.
func (n tracedNode) ends() bool { return len(n.Children) == 0 && n.Omitted == 0 }

// treeLabel is a node in a drawing: whose it is, and its worth.
func (n tracedNode) treeLabel() string {
	worth := n.Bound
	switch {
	case n.Kind == "cut":
		return "✕"
	case n.value() == nil:
		worth = n.Kind
	case n.Bound == "=" && n.Visits == 0:
		worth = valueText(*n.value())
	default:
		worth += valueText(*n.value())
	}
	if n.ends() {
		return worth
	}
	return map[string]string{"first": "▲ ", "second": "▼ ", "chance": "● "}[n.Turn] + worth
}

// tellSubtree tells of a node and those below it. Above is the node over it with the children that are
// done, nil for the root. A node without children takes one step, any other one as it is entered and
// one as it is left; moves that were cut are told with the reason.
func tellSubtree(n tracedNode, above *tracedNode, depth int, say func(depth int, format string, args ...any)) {
	name := n.Move
	if above == nil {
		name = "the root"
	}
	odds := ""
	if n.Odds > 0 {
		odds = fmt.Sprintf(" (probability %.4g)", n.Odds)
	}
	switch {
	case n.Kind == "cut" && above != nil && above.Kind == "probed":
		say(depth, "%s is not looked at in a probe", name)
		return
	case n.Kind == "cut":
		say(depth, "%s is cut: %s", name, cutReason(above))
		return
	case n.ends() && n.Kind == "leaf":
		say(depth, "%s%s, a leaf: %s", name, odds, n.worthText())
		return
	case n.ends():
		say(depth, "%s, %s: %s", name, n.Kind, n.worthText())
		return
	}
	probe := map[bool]string{true: "probe", false: "enter"}[n.Kind == "probed"]
	say(depth, "%s %s%s, a %s node, window %s", probe, name, odds, roles[n.Turn], n.windowText())
	// done has the children that are behind, by which a later one is cut.
	done := n
	done.Children, done.above = nil, above
	for _, child := range n.Children {
		tellSubtree(child, &done, depth+1, say)
		done.Children = append(done.Children, child)
	}
	if n.Omitted > 0 {
		say(depth+1, "… (not recorded)")
	}
	if n.Kind == "unfinished" {
		say(depth, "stop at %s: a limit was reached", name)
		return
	}
	say(depth, "return from %s: %s", name, n.worthText())
}

// roles are the kinds of nodes by whose turn it is, as the textbook has them: max plays for First.
var roles = map[string]string{"first": "max", "second": "min", "chance": "chance"}

// value is what the node was found to be worth: beside scores, a win is worth more than any.
func (n tracedNode) value() *float64 {
	if n.Won != "" {
		win := math.Inf(1)
		if n.Won == "second" {
			win = math.Inf(-1)
		}
		return &win
	}
	return n.Value
}

// worthText says what a node's search found: a value or a bound.
func (n tracedNode) worthText() string {
	if n.value() == nil {
		return "nothing"
	}
	return map[string]string{"≤": "at most ", "≥": "at least "}[n.Bound] + valueText(*n.value())
}

// valueText writes a value or a score to First; infinite ones are a win or a loss of First's.
func valueText(v float64) string {
	switch {
	case math.IsInf(v, 1):
		return "a win"
	case math.IsInf(v, -1):
		return "a loss"
	}
	return fmt.Sprintf("%.6g", v+0)
}

// windowText writes the window that a node was searched with.
func (n tracedNode) windowText() string {
	low, high := "-∞", "+∞"
	if n.Alpha != nil {
		low = valueText(*n.Alpha)
	}
	if n.Beta != nil {
		high = valueText(*n.Beta)
	}
	if n.Alpha != nil && n.Beta != nil && *n.Beta == math.Nextafter(*n.Alpha, math.Inf(1)) { // a question: which is it
		if len(low) <= len(high) {
			return "above " + low + "?"
		}
		return "at least " + high + "?"
	}
	return "[" + low + ", " + high + "]"
}

// cutReason says why the rest of a node's children can't matter, from those that are done. The rule is
// alpha-beta's: a max node that is worth at least beta, or a min node that is worth at most alpha, is
// not chosen above. Under a chance node the window is what its mean needs; a chance node is cut by the bound on its
// mean.
func cutReason(n *tracedNode) string {
	if n == nil {
		return "it can't matter"
	}
	if n.Turn == "chance" {
		switch {
		case n.Value != nil && n.Bound == "≤" && n.Alpha != nil:
			return fmt.Sprintf("the mean is at most %s, the window begins at %s", valueText(*n.Value),
				valueText(*n.Alpha))
		case n.Value != nil && n.Bound == "≥" && n.Beta != nil:
			return fmt.Sprintf("the mean is at least %s, the window ends at %s", valueText(*n.Value),
				valueText(*n.Beta))
		}
		return "it can't change the mean enough"
	}
	var best *float64
	for _, c := range n.Children {
		v := c.value()
		if c.Kind == "cut" || v == nil {
			continue
		}
		if best == nil || n.Turn == "second" && *v < *best || n.Turn != "second" && *v > *best {
			best = v
		}
	}
	switch {
	case best == nil:
		return "it can't matter"
	case n.above != nil && n.above.Turn == "chance" && n.Turn == "second" && n.Alpha != nil:
		return fmt.Sprintf("min has %s here; the mean above needs more than %s", valueText(*best), valueText(*n.Alpha))
	case n.above != nil && n.above.Turn == "chance" && n.Turn == "first" && n.Beta != nil:
		return fmt.Sprintf("max has %s here; the mean above needs less than %s", valueText(*best), valueText(*n.Beta))
	case n.Turn == "second" && n.Alpha != nil:
		return fmt.Sprintf("min has %s here, max %s elsewhere", valueText(*best), valueText(*n.Alpha))
	case n.Turn == "first" && n.Beta != nil:
		return fmt.Sprintf("max has %s here, min %s elsewhere", valueText(*best), valueText(*n.Beta))
	}
	return fmt.Sprintf("%s has %s here, which can't get better", roles[n.Turn], valueText(*best))
}
