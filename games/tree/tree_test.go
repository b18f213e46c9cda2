package tree_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"oxo"
	"oxo/games/tree"
	"oxo/gametest"
)

// labelled has a bit of everything: labels, all kinds of nodes, a lopsided
// shape, and a symmetry.
const labelled = `{"name": "labelled", "lo": -3, "hi": 2.5, "root": {"kind": "max", "children": [
	{"kind": "chance", "label": "bet", "odds": [0.25, 0.25, 0.5], "children": [
		{"kind": "min", "children": [1, -1]},
		{"kind": "min", "children": [-1, 1]},
		2.5]},
	{"kind": "min", "label": "wait", "children": [0, {"value": 1, "label": "raise"}, 0]},
	{"kind": "max", "children": [-3, {"kind": "leaf", "value": 2}]}
]}}`

func parse(t testing.TB, text string) *oxo.Game[tree.NodePos] {
	t.Helper()
	g, err := tree.Parse(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func builtin(t testing.TB, name string) *oxo.Game[tree.NodePos] {
	t.Helper()
	g, ok := tree.Builtin(name)
	if !ok {
		t.Fatalf("no tree %q", name)
	}
	return g
}

// hidden is that a position is a node, so that what symmetries do elsewhere in the tree is not seen.
var hidden = gametest.HiddenSymmetries()

func TestConformance(t *testing.T) {
	for _, name := range tree.Builtins() {
		t.Run(name, func(t *testing.T) { gametest.Run(t, builtin(t, name), hidden) })
	}
	t.Run("labelled", func(t *testing.T) { gametest.Run(t, parse(t, labelled), hidden) })
	r := rand.New(rand.NewPCG(1, 1))
	for range 30 {
		g, err := tree.New("random", randomNode(r, 0))
		if err != nil {
			t.Fatal(err)
		}
		t.Run("random", func(t *testing.T) { gametest.Run(t, g, gametest.WithoutPerftFile(), hidden) })
	}
}

func FuzzParsePosition(f *testing.F) { gametest.Fuzz(f, parse(f, labelled)) }

// randomNode returns a random tree with few different leaves, so that some of
// its parts look the same.
func randomNode(r *rand.Rand, depth int) *tree.Node {
	if depth > 0 && r.IntN(5) < depth {
		return &tree.Node{Value: float64(r.IntN(3) - 1)}
	}
	n := &tree.Node{Kind: tree.Max + tree.NodeKind(r.IntN(3))}
	for range 1 + r.IntN(4) {
		n.Children = append(n.Children, randomNode(r, depth+1))
	}
	if n.Kind == tree.Chance {
		for range n.Children {
			n.Odds = append(n.Odds, 1/float64(len(n.Children)))
		}
	}
	return n
}

// value is what a position is worth to First, by the definition.
func value(g *oxo.Game[tree.NodePos], p tree.NodePos) float64 {
	if p.Outcome() != oxo.Ongoing {
		return g.PayoffToFirst(p)
	}
	best, mean := math.Inf(-1), 0.0
	sign := 1.0
	if p.Turn() == oxo.Second {
		sign = -1
	}
	for _, m := range p.Moves(nil) {
		v := value(g, p.Play(m))
		best = max(best, sign*v)
		if p.Turn() == oxo.Chance {
			mean += g.Odds(p, m) * v
		}
	}
	if p.Turn() == oxo.Chance {
		return mean
	}
	return sign * best
}

// leaves returns the leaves below p from left to right.
func leaves(g *oxo.Game[tree.NodePos], p tree.NodePos) []float64 {
	if p.Outcome() != oxo.Ongoing {
		return []float64{g.Payoff(p)}
	}
	var all []float64
	for _, m := range p.Moves(nil) {
		all = append(all, leaves(g, p.Play(m))...)
	}
	return all
}

// TestBuiltins: the two trees have the leaves and values of the textbook.
func TestBuiltins(t *testing.T) {
	for _, c := range []struct {
		name     string
		leaves   []float64
		position string
		values   []float64 // of the moves at that position
		bounded  bool
	}{
		{"three-ply", []float64{3, 12, 8, 2, 4, 6, 14, 5, 2}, "-", []float64{3, 2, 2}, false},
		{"chance", []float64{2, 2, 1, 2, 0, 2, -1, 0}, "-", []float64{1.5, -0.5}, true},
		{"chance", []float64{2, 2, 1, 2, 0, 2, -1, 0}, "1", []float64{2, 1}, true},
		{"chance", []float64{2, 2, 1, 2, 0, 2, -1, 0}, "2", []float64{0, -1}, true},
	} {
		g := builtin(t, c.name)
		if got := leaves(g, g.Start); !slices.Equal(got, c.leaves) {
			t.Errorf("%s: leaves %v, want %v", c.name, got, c.leaves)
		}
		p, err := g.Parse(c.position)
		if err != nil {
			t.Fatal(err)
		}
		var values []float64
		for _, m := range p.Moves(nil) {
			values = append(values, value(g, p.Play(m)))
		}
		if !slices.Equal(values, c.values) {
			t.Errorf("%s at %s: values %v, want %v", c.name, c.position, values, c.values)
		}
		if lo, hi := g.PayoffBounds(); (p.Known() == oxo.Interval{Lo: math.Inf(-1), Hi: math.Inf(1)}) == c.bounded ||
			c.bounded && (lo != -2 || hi != 2) || !c.bounded && (lo != 2 || hi != 14) {
			t.Errorf("%s: bounds [%v, %v], given %v", c.name, lo, hi, p.Known())
		}
	}
	if _, ok := tree.Builtin("none"); ok {
		t.Error("there is a built-in tree called none")
	}
}

// TestLabels: moves are named by label or number, positions by numbers.
func TestLabels(t *testing.T) {
	g := parse(t, labelled)
	for _, c := range []struct{ move, name, position string }{
		{"bet", "bet", "1"}, {"1", "bet", "1"}, {"wait", "wait", "2"}, {"3", "3", "3"},
	} {
		m, err := g.ParseMove(g.Start, c.move)
		if err != nil {
			t.Errorf("%v", err)
			continue
		}
		if name, position := g.FormatMove(g.Start, m), g.Format(g.Start.Play(m)); name != c.name ||
			position != c.position {
			t.Errorf("move %s is written %s and leads to %s, want %s and %s", c.move, name, position, c.name,
				c.position)
		}
	}
	if p, err := g.Parse("wait.raise"); err != nil || g.Format(p) != "2.2" || g.Payoff(p) != 1 {
		t.Errorf("wait.raise is read as %v, %v", p, err)
	}
	for text, reason := range map[string]string{
		"bet.4": `move "4" at 1: want 1 to 3`, "2.1.1": "2.1 is a leaf", "": `move ""`, "1..1": `move ""`,
		"0": `move "0"`, "01": `move "01"`, "+1": `move "+1"`, "-.1": `move "-"`, "call": `move "call"`,
	} {
		if p, err := g.Parse(text); err == nil || !strings.Contains(err.Error(), reason) {
			t.Errorf("position %q: %v, %v, want %s", text, p, err, reason)
		}
	}
}

// TestSymmetries: the orders of some groups, counted by hand.
func TestSymmetries(t *testing.T) {
	for _, c := range []struct {
		root string
		want int64
	}{
		{`{"kind": "max", "children": [1, 2, 3]}`, 1},
		{`{"kind": "max", "children": [1, 1, 1, 2]}`, 6},
		{`{"kind": "max", "children": [0, -0, 0.0]}`, 6},
		{`{"kind": "chance", "odds": [0.25, 0.25, 0.5], "children": [1, 1, 1]}`, 2},
		{`{"kind": "max", "children": [{"kind": "min", "children": [1, 2]}, {"kind": "min", "children": [2, 1]}]}`, 2},
		{`{"kind": "max", "children": [{"kind": "min", "children": [1, 2]}, {"kind": "max", "children": [1, 2]}]}`, 1},
		{`{"kind": "max", "children": [{"kind": "min", "children": [5, 5]}, {"kind": "min", "children": [5, 5]}, {"kind": "min", "children": [5, 5]}]}`, 48},
	} {
		g := parse(t, `{"name": "t", "root": `+c.root+`}`)
		if g.Symmetries.Cmp(big.NewInt(c.want)) != 0 {
			t.Errorf("%s has %v symmetries, want %d", c.root, g.Symmetries, c.want)
		}
		if (g.Canonical == nil) != (c.want == 1) {
			t.Errorf("%s: canonical positions are there: %v", c.root, g.Canonical != nil)
		}
	}
}

// TestWide: the widest tree there can be, all of whose leaves look the same.
func TestWide(t *testing.T) {
	root := &tree.Node{Kind: tree.Max}
	for range tree.MaxChildren {
		root.Children = append(root.Children, &tree.Node{Value: 1})
	}
	g, err := tree.New("wide", root)
	if err != nil {
		t.Fatal(err)
	}
	if want := new(big.Int).MulRange(1, int64(tree.MaxChildren)); g.Symmetries.Cmp(want) != 0 {
		t.Error("the symmetries of 65,534 equal leaves are not 65,534!")
	}
	if moves := g.Start.Moves(nil); len(moves) != g.MaxMoves || moves[len(moves)-1] >= oxo.NoMove {
		t.Errorf("%d moves, the last is %d", len(moves), moves[len(moves)-1])
	}
	root.Children = append(root.Children, root.Children[0])
	if _, err := tree.New("wider", root); err == nil || !strings.Contains(err.Error(), "65535 children") {
		t.Errorf("one child more: %v", err)
	}
}
