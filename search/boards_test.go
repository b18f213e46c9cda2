package search_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"oxo"
	"oxo/board"
	"oxo/games/grid"
	"oxo/search"
	"oxo/search/mcts"
)

type boardOptions = search.Options[board.Pos64]

// TestEveryRuleSet compares the algorithms on random positions of 3×3 under
// every rule set with the definition, slipping marks included.
func TestEveryRuleSet(t *testing.T) {
	b, err := grid.New(grid.Shape{Cols: 3, Rows: 3, Run: 3})
	if err != nil {
		t.Fatal(err)
	}
	slippery := board.Normal
	slippery.Slip = 0.25
	r := rand.New(rand.NewPCG(7, 8))
	for _, rules := range append(board.AllRules, slippery) {
		g := board.Game64("3×3+"+rules.Name, "", b, rules)
		for range 15 * effort {
			start := *g
			start.Start = randomPosition(r, g, 5+r.IntN(4))
			want := plain(g, start.Start, 100, nil)
			for _, a := range search.Algorithms {
				if g.Odds != nil && !a.HandlesChance() {
					continue
				}
				for _, o := range boardVariants(a) {
					if g.Odds != nil && a == search.MCTS {
						o.Sims = 2000 // proofs take too long here
					}
					got := find(t, &start, start.Start, a, o)
					if a == search.MCTS && g.Odds != nil {
						if want < got.Proven.Lo-1e-12 || want > got.Proven.Hi+1e-12 {
							t.Fatalf("mcts on %s in %s: proven %v, but it is %v", g.Spec, g.Format(start.Start),
								got.Proven, want)
						}
						continue
					}
					if difference := got.Value - want; difference > 1e-12 || difference < -1e-12 || !got.Exact() {
						t.Fatalf("%s on %s in %s: %v, proven %v, want %v", a, g.Spec, g.Format(start.Start), got.Value,
							got.Proven, want)
					}
					if a != search.PNS && a != search.DFPN && g.Odds == nil {
						checkLines(t, &start, got, fmt.Sprint(a, " on ", g.Spec, " in ", g.Format(start.Start)))
					}
				}
			}
		}
	}
}

// boardVariants are options that must not change the value that a finds.
func boardVariants(a search.Algorithm) []boardOptions {
	if a == search.MCTS {
		return []boardOptions{
			{Sampling: mcts.Sampling{Sims: 2_000_000}},
			{Sampling: mcts.Sampling{Sims: 2_000_000, RAVE: 100, Seed: 1}},
			{Sampling: mcts.Sampling{Sims: 2_000_000, Workers: 3}},
		}
	}
	switch a {
	case search.PNS:
		return []boardOptions{{}}
	case search.DFPN:
		return []boardOptions{{}, {TableBytes: 1 << 11}}
	}
	return []boardOptions{
		{},
		{Stop: true, Symmetry: search.FirstMove, Order: search.Killers, Lines: 2},
		{Memory: search.Everything, TableBytes: 1 << 14, Symmetry: search.AllMoves, Order: search.Best, Deepen: true},
	}
}

// randomPosition plays that many random moves of the seats, or fewer where the
// game would be over, and returns a position where a seat is to move.
func randomPosition[P oxo.Position[P]](r *rand.Rand, g *oxo.Game[P], moves int) P {
	p, settled := g.Start, g.Start
	for n := 0; n < moves && p.Outcome() == oxo.Ongoing; {
		legal := p.Moves(nil)
		p = p.Play(legal[r.IntN(len(legal))])
		if p.Outcome() == oxo.Ongoing && p.Turn() != oxo.Chance {
			settled = p
			n++
		}
	}
	return settled
}

// TestKnownValues checks games whose values are known: 3×3 is a draw, and
// 4×4 with three in a row and 3×3×3 are won by the first player.
func TestKnownValues(t *testing.T) {
	full := boardOptions{Memory: search.Everything, Symmetry: search.AllMoves, Order: search.Best, Stop: true,
		Deepen: true, TableBytes: 1 << 20}
	for _, c := range []struct {
		g    *oxo.Game[board.Pos64]
		want float64
	}{{mnk(t, 3, 3, 3), 0}, {mnk(t, 4, 4, 3), 1}, {cubeGame(t, 3, 3), 1}, {mnk(t, 4, 3, 3), 1}} {
		for _, a := range []search.Algorithm{search.AlphaBeta, search.PVS, search.MTDF} {
			r := find(t, c.g, c.g.Start, a, full)
			if r.Value != c.want || !r.Exact() {
				t.Errorf("%s on %s: %v, proven %v, want %v", a, c.g.Spec, r.Value, r.Proven, c.want)
			}
			checkPlayable(t, c.g, r)
		}
	}
}

// checkPlayable checks that the line of play is legal and, where the value is
// known, that a line to the end is worth it.
func checkPlayable[P oxo.Position[P]](t *testing.T, g *oxo.Game[P], r search.Result) {
	t.Helper()
	p := g.Start
	for _, m := range r.PV {
		if _, err := g.ParseMove(p, g.FormatMove(p, m)); err != nil {
			t.Fatalf("line %v: %v", r.PV, err)
		}
		p = p.Play(m)
	}
	if p.Outcome() != oxo.Ongoing && g.PayoffToFirst(p) != r.Value {
		t.Errorf("line %v ends in %v, but the value is %v", r.PV, g.PayoffToFirst(p), r.Value)
	}
}

// TestLimits checks that every algorithm stops at a node limit and at a
// cancelled context with a legal move, and says that it did.
func TestLimits(t *testing.T) {
	g := mnk(t, 4, 4, 4)
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	for _, a := range search.Algorithms {
		for limit := range uint64(40) {
			r := find(t, g, g.Start, a, boardOptions{MaxNodes: 1 + limit*limit})
			if r.Complete || r.Nodes > 1+limit*limit {
				t.Errorf("%s: %d nodes of %d, complete %v", a, r.Nodes, 1+limit*limit, r.Complete)
			}
			checkPlayable(t, g, r)
			if len(r.PV) == 0 || len(r.Lines) != 1 || r.Move != r.PV[0] {
				t.Errorf("%s: move %v, line %v, lines %v", a, r.Move, r.PV, r.Lines)
			}
		}
		r, err := search.Search(cancelled, g, g.Start, a, boardOptions{})
		if err != nil || r.Complete || r.Move == oxo.NoMove {
			t.Errorf("%s, cancelled: %v, %v", a, r, err)
		}
	}
}

// TestDeepenKeepsTheLastIteration checks that an interrupted iterative search
// returns what the last complete iteration found.
func TestDeepenKeepsTheLastIteration(t *testing.T) {
	g := mnk(t, 4, 4, 4)
	eval := func(p board.Pos64) float64 { return float64(g.Code(p)%101)/101 - 0.5 }
	for depth := 1; depth <= 4; depth++ {
		full := find(t, g, g.Start, search.AlphaBeta, boardOptions{Depth: depth, Eval: eval, Deepen: true})
		cut := find(t, g, g.Start, search.AlphaBeta, boardOptions{Eval: eval, Deepen: true, MaxNodes: full.Nodes + 1})
		if cut.Complete || cut.Value != full.Value || cut.Move != full.Move || cut.Depth != depth || cut.Exact() {
			t.Errorf("depth %d: %+v, want value and move of %+v", depth, cut, full)
		}
	}
}

// TestProgress checks that an iterative search reports each iteration.
func TestProgress(t *testing.T) {
	g := mnk(t, 3, 3, 3)
	var depths []int
	o := boardOptions{Deepen: true, Progress: func(r search.Result) { depths = append(depths, r.Depth) }}
	r := find(t, g, g.Start, search.AlphaBeta, o)
	if fmt.Sprint(depths) != "[1 2 3 4 5 6 7 8]" || r.Depth != 9 || !r.Exact() {
		t.Errorf("reported depths %v, then %d", depths, r.Depth)
	}
}

// TestDecay checks that with decay a quick win is preferred to a slow one and
// that values shrink by the ply.
func TestDecay(t *testing.T) {
	g := mnk(t, 3, 3, 3)
	for _, a := range []search.Algorithm{search.Minimax, search.Negamax} {
		for _, c := range []struct {
			position string
			move     string
			value    float64
		}{
			{"xx./oo./... x", "c3", 0.5},
			{"x.x/.../o.o x", "b3", 0.5},
			{"x.x/.o./... o", "b3", 0},
			{"xox/.o./... x", "b1", 0},
			{"x../.../..o x", "c3", 0.03125},
		} {
			p, err := g.Parse(c.position)
			if err != nil {
				t.Fatal(err)
			}
			r := find(t, g, p, a, boardOptions{Decay: 0.5})
			if r.Value != c.value || g.FormatMove(p, r.Move) != c.move {
				t.Errorf("%s in %s: %s worth %v, want %s worth %v", a, c.position, g.FormatMove(p, r.Move), r.Value,
					c.move, c.value)
			}
		}
	}
}

// TestDrawWorth: every algorithm with a depth counts a draw as it is told.
func TestDrawWorth(t *testing.T) {
	g := mnk(t, 3, 3, 3)
	nobody := func(board.Pos64) float64 { return 0.25 }
	for _, worth := range []float64{-0.9, -0.5, 0, 0.5, 0.9} {
		told := g.WithDrawPayoff(worth)
		for _, text := range []string{"x.o/.x./..o x", "xox/.o./..x o", ".../.x./..o x"} {
			p, err := g.Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			for _, depth := range []int{2, 4, 9} {
				want := plain(told, p, depth, nobody)
				for _, a := range search.Algorithms {
					if !a.HasDepth() {
						continue
					}
					o := boardOptions{Depth: depth, Eval: nobody}
					if r, err := search.Search(t.Context(), told, p, a, o); err != nil || r.Value != want {
						t.Errorf("%s, draw %v, %s, %d plies: %v, %v, want %v", a, worth, text, depth, r.Value, err,
							want)
					}
				}
			}
		}
	}
}

// TestFirstOfEquals: of moves that are worth the same the first is chosen, where
// marks slip too, though sums of odds are rounded.
func TestFirstOfEquals(t *testing.T) {
	slippery := board.Normal
	slippery.Slip = 0.5
	for _, shape := range []grid.Shape{{Cols: 2, Rows: 2, Run: 2}, {Cols: 3, Rows: 2, Run: 1}} {
		b, err := grid.New(shape)
		if err != nil {
			t.Fatal(err)
		}
		g := board.Game64("slippery", "", b, slippery)
		for _, a := range search.Algorithms {
			if !a.HandlesChance() || a == search.MCTS {
				continue
			}
			for _, o := range boardVariants(a) {
				if o.Order != search.Natural {
					continue
				}
				if got, first := find(t, g, g.Start, a, o), g.Start.Moves(nil)[0]; got.Move != first {
					t.Errorf("%s on %d×%d: %s, not the first move %s", a, shape.Cols, shape.Rows,
						g.FormatMove(g.Start, got.Move), g.FormatMove(g.Start, first))
				}
			}
		}
	}
}
