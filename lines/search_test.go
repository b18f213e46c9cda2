package lines

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"oxo/threats"
)

// worth returns the value of a position to side by the definition: 1, 0 or −1.
func worth(b threats.Board, mark []uint8, side int) int {
	best, full := -1, true
	for s := range mark {
		if mark[s] != empty {
			continue
		}
		full = false
		mark[s] = uint8(side)
		v := 1
		if !owns(b, mark, side) {
			v = -worth(b, mark, side^1)
		}
		mark[s] = empty
		if best = max(best, v); best == 1 {
			return 1
		}
	}
	if full {
		return 0
	}
	return best
}

// TestTruth searches small boards to the end, with threats and the moves that
// meet them told apart, and compares the values with plain minimax.
func TestTruth(t *testing.T) {
	for name, b := range map[string]threats.Board{"4x3": grid(4, 3, 3), "exact": exactGrid(4, 3, 3), "odd": odd()} {
		for _, tuning := range []Tuning{
			{WholeList: true, NoReduce: true}, {WholeList: true, NoReduce: true, NoTable: true, NoOrder: true},
			{WholeList: true, NoReduce: true, NoZone: true}, {WholeList: true, NoReduce: true, NoFours: true},
		} {
			x := mustSearcher(t, b, 1<<12, tuning)
			r := rand.New(rand.NewPCG(7, 8))
			for range 60 {
				scatter(x.p, b, r, b.Squares/2-r.IntN(3))
				side := (x.p.n - x.p.empty) & 1
				x.pollAt = 1 << 40
				v := x.search(side, x.p.empty, 0, -won, won)
				got := 0
				if v >= wonBy {
					got = 1
				} else if v <= -wonBy {
					got = -1
				} else if v != 0 {
					t.Errorf("%s: %d at the end of the search", name, v)
				}
				if want := worth(b, x.p.mark, side); got != want {
					t.Fatalf("%s %+v: %d, want %d: side %d of %v", name, tuning, v, want, side, x.p.mark)
				}
			}
		}
	}
}

// plainly is search without windows, threats, order and memory.
func (x *searcher) plainly(side, depth, ply int) int {
	p := x.p
	if p.count[side][1] > 0 {
		return won - ply - 1
	}
	if !p.anyLineOpen() || p.empty == 0 {
		return 0
	}
	must, more := p.Completion(side ^ 1)
	if more {
		return -(won - ply - 2)
	}
	if must < 0 && depth <= 0 {
		return x.staticEstimate(side)
	}
	best := -won
	for s := range p.n {
		if p.mark[s] == empty && (must < 0 || s == must) {
			p.play(side, s)
			best = max(best, -x.plainly(side^1, depth-1, ply+1))
			p.undo(side, s)
		}
	}
	return best
}

// TestWindows compares values, bounds and the moves at the root with a search that
// goes through everything.
func TestWindows(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for name, b := range map[string]threats.Board{"5x5": grid(5, 5, 4), "exact": exactGrid(5, 4, 3), "odd": odd()} {
		tuning := Tuning{WholeList: true, NoReduce: true, NoTable: true, NoFours: true, NoExtend: true}
		x := mustSearcher(t, b, 1<<12, tuning)
		values := map[int]bool{}
		for n := range 300 {
			scatter(x.p, b, r, 2+r.IntN(x.p.n/2))
			side, depth := (x.p.n-x.p.empty)&1, 1+n%3
			x.pollAt, x.order = 1<<40, int32(n%2)-1
			want := x.plainly(side, depth, 0)
			values[want] = true
			if v := x.search(side, depth, 0, -won, won); v != want {
				t.Fatalf("%s: %d plies deep %d, want %d: side %d of %v", name, depth, v, want, side, x.p.mark)
			}
			alpha := want + r.IntN(41) - 20
			beta := alpha + 1 + r.IntN(10)
			switch v := x.search(side, depth, 0, alpha, beta); {
			case v <= alpha && want > alpha, v >= beta && want < beta, alpha < v && v < beta && v != want:
				t.Fatalf("%s: %d between %d and %d, %d plies deep, want %d: side %d of %v", name, v, alpha, beta, depth,
					want, side, x.p.mark)
			}
			list, clear := x.rootMoves(side, nil)
			if len(list) < 2 || want >= wonBy {
				if clear.exact && clear.value != want {
					t.Fatalf("%s: clear at once that it is %d, want %d: side %d of %v", name, clear.value, want, side,
						x.p.mark)
				}
				continue
			}
			f := x.searchRootToDepth(side, depth, list)
			x.p.play(side, f.square)
			after := -x.plainly(side^1, depth-1, 1)
			x.p.undo(side, f.square)
			if f.value != want || after != want {
				t.Fatalf("%s: %+v, which is worth %d, %d plies deep, want %d: side %d of %v", name, f, after, depth,
					want, side, x.p.mark)
			}
		}
		if len(values) < 10 {
			t.Errorf("%s: only %d values", name, len(values))
		}
	}
}

// TestNoAllocations searches twice: the second time nothing is allocated.
func TestNoAllocations(t *testing.T) {
	x := mustSearcher(t, grid(15, 15, 5), 1<<16, Tuning{})
	for i, s := range []int{112, 113, 98, 97, 127} {
		x.p.play(i&1, s)
	}
	run := func() {
		x.pollAt = 1 << 40
		x.table.startNewAge()
		x.search(1, 4, 0, -won, won)
	}
	run()
	if n := testing.AllocsPerRun(3, run); n != 0 {
		t.Errorf("%v allocations in a search", n)
	}
}

// TestTable stores and finds, and prefers what is deep and new.
func TestTable(t *testing.T) {
	x := newTable(1)
	if len(x.entries) != 2 {
		t.Fatalf("%d entries", len(x.entries))
	}
	x.store(1, 7, 100, 9, exactly)
	x.store(2, 8, -100, 3, atMost)
	x.store(3, 9, 5, 4, atLeast)
	if e := x.find(1); e == nil || e.move != 7 || e.value != 100 || e.depth != 9 {
		t.Errorf("the deepest is %+v", e)
	}
	if x.find(2) != nil {
		t.Error("the shallowest is still there")
	}
	x.store(3, noSquare, 6, 5, atMost)
	if e := x.find(3); e == nil || e.move != 9 || e.value != 6 {
		t.Errorf("without a move of its own it keeps the old one: %+v", e)
	}
	x.startNewAge()
	x.store(4, 1, 1, 1, exactly)
	x.store(5, 1, 1, 1, exactly)
	if x.find(5) == nil {
		t.Error("what is new gives way to what is old")
	}
}

// TestRateMoves: moves are rated as the search itself values them, one by one, where it cuts nothing by estimates.
func TestRateMoves(t *testing.T) {
	x := mustSearcher(t, grid(9, 9, 5), 1<<16, Tuning{NoTable: true, NoReduce: true})
	for i, s := range []int{40, 30, 49} {
		x.p.play(i&1, s)
	}
	f := x.findMove(t.Context(), 1, PlayerOptions{Depth: 2}, nil, nil)
	var list []found
	for nodes := uint64(1000); len(list) == 0; nodes += nodes / 10 { // as far as the second depth
		list = x.rateMoves(t.Context(), 1, nodes)
	}
	if len(list) < 20 {
		t.Fatalf("%d rated", len(list))
	}
	best := slices.MaxFunc(list, func(a, b found) int { return cmp.Compare(a.value, b.value) })
	if best.depth != 2 || best.square != f.square || best.value != f.value {
		t.Errorf("the best is rated %+v, the search finds %+v", best, f)
	}
}
