package prove

import "math/rand/v2"

// symmetry finds canonical positions under a group of automorphisms, by hash:
// of a position's images the one whose hash is least. perms[0] is the identity.
type symmetry[S squares] struct {
	n     int
	perms [][]uint8
	keys  [4][]uint64 // keys[c][i*len(perms)+k]: content c on the image of square i under k
	sums  []uint64
}

// What keys tells apart. A position is told by its marks and either its
// squares out of play or its free squares, whichever are fewer.
const (
	keyOut  = 2
	keyFree = 3
)

func newSymmetry[S squares](n int, perms [][]uint8) *symmetry[S] {
	y := &symmetry[S]{n: n, perms: perms, sums: make([]uint64, len(perms))}
	r := rand.New(rand.NewPCG(uint64(n), 0x73796d))
	for c := range y.keys {
		key := make([]uint64, n)
		for i := range key {
			key[i] = r.Uint64()
		}
		y.keys[c] = make([]uint64, n*len(perms))
		for k, perm := range perms {
			for i := range n {
				y.keys[c][i*len(perms)+k] = key[perm[i]]
			}
		}
	}
	return y
}

// canonical returns the key of the class of the position with these marks and
// free squares, of all the squares, and the number of the permutation that
// takes the position to the representative.
func (y *symmetry[S]) canonical(marks [2]S, free, all S) (key uint64, perm int) {
	clear(y.sums)
	y.add(attacker, marks[attacker])
	y.add(defender, marks[defender])
	outside := minus(minus(minus(all, free), marks[0]), marks[1])
	if count(outside) <= count(free) {
		y.add(keyOut, outside)
	} else {
		y.add(keyFree, free)
	}
	key = y.sums[0]
	for k, sum := range y.sums {
		if sum < key {
			key, perm = sum, k
		}
	}
	return key, perm
}

func (y *symmetry[S]) add(content int, set S) {
	sums := y.sums
	for ; !empty(set); set = rest(set) {
		i := first(set) * len(sums)
		for k, key := range y.keys[content][i : i+len(sums)] {
			sums[k] ^= key
		}
	}
}

// image returns the image of set under permutation k.
func (y *symmetry[S]) image(set S, k int) S {
	if k == 0 {
		return set
	}
	var s S
	for perm := y.perms[k]; !empty(set); set = rest(set) {
		s = with(s, int(perm[first(set)]))
	}
	return s
}
