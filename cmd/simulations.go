package cmd

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// toldSimulations are the first simulations of mcts, as a trace has them.
type toldSimulations struct {
	Formula string           `json:"formula"`
	Explore float64          `json:"explore"`
	Half    float64          `json:"half"` // of the range of results
	Told    []toldSimulation `json:"told"`
	Untold  int              `json:"untold"`
}

// toldSimulation is one of them. Tried are the moves that each one of its path was compared with, and itself.
type toldSimulation struct {
	Path []struct {
		Move  string      `json:"move"`
		Odds  float64     `json:"odds"`
		Tried []triedMove `json:"tried"`
	} `json:"path"`
	Added *struct {
		Judged *float64 `json:"judged"` // its first result, where there is an evaluation
	} `json:"added"`
	Ended  string  `json:"ended"`
	Result float64 `json:"result"`
	Proven []struct {
		Path []string `json:"path"`
		Lo   float64  `json:"lo"`
		Hi   float64  `json:"hi"`
	} `json:"proven"`
}

// triedMove is one of the moves that one is selected from; nothing is known of one without a score.
type triedMove struct {
	Move     string   `json:"move"`
	Visits   int      `json:"visits"`
	Mean     float64  `json:"mean"`
	Score    *float64 `json:"score"`
	RuledOut bool     `json:"ruled_out"`
}

// counted is what simulations have made of a position so far.
type counted struct {
	visits, weight int // results, the evaluation's among them
	sum            float64
}

// formulaText says by which score moves are selected.
func (s *toldSimulations) formulaText() string {
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

// tellTo tells simulations one by one: how each selects its moves, what it adds to the tree, how it came to its
// result, and the numbers on its path after it. In the end it tells those of the root's moves.
func (s *toldSimulations) tellTo(a *printer, root *tracedNode, say func(int, string, ...any)) {
	a.printf("Simulations in their order; results and means are payoffs to First. The greatest score is selected, by\n"+
		"%s;\nin it the mean is to the mover, N are the position's visits and n the move's.\n", s.formulaText())
	tree := map[string]*counted{}
	for i := range s.Told {
		say(0, "simulation %d", i+1)
		s.Told[i].tell(tree, say)
	}
	say(0, "the tree after %s", countOf(len(s.Told)+s.Untold, "simulation", "simulations"))
	say(1, "the root: %s", root.simulatedText())
	for _, c := range root.Children {
		say(1, "%s: %s", c.Move, c.simulatedText())
	}
	if s.Untold > 0 {
		a.printf("%s ran, not told one by one: see --trace-nodes.\n",
			countOf(s.Untold, "more simulation", "more simulations"))
	}
	a.printf("\n")
}

// tell tells a simulation and counts it in the tree.
func (s *toldSimulation) tell(tree map[string]*counted, say func(int, string, ...any)) {
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
		"over": "the game is over", "proven": "its worth is proven already"}[s.Ended], valueText(s.Result))
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
func selectionText(move string, tried []triedMove) string {
	rank := func(c triedMove) float64 {
		switch {
		case c.Move == move:
			return math.Inf(1)
		case c.RuledOut || c.Score == nil:
			return math.Inf(-1)
		}
		return *c.Score
	}
	slices.SortStableFunc(tried, func(a, b triedMove) int { return cmp.Compare(rank(b), rank(a)) })
	var words []string
	for _, c := range tried {
		word := c.Move + " is new"
		if c.RuledOut {
			word = c.Move + " is ruled out by proof"
		} else if c.Score != nil {
			word = fmt.Sprintf("%s scores %.4g", c.Move, *c.Score)
		}
		if c.Visits > 0 {
			word += " (" + meanText(c.Visits, c.Mean) + ")"
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
func meanText(visits int, mean float64) string {
	return countOf(visits, "visit", "visits") + ", mean " + fmt.Sprintf("%.4g", mean+0)
}

// simulatedText is that, and what is proven.
func (n *tracedNode) simulatedText() string {
	text := countOf(n.Visits, "visit", "visits")
	if n.Mean != nil {
		text = meanText(n.Visits, *n.Mean)
	}
	if n.Bound == "=" && n.Value != nil {
		text += ", proven = " + valueText(*n.Value)
	}
	return text
}
