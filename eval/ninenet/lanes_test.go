package ninenet

import (
	"math/rand/v2"
	"testing"
)

// TestWeighLanes compares the fast way to weigh lanes with the plain one.
func TestWeighLanes(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var some [4]int
	for range 2000 {
		var x, y, z lanes
		for i := range x {
			// Their sums may be any, as long as the units' activity in all
			// ways fits.
			x[i], y[i] = r.Uint64(), r.Uint64()
			z[i] = r.Uint64()&0x9FFF_9FFF_9FFF_9FFF - x[i] - y[i]
		}
		var is, was, on rowLanes
		for i := range is {
			is[i], was[i], on[i] = r.Uint64(), r.Uint64(), r.Uint64()
		}
		which := &whichRows[r.IntN(9)][r.IntN(9)]
		var rows bigRows
		for k := range rows {
			for i := range rows[k] {
				change := [4]uint64{0, is[i] - was[i], on[i], is[i] - was[i] + on[i]}
				rows[k][i] = r.Uint64()&0x9FFF_9FFF_9FFF_9FFF - change[which[k]/rowBytes]
			}
		}
		var w laneWeights
		for end := range 2 {
			for k := range w.units[end] {
				w.units[end][k] = int32(r.IntN(8001) - 4000)
			}
			for k := range w.rows[end] {
				w.rows[end][k] = int32(r.IntN(4001) - 2000)
			}
		}
		var plain, fast [4]int32
		p := laneParts{units: [3]*lanes{&x, &y, &z}, rows: &rows, is: &is, was: &was, on: &on, which: which}
		weighUnitsPortably(&p, &w, &plain)
		weighUnits(&p, &w, &fast)
		if plain != fast {
			t.Fatalf("weighed as %v, plainly as %v", fast, plain)
		}
		for i, v := range plain {
			if v != 0 {
				some[i]++
			}
		}
	}
	for i, n := range some {
		if n < 1900 {
			t.Errorf("sum %d was other than 0 in %d of 2000 cases", i, n)
		}
	}
}

// TestAddBoards compares the fast way to add up what boards bring with the plain
// one.
func TestAddBoards(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 100 {
		var s boardSums
		for b := range 9 {
			s.units[b], s.rows[b] = new(lanes), new(rowLanes)
			for i := range s.units[b] {
				s.units[b][i] = r.Uint64()
			}
			for i := range s.rows[b] {
				s.rows[b][i] = r.Uint64()
			}
		}
		units, rows := *s.units[0], bigRows{3: *s.rows[1]}
		unitsFast, rowsFast := units, rows
		addBoardSumsPortably(&s, &units, &rows)
		addBoardSums(&s, &unitsFast, &rowsFast)
		if units != unitsFast || rows != rowsFast {
			t.Fatal("boards add up differently")
		}
	}
}
