package prove

import (
	"math/bits"

	"oxo/board"
)

// squares is a set of squares, square i at bit i%64 of word i/64. The search
// is compiled once for each length, so that a board of up to 64 squares does
// not pay for larger ones.
type squares interface {
	[1]uint64 | [2]uint64 | [4]uint64
}

func and[S squares](a, b S) S {
	a[0] &= b[0]
	for i := 1; i < len(a); i++ {
		a[i] &= b[i]
	}
	return a
}

func or[S squares](a, b S) S {
	a[0] |= b[0]
	for i := 1; i < len(a); i++ {
		a[i] |= b[i]
	}
	return a
}

func xor[S squares](a, b S) S {
	a[0] ^= b[0]
	for i := 1; i < len(a); i++ {
		a[i] ^= b[i]
	}
	return a
}

func minus[S squares](a, b S) S {
	a[0] &^= b[0]
	for i := 1; i < len(a); i++ {
		a[i] &^= b[i]
	}
	return a
}

func empty[S squares](a S) bool {
	x := a[0]
	for i := 1; i < len(a); i++ {
		x |= a[i]
	}
	return x == 0
}

func count[S squares](a S) int {
	n := bits.OnesCount64(a[0])
	for i := 1; i < len(a); i++ {
		n += bits.OnesCount64(a[i])
	}
	return n
}

// first returns the lowest square of a, which must not be empty.
func first[S squares](a S) int {
	i := 0
	for i < len(a)-1 && a[i] == 0 {
		i++
	}
	return i<<6 + bits.TrailingZeros64(a[i])
}

// rest returns a without its lowest square.
func rest[S squares](a S) S {
	i := 0
	for i < len(a)-1 && a[i] == 0 {
		i++
	}
	a[i] &= a[i] - 1
	return a
}

func has[S squares](a S, sq int) bool { return a[sq>>6]>>(uint(sq)&63)&1 != 0 }

func with[S squares](a S, sq int) S {
	a[sq>>6] |= 1 << (uint(sq) & 63)
	return a
}

func without[S squares](a S, sq int) S {
	a[sq>>6] &^= 1 << (uint(sq) & 63)
	return a
}

func single[S squares](sq int) S {
	var a S
	return with(a, sq)
}

// pack returns the squares of s as words; those past the end of S are lost.
func pack[S squares](s board.Set) S {
	var a S
	for i := 0; i < len(a); i++ {
		a[i] = s.Word(i)
	}
	return a
}
