package proof

import (
	"math/bits"
	"unsafe"

	"oxo"
	"oxo/hash"
)

// proofTable is the table of a [Prover]: proof and disproof numbers of positions
// that were left. Positions are kept whole, so that no two are mixed up. It grows
// by doubling up to its limit.
//
// Replacement: a position goes into the bucket of four entries that its hash
// names, in place of its own older entry, else of an empty one, else of the one
// that took the fewest nodes; what was found out in earlier ages counts as none.
//
// Most looks are for positions that are not there, and wait for memory. So a word
// for each bucket, with 16 bits of the hash of each of its entries, is read
// first: those words are few enough to stay in the cache.
type proofTable[P oxo.Position[P]] struct {
	buckets [][ways]proofEntry[P]
	tags    []uint64 // of the buckets
	shift   uint     // of a hash, to get the bucket
	limit   int      // of buckets
	stored  int
	age     uint8
	hash    hash.Hasher[P]
}

// proofEntry is what is known of a position; that of an empty entry has no work.
type proofEntry[P any] struct {
	p        P
	pn, dn   uint32
	work     uint32 // nodes that it took
	attacker oxo.Seat
	age      uint8
}

const ways = 4

const firstBuckets = 1 << 8

// newProofTable returns a table that grows to so many bytes.
func newProofTable[P oxo.Position[P]](bytes int) proofTable[P] {
	bucketBytes := int(unsafe.Sizeof([ways]proofEntry[P]{}) + unsafe.Sizeof(uint64(0)))
	t := proofTable[P]{limit: hash.TableSize(1, bucketBytes, int64(bytes)), hash: hash.New[P]()}
	t.makeEmpty(min(firstBuckets, t.limit))
	return t
}

// bytes returns how much memory the table may come to take.
func (t *proofTable[P]) bytes() int64 {
	return int64(t.limit) * int64(unsafe.Sizeof([ways]proofEntry[P]{})+unsafe.Sizeof(t.tags[0]))
}

// makeEmpty makes the table empty with so many buckets, a power of two.
func (t *proofTable[P]) makeEmpty(buckets int) {
	t.buckets, t.tags, t.stored, t.shift = make([][ways]proofEntry[P], buckets), make([]uint64, buckets), 0, 64
	for ; buckets > 1; buckets /= 2 {
		t.shift--
	}
}

// find returns the entry of p, whose hash is h, for that attacker, or nil.
func (t *proofTable[P]) find(p *P, h uint64, attacker oxo.Seat) *proofEntry[P] {
	at := h >> t.shift
	tags := t.tags[at]
	for i := 0; tags != 0; i, tags = i+1, tags>>16 {
		if uint16(tags) != hashTag(h) {
			continue
		}
		if e := &t.buckets[at][i]; e.attacker == attacker && e.p == *p {
			return e
		}
	}
	return nil
}

// hashTag returns what of a hash is kept beside the buckets, which the high bits
// tell apart: never 0, which is that of an empty entry.
func hashTag(h uint64) uint16 { return uint16(h) | 1 }

// store remembers the numbers of p, whose hash is h and which took so many nodes.
func (t *proofTable[P]) store(p P, h uint64, attacker oxo.Seat, pn, dn uint32, work uint64) {
	if t.stored > 2*len(t.buckets) && len(t.buckets) < t.limit {
		t.doubleSize()
	}
	t.storeInBucket(h, proofEntry[P]{p, pn, dn, uint32(min(work, 1<<31)), attacker, t.age})
}

// storeInBucket stores an entry in the bucket that its hash h names, in place of the one with the least work. It reads
// of the bucket only what may have to give way.
func (t *proofTable[P]) storeInBucket(h uint64, n proofEntry[P]) {
	if e := t.find(&n.p, h, n.attacker); e != nil {
		n.work = min(n.work+e.work, 1<<31)
		*e = n
		return
	}
	at := h >> t.shift
	place := t.placeToReplace(at)
	t.buckets[at][place] = n
	shift := 16 * place
	t.tags[at] = t.tags[at]&^(0xFFFF<<shift) | uint64(hashTag(h))<<shift
}

// placeToReplace returns the first empty place of a bucket, which is then counted as taken, else that of the entry with
// the least work.
func (t *proofTable[P]) placeToReplace(bucket uint64) (place int) {
	taken := (bits.Len64(t.tags[bucket]) + 15) / 16 // places fill from the first on
	if taken < ways {
		t.stored++
		return taken
	}
	least := uint32(1<<32 - 1)
	for i := range t.buckets[bucket] {
		e := &t.buckets[bucket][i]
		work := e.work
		if e.age != t.age {
			work = 1
		}
		if work < least {
			place, least = i, work
		}
	}
	return place
}

// doubleSize doubles the table.
func (t *proofTable[P]) doubleSize() {
	old := t.buckets
	t.makeEmpty(2 * len(old))
	for i := range old {
		for _, e := range old[i] {
			if e.work != 0 {
				t.storeInBucket(t.hash.Of(&e.p), e)
			}
		}
	}
}
