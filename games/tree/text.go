package tree

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"oxo"
)

// format writes p as the numbers of the moves that lead to it, from 1 and joined with dots, and the root as "-".
func format(p NodePos) string {
	if p.i == 0 {
		return "-"
	}
	var path []string
	for i := p.i; i != 0; {
		up := p.t.nodes[i].parent
		path = append(path, strconv.Itoa(int(i-p.t.nodes[up].first)+1))
		i = up
	}
	slices.Reverse(path)
	return strings.Join(path, ".")
}

// parse reads a position as format writes it; the moves may also be given by their labels.
func (c *compiled) parse(text string) (NodePos, error) {
	p := NodePos{t: c}
	if text == "-" {
		return p, nil
	}
	for word := range strings.SplitSeq(text, ".") {
		m, err := parseMove(p, word)
		if err != nil {
			return NodePos{}, fmt.Errorf("position %q: %w", text, err)
		}
		p = p.Play(m)
	}
	return p, nil
}

// formatMove writes a move: the label of the child that it leads to, or else its number from 1.
func formatMove(p NodePos, m oxo.Move) string {
	if label := p.Play(m).node().label; label != "" {
		return label
	}
	return strconv.Itoa(int(m) + 1)
}

// parseMove reads a move of p by its label or its number. A move that has a label is found by its number too.
func parseMove(p NodePos, text string) (oxo.Move, error) {
	n := p.node()
	if n.count == 0 {
		return oxo.NoMove, fmt.Errorf("move %q: %s is a leaf", text, format(p))
	}
	for m := range oxo.Move(n.count) {
		if text == formatMove(p, m) || text == strconv.Itoa(int(m)+1) {
			return m, nil
		}
	}
	if n.count == 1 {
		return oxo.NoMove, fmt.Errorf("move %q at %s: want 1, or its label", text, format(p))
	}
	return oxo.NoMove, fmt.Errorf("move %q at %s: want 1 to %d, or a label", text, format(p), n.count)
}
