package search_test

import (
	"context"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"oxo"
	"oxo/board"
	"oxo/search"
	"oxo/search/mcts"
)

// TestMCTSProves checks that mcts proves the empty 3×3 board a draw, and that
// plain UCT, without proofs, at least estimates it.
func TestMCTSProves(t *testing.T) {
	g := mnk(t, 3, 3, 3)
	for _, sampling := range []mcts.Sampling{
		{Sims: 1_000_000},
		{Sims: 1_000_000, Seed: 2, Workers: 2},
		{Sims: 1_000_000, RAVE: 500},
	} {
		r := find(t, g, g.Start, search.MCTS, boardOptions{Sampling: sampling})
		if !r.Exact() || r.Value != 0 || !r.Complete || r.Nodes >= 1_000_000 {
			t.Errorf("%+v: value %v, proven %v after %d simulations", sampling, r.Value, r.Proven, r.Nodes)
		}
		checkPlayable(t, g, r)
	}
	r := find(t, g, g.Start, search.MCTS, boardOptions{Sampling: mcts.Sampling{Sims: 200_000, NoProof: true}})
	if r.Exact() || math.Abs(r.Value) > 0.1 || r.Nodes != 200_000 || !r.Complete {
		t.Errorf("without proofs: value %v, proven %v after %d simulations", r.Value, r.Proven, r.Nodes)
	}
}

// TestMCTSRandomTrees compares what mcts proves of random trees, chance
// included, with the definition.
func TestMCTSRandomTrees(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	exact := 0
	for i := range 1500 * effort {
		g, _ := randomGame(r, 2+i%3, i%2 == 0)
		want := plain(g, g.Start, math.MaxInt, nil)
		o := treeOptions{Sampling: mcts.Sampling{Sims: 3000, Seed: uint64(i), Workers: 1 + i%3}}
		if i%5 == 0 {
			o.RAVE = 50
		}
		got := find(t, g, g.Start, search.MCTS, o)
		if want < got.Proven.Lo || want > got.Proven.Hi {
			t.Fatalf("tree %d: proven %v, but it is %v", i, got.Proven, want)
		}
		if got.Exact() {
			exact++
			if got.Value != want {
				t.Fatalf("tree %d: %v, want %v", i, got.Value, want)
			}
			if got.Move != oxo.NoMove {
				if v := plain(g, g.Start.Play(got.Move), math.MaxInt, nil); v != want {
					t.Fatalf("tree %d: move %v is worth %v, not %v", i, got.Move, v, want)
				}
			}
		}
	}
	if exact < 1200*effort {
		t.Errorf("only %d of %d small trees were proven", exact, 1500*effort)
	}
}

// TestMCTSEstimates checks that means approach the value where nothing is
// proven: on a random game of chance alone the mean is the expectation.
func TestMCTSEstimates(t *testing.T) {
	g := parseTree(t, `{"name": "dice", "lo": 0, "hi": 8, "root": {"kind": "chance", "odds": [0.25, 0.75], "children": [
		{"kind": "max", "children": [8, 0]}, {"kind": "min", "children": [4, 0]}]}}`)
	r := find(t, g, g.Start, search.MCTS, treeOptions{Sampling: mcts.Sampling{Sims: 40_000, NoProof: true}})
	if math.Abs(r.Value-2) > 0.1 || r.Move != oxo.NoMove {
		t.Errorf("value %v, move %v; want about 2 and none", r.Value, r.Move)
	}
}

// TestMCTSRepeats checks that the same seed gives the same result and another
// seed another.
func TestMCTSRepeats(t *testing.T) {
	g := mnk(t, 5, 5, 4)
	o := boardOptions{Lines: 25, Sampling: mcts.Sampling{Sims: 3000, Seed: 1, Workers: 2}}
	first, again := find(t, g, g.Start, search.MCTS, o), find(t, g, g.Start, search.MCTS, o)
	if !reflect.DeepEqual(first, again) {
		t.Errorf("the same seed gives %v and %v", first, again)
	}
	o.Seed = 2
	if other := find(t, g, g.Start, search.MCTS, o); reflect.DeepEqual(first, other) {
		t.Error("another seed gives the same result")
	}
	visits := uint64(0)
	for _, l := range first.Lines {
		visits += l.Visits
	}
	if len(first.Lines) != 25 || visits != first.Nodes-4 {
		t.Errorf("%d lines with %d visits of %d simulations; want all but the first two of each tree", len(first.Lines),
			visits, first.Nodes)
	}
}

// TestMCTSMemory checks that a full tree stops growing and the search goes on.
func TestMCTSMemory(t *testing.T) {
	g := mnk(t, 5, 5, 4)
	r := find(t, g, g.Start, search.MCTS, boardOptions{Sampling: mcts.Sampling{Sims: 5000, TreeBytes: 40_000}})
	if r.Stored > 40_000/18 || r.Nodes != 5000 || !r.Complete {
		t.Errorf("%d moves stored after %d simulations", r.Stored, r.Nodes)
	}
	r = find(t, g, g.Start, search.MCTS, boardOptions{Sampling: mcts.Sampling{Sims: 100, TreeBytes: 1}})
	checkPlayable(t, g, r)
}

// TestMCTSClock checks that a deadline ends the search and that progress is
// reported on the way.
func TestMCTSClock(t *testing.T) {
	g := mnk(t, 5, 5, 5)
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	reports := 0
	r, err := search.Search(ctx, g, g.Start, search.MCTS, boardOptions{Progress: func(search.Result) { reports++ }})
	if deadline, _ := ctx.Deadline(); err != nil || r.Complete || r.Move == oxo.NoMove || time.Now().Before(deadline) {
		t.Errorf("%+v, %v", r, err)
	}
	find(t, g, g.Start, search.MCTS, boardOptions{
		Sampling: mcts.Sampling{Sims: 10_000},
		Progress: func(r search.Result) {
			reports++
			checkPlayable(t, g, r)
		},
	})
	if reports < 50 || reports > 10_000 {
		t.Errorf("%d reports", reports)
	}
}

// TestMCTSInCaller: the first worker searches in the goroutine of who asks, whose processor time a
// server counts.
func TestMCTSInCaller(t *testing.T) {
	goroutine := func() string {
		stack := make([]byte, 64)
		name, _, _ := strings.Cut(string(stack[:runtime.Stack(stack, false)]), " [")
		return name
	}
	g, caller := mnk(t, 5, 5, 4), goroutine()
	for _, workers := range []int{1, 2} {
		reports := 0
		find(t, g, g.Start, search.MCTS, boardOptions{Sampling: mcts.Sampling{Sims: 10_000, Workers: workers},
			Progress: func(search.Result) {
				if reports++; goroutine() != caller {
					t.Errorf("%d workers: %s searches, not %s", workers, goroutine(), caller)
				}
			}})
		if reports == 0 {
			t.Errorf("%d workers: nothing was told", workers)
		}
	}
}

// TestPlayoutKernel compares the estimate by the kernel for random play with
// that by the generic loop.
func TestPlayoutKernel(t *testing.T) {
	fast := mnk(t, 3, 3, 3)
	slow := *fast
	slow.Playout = nil
	// From the empty board random play is worth (737 − 364)/1260 less the
	// draws: 737/1260 − 121/420. One node can't grow a tree.
	want := 737.0/1260 - 121.0/420
	for _, g := range []*oxo.Game[board.Pos64]{fast, &slow} {
		r := find(t, g, g.Start, search.MCTS,
			boardOptions{Sampling: mcts.Sampling{Sims: 200_000, TreeBytes: 1, NoProof: true}})
		if math.Abs(r.Value-want) > 0.01 {
			t.Errorf("random play is worth %v, want %v", r.Value, want)
		}
	}
}

// TestMCTSUsedMemory searches again after other searches have used the memory of
// the tree, on other boards and at the same time: nothing of them may be left
// in it, and a tree is full when it would be in new memory.
func TestMCTSUsedMemory(t *testing.T) {
	g, other := mnk(t, 4, 4, 4), mnk(t, 5, 5, 4)
	one := func() [2]search.Result {
		o := boardOptions{Sampling: mcts.Sampling{Sims: 700, Seed: 3, Workers: 2}}
		wide := find(t, g, g.Start, search.MCTS, o)
		o.TreeBytes = 100_000
		return [2]search.Result{wide, find(t, g, g.Start, search.MCTS, o)}
	}
	want := one()
	var all sync.WaitGroup
	for seed := range uint64(4) {
		all.Go(func() {
			find(t, other, other.Start, search.MCTS,
				boardOptions{Sampling: mcts.Sampling{Sims: 500 * int(seed+1), Seed: seed}})
			if got := one(); !reflect.DeepEqual(got, want) {
				t.Errorf("%+v, and the first time %+v", got, want)
			}
		})
	}
	all.Wait()
}
