package lines

import (
	"context"
	"math/rand/v2"
	"testing"
)

// worth returns the value of a position to side by the definition: 1, 0 or −1.
func worth(b Board, mark []uint8, side int) int {
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
	for name, b := range map[string]Board{"4x3": grid(4, 3, 3), "exact": exactGrid(4, 3, 3), "odd": odd()} {
		p := mustState(t, b)
		for _, tuning := range []Tuning{
			{WholeList: true, NoReduce: true}, {WholeList: true, NoReduce: true, NoTable: true, NoOrder: true},
			{WholeList: true, NoReduce: true, NoZone: true}, {WholeList: true, NoReduce: true, NoFours: true},
		} {
			x := newSearcher(p.geometry, 1<<12, tuning)
			x.ctx = context.Background()
			r := rand.New(rand.NewPCG(7, 8))
			for range 60 {
				scatter(x.p, b, r, p.n/2-r.IntN(3))
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

// TestNoAllocations searches twice: the second time nothing is allocated.
func TestNoAllocations(t *testing.T) {
	g, err := newGeometry(grid(15, 15, 5))
	if err != nil {
		t.Fatal(err)
	}
	x := newSearcher(g, 1<<16, Tuning{})
	x.ctx = context.Background()
	for i, s := range []int{112, 113, 98, 97, 127} {
		x.p.play(i&1, s)
	}
	run := func() {
		x.pollAt = 1 << 40
		x.table.next()
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
	x.next()
	x.store(4, 1, 1, 1, exactly)
	x.store(5, 1, 1, 1, exactly)
	if x.find(5) == nil {
		t.Error("what is new gives way to what is old")
	}
}
