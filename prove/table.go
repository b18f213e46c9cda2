package prove

import (
	"sync"
	"sync/atomic"
	"unsafe"

	"oxo/board/bitset"
	"oxo/hash"
)

// entry is what the table knows of a position: its proof and disproof
// numbers, and the squares on which moves have to be searched, in the frame of the
// class representative: where the side to move was found to succeed, that of the move.
type entry[S bitset.Squares] struct {
	key     uint64
	pn, dn  uint32
	work    uint32 // positions visited below, what keeping the entry is worth; not 0
	paired  bool   // pairings were looked for after the likeliest replies
	fresh   bool   // this search found it, not one of an earlier round
	replies S
}

// table is a transposition table of fixed size. A position may be in any of
// four neighbouring places; a new one replaces that with the least work.
type table[S bitset.Squares] struct {
	entries []entry[S]
	mask    uint64
	locks   [256]sync.Mutex // by place
	used    atomic.Int64

	// stored has a bit for every key that was ever stored, and some more. It
	// saves most looks at positions that are not there, which are most of all
	// looks, and slow in a large table.
	stored []uint64
}

// bucket is how many places a position may be in.
const bucket = 4

// newTable returns a table of at most the given number of bytes.
// The number of entries is a power of two, and at least 1,024.
func newTable[S bitset.Squares](bytes int64) *table[S] {
	var e entry[S]
	n := hash.TableSize(1<<10, 25+8*len(e.replies), bytes)
	t := &table[S]{entries: make([]entry[S], n), mask: uint64(n-1) &^ (bucket - 1), stored: make([]uint64, n/16)}
	hash.AdviseHugePages(t.entries)
	hash.AdviseHugePages(t.stored)
	return t
}

// bytes returns the memory that the table takes.
func (t *table[S]) bytes() int64 {
	var e entry[S]
	return int64(unsafe.Sizeof(e))*int64(len(t.entries)) + 8*int64(len(t.stored))
}

// bit returns where the bit of key is in stored.
func (t *table[S]) bit(key uint64) (word *uint64, bit uint64) {
	h := hash.Mix(key)
	return &t.stored[h>>6&uint64(len(t.stored)-1)], 1 << (h >> 58)
}

// lockBucket locks and returns the places for key.
// One lock serves many places; the caller unlocks it.
func (t *table[S]) lockBucket(key uint64) ([]entry[S], *sync.Mutex) {
	at := key & t.mask
	lock := &t.locks[at/bucket%uint64(len(t.locks))]
	lock.Lock()
	return t.entries[at : at+bucket], lock
}

// prefetch has what tells whether children are there come near the processor, side by side.
// Loads that do not wait for one another overlap, where probing one after the other would wait for
// memory each time.
func (t *table[S]) prefetch(kids []child) {
	for k := range kids {
		word, _ := t.bit(kids[k].key)
		atomic.LoadUint64(word)
	}
}

// probe returns the entry of a position, if there is one.
// Two positions of the same key of 64 bits are taken for one, which is found out at the latest when
// the certificate is checked.
func (t *table[S]) probe(key uint64) (entry[S], bool) {
	if word, bit := t.bit(key); atomic.LoadUint64(word)&bit == 0 {
		return entry[S]{}, false
	}
	places, lock := t.lockBucket(key)
	defer lock.Unlock()
	for _, e := range places {
		if e.key == key && e.work != 0 {
			return e, true
		}
	}
	return entry[S]{}, false
}

// store keeps e. A proof is never given up for anything else about its position:
// it holds whatever a narrow search by another worker made of the position.
func (t *table[S]) store(e entry[S]) {
	e.fresh = true
	t.put(e)
}

// put stores an entry, in place of that of the same position or of the one with the least work.
func (t *table[S]) put(e entry[S]) {
	word, bit := t.bit(e.key)
	atomic.OrUint64(word, bit)
	places, lock := t.lockBucket(e.key)
	defer lock.Unlock()
	worst := 0
	for k := range places {
		if places[k].key == e.key && places[k].work != 0 {
			if places[k].pn != 0 || e.pn == 0 {
				places[k] = e
			}
			return
		}
		if places[k].work < places[worst].work {
			worst = k
		}
	}
	if places[worst].work == 0 {
		t.used.Add(1)
	}
	places[worst] = e
}

// retainIf drops the entries that keep does not want.
// No search may run meanwhile. The bits of stored stay, which costs time alone.
func (t *table[S]) retainIf(keep func(*entry[S]) bool) {
	for k := range t.entries {
		if e := &t.entries[k]; e.work != 0 && !keep(e) {
			*e = entry[S]{}
			t.used.Add(-1)
		}
	}
}
