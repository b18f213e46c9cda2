package search_test

import (
	"context"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"testing"

	"oxo"
	"oxo/board"
	"oxo/eval"
	"oxo/games/ultimate"
	"oxo/search"
	"oxo/search/mcts"
)

// centred judges every position alike, in the middle of the bounds.
func centred[P oxo.Position[P]](g *oxo.Game[P]) search.Eval[P] {
	lo, hi := g.PayoffBounds()
	return func(P) float64 { return (lo + hi) / 2 }
}

// TestJudgedRandomTrees compares what mcts with an evaluation proves of random
// trees, chance included, with the definition. The evaluation knows nothing, so
// that only proofs can be right.
func TestJudgedRandomTrees(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	exact := 0
	const trees = 600
	for i := range trees * effort {
		g, _ := randomGame(r, 2+i%3, i%2 == 0)
		want := plain(g, g.Start, math.MaxInt, nil)
		o := treeOptions{Eval: centred(g), Sampling: mcts.Sampling{Sims: 2000, Seed: uint64(i), Workers: 1 + i%3}}
		got := find(t, g, g.Start, search.MCTS, o)
		if want < got.Proven.Lo || want > got.Proven.Hi {
			t.Fatalf("tree %d: proven %v, but it is %v", i, got.Proven, want)
		}
		if got.Exact() {
			exact++
			if got.Value != want {
				t.Fatalf("tree %d: %v, want %v", i, got.Value, want)
			}
		}
	}
	if exact < trees*effort*3/4 {
		t.Errorf("only %d of %d small trees were proven", exact, trees*effort)
	}
}

// TestJudgedProofs checks that a wrong evaluation, even one that takes every
// position for a loss, does not keep mcts from the truth, nor from a win at
// hand.
func TestJudgedProofs(t *testing.T) {
	g := mnk(t, 3, 3, 3)
	for _, wrong := range []float64{-0.999, 0, 0.999} {
		judge := func(board.Pos64) float64 { return wrong }
		r := find(t, g, g.Start, search.MCTS, boardOptions{Eval: judge, Sampling: mcts.Sampling{Sims: 300_000}})
		if !r.Exact() || r.Value != 0 {
			t.Errorf("judged %v: value %v, proven %v after %d simulations", wrong, r.Value, r.Proven, r.Nodes)
		}
		p, err := g.Parse("xx./oo./... x")
		if err != nil {
			t.Fatal(err)
		}
		if r := find(t, g, p, search.MCTS, boardOptions{Eval: judge, Sampling: mcts.Sampling{Sims: 1}}); !r.Exact() ||
			r.Value != 1 || g.FormatMove(p, r.Move) != "c3" {
			t.Errorf("judged %v: %v is worth %v", wrong, g.FormatMove(p, r.Move), r.Value)
		}
	}
}

// TestJudgedDoubts checks that a search among many simulations also looks at what
// the net thinks little of: in these positions, of games at 43,000 simulations,
// the side to move wins by moves after which the net sees nothing, and a constant
// that doesn't grow with the visits proved none of them.
func TestJudgedDoubts(t *testing.T) {
	g := ultimate.New(0)
	e := eval.EvaluationsFor(g)[0]
	for _, position := range []string{
		".xx.oxoox/...xx.xoo/.o..o.oo./.oo.....x/.o....o.o/x..xxx.../..xoxxx.o/x.x.o...x/oooxx...o x 6",
		"..xoxx.oo/..x.oo.../..xox.ox./.o..xo.x./....oxoo./xo.x.o..x/ooxx...x./.x.x...xo/.o.xo...o x 3",
		".x..x..../.o.ooooo./..o....../..xxxx.o./x.......x/xoo.....o/....x...x/o.....x.x/....xo.ox o 3",
		"oxoxo.xxo/.o.x...xx/..oooo.o./..o.ox.xo/..o....../..o...ox./x...x.x.x/x..x.x..o/....oo.xx x 7",
	} {
		p, err := g.Parse(position)
		if err != nil {
			t.Fatal(err)
		}
		o := search.Options[ultimate.Pos]{Eval: e.Judge, EvalAll: e.JudgeAll, BiasKeys: e.BiasKeys}
		o.Temperature, o.Sims = e.Temperature, 43_000
		if r := find(t, g, p, search.MCTS, o); !r.Exact() || r.Score != 1 {
			t.Errorf("%s: score %v after %d simulations, exact %v; the side to move wins", position, r.Score, r.Nodes,
				r.Exact())
		}
	}
}

// TestJudgedAll checks that judging all moves at once makes no difference, and
// that the same seed gives the same result.
func TestJudgedAll(t *testing.T) {
	g := ultimate.New(0)
	o := search.Options[ultimate.Pos]{Lines: 81, Sampling: mcts.Sampling{Sims: 1500, Seed: 3, Workers: 2}}
	o.Eval = centred(g)
	plain := find(t, g, g.Start, search.MCTS, o)
	o.EvalAll = func(_ ultimate.Pos, moves []oxo.Move, after []ultimate.Pos, draw float64, values []float32) {
		if len(moves) != len(after) || len(moves) != len(values) {
			t.Errorf("%d moves, %d positions, %d values", len(moves), len(after), len(values))
		}
		clear(values)
	}
	if all := find(t, g, g.Start, search.MCTS, o); !reflect.DeepEqual(plain, all) {
		t.Errorf("%+v one by one, %+v at once", plain, all)
	}
}

// TestKeptTrees plays on with kept trees: what they know of the position after
// two moves is still there, is not invented, and stays right.
func TestKeptTrees(t *testing.T) {
	g := mnk(t, 4, 4, 4)
	trees := &mcts.Trees[board.Pos64]{}
	o := boardOptions{Eval: centred(g), Trees: trees, Lines: 16, Sampling: mcts.Sampling{Sims: 3000, Workers: 2}}
	p := g.Start
	for ply := 0; p.Outcome() == oxo.Ongoing; ply++ {
		r := find(t, g, p, search.MCTS, o)
		visits := 0
		for _, l := range r.Lines {
			visits += int(l.Visits)
			if _, legal := moveIn(p, l.Move); !legal {
				t.Fatalf("ply %d: line by %v, which is no move", ply, l.Move)
			}
		}
		switch {
		case ply == 0 && visits != 3000-1:
			t.Errorf("%d visits below the first root, which gets its children with the first simulation", visits)
		case ply == 2 && !r.Exact() && visits <= 3000:
			t.Errorf("%d visits below the root after 3000 simulations: nothing was kept", visits)
		}
		p = p.Play(r.Move)
	}
	// Another game, or a position elsewhere, starts anew.
	r := find(t, g, g.Start, search.MCTS, o)
	again := find(t, g, g.Start, search.MCTS, boardOptions{Eval: o.Eval, Lines: 16, Sampling: o.Sampling})
	if !reflect.DeepEqual(r, again) {
		t.Errorf("a new game with old trees gives %+v, without %+v", r, again)
	}
}

func moveIn[P oxo.Position[P]](p P, m oxo.Move) (oxo.Move, bool) {
	if slices.Contains(p.Moves(nil), m) {
		return m, true
	}
	return m, false
}

// TestKeptProofsSequential compares what kept trees prove along games on 3×3 with what a
// search to the end says.
func TestKeptProofsSequential(t *testing.T) {
	g := mnk(t, 3, 3, 3)
	r := rand.New(rand.NewPCG(13, 14))
	for range 30 {
		trees := &mcts.Trees[board.Pos64]{}
		for p := g.Start; p.Outcome() == oxo.Ongoing; {
			o := boardOptions{Eval: centred(g), Trees: trees, Sampling: mcts.Sampling{Sims: 200, Seed: r.Uint64()}}
			got := find(t, g, p, search.MCTS, o)
			if want := plain(g, p, math.MaxInt, nil); want < got.Proven.Lo || want > got.Proven.Hi {
				t.Fatalf("%s: proven %v, but it is %v", g.Format(p), got.Proven, want)
			}
			moves := p.Moves(nil)
			p = p.Play(moves[r.IntN(len(moves))])
		}
	}
}

// TestJudgedMemory checks that a full tree stops growing and the search goes
// on, from move to move too.
func TestJudgedMemory(t *testing.T) {
	g := mnk(t, 5, 5, 4)
	trees := &mcts.Trees[board.Pos64]{}
	p := g.Start
	for range 4 {
		r := find(t, g, p, search.MCTS,
			boardOptions{Eval: centred(g), Trees: trees, Sampling: mcts.Sampling{Sims: 3000, TreeBytes: 80_000}})
		if r.Stored > 80_000/2/18 || r.Nodes != 3000 {
			t.Errorf("%d moves stored after %d simulations", r.Stored, r.Nodes)
		}
		checkPlayable(t, g, r)
		p = p.Play(r.Move)
	}
}

// TestJudgedMeans checks that where all positions are judged alike every move is
// worth just that, in a tree that has room and in one that is full.
func TestJudgedMeans(t *testing.T) {
	g := ultimate.New(0)
	alike := func(ultimate.Pos) float64 { return 0.25 }
	for _, bytes := range []int{0, 60_000} {
		r := find(t, g, g.Start, search.MCTS,
			search.Options[ultimate.Pos]{Eval: alike, Lines: 81, Sampling: mcts.Sampling{Sims: 3000, TreeBytes: bytes}})
		if len(r.Lines) != 81 {
			t.Errorf("%d moves are listed", len(r.Lines))
		}
		for _, l := range r.Lines {
			if math.Abs(l.Value-0.25) > 1e-6 {
				t.Errorf("with %d bytes %s is worth %v", bytes, g.FormatMove(g.Start, l.Move), l.Value)
			}
		}
	}
}

// TestJudgedAllocates checks that once its memory has grown a judged search
// allocates nothing for a simulation, and only a little for the result.
func TestJudgedAllocates(t *testing.T) {
	g := ultimate.New(0)
	net := eval.EvaluationsFor(g)[0]
	p, err := search.NewPlayer(g, search.MCTS, search.Options[ultimate.Pos]{
		Eval: net.Judge, EvalAll: net.JudgeAll, Sampling: mcts.Sampling{Sims: 4000},
	}, 0, 1)
	if err != nil {
		t.Fatal(err)
	}
	choose := func() {
		if _, err := p.Choose(context.Background(), g.Start); err != nil {
			t.Error(err)
		}
	}
	for range 3 {
		choose()
	}
	if n := testing.AllocsPerRun(3, choose); n > 1000 {
		t.Errorf("%v allocations in 4000 simulations", n)
	}
}

func TestJudgedRefusals(t *testing.T) {
	g := mnk(t, 3, 3, 3)
	for _, o := range []boardOptions{
		{Eval: centred(g), Sampling: mcts.Sampling{RAVE: 1}},
		{Trees: &mcts.Trees[board.Pos64]{}, Sampling: mcts.Sampling{RAVE: 1}},
		{Eval: centred(g), Sampling: mcts.Sampling{Temperature: -1}},
		{Eval: centred(g), Sampling: mcts.Sampling{Temperature: math.NaN()}},
	} {
		if _, err := search.Search(context.Background(), g, g.Start, search.MCTS, o); err == nil {
			t.Errorf("%+v is accepted", o.Sampling)
		}
	}
}

// TestTeam checks that a tree is the same whoever helped to grow it, and how
// fast they were: with one processor, with several, and with more workers than
// simulations under way; that all simulations are counted, and that what is kept
// for the next move is whole.
func TestTeam(t *testing.T) {
	g := ultimate.New(0)
	net := eval.EvaluationsFor(g)[0]
	grow := func(workers int) (all []search.Result) {
		o := search.Options[ultimate.Pos]{Eval: net.Judge, EvalAll: net.JudgeAll, Lines: 81,
			Trees: &mcts.Trees[ultimate.Pos]{}}
		o.Sims, o.Workers, o.Seed = 1500, workers, 9
		p := g.Start
		for range 3 {
			r := find(t, g, p, search.MCTS, o)
			all = append(all, r)
			p = p.Play(r.Move)
			p = p.Play(p.Moves(nil)[0])
		}
		return all
	}
	want := grow(2)
	visits := uint64(0)
	for _, l := range want[0].Lines {
		visits += l.Visits
	}
	if want[0].Nodes != 1500 || visits != 1500-1 {
		t.Errorf("%d of %d simulations below the root; want all but the first of 1500", visits, want[0].Nodes)
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, workers := range []int{2, 3, 20} {
		for _, processors := range []int{1, 4} {
			runtime.GOMAXPROCS(processors)
			if got := grow(workers); !reflect.DeepEqual(got, want) {
				t.Errorf("%d workers on %d processors grow another tree: %v, want %v", workers, processors, got, want)
			}
		}
	}
}

// TestTeamProves compares what a team proves with what one worker does, in
// endings that it solves.
func TestTeamProves(t *testing.T) {
	g := mnk(t, 3, 3, 3)
	for _, bytes := range []int{0, 4000} { // a full tree too
		o := boardOptions{Eval: centred(g), Sampling: mcts.Sampling{Sims: 200_000, Workers: 3, TreeBytes: bytes}}
		r := find(t, g, g.Start, search.MCTS, o)
		if r.Exact() != (bytes == 0) || r.Exact() && r.Value != 0 {
			t.Errorf("%d bytes: value %v, proven %v after %d simulations", bytes, r.Value, r.Proven, r.Nodes)
		}
		checkPlayable(t, g, r)
	}
}
