package drop

import (
	"math/bits"
	"sync/atomic"

	"oxo/hash"
)

// table remembers bounds of positions. A key is carried one to one to a number
// whose upper bits are the index and whose lower bits, the tag, are stored, so
// that an answer is never of another position. Entries are replaced always.
//
//	narrow   32 bits: tag, 8 bits of bound   where tag and bound fit
//	middle   64 bits: the same
//	wide     two words of 64 bits: the high word of the key, and the same of
//	         the low word, the first xored with the second, so that an entry that two
//	         workers wrote halves of fits no key (Hyatt and Mann, A lock-less
//	         transposition-table implementation, 2002)
//
// A bound of 0 is no entry.
type table struct {
	narrow []uint32
	words  []uint64
	wide   bool
	shared bool // several workers use it at once

	keyMask    uint64 // of the bits of a key's low word
	indexShift uint   // from a scrambled key to its index
	tagMask    uint64
}

const (
	boundBits = 8
	boundMask = 1<<boundBits - 1
	mostBits  = 40 // of an index
)

// newTable returns a table of at most that many bytes for keys whose low word has
// keyBits bits, as large as a power of two entries can be.
func newTable(keyBits uint, wide bool, bytes int) *table {
	t := &table{wide: wide, keyMask: 1<<keyBits - 1}
	if keyBits == 64 {
		t.keyMask = ^uint64(0)
	}
	entry := func(index uint) int {
		switch {
		case wide:
			return 16
		case keyBits-index+boundBits <= 32:
			return 4
		}
		return 8
	}
	index := min(keyBits, uint(boundBits))
	for index < keyBits && index < mostBits && entry(index+1)<<(index+1) <= bytes {
		index++
	}
	t.indexShift = keyBits - index
	t.tagMask = 1<<t.indexShift - 1
	switch entry(index) {
	case 4:
		t.narrow = make([]uint32, 1<<index)
		hash.AdviseHugePages(t.narrow)
	case 8:
		t.words = make([]uint64, 1<<index)
		hash.AdviseHugePages(t.words)
	default:
		t.words = make([]uint64, 2<<index)
		hash.AdviseHugePages(t.words)
	}
	return t
}

// bytes returns the memory that the table takes, 0 for none.
func (t *table) bytes() int {
	if t == nil {
		return 0
	}
	return 4*len(t.narrow) + 8*len(t.words)
}

// scramble carries a key to a number of as many bits, one to one; the upper
// ones depend on all of the key.
func (t *table) scramble(high, low uint64) uint64 {
	const odd = 0x9E3779B97F4A7C15
	if t.wide {
		low ^= bits.RotateLeft64(high*odd, 32) & t.keyMask
	}
	return low * odd & t.keyMask
}

// lookUpBound returns the bound stored for a key, 0 for none, and the scrambled key.
func (t *table) lookUpBound(high, low uint64) (bound, scrambledKey uint64) {
	scrambledKey = t.scramble(high, low)
	i, tag := scrambledKey>>t.indexShift, scrambledKey&t.tagMask
	switch {
	case t.narrow != nil:
		w := uint64(atomic.LoadUint32(&t.narrow[i]))
		if w>>boundBits == tag {
			return w & boundMask, scrambledKey
		}
	case !t.wide:
		w := atomic.LoadUint64(&t.words[i])
		if w>>boundBits == tag {
			return w & boundMask, scrambledKey
		}
	default:
		w := atomic.LoadUint64(&t.words[2*i+1])
		if w>>boundBits == tag && atomic.LoadUint64(&t.words[2*i])^w == high {
			return w & boundMask, scrambledKey
		}
	}
	return 0, scrambledKey
}

// storeBound stores a bound under the scrambled key.
func (t *table) storeBound(high, scrambledKey, bound uint64) {
	i, w := scrambledKey>>t.indexShift, scrambledKey&t.tagMask<<boundBits|bound
	switch {
	case t.narrow != nil:
		if t.shared {
			atomic.StoreUint32(&t.narrow[i], uint32(w))
		} else {
			t.narrow[i] = uint32(w)
		}
	case !t.wide:
		if t.shared {
			atomic.StoreUint64(&t.words[i], w)
		} else {
			t.words[i] = w
		}
	default:
		atomic.StoreUint64(&t.words[2*i], high^w)
		atomic.StoreUint64(&t.words[2*i+1], w)
	}
}
