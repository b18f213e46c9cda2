package cmd

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"oxo/lab"
)

// counted is what simulations have made of a position so far.
type counted struct {
	visits uint64
	weight int // results, the evaluation's among them
	sum    float64
}

// formulaText says by which score moves are selected.
func formulaText(s *lab.Simulations) string {
	mean := "mean"
	if s.Half != 1 {
		mean = fmt.Sprintf("mean/%.4g", s.Half)
	}
	switch s.Formula {
	case "PUCT":
		return fmt.Sprintf("PUCT: %s + C·P·√N/(n+1), C about %.3g, P how likely the evaluation makes a move, of whose "+
			"mean its word is the first result", mean, s.Explore)
	case "UCT-RAVE":
		return fmt.Sprintf("UCT-RAVE: %s, mixed with that of all moves as first, + %.3g·√(ln N/(n+1))", mean, s.Explore)
	}
	return fmt.Sprintf("UCT: %s + %.3g·√(ln N/n), infinite for a new move", mean, s.Explore)
}

// tellSimulations tells simulations of mcts one by one: how each selects its moves, what it adds to the tree, how it
// came to its result, and the numbers on its path after it. In the end it tells those of the root's moves.
func tellSimulations(a *printer, s *lab.Simulations, root *lab.TraceNode, say func(int, string, ...any)) {
	a.printf("Simulations in their order; results and means are payoffs to First. The greatest score is selected, by\n"+
		"%s;\nin it the mean is to the mover, N are the position's visits and n the move's.\n", formulaText(s))
	tree := map[string]*counted{}
	for i := range s.Told {
		say(0, "simulation %d", i+1)
		tellSimulation(&s.Told[i], tree, say)
	}
	say(0, "the tree after %s", countOf(len(s.Told)+s.Untold, "simulation", "simulations"))
	say(1, "the root: %s", simulatedText(root))
	for _, c := range root.Children {
		say(1, "%s: %s", c.Move, simulatedText(c))
	}
	if s.Untold > 0 {
		a.printf("%s ran, not told one by one: see --trace-nodes.\n",
			countOf(s.Untold, "more simulation", "more simulations"))
	}
	a.printf("\n")
}

// tellSimulation tells a simulation and counts it in the tree.
func tellSimulation(s *lab.ToldSimulation, tree map[string]*counted, say func(int, string, ...any)) {
	var moves []string
	for _, m := range s.Path {
		if m.Odds > 0 {
			say(1, "at %s chance makes the move %s, of probability %.4g", placeText(moves), m.Move, m.Odds)
		} else {
			say(1, "selection at %s: %s", placeText(moves), selectionText(m.Move, m.Tried))
		}
		moves = append(moves, m.Move)
	}
	if s.Added != nil {
		say(1, "expansion: %s is added", placeText(moves))
		tree[placeText(moves)] = &counted{}
		if s.Added.Judged != nil {
			tree[placeText(moves)] = &counted{weight: 1, sum: *s.Added.Judged}
		}
	}
	say(1, "%s: %s", map[string]string{"playout": "simulation, played out at random", "judged": "its moves are judged",
		"over": "the game is over", "proven": "its worth is proven already"}[string(s.Ended)], valueText(s.Result))
	var after []string
	for ply := range len(moves) + 1 {
		n := tree[placeText(moves[:ply])]
		n.visits, n.weight, n.sum = n.visits+1, n.weight+1, n.sum+s.Result
		after = append(after, placeText(moves[:ply])+": "+meanText(n.visits, n.sum/float64(n.weight)))
	}
	say(1, "backup: %s", strings.Join(after, "; "))
	var proven []string
	for _, p := range s.Proven {
		switch place := placeText(p.Path); {
		case p.Lo == p.Hi:
			proven = append(proven, fmt.Sprintf("%s = %s", place, valueText(p.Lo)))
		default:
			proven = append(proven, fmt.Sprintf("%s from %s to %s", place, valueText(p.Lo), valueText(p.Hi)))
		}
	}
	if len(proven) > 0 {
		say(1, "proven: %s", strings.Join(proven, "; "))
	}
}

// selectionText says why a move was selected: its score and then the others', the greatest first.
func selectionText(move string, tried []lab.TriedMove) string {
	rank := func(c lab.TriedMove) float64 {
		switch {
		case c.Move == move:
			return math.Inf(1)
		case c.RuledOut || c.Score == nil:
			return math.Inf(-1)
		}
		return *c.Score
	}
	slices.SortStableFunc(tried, func(a, b lab.TriedMove) int { return cmp.Compare(rank(b), rank(a)) })
	var words []string
	for _, c := range tried {
		word := c.Move + " is new"
		if c.RuledOut {
			word = c.Move + " is ruled out by proof"
		} else if c.Score != nil {
			word = fmt.Sprintf("%s scores %.4g", c.Move, *c.Score)
		}
		if c.Visits > 0 {
			word += " (" + meanText(uint64(c.Visits), c.Mean) + ")"
		}
		words = append(words, word)
	}
	return strings.Join(words, "; ")
}

// placeText names a position by the moves that lead to it.
func placeText(moves []string) string {
	if len(moves) == 0 {
		return "the root"
	}
	return strings.Join(moves, "-")
}

// meanText is what simulations made of a position.
func meanText(visits uint64, mean float64) string {
	return countOf(visits, "visit", "visits") + ", mean " + fmt.Sprintf("%.4g", mean+0)
}

// simulatedText is that, and what is proven.
func simulatedText(n *lab.TraceNode) string {
	text := countOf(n.Visits, "visit", "visits")
	if n.Mean != nil {
		text = meanText(n.Visits, float64(*n.Mean))
	}
	if v := finite(n.Value); n.Bound == "=" && v != nil {
		text += ", proven = " + valueText(*v)
	}
	return text
}
