package tree_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"oxo/games/tree"
)

// TestParseRefuses: each file is refused for the reason given.
func TestParseRefuses(t *testing.T) {
	withRoot := func(root string) string { return `{"name": "t", "root": ` + root + `}` }
	for _, c := range []struct{ text, reason string }{
		{``, "the JSON ends too early"},
		{`[]`, "want an object with name and root"},
		{`{"root": {"kind": "max", "children": [1]}}`, `no "name"`},
		{`{"name": "t"}`, `no "root"`},
		{`{"name": "", "root": {"kind": "max", "children": [1]}}`, `name ""`},
		{`{"name": "a\nb", "root": {"kind": "max", "children": [1]}}`, `name "a\nb"`},
		{`{"name": "` + strings.Repeat("a", 101) + `", "root": {"kind": "max", "children": [1]}}`,
			`field "name" has 101 characters: want 100 at most`},
		{withRoot(`{"kind": "max", "children": [{"value": 1, "label": "` + strings.Repeat("a", 101) + `"}]}`),
			`field "label" has 101 characters`},
		{`{"name": 3}`, "3: want a name"},
		{`{"name": "t", "lo": 2, "root": {"kind": "max", "children": [1]}}`, `leaf 1 is not between lo 2 and hi +Inf`},
		{`{"name": "t", "lo": 1, "hi": 0, "root": {"kind": "max", "children": [1]}}`, "lo 1 and hi 0"},
		{`{"name": "t", "lo": 0, "hi": 1, "root": {"kind": "max", "children": [1, 1.5]}}`,
			"node 2: leaf 1.5 is not between lo 0 and hi 1"},
		{`{"name": "t", "colour": 1}`, `unknown field "colour"; there are hi, lo, name, root`},
		{withRoot(`{"max": [1]}`), `unknown field "max"; there are children, kind, label, odds, value`},
		{`{"name": "t", "name": "u"}`, `field "name" twice`},
		{withRoot(`{"kind": "max", "children": [1]}`) + " {}", "something follows"},
		{withRoot(`{"kind": "max", "children": [1]}`) + "]", "something follows"},
		{`{"name": "t", "root": {"kind": "max", "children": [1`, "the JSON ends too early"},
		{withRoot(`{"kind": "max", "children": [1,]}`), "invalid character"},
		{withRoot(`{"kind": "max", "children": [1 2]}`), "invalid character"},
		{withRoot(`{"kind": "max", "children": [NaN]}`), "invalid character"},
		{withRoot(`{"kind": "max", "children": [1e999]}`), "node 1: number 1e999 is too large"},
		{withRoot(`7`), "the root of the tree is a leaf"},
		{withRoot(`"max"`), "max: want a node"},
		{withRoot(`null`), "want a node"},
		{withRoot(`{}`), `neither "kind" nor "value"`},
		{withRoot(`{"kind": "max"}`), "a max node without children"},
		{withRoot(`{"kind": "max", "children": []}`), "a max node without children"},
		{withRoot(`{"kind": "max", "children": 3}`), "3: want a list of nodes"},
		{withRoot(`{"kind": "Max", "children": [1]}`), `kind "Max": want leaf, max, min, chance`},
		{withRoot(`{"kind": 1}`), "1: want a kind"},
		{withRoot(`{"kind": "max", "value": 0, "children": [1]}`), `a max node has no "value"`},
		{withRoot(`{"kind": "max", "children": [{"value": 1, "children": [2]}]}`), "a leaf has neither"},
		{withRoot(`{"kind": "max", "children": [{"kind": "leaf"}]}`), `a leaf without "value"`},
		{withRoot(`{"kind": "max", "children": [{"kind": "min", "children": [1, {"value": "x"}]}]}`),
			"byte 96: node 1.2: value: x: want a number"},
		{withRoot(strings.Repeat(`{"kind": "max", "children": [`, 20) + `"x"`),
			"node 1.1.1.(14 more).1.1.1: x: want a node"},
		{withRoot(`{"kind": "max", "odds": [1], "children": [1]}`), "a max node with odds"},
		{withRoot(`{"kind": "chance", "children": [1]}`), "0 odds for 1 children"},
		{withRoot(`{"kind": "chance", "odds": [1], "children": [1, 2]}`), "1 odds for 2 children"},
		{withRoot(`{"kind": "chance", "odds": [0.5, 0.4], "children": [1, 2]}`), "odds sum to 0.9"},
		{withRoot(`{"kind": "chance", "odds": [1.5, -0.5], "children": [1, 2]}`), "odds 1.5 of child 1"},
		{withRoot(`{"kind": "chance", "odds": [1, 0], "children": [1, 2]}`), "odds 0 of child 2"},
		{withRoot(`{"kind": "chance", "odds": ["1"], "children": [1]}`), "want a number"},
		{withRoot(`{"kind": "max", "label": "top", "children": [1]}`), "no move leads to the root"},
		{withRoot(`{"kind": "max", "children": [{"value": 1, "label": "a"}, {"value": 2, "label": "a"}]}`),
			`two children with the label "a"`},
		{withRoot(`{"kind": "max", "children": [{"value": 1, "label": "2"}]}`), `label "2" is a number`},
		{withRoot(`{"kind": "max", "children": [{"value": 1, "label": "a.b"}]}`), `label "a.b"`},
		{withRoot(`{"kind": "max", "children": [{"value": 1, "label": "a b"}]}`), `label "a b"`},
		{withRoot(`{"kind": "max", "children": [{"value": 1, "label": "-"}]}`), `label "-"`},
		{withRoot(`{"kind": "max", "children": [{"value": 1, "label": 5}]}`), "want a label"},
		{withRoot(strings.Repeat(`{"kind": "max", "children": [`, 1002)), "deeper than 1000 plies"},
		{withRoot(`{"kind": "max", "children": [` + strings.Repeat("1,", tree.MaxChildren) + `1]}`),
			"more than 65534 entries"},
	} {
		g, err := tree.Parse(strings.NewReader(c.text))
		if len(c.text) > 200 {
			c.text = c.text[:200] + "…"
		}
		if err == nil {
			t.Errorf("%s: taken for %s", c.text, g.Spec)
		} else if !strings.Contains(err.Error(), c.reason) {
			t.Errorf("%s:\n got %v\nwant %s", c.text, err, c.reason)
		}
	}
}

// TestNewRefuses: what JSON cannot say is refused all the same.
func TestNewRefuses(t *testing.T) {
	leaf := &tree.Node{Value: 1}
	over := func(children ...*tree.Node) *tree.Node { return &tree.Node{Kind: tree.Max, Children: children} }
	deep := leaf
	for range tree.MaxDepth + 1 {
		deep = over(deep)
	}
	many := over(leaf, leaf)
	for range 20 {
		many = over(many, many) // shared below, and yet 2²¹ nodes of the tree
	}
	circle := over(leaf)
	circle.Children = append(circle.Children, circle)
	for _, c := range []struct {
		root   *tree.Node
		reason string
	}{
		{nil, "no root"},
		{over(nil), "child 1 is missing"},
		{over(leaf, over(&tree.Node{Value: math.NaN()})), "node 2.1: leaf NaN"},
		{over(&tree.Node{Value: math.Inf(-1)}), "node 1: leaf -Inf"},
		{over(&tree.Node{Kind: 9}), "node 1: unknown kind 9"},
		{over(&tree.Node{Children: []*tree.Node{leaf}}), "a leaf with 1 children"},
		{&tree.Node{Kind: tree.Min, Value: 3, Children: []*tree.Node{leaf}}, "a min node with the value 3"},
		{&tree.Node{Kind: tree.Chance, Odds: []float64{math.NaN()}, Children: []*tree.Node{leaf}}, "odds NaN"},
		{deep, "deeper than 1000 plies"},
		{circle, "deeper than 1000 plies"},
		{many, "more than 1048576 nodes"},
	} {
		if _, err := tree.New("t", c.root); err == nil || !strings.Contains(err.Error(), c.reason) {
			t.Errorf("%v, want %s", err, c.reason)
		}
	}
	if _, err := tree.NewBounded("t", over(leaf), math.Inf(1), 1); err == nil ||
		!strings.Contains(err.Error(), "lo +Inf") {
		t.Errorf("infinite bounds: %v", err)
	}
	if _, err := tree.NewBounded("t", over(leaf), 2, 3); err == nil ||
		!strings.Contains(err.Error(), "leaf 1 is not between") {
		t.Errorf("wrong bounds: %v", err)
	}
}

func TestKindNames(t *testing.T) {
	if got := fmt.Sprint(tree.Leaf, tree.Max, tree.Min, tree.Chance,
		tree.NodeKind(4)); got != "leaf max min chance unknown" {
		t.Errorf("kinds are written %s", got)
	}
}

// FuzzParse: whatever a file holds, it is refused or makes a game whose root
// has moves.
func FuzzParse(f *testing.F) {
	f.Add(labelled)
	f.Add(`{"name": "t", "root": {"kind": "min", "children": [1, {"value": -2e3, "label": "é"}]}}`)
	f.Add(`{"name": "t", "root": 7} `)
	f.Add(`{"name": "t", "hi": 1`)
	f.Fuzz(func(t *testing.T, text string) {
		g, err := tree.Parse(strings.NewReader(text))
		if err != nil {
			return
		}
		if moves := g.Start.Moves(nil); len(moves) == 0 || g.MaxPlies < 1 || g.MinPayoff > g.MaxPayoff {
			t.Errorf("%q is taken for a tree with moves %v, %d plies, payoffs from %v to %v", text, moves, g.MaxPlies,
				g.MinPayoff, g.MaxPayoff)
		}
	})
}
