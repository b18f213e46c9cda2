package search_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"oxo"
	"oxo/games/tree"
	"oxo/search"
)

type treeOptions = search.Options[tree.NodePos]

// variants are the options that must not change a value.
func variants() []treeOptions {
	unbounded := search.Unbounded
	return []treeOptions{
		{},
		{Stop: true},
		{Bounds: &unbounded},
		{Symmetry: search.FirstMove},
		{Symmetry: search.AllMoves, Order: search.Killers},
		{Memory: search.OneLevel, Level: 2, TableBytes: 1 << 12, Stop: true},
		{Memory: search.Everything, TableBytes: 1, Order: search.Best},
		{Memory: search.Everything, TableBytes: 1 << 14, Stop: true},
		{Memory: search.Everything, TableBytes: 1 << 14, Symmetry: search.AllMoves, Order: search.Best, Deepen: true},
		{Deepen: true, Order: search.Best},
		{Lines: 3},
	}
}

// TestRandomTreesSequential compares every algorithm, with all options that must not
// change a value, with the definition.
func TestRandomTreesSequential(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 1000 * effort {
		g, _ := randomGame(r, 2+i%4, i%2 == 0)
		want := plain(g, g.Start, math.MaxInt, nil)
		for _, a := range search.Algorithms {
			if !a.HasDepth() || g.Odds != nil && !a.HandlesChance() {
				continue
			}
			for _, o := range variants() {
				got := find(t, g, g.Start, a, o)
				if got.Value != want || !got.Exact() || !got.Complete {
					t.Fatalf("tree %d: %s with %s: %v (proven %v), want %v", i, a, describe(o), got.Value, got.Proven,
						want)
				}
				checkLines(t, g, got, fmt.Sprintf("tree %d: %s with %s", i, a, describe(o)))
			}
		}
	}
}

func describe(o treeOptions) string {
	return fmt.Sprintf("memory %v %d of %d bytes, symmetry %v, order %v, stop %v, deepen %v, lines %d, bounds %v",
		o.Memory, o.Level, o.TableBytes, o.Symmetry, o.Order, o.Stop, o.Deepen, o.Lines, o.Bounds)
}

// checkLines checks that the best moves have the values that they are said to
// have, that they are in order, and that the value of a line is that of the
// position that it leads to.
func checkLines[P oxo.Position[P]](t *testing.T, g *oxo.Game[P], r search.Result, what string) {
	t.Helper()
	if r.Move == oxo.NoMove {
		return
	}
	turn := g.Start.Turn()
	for i, l := range r.Lines {
		if v := plain(g, g.Start.Play(l.Move), math.MaxInt, nil); v != l.Value {
			t.Fatalf("%s: line %d is worth %v, not %v", what, i+1, v, l.Value)
		}
		if i > 0 && (turn == oxo.First) != (l.Value <= r.Lines[i-1].Value) && l.Value != r.Lines[i-1].Value {
			t.Fatalf("%s: lines are not in order: %v", what, r.Lines)
		}
		p := g.Start
		for _, m := range l.PV {
			p = p.Play(m)
		}
		if v := plain(g, p, math.MaxInt, nil); v != l.Value {
			t.Fatalf("%s: line %v leads to a position worth %v, not %v", what, l.PV, v, l.Value)
		}
	}
	if r.Lines[0].Move != r.Move || r.Lines[0].Value != r.Value {
		t.Fatalf("%s: best line %v, but move %v and value %v", what, r.Lines[0], r.Move, r.Value)
	}
}

// TestDepthLimit compares searches to a depth limit, where positions at the
// limit are judged by an evaluation, with the definition.
func TestDepthLimit(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for i := range 700 * effort {
		g, _ := randomGame(r, 5, i%2 == 0)
		depth := 1 + i%4
		eval := func(p tree.NodePos) float64 { return float64(g.Code(p)%7) - 3 }
		want := plain(g, g.Start, depth, eval)
		for _, a := range search.Algorithms {
			if !a.HasDepth() || g.Odds != nil && !a.HandlesChance() {
				continue
			}
			for _, o := range variants() {
				if o.Symmetry != search.NoSymmetry {
					continue // this evaluation tells symmetric positions apart
				}
				o.Depth, o.Eval = depth, eval
				if got := find(t, g, g.Start, a, o); got.Value != want && !(o.Deepen && got.Exact()) {
					t.Fatalf("tree %d, depth %d: %s with %s: %v, want %v", i, depth, a, describe(o), got.Value, want)
				}
			}
		}
	}
}

// TestPrunedLeavesDontMatter changes the leaves that a search never looked at
// to anything within the bounds: the value must stay what it was.
func TestPrunedLeavesDontMatter(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	pruned := map[search.Algorithm]int{}
	for i := range 800 * effort {
		g, root := randomGame(r, 4+i%2, i%2 == 0)
		for _, a := range search.Algorithms {
			if !a.HasDepth() || g.Odds != nil && !a.HandlesChance() {
				continue
			}
			before := find(t, g, g.Start, a, treeOptions{Leaves: true, Stop: i%3 == 0})
			change := map[int]bool{}
			for _, l := range before.Pruned {
				change[l.Number] = true
			}
			for _, l := range before.Evaluated {
				if change[l.Number] {
					t.Fatalf("tree %d: %s: leaf %d is both evaluated and pruned", i, a, l.Number)
				}
			}
			pruned[a] += len(change)
			setLeaves(r, root, change)
			changed, err := tree.NewBounded("random", root, -4, 4)
			if err != nil {
				t.Fatal(err)
			}
			if after := plain(changed, changed.Start, math.MaxInt, nil); after != before.Value {
				t.Fatalf("tree %d: %s: worth %v, but %v after changing leaves %v, which it pruned", i, a, before.Value,
					after, before.Pruned)
			}
			g = changed
		}
	}
	for _, a := range search.Algorithms {
		if a.Windowed() && pruned[a] == 0 {
			t.Errorf("%s never pruned a leaf", a)
		}
	}
}

// TestTraceBoundsHold compares what a trace says of each node with the definition: its value is that, or no less, or no
// more, as it says.
func TestTraceBoundsHold(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	said := map[string]int{}
	for i := range 200 * effort {
		g, _ := randomGame(r, 2+i%4, i%2 == 0)
		for _, a := range search.Algorithms {
			if !a.HasDepth() || g.Odds != nil && !a.HandlesChance() {
				continue
			}
			for _, o := range variants() {
				if o.Deepen || o.Lines > 0 {
					continue // passes that end at estimates, or are of moves that are left
				}
				o.Trace = &search.Tracer[tree.NodePos]{Max: 20 + i%200}
				find(t, g, g.Start, a, o)
				var walk func(n *search.TraceNode)
				walk = func(n *search.TraceNode) {
					p, err := g.Parse(n.Position)
					if err != nil {
						t.Fatal(err)
					}
					want, got := plain(g, p, math.MaxInt, nil), float64(n.Value)
					said[n.Bound]++
					if n.Bound == "=" && math.Abs(got-want) > 1e-9 || n.Bound == "≤" && want > got+1e-9 ||
						n.Bound == "≥" && want < got-1e-9 {
						t.Fatalf("tree %d: %s with %s: node %s is %s%v, and worth %v", i, a, describe(o), n.Position,
							n.Bound, got, want)
					}
					outside := got <= float64(n.Alpha) || got >= float64(n.Beta)
					if outside && n.Kind == search.Searched {
						said["outside "+n.Bound]++
					}
					for _, c := range n.Children {
						walk(c)
					}
				}
				for _, pass := range o.Trace.Passes {
					walk(pass)
				}
			}
		}
	}
	for _, bound := range []string{"=", "≤", "≥", "outside ="} {
		if said[bound] == 0 {
			t.Errorf("no node was %s", bound)
		}
	}
}
