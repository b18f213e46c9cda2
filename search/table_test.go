package search

import (
	"math/rand/v2"
	"testing"
	"unsafe"

	"oxo"
)

// number is a position that is nothing but a number.
type number uint32

func (number) Turn() oxo.Seat                  { return oxo.First }
func (number) Outcome() oxo.Outcome            { return oxo.Ongoing }
func (number) Moves(buf []oxo.Move) []oxo.Move { return buf }
func (n number) Play(oxo.Move) number          { return n }

// TestTableAgainstMap compares a table that nothing is replaced in with a map.
func TestTableAgainstMap(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	table := NewTable[number](1 << 23)
	twin := map[number]entry[number]{}
	for range 20_000 {
		p := number(r.IntN(5000))
		switch e, ok := twin[p], table.find(p); {
		case ok == nil != (e.depth == 0):
			t.Fatalf("position %d: found %v, want %v", p, ok, e)
		case ok != nil && *ok != e:
			t.Fatalf("position %d: found %v, want %v", p, *ok, e)
		}
		depth, lo, m := int32(1+r.IntN(3)), float64(r.IntN(5)), oxo.Move(r.IntN(9))
		known := oxo.Interval{Lo: lo, Hi: lo + 5}
		table.store(p, known, depth, false, m)
		if old := twin[p]; old.depth == depth {
			known = oxo.Interval{Lo: max(known.Lo, old.lo), Hi: min(known.Hi, old.hi)}
		}
		twin[p] = entry[number]{p, known.Lo, known.Hi, depth, m, false}
	}
	if table.Stored() != len(twin) {
		t.Errorf("%d stored, want %d", table.Stored(), len(twin))
	}
	table.Clear()
	if table.Stored() != 0 || table.find(1) != nil {
		t.Error("the table is not empty after Clear")
	}
}

// TestReplacement fills the one bucket of the smallest table: a fifth position
// takes the place of the one with the fewest plies left.
func TestReplacement(t *testing.T) {
	table := NewTable[number](1)
	for p, depth := range []int32{5, 3, 9, 4} {
		table.store(number(p), oxo.Interval{}, depth, false, 0)
	}
	table.store(7, oxo.Interval{}, 1, false, 0)
	for p, want := range map[number]bool{0: true, 1: false, 2: true, 3: true, 7: true} {
		if got := table.find(p) != nil; got != want {
			t.Errorf("position %d: in the table %v, want %v", p, got, want)
		}
	}
	if table.Stored() != 4 {
		t.Errorf("%d stored, want 4", table.Stored())
	}
}

func TestTableSize(t *testing.T) {
	bucket := int(unsafe.Sizeof([ways]entry[number]{}))
	for _, size := range []int{1, bucket, bucket*2 - 1, bucket * 2, bucket*1024 + 5} {
		table := NewTable[number](size)
		if bytes := len(table.buckets) * bucket; bytes > max(size, bucket) || 2*bytes <= size {
			t.Errorf("a table of %d bytes for %d", bytes, size)
		}
		for p := range number(1000) {
			table.store(p, oxo.Exactly(1), 1, false, 0)
			if table.find(p) == nil {
				t.Fatalf("position %d was not stored", p)
			}
		}
	}
}

// TestTableForDepth checks that a search of few plies gets a small table, and
// that one to the end gets the usual one.
func TestTableForDepth(t *testing.T) {
	g := &oxo.Game[number]{MaxMoves: 9, MaxPlies: 9}
	bytes := func(o Options[number]) int {
		table := newTableFor(g, &o)
		return len(table.buckets) * int(unsafe.Sizeof(table.buckets[0]))
	}
	if got := bytes(Options[number]{Depth: 3}); got < 81*int(unsafe.Sizeof(entry[number]{})) || got > 81*128 {
		t.Errorf("three plies: %d bytes", got)
	}
	if got := bytes(Options[number]{}); got != defaultTableBytes {
		t.Errorf("to the end: %d bytes", got)
	}
	if got := bytes(Options[number]{TableBytes: 1 << 20}); got != 1<<20 {
		t.Errorf("a mebibyte: %d bytes", got)
	}
	three := Options[number]{Depth: 3}
	few := bytes(three)
	three.TableBytes = 1 << 20
	if got := bytes(three); got != few {
		t.Errorf("three plies: %d bytes of a mebibyte, and %d of the usual size", got, few)
	}
}
