// Package bitset has sets of squares as arrays of words, square i at bit i%64 of
// word i/64. Code that is generic over them is compiled once for each length, so
// that a board of up to 64 squares does not pay for larger ones.
package bitset

import "math/bits"

// Squares is a set of up to 64, 128, 256 or 448 squares. The zero value is the
// empty set.
type Squares interface {
	[1]uint64 | [2]uint64 | [4]uint64 | [7]uint64
}

// Most is the number of squares of the largest sets.
const Most = 7 * 64

// And returns the squares of both sets.
func And[S Squares](a, b S) S {
	a[0] &= b[0]
	for i := 1; i < len(a); i++ {
		a[i] &= b[i]
	}
	return a
}

// Or returns the squares of either set.
func Or[S Squares](a, b S) S {
	a[0] |= b[0]
	for i := 1; i < len(a); i++ {
		a[i] |= b[i]
	}
	return a
}

// Xor returns the squares of one set but not of both.
func Xor[S Squares](a, b S) S {
	a[0] ^= b[0]
	for i := 1; i < len(a); i++ {
		a[i] ^= b[i]
	}
	return a
}

// Minus returns the squares of a that are not in b.
func Minus[S Squares](a, b S) S {
	a[0] &^= b[0]
	for i := 1; i < len(a); i++ {
		a[i] &^= b[i]
	}
	return a
}

// Empty reports whether a has no squares.
func Empty[S Squares](a S) bool {
	x := a[0]
	for i := 1; i < len(a); i++ {
		x |= a[i]
	}
	return x == 0
}

// Count returns the number of squares.
func Count[S Squares](a S) int {
	n := bits.OnesCount64(a[0])
	for i := 1; i < len(a); i++ {
		n += bits.OnesCount64(a[i])
	}
	return n
}

// First returns the lowest square of a, which must not be empty.
func First[S Squares](a S) int {
	i := 0
	for i < len(a)-1 && a[i] == 0 {
		i++
	}
	return i<<6 + bits.TrailingZeros64(a[i])
}

// Rest returns a without its lowest square.
func Rest[S Squares](a S) S {
	i := 0
	for i < len(a)-1 && a[i] == 0 {
		i++
	}
	a[i] &= a[i] - 1
	return a
}

// Has reports whether sq is in a.
func Has[S Squares](a S, sq int) bool { return a[sq>>6]>>(uint(sq)&63)&1 != 0 }

// With returns a and sq.
func With[S Squares](a S, sq int) S {
	a[sq>>6] |= 1 << (uint(sq) & 63)
	return a
}

// Without returns a less sq.
func Without[S Squares](a S, sq int) S {
	a[sq>>6] &^= 1 << (uint(sq) & 63)
	return a
}

// Single returns the set of sq alone.
func Single[S Squares](sq int) S {
	var a S
	return With(a, sq)
}
