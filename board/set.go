package board

import (
	"cmp"
	"math/bits"
	"slices"
)

// MaxSquares is the most squares a board can have.
const MaxSquares = 256

// Set is a set of squares 0…255, square i at bit i%64 of word i/64. The words
// are fields, not an array, so that a set travels in registers.
//
//	A: squares   0…63    B: squares  64…127
//	C: squares 128…191   D: squares 192…255
type Set struct{ A, B, C, D uint64 }

// SetOf returns the set of the given squares.
func SetOf(squares ...int) Set {
	var s Set
	for _, i := range squares {
		s = s.With(i)
	}
	return s
}

// Full returns the set of squares 0…n−1.
func Full(n int) Set {
	word := func(k int) uint64 { return 1<<max(0, min(n-64*k, 64)) - 1 }
	return Set{word(0), word(1), word(2), word(3)}
}

// Has reports whether square i is in s.
func (s Set) Has(i int) bool { return s.Word(i>>6)>>(uint(i)&63)&1 != 0 }

// Word returns the word that holds squares 64k…64k+63.
func (s Set) Word(k int) uint64 {
	switch k {
	case 0:
		return s.A
	case 1:
		return s.B
	case 2:
		return s.C
	}
	return s.D
}

// With returns s and square i.
func (s Set) With(i int) Set {
	bit := uint64(1) << (uint(i) & 63)
	switch i >> 6 {
	case 0:
		s.A |= bit
	case 1:
		s.B |= bit
	case 2:
		s.C |= bit
	default:
		s.D |= bit
	}
	return s
}

// Without returns s less square i.
func (s Set) Without(i int) Set { return s.Minus(SetOf(i)) }

// And returns the squares in both s and t.
func (s Set) And(t Set) Set { return Set{s.A & t.A, s.B & t.B, s.C & t.C, s.D & t.D} }

// Or returns the squares in s or t.
func (s Set) Or(t Set) Set { return Set{s.A | t.A, s.B | t.B, s.C | t.C, s.D | t.D} }

// Minus returns the squares in s that are not in t.
func (s Set) Minus(t Set) Set { return Set{s.A &^ t.A, s.B &^ t.B, s.C &^ t.C, s.D &^ t.D} }

// Meets reports whether s and t share a square.
func (s Set) Meets(t Set) bool { return s.A&t.A|s.B&t.B|s.C&t.C|s.D&t.D != 0 }

// Holds reports whether every square of t is in s.
func (s Set) Holds(t Set) bool { return t.A&^s.A|t.B&^s.B|t.C&^s.C|t.D&^s.D == 0 }

// Empty reports whether s has no squares.
func (s Set) Empty() bool { return s.A|s.B|s.C|s.D == 0 }

// Len returns the number of squares in s.
func (s Set) Len() int {
	return bits.OnesCount64(s.A) + bits.OnesCount64(s.B) + bits.OnesCount64(s.C) + bits.OnesCount64(s.D)
}

// First returns the lowest square of s, or -1 where s is empty.
func (s Set) First() int {
	for k := range 4 {
		if w := s.Word(k); w != 0 {
			return 64*k + bits.TrailingZeros64(w)
		}
	}
	return -1
}

// All yields the squares of s in ascending order.
func (s Set) All() func(yield func(int) bool) {
	return func(yield func(int) bool) {
		for k := range 4 {
			for w := s.Word(k); w != 0; w &= w - 1 {
				if !yield(64*k + bits.TrailingZeros64(w)) {
					return
				}
			}
		}
	}
}

// Squares returns the squares of s in ascending order.
func (s Set) Squares() []int {
	return slices.AppendSeq(make([]int, 0, s.Len()), s.All())
}

// Image returns where a permutation of the squares, the list of their images, carries those of s.
func (s Set) Image(perm []uint8) Set {
	var t [4]uint64
	for i := range s.All() {
		t[perm[i]>>6] |= 1 << (perm[i] & 63)
	}
	return Set{t[0], t[1], t[2], t[3]}
}

// Compare orders sets as numbers, word D first. It returns -1, 0 or 1.
func (s Set) Compare(t Set) int {
	return cmp.Or(cmp.Compare(s.D, t.D), cmp.Compare(s.C, t.C), cmp.Compare(s.B, t.B), cmp.Compare(s.A, t.A))
}
