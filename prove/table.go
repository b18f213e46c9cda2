package prove

import (
	"sync"
	"sync/atomic"
)

// entry is what the table knows of a position: its proof and disproof
// numbers, and where the defender is to move the replies that have to be
// searched, in the frame of the class representative.
type entry[S squares] struct {
	key     uint64
	pn, dn  uint32
	work    uint32 // positions visited below, what keeping the entry is worth
	replies S
}

// table is a transposition table of fixed size. A position may be in any of
// four neighbouring places; a new one replaces that with the least work.
type table[S squares] struct {
	entries []entry[S]
	mask    uint64
	locks   [256]sync.Mutex // by key
	used    atomic.Int64
}

const bucket = 4

// newTable returns a table of at most the given number of bytes.
func newTable[S squares](bytes int64) *table[S] {
	var e entry[S]
	size := int64(24 + 8*len(e.replies))
	n := int64(1 << 10)
	for 2*n*size <= bytes {
		n *= 2
	}
	return &table[S]{entries: make([]entry[S], n), mask: uint64(n-1) &^ (bucket - 1)}
}

func (t *table[S]) probe(key uint64) (entry[S], bool) {
	at := key & t.mask
	lock := &t.locks[at/bucket%uint64(len(t.locks))]
	lock.Lock()
	defer lock.Unlock()
	for _, e := range t.entries[at : at+bucket] {
		if e.key == key && e.work != 0 {
			return e, true
		}
	}
	return entry[S]{}, false
}

// store keeps e, whose work must not be 0.
func (t *table[S]) store(e entry[S]) {
	at := e.key & t.mask
	lock := &t.locks[at/bucket%uint64(len(t.locks))]
	lock.Lock()
	defer lock.Unlock()
	places := t.entries[at : at+bucket]
	worst := 0
	for k := range places {
		if places[k].key == e.key && places[k].work != 0 {
			places[k] = e
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
