package lines

import (
	"math/bits"

	"oxo/hash"
)

// entry is what a search remembers of a position.
type entry struct {
	check uint32
	move  uint16 // the best move found, noSquare for none
	value int16
	depth int8
	bound uint8 // and the age in the bits above the lowest two
}

// Bounds: what value says of a position's value.
const (
	exactly = iota
	atLeast
	atMost
	boundMask = 3
)

// noSquare is no square: the table has no move.
const noSquare = 0xFFFF

// table is a transposition table of fixed size, replaced in pairs: of two
// entries the older or shallower one goes. A nil table remembers nothing.
type table struct {
	entries []entry
	shift   uint
	age     uint8
}

// entryBytes is the size of an entry in memory.
const entryBytes = 12

// newTable returns an empty table of at most so many bytes, but no less than
// one pair.
// The number of entries is a power of two, so that shift takes the highest bits of a key as an index.
func newTable(bytes int) *table {
	n := hash.TableSize(2, entryBytes, int64(bytes))
	t := &table{entries: make([]entry, n), shift: uint(64 - bits.Len(uint(n)) + 1), age: 4}
	hash.AdviseHugePages(t.entries)
	return t
}

// memoryBytes returns the memory that the table takes.
func (t *table) memoryBytes() int64 {
	if t == nil {
		return 0
	}
	return entryBytes * int64(len(t.entries))
}

// startNewAge begins another search: what is there may be replaced.
func (t *table) startNewAge() {
	if t == nil {
		return
	}
	// The age is in the bits above the bound. It is never 0, as an exact bound of that age would look like an
	// empty entry.
	if t.age += 4; t.age == 0 {
		t.age = 4
	}
}

// pair returns the two entries that a key can be in. The highest bits of the key say where, and the lowest are kept
// as a check.
func (t *table) pair(key uint64) (a, b *entry) {
	i := key >> t.shift
	return &t.entries[i], &t.entries[i^1]
}

// find returns the entry of a key, or nil. Two positions may agree in the bits that are compared, and then one is
// taken for the other, which is rare.
func (t *table) find(key uint64) *entry {
	if t == nil {
		return nil
	}
	a, b := t.pair(key)
	if a.bound != 0 && a.check == uint32(key) {
		return a
	}
	if b.bound != 0 && b.check == uint32(key) {
		return b
	}
	return nil
}

// store remembers a position: over what is known of it, else over the less valuable of the pair. A bound without a
// move keeps the move that is there.
func (t *table) store(key uint64, move uint16, value, depth int, bound uint8) {
	if t == nil {
		return
	}
	a, b := t.pair(key)
	e := a
	switch {
	case a.check == uint32(key):
	case b.check == uint32(key):
		e = b
	case t.retentionValue(b) < t.retentionValue(a):
		e = b
	}
	if move == noSquare && e.check == uint32(key) && e.bound != 0 {
		move = e.move
	}
	*e = entry{uint32(key), move, int16(value), int8(max(-128, min(depth, 127))), bound | t.age}
}

// retentionValue is how much an entry is worth keeping.
// An entry of an earlier search is worth 100 plies less than one of this search, and an empty one less than any.
func (t *table) retentionValue(e *entry) int {
	if e.bound == 0 {
		return -1000
	}
	k := int(e.depth)
	if e.bound&^boundMask != t.age {
		k -= 100
	}
	return k
}
