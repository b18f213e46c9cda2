package search

import (
	"cmp"
	"math/bits"
	"unsafe"

	"oxo"
	"oxo/hash"
)

// Table is a transposition table of fixed size: what is known of positions
// that were searched. Positions are kept whole, so that no two are mixed up.
//
// Replacement: a position goes into the bucket of four entries that its hash
// names. It replaces its own older entry; else it takes an empty one; else it
// replaces the entry with the fewest plies left to search, the last stored of
// those. A new position is always stored.
type Table[P oxo.Position[P]] struct {
	buckets [][ways]entry[P]
	shift   uint // of a hash, to get the bucket
	hash    hash.Hasher[P]
	stored  int
}

const ways = 4

// entry is what is known of a position: its value lies in [lo, hi] when looked
// at with depth plies left, or with any number of plies where that is final, and
// move is the best move found. An empty entry's depth is 0, which no other's
// is.
type entry[P oxo.Position[P]] struct {
	key    P
	lo, hi float64
	depth  int32
	move   oxo.Move
	final  bool
}

// defaultTableBytes is the size of a table that nobody gave a size.
const defaultTableBytes = 32 << 20

// NewTable returns an empty table of at most the given number of bytes, but no
// less than one bucket; 0 is 32 MiB.
func NewTable[P oxo.Position[P]](bytes int) *Table[P] {
	n := hash.TableSize(1, int(unsafe.Sizeof([ways]entry[P]{})), int64(cmp.Or(bytes, defaultTableBytes)))
	return &Table[P]{shift: uint(65 - bits.Len(uint(n))), hash: hash.New[P](), buckets: make([][ways]entry[P], n)}
}

// newTableFor returns a new table for searches of g: of the size asked for, or else of the usual
// size, or less where so few plies are looked ahead that less holds every position with plies
// left.
func newTableFor[P oxo.Position[P]](g *oxo.Game[P], o *Options[P]) *Table[P] {
	size := cmp.Or(o.TableBytes, defaultTableBytes)
	plies := g.MaxPlies
	if o.Depth > 0 && (plies == 0 || o.Depth < plies) {
		plies = o.Depth
	}
	positions := 2 * int(unsafe.Sizeof(entry[P]{})) // in bytes, with room so that few replace others
	for i := 1; i < plies && positions < size; i++ {
		positions *= max(2, g.MaxMoves)
	}
	if plies > 0 {
		size = min(size, positions)
	}
	return NewTable[P](size)
}

// Stored returns the number of positions in the table.
func (t *Table[P]) Stored() int { return t.stored }

// Clear empties the table.
func (t *Table[P]) Clear() {
	clear(t.buckets)
	t.stored = 0
}

// find returns p's entry, or nil.
func (t *Table[P]) find(p P) *entry[P] {
	bucket := &t.buckets[t.hash.Of(&p)>>t.shift]
	for i := range bucket {
		if e := &bucket[i]; e.depth != 0 && e.key == p {
			return e
		}
	}
	return nil
}

// store remembers that the value of p with depth plies left, or with any where
// that is final, lies within bounds. What the table knew of p on the same terms still
// holds.
func (t *Table[P]) store(p P, valueBounds oxo.Interval, depth int32, final bool, m oxo.Move) {
	bucket := &t.buckets[t.hash.Of(&p)>>t.shift]
	place := &bucket[0]
	for i := range bucket {
		e := &bucket[i]
		if e.depth != 0 && e.key == p {
			if e.final == final && (final || e.depth == depth) {
				valueBounds.Lo, valueBounds.Hi = max(valueBounds.Lo, e.lo), min(valueBounds.Hi, e.hi)
			}
			if m == oxo.NoMove {
				m = e.move
			}
			place = e
			break
		}
		if e.depth <= place.depth {
			place = e
		}
	}
	if place.depth == 0 {
		t.stored++
	}
	*place = entry[P]{p, valueBounds.Lo, valueBounds.Hi, depth, m, final}
}
