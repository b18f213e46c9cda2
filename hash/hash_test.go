package hash

import (
	"math"
	"testing"
	"unsafe"
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

func TestReadsWhatCounts(t *testing.T) {
	h := New[padded]()
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
	if h.Of(&p) != h.Of(&dirty) {
		t.Error("equal positions have different hashes")
	}
	for i, q := range []padded{
		{2, 2, p.c, 0, p.d, true},
		{1, 3, p.c, 0, p.d, true},
		{1, 2, p.c, 0, [3]uint16{3, 4, 6}, true},
		{1, 2, p.c, 0, p.d, false},
	} {
		if h.Of(&q) == h.Of(&p) {
			t.Errorf("position %d: another field, but the same hash", i)
		}
	}
}

// small is a position of less than a word.
type small struct{ a, b, c uint8 }

func TestSpreads(t *testing.T) {
	h := New[small]()
	var buckets [256]int
	for i := range 1 << 16 {
		p := small{uint8(i), uint8(i >> 8), 0}
		buckets[h.Of(&p)>>56]++
	}
	for i, n := range buckets {
		if n < 150 || n > 380 {
			t.Errorf("bucket %d holds %d of 65536 positions; want about 256", i, n)
		}
	}
}

// TestTableSize: a table doubles as long as it fits, and has its least entries wherever these do not.
func TestTableSize(t *testing.T) {
	for _, c := range []struct {
		least, entryBytes int
		bytes             int64
		want              int
	}{
		{1, 16, 1 << 20, 1 << 16},
		{1, 24, 1 << 20, 1 << 15},
		{1 << 10, 16, 0, 1 << 10},
		{3, 8, 100, 12},
		{1, 16, math.MaxInt64, 1 << 58},
		{2, 12, math.MaxInt64, 1 << 59},
	} {
		if got := TableSize(c.least, c.entryBytes, c.bytes); got != c.want {
			t.Errorf("%d bytes hold %d entries, want %d", c.bytes, got, c.want)
		}
	}
}
