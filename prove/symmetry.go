package prove

import (
	"math/rand/v2"

	"oxo/board/bitset"
)

// symmetry finds canonical positions under a group of automorphisms, by hash:
// of a position's images the one whose hash is least. perms[0] is the identity.
type symmetry[S bitset.Squares] struct {
	perms [][]uint8
	keys  [3][]uint64 // keys[c][i*len(perms)+k]: content c on the image of square i under k
	sums  []uint64

	nothing []uint64 // zeros, as many
}

// images is a position with the hashes of its images. Those of a position that
// differs in a few squares are found from it.
type images[S bitset.Squares] struct {
	contents [3]S // the attacker's and the defender's marks, squares out of play
	sums     []uint64
}

// newSymmetry returns the hashes of a group on n squares.
func newSymmetry[S bitset.Squares](n int, perms [][]uint8) *symmetry[S] {
	y := &symmetry[S]{perms: perms, sums: make([]uint64, len(perms)), nothing: make([]uint64, len(perms))}
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

// computeImages makes v the images of a position.
func (y *symmetry[S]) computeImages(v *images[S], contents [3]S) {
	if v.sums == nil {
		v.sums = make([]uint64, len(y.perms))
	}
	clear(v.sums)
	v.contents = contents
	for c, set := range contents {
		y.toggleContent(v.sums, c, set)
	}
}

// canonical returns the key of the class of a position, found from the images
// of another one, and the number of the permutation that takes the position
// to the representative.
func (y *symmetry[S]) canonical(near *images[S], contents [3]S) (key uint64, perm int) {
	// The keys of the last difference are added while the least is looked for:
	// most positions differ in one square.
	sums, last := near.sums, []uint64(nil)
	for c, set := range contents {
		for set = bitset.Xor(set, near.contents[c]); !bitset.Empty(set); set = bitset.Rest(set) {
			if last != nil {
				for k, key := range last {
					y.sums[k] = sums[k] ^ key
				}
				sums = y.sums
			}
			i := bitset.First(set) * len(sums)
			last = y.keys[c][i : i+len(sums)]
		}
	}
	if last == nil {
		last = y.nothing
	}
	key = sums[0] ^ last[0]
	for k, other := range last[:len(sums)] {
		if sum := sums[k] ^ other; sum < key {
			key, perm = sum, k
		}
	}
	return key, perm
}

// toggleContent adds a content, or takes it away, in all images.
func (y *symmetry[S]) toggleContent(sums []uint64, content int, set S) {
	for ; !bitset.Empty(set); set = bitset.Rest(set) {
		i := bitset.First(set) * len(sums)
		for k, key := range y.keys[content][i : i+len(sums)] {
			sums[k] ^= key
		}
	}
}

// image returns the image of set under a permutation, by its number.
func (y *symmetry[S]) image(set S, permNumber int) S {
	if permNumber == 0 {
		return set
	}
	var s S
	for perm := y.perms[permNumber]; !bitset.Empty(set); set = bitset.Rest(set) {
		s = bitset.With(s, int(perm[bitset.First(set)]))
	}
	return s
}
