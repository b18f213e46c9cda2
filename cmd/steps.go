package cmd

import (
	"fmt"
	"math"
	"strings"

	"oxo/lab"
)

// printSteps tells a search step by step: each node is entered and left, indented by its depth. Steps are numbered
// through all passes. Simulations are told one by one.
func (a *printer) printSteps(t *lab.SearchTree) {
	steps := 0
	say := func(depth int, format string, args ...any) {
		steps++
		a.printf("%5d  %s%s\n", steps, strings.Repeat("  ", depth), fmt.Sprintf(format, args...))
	}
	if t.Simulations != nil && len(t.Passes) > 0 {
		tellSimulations(a, t.Simulations, t.Passes[0], say)
		return
	}
	for _, root := range t.Passes {
		tellSubtree(root, nil, 0, say)
	}
	printOmitted(a, t)
}

// printOmitted says how many nodes were not recorded, if any.
func printOmitted(a *printer, t *lab.SearchTree) {
	if t.Omitted > 0 {
		a.printf("%s more nodes were not recorded: see --trace-nodes.\n", groupThousands(uint64(t.Omitted)))
	}
	a.printf("\n")
}

// printTree draws a search's tree in letters: each node under the one it was entered from, with what
// it was found to be worth, and … where more was below it than is recorded.
func (a *printer) printTree(t *lab.SearchTree) {
	for _, root := range t.Passes {
		a.printf("%s\n", treeLabel(root))
		a.printChildren(root, "")
	}
	a.printf("▲ max, ▼ min, ● chance, ✕ cut\n")
	printOmitted(a, t)
}

// printChildren draws what is below a node; before stands in front of each line.
func (a *printer) printChildren(n *lab.TraceNode, before string) {
	for i, child := range n.Children {
		branch, below := "├─ ", "│  "
		if i == len(n.Children)-1 && n.Omitted == 0 {
			branch, below = "└─ ", "   "
		}
		a.printf("%s%s%s: %s\n", before, branch, child.Move, treeLabel(child))
		a.printChildren(child, before+below)
	}
	if n.Omitted > 0 {
		a.printf("%s└─ …\n", before)
	}
}

// endsThere reports whether nothing was looked at below the node.
func endsThere(n *lab.TraceNode) bool { return len(n.Children) == 0 && n.Omitted == 0 }

// treeLabel is a node in a drawing: whose it is, and its worth.
func treeLabel(n *lab.TraceNode) string {
	worth := n.Bound
	switch v := valueOfNode(n); {
	case n.Kind == "cut":
		return "✕"
	case v == nil:
		worth = string(n.Kind)
	case n.Bound == "=" && n.Visits == 0:
		worth = valueText(*v)
	default:
		worth += valueText(*v)
	}
	if endsThere(n) {
		return worth
	}
	return map[string]string{"first": "▲ ", "second": "▼ ", "chance": "● "}[n.Turn] + worth
}

// toldNode is a node of which is being told: its children are those that are behind, by which a later one is cut.
type toldNode struct {
	*lab.TraceNode
	above *toldNode // nil for the root
}

// tellSubtree tells of a node and those below it. Above is the node over it with the children that are
// done, nil for the root. A node without children takes one step, any other one as it is entered and
// one as it is left; moves that were cut are told with the reason.
func tellSubtree(n *lab.TraceNode, above *toldNode, depth int, say func(depth int, format string, args ...any)) {
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
	case endsThere(n) && n.Kind == "leaf":
		say(depth, "%s%s, a leaf: %s", name, odds, nodeWorthText(n))
		return
	case endsThere(n):
		say(depth, "%s, %s: %s", name, n.Kind, nodeWorthText(n))
		return
	}
	probe := map[bool]string{true: "probe", false: "enter"}[n.Kind == "probed"]
	say(depth, "%s %s%s, a %s node, window %s", probe, name, odds, roles[n.Turn],
		windowText(finite(n.Alpha), finite(n.Beta)))
	done := &toldNode{new(*n), above}
	done.Children = nil
	for _, child := range n.Children {
		tellSubtree(child, done, depth+1, say)
		done.Children = append(done.Children, child)
	}
	if n.Omitted > 0 {
		say(depth+1, "… (not recorded)")
	}
	if n.Kind == "unfinished" {
		say(depth, "stop at %s: a limit was reached", name)
		return
	}
	say(depth, "return from %s: %s", name, nodeWorthText(n))
}

// roles are the kinds of nodes by whose turn it is, as the textbook has them: max plays for First.
var roles = map[string]string{"first": "max", "second": "min", "chance": "chance"}

// finite is a number of a trace, nil where it is not known or the end of a window that is open.
func finite[N ~float64](n N) *float64 {
	if v := float64(n); !math.IsInf(v, 0) && !math.IsNaN(v) {
		return &v
	}
	return nil
}

// valueOfNode is what the node was found to be worth: beside scores, a win is worth more than any.
func valueOfNode(n *lab.TraceNode) *float64 {
	if n.Won != "" {
		return new(float64(n.Value))
	}
	return finite(n.Value)
}

// nodeWorthText says what a node's search found: a value or a bound.
func nodeWorthText(n *lab.TraceNode) string {
	v := valueOfNode(n)
	if v == nil {
		return "nothing"
	}
	return map[string]string{"≤": "at most ", "≥": "at least "}[n.Bound] + valueText(*v)
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
func windowText(alpha, beta *float64) string {
	low, high := "-∞", "+∞"
	if alpha != nil {
		low = valueText(*alpha)
	}
	if beta != nil {
		high = valueText(*beta)
	}
	if alpha != nil && beta != nil && *beta == math.Nextafter(*alpha, math.Inf(1)) { // a question: which is it
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
func cutReason(n *toldNode) string {
	if n == nil {
		return "it can't matter"
	}
	value, alpha, beta := finite(n.Value), finite(n.Alpha), finite(n.Beta)
	if n.Turn == "chance" {
		switch {
		case value != nil && n.Bound == "≤" && alpha != nil:
			return fmt.Sprintf("the mean is at most %s, the window begins at %s", valueText(*value), valueText(*alpha))
		case value != nil && n.Bound == "≥" && beta != nil:
			return fmt.Sprintf("the mean is at least %s, the window ends at %s", valueText(*value), valueText(*beta))
		}
		return "it can't change the mean enough"
	}
	var best *float64
	for _, c := range n.Children {
		v := valueOfNode(c)
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
	case n.above != nil && n.above.Turn == "chance" && n.Turn == "second" && alpha != nil:
		return fmt.Sprintf("min has %s here; the mean above needs more than %s", valueText(*best), valueText(*alpha))
	case n.above != nil && n.above.Turn == "chance" && n.Turn == "first" && beta != nil:
		return fmt.Sprintf("max has %s here; the mean above needs less than %s", valueText(*best), valueText(*beta))
	case n.Turn == "second" && alpha != nil:
		return fmt.Sprintf("min has %s here, max %s elsewhere", valueText(*best), valueText(*alpha))
	case n.Turn == "first" && beta != nil:
		return fmt.Sprintf("max has %s here, min %s elsewhere", valueText(*best), valueText(*beta))
	}
	return fmt.Sprintf("%s has %s here, which can't get better", roles[n.Turn], valueText(*best))
}
