// Package tiers finds strong solutions of positional games whose tables are too
// large for one machine's memory. A tier is all positions with so many marks.
// The last tier is the full board; every other one is worked out from the one
// after it, a [Slice] at a time, and a slice needs of the next tier one slice
// after another, so that two slices in memory are enough for tiers of any size.
//
// # Index
//
// A position is a set of taken squares and a word that says which of them are
// X: bit j of the word is the j-th lowest square of the set. Of each class of
// sets under the board's automorphisms one is kept, and with it a block of
// values, a byte for every word in ascending order. Where each side places its
// own mark, all words of a tier have the same number of ones, and the place of
// a word is its rank in the combinatorial number system (Knuth, TAOCP 4A,
// 7.2.1.3). So the index is perfect but for two things: a position in which the
// game would have ended earlier has a place, and so has each word of a set that
// some automorphism keeps. Symmetry is asked about once for each set and move,
// and not for each position, which is what makes this fast.
//
// A sorted list of canonical positions would have neither waste, but needs
// eight bytes a position and a canonical form for each move of each position.
//
// # Values
//
// A value is worth to the side that is to move, and values
// are numbered so that the best of several is the greatest number.
package tiers
