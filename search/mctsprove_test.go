package search_test

import (
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"oxo"
	"oxo/board"
	"oxo/eval"
	"oxo/games/ultimate"
	"oxo/search"
	"oxo/search/mcts"
	"oxo/search/proof"
)

// TestProveWinsSequential counts how many of the wins on Ultimate are proven within few
// simulations, with proof search beside them, for which they pay, and without.
func TestProveWinsSequential(t *testing.T) {
	g := ultimate.New(0)
	e := eval.EvaluationsFor(g)[0]
	positions := winningPositions(t, g, 4)
	proven := map[float64]int{}
	for _, prove := range []float64{0, 0.3} {
		for _, p := range positions {
			o := search.Options[ultimate.Pos]{Eval: e.Judge, EvalAll: e.JudgeAll, BiasKeys: e.BiasKeys}
			o.Temperature, o.Sims, o.Prove = e.Temperature, 2000, prove
			r := find(t, g, p, search.MCTS, o)
			if r.Nodes > 2000 {
				t.Errorf("dfpn=%v: %d simulations were paid for, of 2000", prove, r.Nodes)
			}
			if r.Exact() {
				proven[prove]++
				if r.Score != 1 {
					t.Errorf("dfpn=%v: %s: score %v; the side to move wins", prove, g.Format(p), r.Score)
				}
				// The move is what wins, not only the position.
				if a := newProver(t, g, 0).Prove(t.Context(), p.Play(r.Move), p.Turn(), 0); a.Verdict != proof.Proven {
					t.Errorf("dfpn=%v: %s: %s does not win", prove, g.Format(p), g.FormatMove(p, r.Move))
				}
			}
		}
	}
	t.Logf("of %d wins %d are proven without, %d with", len(positions), proven[0], proven[0.3])
	if proven[0.3] < proven[0]+len(positions)/10 {
		t.Errorf("of %d wins %d are proven without, %d with", len(positions), proven[0], proven[0.3])
	}
}

// TestProveIsRight compares what is proven in random positions of Ultimate near
// the end, and the move, with alpha-beta: with a net that knows nothing, with
// random games, with several workers, in a full tree, and with kept trees.
func TestProveIsRight(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 32))
	exact := 0
	for _, rules := range []ultimate.Rules{0, ultimate.Open, ultimate.Most} {
		g := ultimate.New(rules)
		for range 25 * effort {
			p, want := lateUltimate(t, r, g)
			trees := &mcts.Trees[ultimate.Pos]{}
			for i, o := range []search.Options[ultimate.Pos]{
				{Eval: centred(g)},
				{Eval: centred(g), Sampling: mcts.Sampling{Workers: 2}},
				{Eval: centred(g), Sampling: mcts.Sampling{TreeBytes: 10_000}},
				{},
				{Sampling: mcts.Sampling{Workers: 2}},
				{Eval: centred(g), Trees: trees},
			} {
				o.Sims, o.Prove, o.Seed = 1000, 5, r.Uint64()
				got := find(t, g, p, search.MCTS, o)
				if want < got.Proven.Lo || want > got.Proven.Hi || got.Exact() && (got.Value != want || !got.Complete) {
					t.Fatalf("%s %s, options %d: value %v, proven %v, but it is %v", g.Spec, g.Format(p), i, got.Value,
						got.Proven, want)
				}
				if !got.Exact() {
					continue
				}
				exact++
				if after := find(t, g, p.Play(got.Move), search.DFPN,
					search.Options[ultimate.Pos]{}); after.Value != want {
					t.Fatalf("%s %s, options %d: it is %v, after %s %v", g.Spec, g.Format(p), i, want,
						g.FormatMove(p, got.Move), after.Value)
				}
			}
			// The game goes on with the tree as it is.
			for p.Outcome() == oxo.Ongoing {
				o := search.Options[ultimate.Pos]{Eval: centred(g), Trees: trees}
				o.Sims, o.Prove = 600, 5
				got := find(t, g, p, search.MCTS, o)
				want := find(t, g, p, search.DFPN, search.Options[ultimate.Pos]{}).Value
				next := p.Play(got.Move)
				if after := find(t, g, next, search.DFPN, search.Options[ultimate.Pos]{}).Value; got.Exact() &&
					(got.Value != want || after != want) {
					t.Fatalf("%s %s: value %v, and %v after %s, but it is %v", g.Spec, g.Format(p), got.Value, after,
						g.FormatMove(p, got.Move), want)
				}
				p = next
			}
		}
	}
	t.Logf("%d searches proved the value", exact)
	if exact < 100*effort {
		t.Errorf("only %d searches proved the value", exact)
	}
}

// TestProveSmall compares values with and without proof search on games that mcts
// solves.
func TestProveSmall(t *testing.T) {
	r := rand.New(rand.NewPCG(33, 34))
	for _, g := range []*oxo.Game[board.Pos64]{mnk(t, 3, 3, 3), mnk(t, 4, 3, 3)} {
		for range 5 * effort {
			p := randomPosition(r, g, 2+r.IntN(4))
			want := plain(g, p, math.MaxInt, nil)
			for _, o := range []boardOptions{{}, {Eval: centred(g)}, {Sampling: mcts.Sampling{RAVE: 50}}} {
				for _, prove := range []float64{0, 0.5, 20} {
					o.Sims, o.Prove = 500_000, prove
					got := find(t, g, p, search.MCTS, o)
					if !got.Exact() || got.Value != want || plain(g, p.Play(got.Move), math.MaxInt, nil) != want {
						t.Fatalf("%s: dfpn=%v: value %v, proven %v, move %v, want %v", g.Format(p), prove, got.Value,
							got.Proven, got.Move, want)
					}
				}
			}
		}
	}
}

// TestProveTeam checks that with proof search too a tree is the same whoever
// helped to grow it, and the next search's.
func TestProveTeam(t *testing.T) {
	g := ultimate.New(0)
	net := eval.EvaluationsFor(g)[0]
	p := randomPosition(rand.New(rand.NewPCG(37, 38)), g, 30)
	grow := func(workers int) (all []search.Result) {
		o := search.Options[ultimate.Pos]{Eval: net.Judge, EvalAll: net.JudgeAll, Lines: 81,
			Trees: &mcts.Trees[ultimate.Pos]{}}
		o.Sims, o.Workers, o.Seed, o.Prove = 3000, workers, 9, 0.1
		q := p
		for range 3 {
			r := find(t, g, q, search.MCTS, o)
			all = append(all, r)
			q = q.Play(r.Move)
		}
		return all
	}
	for _, workers := range []int{1, 2} {
		if want := grow(workers); !reflect.DeepEqual(grow(workers), want) {
			t.Errorf("%d workers grow another tree the second time", workers)
		}
	}
	want := grow(2)
	visits := uint64(0)
	for _, l := range want[0].Lines {
		visits += l.Visits
	}
	if want[0].Exact() || want[0].Nodes < 3000 || visits > 2900 {
		t.Errorf("value %v, proven %v, %d simulations of %d below the root: nothing was asked, or all is proven",
			want[0].Value, want[0].Proven, visits, want[0].Nodes)
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, processors := range []int{1, 4} {
		runtime.GOMAXPROCS(processors)
		if got := grow(3); !reflect.DeepEqual(got, want) {
			t.Errorf("3 workers on %d processors grow another tree: %v, want %v", processors, got, want)
		}
	}
}

// TestProveOpening checks that next to nothing is paid for hopeless questions.
func TestProveOpening(t *testing.T) {
	g := ultimate.New(0)
	o := search.Options[ultimate.Pos]{Eval: centred(g), Lines: 81}
	o.Sims = 5000
	without := find(t, g, g.Start, search.MCTS, o)
	o.Prove = 1
	if with := find(t, g, g.Start, search.MCTS, o); !reflect.DeepEqual(with, without) {
		t.Errorf("with dfpn %+v, without %+v", with, without)
	}
}

// TestLosesLate checks that where every move is proven to lose, the one is played
// that took the most simulations.
func TestLosesLate(t *testing.T) {
	g := mnk(t, 4, 3, 3)
	r := rand.New(rand.NewPCG(35, 36))
	lost := 0
	for range 400 {
		p := randomPosition(r, g, 2+r.IntN(5))
		o := boardOptions{Eval: centred(g), Lines: 12}
		o.Sims, o.Seed = 20_000, r.Uint64()
		got := find(t, g, p, search.MCTS, o)
		if !got.Exact() || got.Score != -1 {
			continue
		}
		lost++
		for _, l := range got.Lines[1:] {
			if l.Visits > got.Lines[0].Visits || l.Value != got.Value {
				t.Fatalf("%s: %s is played, of %d visits, and %s has %d", g.Format(p), g.FormatMove(p, got.Move),
					got.Lines[0].Visits, g.FormatMove(p, l.Move), l.Visits)
			}
		}
	}
	if lost < 20 {
		t.Errorf("only %d positions were lost", lost)
	}
}

func TestProveRefusals(t *testing.T) {
	g := mnk(t, 3, 3, 3)
	circles := *g
	circles.MaxPlies = 0
	for _, c := range []struct {
		g    *oxo.Game[board.Pos64]
		a    search.Algorithm
		s    mcts.Sampling
		says string
	}{
		{g, search.MCTS, mcts.Sampling{Prove: -1}, "dfpn -1"},
		{g, search.MCTS, mcts.Sampling{Prove: math.NaN()}, "dfpn NaN"},
		{g, search.MCTS, mcts.Sampling{Prove: math.Inf(1)}, "dfpn +Inf"},
		{g, search.MCTS, mcts.Sampling{Prove: 1, NoProof: true}, "with proven values"},
		{g, search.AlphaBeta, mcts.Sampling{Prove: 1}, "is for mcts"},
		{&circles, search.MCTS, mcts.Sampling{Prove: 1}, "circles"},
	} {
		if got := refused(t, c.g, c.a, boardOptions{Sampling: c.s}); !strings.Contains(got, c.says) {
			t.Errorf("%+v: %q, want something about %q", c.s, got, c.says)
		}
	}
	if got := refused(t, builtin(t, "chance"), search.MCTS,
		treeOptions{Sampling: mcts.Sampling{Prove: 1}}); !strings.Contains(got, "chance") {
		t.Errorf("with chance: %q", got)
	}
}
