package search_test

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"oxo"
	"oxo/games/tree"
	"oxo/search"
	"oxo/solve"
)

func builtin(t *testing.T, name string) *oxo.Game[tree.NodePos] {
	t.Helper()
	g, ok := tree.Builtin(name)
	if !ok {
		t.Fatalf("no tree %q", name)
	}
	return g
}

func parseTree(t *testing.T, text string) *oxo.Game[tree.NodePos] {
	t.Helper()
	g, err := tree.Parse(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func values(leaves []search.Leaf) []float64 {
	list := []float64{}
	for _, l := range leaves {
		list = append(list, l.Value)
	}
	return list
}

func numbers(leaves []search.Leaf) []int {
	list := []int{}
	for _, l := range leaves {
		list = append(list, l.Number)
	}
	return list
}

// TestExactOrder has the textbook's tree searched with the best moves first, which prunes all that can be pruned, also
// the third min node after its 2, and with the worst first, which prunes nothing (Russell and Norvig, on ordering).
func TestExactOrder(t *testing.T) {
	g := builtin(t, "three-ply")
	s, err := solve.Solve(t.Context(), g, g.Start, solve.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	worth := func(p tree.NodePos) float64 { v, _ := s.At(p); return v.Expected }
	for order, want := range map[search.Order]struct {
		nodes     uint64
		evaluated []float64
	}{search.Perfect: {9, []float64{3, 8, 12, 2, 2}}, search.Worst: {13, []float64{6, 4, 2, 14, 5, 2, 12, 8, 3}}} {
		r := find(t, g, g.Start, search.AlphaBeta, treeOptions{Leaves: true, Order: order, Worth: worth})
		if r.Nodes != want.nodes || r.Value != 3 || !slices.Equal(values(r.Evaluated), want.evaluated) {
			t.Errorf("%s: %d nodes, value %v, evaluated %v", order, r.Nodes, r.Value, values(r.Evaluated))
		}
	}
	if _, err := search.Search(t.Context(), g, g.Start, search.PVS, treeOptions{Order: search.Worst}); err == nil {
		t.Error("the order worst does without exact values")
	}
}

// TestThreePly is the textbook's example of minimax and alpha-beta (Russell
// and Norvig, Artificial Intelligence, on adversarial search).
func TestThreePly(t *testing.T) {
	g := builtin(t, "three-ply")
	unbounded := search.Unbounded
	o := treeOptions{Leaves: true, Bounds: &unbounded, Trace: &search.Tracer[tree.NodePos]{}}
	for _, a := range []search.Algorithm{search.Minimax, search.Negamax, search.AlphaBeta, search.Star1, search.Star2,
		search.PVS} {
		r := find(t, g, g.Start, a, o)
		evaluated, pruned := []float64{3, 12, 8, 2, 14, 5, 2}, []float64{4, 6}
		if !a.Windowed() {
			evaluated, pruned = []float64{3, 12, 8, 2, 4, 6, 14, 5, 2}, []float64{}
		}
		if r.Value != 3 || r.Score != 3 || r.Move != 0 || !slices.Equal(r.PV, []oxo.Move{0, 0}) {
			t.Errorf("%s: value %v, move %v, line %v; want 3, 0, [0 0]", a, r.Value, r.Move, r.PV)
		}
		if !slices.Equal(values(r.Evaluated), evaluated) || !slices.Equal(values(r.Pruned), pruned) {
			t.Errorf("%s: evaluated %v, pruned %v; want %v, %v", a, r.Evaluated, r.Pruned, evaluated, pruned)
		}
	}
}

// TestWindows checks the window and the result of every node of the three-ply
// tree, as the textbook steps through them.
func TestWindows(t *testing.T) {
	g := builtin(t, "three-ply")
	unbounded := search.Unbounded
	trace := &search.Tracer[tree.NodePos]{}
	find(t, g, g.Start, search.AlphaBeta, treeOptions{Bounds: &unbounded, Trace: trace})
	var got []string
	var walk func(n *search.TraceNode)
	walk = func(n *search.TraceNode) {
		got = append(got, fmt.Sprintf("%s %s [%v %v] %s%v", n.Position, n.Kind, n.Alpha, n.Beta, n.Bound, n.Value))
		for _, c := range n.Children {
			walk(c)
		}
	}
	walk(trace.Passes[0])
	want := []string{
		"- searched [-Inf +Inf] =3",
		"1 searched [-Inf +Inf] =3",
		"1.1 leaf [-Inf +Inf] =3",
		"1.2 leaf [-Inf 3] =12",
		"1.3 leaf [-Inf 3] =8",
		"2 searched [3 +Inf] ≤2",
		"2.1 leaf [3 +Inf] =2",
		"2.2 cut [-Inf +Inf] NaN",
		"2.3 cut [-Inf +Inf] NaN",
		"3 searched [3 +Inf] =2",
		"3.1 leaf [3 +Inf] =14",
		"3.2 leaf [3 14] =5",
		"3.3 leaf [3 5] =2",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestChanceTree is the textbook's exercise on pruning with chance nodes
// (5.16): with leaves known in [-2, 2] the leaves 6, 7 and 8 need not be
// evaluated, without bounds only the last.
func TestChanceTree(t *testing.T) {
	g := builtin(t, "chance")
	for _, c := range []struct {
		a              search.Algorithm
		bounds         *oxo.Interval
		evaluated, not []int
	}{
		{search.Expectiminimax, nil, []int{1, 2, 3, 4, 5, 6, 7, 8}, []int{}},
		{search.Star1, nil, []int{1, 2, 3, 4, 5}, []int{6, 7, 8}},
		{search.Star1, &search.Unbounded, []int{1, 2, 3, 4, 5, 6, 7}, []int{8}},
		{search.Star2, &search.Unbounded, []int{1, 2, 3, 4, 5, 6, 7}, []int{8}},
	} {
		r := find(t, g, g.Start, c.a, treeOptions{Leaves: true, Bounds: c.bounds})
		if r.Value != 1.5 || r.Move != 0 || !slices.Equal(r.PV, []oxo.Move{0}) {
			t.Errorf("%s: value %v, move %v, line %v; want 1.5, 0, [0]", c.a, r.Value, r.Move, r.PV)
		}
		if !slices.Equal(numbers(r.Evaluated), c.evaluated) || !slices.Equal(numbers(r.Pruned), c.not) {
			t.Errorf("%s in %v: evaluated %v, pruned %v; want %v, %v", c.a, c.bounds, numbers(r.Evaluated),
				numbers(r.Pruned), c.evaluated, c.not)
		}
	}
	// Star2 looks at the first leaf of every min node before it goes on.
	r := find(t, g, g.Start, search.Star2, treeOptions{Leaves: true})
	if want := []int{1, 3, 2, 4, 5}; r.Value != 1.5 || !slices.Equal(numbers(r.Evaluated), want) {
		t.Errorf("star2: value %v, evaluated %v; want 1.5, %v", r.Value, numbers(r.Evaluated), want)
	}
}

// TestIntervals checks where the values of the root and its two chance nodes
// are known to lie after each leaf.
func TestIntervals(t *testing.T) {
	g := builtin(t, "chance")
	trace := &search.Tracer[tree.NodePos]{}
	find(t, g, g.Start, search.Star1, treeOptions{Trace: trace})
	in := oxo.Interval{Lo: -2, Hi: 2}
	root := trace.Passes[0]
	left, right := root.Children[0], root.Children[1]
	for k, want := range []struct{ root, left, right oxo.Interval }{
		{in, in, in},
		{in, in, in},
		{oxo.Interval{Lo: 0, Hi: 2}, oxo.Interval{Lo: 0, Hi: 2}, in},
		{oxo.Interval{Lo: 0, Hi: 2}, oxo.Interval{Lo: 0, Hi: 1.5}, in},
		{oxo.Interval{Lo: 1.5, Hi: 2}, oxo.Interval{Lo: 1.5, Hi: 1.5}, in},
		{oxo.Interval{Lo: 1.5, Hi: 1.5}, oxo.Interval{Lo: 1.5, Hi: 1.5}, oxo.Interval{Lo: -2, Hi: 1}},
	} {
		if got := root.KnownAfterLeaves(k, in); got != want.root {
			t.Errorf("root after %d leaves: %v, want %v", k, got, want.root)
		}
		if got := left.KnownAfterLeaves(k, in); got != want.left {
			t.Errorf("left after %d leaves: %v, want %v", k, got, want.left)
		}
		if got := right.KnownAfterLeaves(k, in); got != want.right {
			t.Errorf("right after %d leaves: %v, want %v", k, got, want.right)
		}
	}
	if err := trace.WriteJSON(io.Discard); err != nil {
		t.Fatal(err)
	}
	want := []search.Known{{Leaves: 0, Lo: -2, Hi: 2}, {Leaves: 2, Lo: 0, Hi: 2}, {Leaves: 3, Lo: 0, Hi: 1.5},
		{Leaves: 4, Lo: 1.5, Hi: 1.5}}
	if !slices.Equal(left.Known, want) {
		t.Errorf("left: known %v, want %v", left.Known, want)
	}
}

// TestSingleAgentPruning is the textbook's exercise on pruning where only one
// side moves (5.20): in a max tree and in one of max and chance nodes
// leaves can be pruned if they are known to lie in [0, 1], and not if they are
// unbounded or only known not to be negative.
func TestSingleAgentPruning(t *testing.T) {
	maxTree := `{"name": "max", "lo": 0, "hi": 1, "root": {"kind": "max", "children": [
		{"kind": "max", "children": [1, 0.5]}, {"kind": "max", "children": [0.25, 0]}]}}`
	expectimax := `{"name": "expectimax", "lo": 0, "hi": 1, "root": {"kind": "max", "children": [
		{"kind": "chance", "odds": [0.5, 0.5], "children": [1, 1]},
		{"kind": "chance", "odds": [0.5, 0.5], "children": [0.25, 0]}]}}`
	atLeastZero := oxo.Interval{Lo: 0, Hi: search.Unbounded.Hi}
	for _, text := range []string{maxTree, expectimax} {
		g := parseTree(t, text)
		for _, c := range []struct {
			bounds *oxo.Interval
			prunes bool
		}{{&search.Unbounded, false}, {nil, true}, {&atLeastZero, false}} {
			r := find(t, g, g.Start, search.Star1, treeOptions{Leaves: true, Stop: true, Bounds: c.bounds})
			if got := len(r.Pruned) > 0; got != c.prunes || r.Value != 1 {
				t.Errorf("%s in %v: value %v, pruned %v; want 1 and pruning %v", g.Spec, c.bounds, r.Value, r.Pruned,
					c.prunes)
			}
		}
	}
}

// TestLikelyFirst checks that an order puts the likeliest outcome first.
func TestLikelyFirst(t *testing.T) {
	g := parseTree(t, `{"name": "odds", "lo": 0, "hi": 1, "root": {"kind": "max", "children": [
		{"kind": "chance", "odds": [0.125, 0.625, 0.25], "children": [0.25, 0.5, 0.75]}, 0]}}`)
	r := find(t, g, g.Start, search.Star1, treeOptions{Leaves: true, Order: search.Killers})
	if want := []int{2, 3, 1, 4}; !slices.Equal(numbers(r.Evaluated), want) || len(r.Pruned) != 0 {
		t.Errorf("evaluated %v, want %v", r.Evaluated, want)
	}
}

// TestTiesKeepTheFirst checks that a bound that ties with the best value does
// not replace it: the second move is worth 1 at most and in truth 0.
func TestTiesKeepTheFirst(t *testing.T) {
	g := parseTree(t, `{"name": "tie", "root": {"kind": "max", "children": [
		{"kind": "min", "children": [1, 2]}, {"kind": "min", "children": [1, 0]}]}}`)
	for _, a := range search.Algorithms {
		if !a.HasDepth() {
			continue
		}
		if r := find(t, g, g.Start, a, treeOptions{}); r.Value != 1 || r.Move != 0 {
			t.Errorf("%s: value %v, move %v; want 1 by the first", a, r.Value, r.Move)
		}
	}
}
