package solve

import (
	"math/bits"
	"unsafe"

	"oxo"
	"oxo/hash"
)

// valueTable maps the positions of a game to values. Positions that pack into 64
// bits live in an open-addressing hash table of 8 bytes and a value each; the
// others in a map.
// The slots are a power of two in number. A key is looked for from the slot of its hash on, one
// slot after the other, up to an empty one; nothing is ever taken out.
type valueTable[P oxo.Position[P], V any] struct {
	code func(P) uint64
	keys []uint64 // empty slots hold noKey
	vals []V
	used int
	wide map[P]V
}

// keysByTopBits returns the keys, those of each part below those of the next.
// The highest eight bits in use choose the part, so that a file in ascending order can be written
// by sorting one part at a time; within a part the keys are in no order.
func (t *valueTable[P, V]) keysByTopBits() (parts [256][]uint64) {
	most := uint64(0)
	for _, k := range t.keys {
		if k != noKey {
			most = max(most, k)
		}
	}
	shift := max(0, bits.Len64(most)-8)
	for _, k := range t.keys {
		if k != noKey {
			parts[k>>shift] = append(parts[k>>shift], k)
		}
	}
	return parts
}

// noKey is no position's code.
const noKey = ^uint64(0)

// newTable returns an empty table: by codes where positions have them, else a map.
func newTable[P oxo.Position[P], V any](g *oxo.Game[P]) *valueTable[P, V] {
	t := &valueTable[P, V]{code: g.Code}
	if t.code == nil {
		t.wide = make(map[P]V)
	} else {
		t.resize(1 << 8)
	}
	return t
}

// len returns how many positions there are.
func (t *valueTable[P, V]) len() int {
	if t.code == nil {
		return len(t.wide)
	}
	return t.used
}

// bytes returns how much memory the table takes, of a map about.
// Go does not say what a map takes: about twice what is in it, as its groups are part empty.
func (t *valueTable[P, V]) bytes() int64 {
	var p P
	var v V
	if t.code == nil {
		return int64(len(t.wide)) * int64(unsafe.Sizeof(p)+unsafe.Sizeof(v)) * 2
	}
	return int64(len(t.keys)) * int64(8+unsafe.Sizeof(v))
}

// get returns the value of a position, if it is there.
func (t *valueTable[P, V]) get(p P) (v V, ok bool) {
	if t.code == nil {
		v, ok = t.wide[p]
		return v, ok
	}
	k := t.code(p)
	i := t.slotOf(k)
	return t.vals[i], t.keys[i] == k
}

// put stores a value; the table doubles when three quarters are taken.
// The value of a position that is there already is replaced.
func (t *valueTable[P, V]) put(p P, v V) {
	if t.code == nil {
		t.wide[p] = v
		return
	}
	k := t.code(p)
	i := t.slotOf(k)
	if t.keys[i] == noKey {
		if t.used++; t.used*4 > len(t.keys)*3 {
			t.resize(2 * len(t.keys))
			i = t.slotOf(k)
		}
		t.keys[i] = k
	}
	t.vals[i] = v
}

// slotOf returns where key k is or would be put.
func (t *valueTable[P, V]) slotOf(k uint64) uint64 {
	mask := uint64(len(t.keys) - 1)
	for i := hash.Mix(k) & mask; ; i = (i + 1) & mask {
		if t.keys[i] == k || t.keys[i] == noKey {
			return i
		}
	}
}

// resize moves all entries into that many slots.
// There must be more slots than keys, or a search for an empty one would not end.
func (t *valueTable[P, V]) resize(slots int) {
	keys, vals := t.keys, t.vals
	t.keys, t.vals = make([]uint64, slots), make([]V, slots)
	for i := range t.keys {
		t.keys[i] = noKey
	}
	for i, k := range keys {
		if k != noKey {
			j := t.slotOf(k)
			t.keys[j], t.vals[j] = k, vals[i]
		}
	}
}
