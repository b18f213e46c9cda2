package search_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"oxo"
	"oxo/board"
	"oxo/games/tree"
	"oxo/search"
	"oxo/search/mcts"
)

// TestTraceIsComplete checks, for a 3×3 position with five marks, that the
// trace has a node for each that was searched, that every node's value follows
// from its children's, and that JSON and drawing have all of them.
func TestTraceIsComplete(t *testing.T) {
	g := mnk(t, 3, 3, 3)
	p, err := g.Parse("xo./.x./..o x")
	if err != nil {
		t.Fatal(err)
	}
	p = p.Play(p.Moves(nil)[0])
	for _, a := range []search.Algorithm{search.Minimax, search.Negamax, search.AlphaBeta, search.PVS, search.MTDF} {
		trace := &search.Tracer[board.Pos64]{}
		r := find(t, g, p, a, boardOptions{Trace: trace})
		var searched, cut int
		var walk func(n *search.TraceNode)
		walk = func(n *search.TraceNode) {
			switch n.Kind {
			case search.CutOff:
				cut++
				at, err := g.Parse(n.Position)
				if err != nil || n.Over != (at.Outcome() != oxo.Ongoing) {
					t.Errorf("%s: %s is cut, the game over there: %t, %v", a, n.Position, n.Over, err)
				}
				return
			case search.Unfinished:
				t.Errorf("%s: %s is unfinished", a, n.Position)
			}
			searched++
			if n.Kind == search.Searched {
				best := n.Children[0].Value
				for _, c := range n.Children {
					better := n.Turn == "first" && c.Value > best || n.Turn == "second" && c.Value < best
					if c.Kind != search.CutOff && better {
						best = c.Value
					}
				}
				if a != search.PVS && best != n.Value {
					t.Errorf("%s: %s has value %v, but a child %v", a, n.Position, n.Value, best)
				}
			}
			for _, c := range n.Children {
				walk(c)
			}
		}
		for _, pass := range trace.Passes {
			walk(pass)
		}
		if uint64(searched) != r.Nodes || trace.Omitted != 0 || a.Windowed() != (cut > 0) || trace.Cuts != cut {
			t.Errorf("%s: %d nodes traced of %d, %d cut of %d, %d omitted", a, searched, r.Nodes, cut, trace.Cuts,
				trace.Omitted)
		}
		part := &search.Tracer[board.Pos64]{Max: 3}
		find(t, g, p, a, boardOptions{Trace: part})
		if part.Cuts != cut || uint64(part.Omitted-part.OmittedCuts) != r.Nodes-3 {
			t.Errorf("%s: %d cut of %d where not all are recorded; %d are left out, %d of them cut, of %d nodes", a,
				part.Cuts, cut, part.Omitted, part.OmittedCuts, r.Nodes)
		}
		checkJSON(t, trace, searched+cut)
		checkSVG(t, trace, searched+cut, cut)
	}
}

func checkJSON(t *testing.T, trace interface{ WriteJSON(io.Writer) error }, nodes int) {
	t.Helper()
	var out bytes.Buffer
	if err := trace.WriteJSON(&out); err != nil {
		t.Fatal(err)
	}
	var read struct {
		Game   string
		Nodes  int
		Passes []json.RawMessage
	}
	if err := json.Unmarshal(out.Bytes(), &read); err != nil {
		t.Fatal(err)
	}
	if read.Nodes != nodes || len(read.Passes) == 0 || read.Game == "" {
		t.Errorf("JSON of %v nodes of %q, want %v", read.Nodes, read.Game, nodes)
	}
}

// drawing returns a trace's picture.
func drawing(t *testing.T, trace interface{ WriteSVG(io.Writer) error }) string {
	t.Helper()
	var out strings.Builder
	if err := trace.WriteSVG(&out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// checkSVG checks how many boxes and cuts there are in a picture, and that its
// boxes lie within it and apart.
func checkSVG(t *testing.T, trace interface{ WriteSVG(io.Writer) error }, boxes, bars int) {
	t.Helper()
	out := strings.NewReader(drawing(t, trace))
	seen := map[string]int{}
	type box struct{ left, top, right, bottom float64 }
	var placed []box
	var page box
	number := func(e xml.StartElement, name string) float64 {
		for _, a := range e.Attr {
			if a.Name.Local == name {
				v, err := strconv.ParseFloat(a.Value, 64)
				if err != nil {
					t.Errorf("%s of %s: %v", name, e.Name.Local, err)
				}
				return v
			}
		}
		t.Errorf("%s has no %s", e.Name.Local, name)
		return 0
	}
	for d := xml.NewDecoder(out); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if e, ok := token.(xml.StartElement); ok {
			seen[e.Name.Local]++
			switch e.Name.Local {
			case "svg":
				page = box{0, 0, number(e, "width"), number(e, "height")}
			case "rect":
				x, y := number(e, "x"), number(e, "y")
				b := box{x, y, x + number(e, "width"), y + number(e, "height")}
				if b.left < 0 || b.top < 0 || b.right > page.right || b.bottom > page.bottom || b.left >= b.right ||
					b.top >= b.bottom {
					t.Errorf("the box %v is not within %v", b, page)
				}
				for _, o := range placed {
					if b.left < o.right && o.left < b.right && b.top < o.bottom && o.top < b.bottom {
						t.Errorf("the boxes %v and %v lie over each other", b, o)
					}
				}
				placed = append(placed, b)
			}
			for _, a := range e.Attr {
				if a.Name.Local == "class" && a.Value == "bar" {
					seen["bar"]++
				}
				if strings.Contains(a.Value, "NaN") || strings.Contains(a.Value, "Inf") {
					t.Errorf("%s has %s %q", e.Name.Local, a.Name.Local, a.Value)
				}
			}
		}
	}
	if seen["rect"] != boxes || seen["bar"] != bars {
		t.Errorf("drawing has %d boxes and %d cuts, want %d and %d", seen["rect"], seen["bar"], boxes, bars)
	}
}

// TestTraceBound checks that a trace does not outgrow its size and that what
// is left out is counted.
func TestTraceBound(t *testing.T) {
	g := mnk(t, 3, 3, 3)
	trace := &search.Tracer[board.Pos64]{Max: 50}
	r := find(t, g, g.Start, search.Minimax, boardOptions{Trace: trace})
	if uint64(trace.Omitted) != r.Nodes-50 {
		t.Errorf("%d omitted of %d, want all but 50", trace.Omitted, r.Nodes)
	}
	checkJSON(t, trace, 50)
	checkSVG(t, trace, 50, 0)
	if out, want := drawing(t, trace), fmt.Sprintf("%d more nodes are not drawn", trace.Omitted); !strings.Contains(out,
		want) {
		t.Errorf("no %q in the drawing", want)
	}
}

// TestTraceMemory checks that nodes answered from memory are marked.
func TestTraceMemory(t *testing.T) {
	g := mnk(t, 3, 3, 3)
	p, err := g.Parse("xo./.x./..o x")
	if err != nil {
		t.Fatal(err)
	}
	trace := &search.Tracer[board.Pos64]{}
	find(t, g, p, search.Minimax, boardOptions{Trace: trace, Memory: search.Everything, TableBytes: 1 << 16})
	remembered := 0
	var walk func(n *search.TraceNode)
	walk = func(n *search.TraceNode) {
		if n.Kind == search.Remembered {
			remembered++
		}
		for _, c := range n.Children {
			walk(c)
		}
	}
	walk(trace.Passes[0])
	if remembered == 0 {
		t.Error("no node was answered from memory")
	}
}

// TestTraceUnfinished checks that the trace of an interrupted search can be
// written.
func TestTraceUnfinished(t *testing.T) {
	g := mnk(t, 3, 3, 3)
	trace := &search.Tracer[board.Pos64]{}
	find(t, g, g.Start, search.AlphaBeta, boardOptions{Trace: trace, MaxNodes: 20})
	checkJSON(t, trace, 22) // two of them cut
	checkSVG(t, trace, 22, 2)
}

// TestTraceDrawsChance checks that odds and probes are in the drawing.
func TestTraceDrawsChance(t *testing.T) {
	g := builtin(t, "chance")
	trace := &search.Tracer[tree.NodePos]{}
	find(t, g, g.Start, search.Star2, treeOptions{Trace: trace})
	out := drawing(t, trace)
	for _, want := range []string{"p=0.5", "probed", "#5", "cut", "≤"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in the drawing", want)
		}
	}
	if strings.Contains(out, "not drawn") {
		t.Error("nodes are said to be left out")
	}
}

// TestTraceDrawsWindows checks that windows are in the drawing, null windows as
// the question that they ask.
func TestTraceDrawsWindows(t *testing.T) {
	g := builtin(t, "three-ply")
	trace := &search.Tracer[tree.NodePos]{}
	find(t, g, g.Start, search.PVS, treeOptions{Trace: trace})
	out := drawing(t, trace)
	for _, want := range []string{"[−∞, ∞]", "&gt; 3?"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in the drawing", want)
		}
	}
	if n := strings.Count(out, "&gt; 3?"); n != 2 {
		t.Errorf("%d null windows", n)
	}
}

// TestTraceMCTS checks that the trace of mcts has the most visited nodes, whose
// visits add up, that the others that were visited are counted, and that the
// tree is the one that the result is of, however many workers there might be.
func TestTraceMCTS(t *testing.T) {
	g := mnk(t, 3, 3, 3)
	trace := &search.Tracer[board.Pos64]{Max: 300}
	r := find(t, g, g.Start, search.MCTS, boardOptions{Trace: trace,
		Sampling: mcts.Sampling{Sims: 2000, Workers: 2}})
	nodes := 0
	var walk func(n *search.TraceNode)
	walk = func(n *search.TraceNode) {
		nodes++
		below := uint64(0)
		for _, c := range n.Children {
			below += c.Visits
			walk(c)
		}
		if n.Visits == 0 || below > n.Visits {
			t.Errorf("%s: %d visits, but %d below", n.Position, n.Visits, below)
		}
	}
	walk(trace.Passes[0])
	part, omitted := nodes, trace.Omitted
	if part > 300 || part < 100 || trace.Passes[0].Visits != r.Nodes || omitted == 0 {
		t.Errorf("%d nodes and %d omitted; %d visits of %d", part, omitted, trace.Passes[0].Visits, r.Nodes)
	}
	checkJSON(t, trace, part)
	checkSVG(t, trace, part, 0)
	nodes, trace.Max = 0, r.Stored
	find(t, g, g.Start, search.MCTS, boardOptions{Trace: trace, Sampling: mcts.Sampling{Sims: 2000}})
	if walk(trace.Passes[0]); trace.Omitted != 0 || nodes != part+omitted {
		t.Errorf("the whole tree has %d nodes, of which %d are omitted; the part had %d and %d", nodes, trace.Omitted,
			part, omitted)
	}
}

// TestScoresShown: in the trace of a search to a depth every estimate is shown by its score, a win by
// who wins, and what a node is worth still follows from its children.
func TestScoresShown(t *testing.T) {
	g := mnk(t, 3, 3, 3)
	p, err := g.Parse("xx./.o./... o")
	if err != nil {
		t.Fatal(err)
	}
	score := func(v float64) float64 { return 10 * v }
	judge := func(p board.Pos64) float64 {
		x, o := p.Marks()
		return float64(2*x.First()-o.First()) / 20
	}
	for _, a := range []search.Algorithm{search.Minimax, search.AlphaBeta, search.PVS, search.MTDF} {
		trace := &search.Tracer[board.Pos64]{}
		find(t, g, p, a, boardOptions{Depth: 2, Eval: judge, Trace: trace})
		trace.ShowScores(score)
		won, scored := 0, 0
		var walk func(n *search.TraceNode)
		walk = func(n *search.TraceNode) {
			if n.Won != "" {
				won++
			}
			if n.Kind == search.AtLeaf && n.Won == "" {
				q, err := g.Parse(n.Position)
				if err != nil || math.Abs(float64(n.Value)-score(judge(q))) > 1e-9 {
					t.Errorf("%s: the leaf %s is shown as %v: %v", a, n.Position, n.Value, err)
				}
				scored++
			}
			for _, c := range n.Children {
				walk(c)
			}
		}
		for _, pass := range trace.Passes {
			walk(pass)
		}
		if won == 0 || scored == 0 {
			t.Errorf("%s: %d won nodes, %d scored leaves", a, won, scored)
		}
		checkSVGReads(t, trace)
	}
}

func checkSVGReads(t *testing.T, trace interface{ WriteSVG(io.Writer) error }) {
	t.Helper()
	var svg bytes.Buffer
	if err := trace.WriteSVG(&svg); err != nil || !strings.Contains(svg.String(), "∞") {
		t.Errorf("the drawing of scores: %v", err)
	}
}

// TestTraceSimulations: telling of simulations changes nothing of a search; the first ones are told, as many as there
// is room for; each selects the move with the greatest score, and from their results, where all are told, the visits
// and means follow that the tree has in the end, and from what was proven what is.
func TestTraceSimulations(t *testing.T) {
	judge := func(p board.Pos64) float64 {
		x, o := p.Marks()
		return float64(2*x.First()-o.First()) / 20
	}
	for name, o := range map[string]boardOptions{
		"UCT":      {Sampling: mcts.Sampling{Sims: 300}},
		"plain":    {Sampling: mcts.Sampling{Sims: 300, NoProof: true, Explore: 0.5}},
		"PUCT":     {Eval: judge, Sampling: mcts.Sampling{Sims: 300}},
		"UCT-RAVE": {Sampling: mcts.Sampling{Sims: 300, RAVE: 50}},
		"dfpn":     {Sampling: mcts.Sampling{Sims: 2000, Prove: 1}},
	} {
		g := mnk(t, 3, 3, 3)
		o.Seed, o.Lines = 3, 9
		plain := find(t, g, g.Start, search.MCTS, o)
		o.Trace = &search.Tracer[board.Pos64]{Max: 100_000}
		traced := find(t, g, g.Start, search.MCTS, o)
		if !reflect.DeepEqual(plain, traced) {
			t.Errorf("%s: %+v without trace, %+v with it", name, plain, traced)
		}
		told := o.Trace.Simulations
		if formula := map[string]string{"plain": "UCT", "dfpn": "UCT"}[name]; told.Formula != cmp.Or(formula, name) {
			t.Errorf("%s: told as %s", name, told.Formula)
		}
		if told.Untold != 0 || uint64(len(told.Told)) != o.Trace.Passes[0].Visits {
			t.Errorf("%s: %d simulations told, %d not, of %d", name, len(told.Told), told.Untold, traced.Nodes)
		}
		checkReplay(t, name, o.Trace.Passes[0], told.Told)
		o.Trace = &search.Tracer[board.Pos64]{Max: 50}
		find(t, g, g.Start, search.MCTS, o)
		part := o.Trace.Simulations
		if m := len(part.Told); m == 0 || m > 50 || m+part.Untold != len(told.Told) ||
			!reflect.DeepEqual(part.Told, told.Told[:m]) {
			t.Errorf("%s: with little room %d are told and %d not", name, m, part.Untold)
		}
	}
}

// checkReplay replays simulations and compares what becomes of them with the tree in the end.
func checkReplay(t *testing.T, name string, root *search.TraceNode, told []mcts.ToldSimulation) {
	t.Helper()
	type known struct {
		sum, weight float64
		visits      uint64
		lo, hi      float64
	}
	tree := map[string]*known{}
	for i, s := range told {
		path := ""
		visit := func(last bool) {
			k := tree[path]
			if new := last && s.Added != nil; (k == nil) != new {
				t.Fatalf("%s: simulation %d: whether %q is new is told wrongly", name, i+1, path)
			} else if new {
				k = &known{lo: -1, hi: 1}
				if s.Added.Judged != nil {
					k.sum, k.weight = *s.Added.Judged, 1
				}
				tree[path] = k
			}
			k.sum, k.weight, k.visits = k.sum+s.Result, k.weight+1, k.visits+1
		}
		visit(len(s.Path) == 0)
		for ply, m := range s.Path {
			checkSelected(t, name, m)
			path += m.Move + " "
			for _, c := range m.Tried {
				if k := tree[strings.TrimSuffix(path, m.Move+" ")+c.Move+" "]; (k == nil) != (c.Visits == 0) ||
					k != nil && (k.visits != uint64(c.Visits) || k.sum/k.weight != c.Mean) {
					t.Fatalf("%s: simulation %d, after %q: %+v is told of %+v", name, i+1, path, c, k)
				}
			}
			visit(ply == len(s.Path)-1)
		}
		for _, p := range s.Proven {
			k := tree[strings.Join(append(p.Path, ""), " ")]
			k.lo, k.hi = p.Lo, p.Hi
		}
	}
	nodes := 0
	var walk func(n *search.TraceNode, path string)
	walk = func(n *search.TraceNode, path string) {
		nodes++
		k := tree[path]
		want := known{k.sum, k.weight, n.Visits, float64(n.Alpha), float64(n.Beta)}
		if *k != want || k.sum/k.weight != float64(*n.Mean) {
			t.Errorf("%s: %q has %v, %+v; its simulations make %v, %+v", name, path, *n.Mean, want, k.sum/k.weight, *k)
		}
		for _, c := range n.Children {
			walk(c, path+c.Move+" ")
		}
	}
	if walk(root, ""); nodes != len(tree) {
		t.Errorf("%s: %d nodes, but %d by its simulations", name, nodes, len(tree))
	}
}

// checkSelected checks that the move selected has the greatest score, or that nothing is known of it yet.
func checkSelected(t *testing.T, name string, m mcts.Selection) {
	t.Helper()
	best, chosen := math.Inf(-1), math.Inf(-1)
	for _, c := range m.Tried {
		score := math.Inf(1)
		if c.Score != nil {
			score = *c.Score
		}
		if !c.RuledOut {
			best = max(best, score)
		}
		if c.Move == m.Move {
			chosen = score
		}
	}
	if chosen != best {
		t.Errorf("%s: %+v is not the best", name, m)
	}
}
