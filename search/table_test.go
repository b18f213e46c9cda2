package search

import (
	"math/rand/v2"
	"testing"
	"unsafe"

	"oxo"
)

// padded is a position with padding, a pointer and a blank field, none of
// which may count in its hash.
type padded struct {
	a uint8
	b uint64
	c *int
	_ uint32
	d [3]uint16
	e bool
}

func (padded) Turn() oxo.Seat                  { return oxo.First }
func (padded) Outcome() oxo.Outcome            { return oxo.Ongoing }
func (padded) Moves(buf []oxo.Move) []oxo.Move { return buf }
func (p padded) Play(oxo.Move) padded          { return p }

func TestHashReadsWhatCounts(t *testing.T) {
	h := newHasher[padded]()
	p := padded{a: 1, b: 2, c: new(int), d: [3]uint16{3, 4, 5}, e: true}
	// The same position over memory full of ones.
	var dirty padded
	raw := unsafe.Slice((*byte)(unsafe.Pointer(&dirty)), unsafe.Sizeof(dirty))
	for i := range raw {
		raw[i] = 0xFF
	}
	dirty.a, dirty.b, dirty.c, dirty.d, dirty.e = p.a, p.b, p.c, p.d, p.e
	if dirty != p {
		t.Fatal("the two positions should be equal")
	}
	if h.of(&p) != h.of(&dirty) {
		t.Error("equal positions have different hashes")
	}
	for i, q := range []padded{
		{2, 2, p.c, 0, p.d, true},
		{1, 3, p.c, 0, p.d, true},
		{1, 2, p.c, 0, [3]uint16{3, 4, 6}, true},
		{1, 2, p.c, 0, p.d, false},
	} {
		if h.of(&q) == h.of(&p) {
			t.Errorf("position %d: another field, but the same hash", i)
		}
	}
}

// small is a position of less than a word.
type small struct{ a, b, c uint8 }

func TestHashSpreads(t *testing.T) {
	h := newHasher[small]()
	var buckets [256]int
	for i := range 1 << 16 {
		p := small{uint8(i), uint8(i >> 8), 0}
		buckets[h.of(&p)>>56]++
	}
	for i, n := range buckets {
		if n < 150 || n > 380 {
			t.Errorf("bucket %d holds %d of 65536 positions; want about 256", i, n)
		}
	}
}

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
		known := Interval{lo, lo + 5}
		table.store(p, known, depth, false, m)
		if old := twin[p]; old.depth == depth {
			known = Interval{max(known.Lo, old.lo), min(known.Hi, old.hi)}
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
		table.store(number(p), Interval{}, depth, false, 0)
	}
	table.store(7, Interval{}, 1, false, 0)
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
			table.store(p, Interval{1, 1}, 1, false, 0)
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
		table := tableFor(g, &o)
		return len(table.buckets) * int(unsafe.Sizeof(table.buckets[0]))
	}
	if got := bytes(Options[number]{Depth: 3}); got < 729*32 || got > 729*128 {
		t.Errorf("three plies: %d bytes", got)
	}
	if got := bytes(Options[number]{}); got != defaultTableBytes {
		t.Errorf("to the end: %d bytes", got)
	}
	if got := bytes(Options[number]{Depth: 3, TableBytes: 1 << 20}); got != 1<<20 {
		t.Errorf("a mebibyte: %d bytes", got)
	}
}
