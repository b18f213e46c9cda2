// Package hash turns what searches remember into well-mixed numbers: the same
// in every run, so that a search with memory always visits the same nodes.
package hash

import (
	"math/bits"
	"reflect"
	"unsafe"
)

// Hasher turns values of P into numbers, equal values into equal numbers. It reads the
// integer fields of a value as words of memory; the
// rest (padding, and pointers to what all positions of a game share) it leaves
// out.
type Hasher[P any] struct {
	words []word
	tail  []uintptr // offsets of single bytes
}

// word is 8 bytes of a value, of which mask says which bits to read.
type word struct {
	offset uintptr
	mask   uint64
}

// New returns the hasher of P.
func New[P any]() Hasher[P] {
	var h Hasher[P]
	t := reflect.TypeFor[P]()
	read := make([]bool, t.Size())
	markIntegerBytes(t, read)
	whole := len(read) &^ 7
	for at := 0; at < whole; at += 8 {
		w := word{offset: uintptr(at)}
		for i, use := range read[at : at+8] {
			if use {
				(*[8]byte)(unsafe.Pointer(&w.mask))[i] = 0xFF
			}
		}
		if w.mask != 0 {
			h.words = append(h.words, w)
		}
	}
	for at := whole; at < len(read); at++ {
		if read[at] {
			h.tail = append(h.tail, uintptr(at))
		}
	}
	return h
}

// markIntegerBytes marks the bytes of t that belong to integers and truth values
// and take part in comparisons.
func markIntegerBytes(t reflect.Type, isInteger []bool) {
	switch t.Kind() {
	case reflect.Struct:
		for f := range t.Fields() {
			if f.Name != "_" {
				markIntegerBytes(f.Type, isInteger[f.Offset:])
			}
		}
	case reflect.Array:
		for i := range t.Len() {
			markIntegerBytes(t.Elem(), isInteger[uintptr(i)*t.Elem().Size():])
		}
	case reflect.Bool,
		reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		for i := range t.Size() {
			isInteger[i] = true
		}
	}
}

// Of returns p's number.
func (h *Hasher[P]) Of(p *P) uint64 {
	at := unsafe.Pointer(p)
	sum := uint64(0x9E3779B97F4A7C15)
	for _, w := range h.words {
		sum = Mix(sum ^ *(*uint64)(unsafe.Add(at, w.offset))&w.mask)
	}
	for _, offset := range h.tail {
		sum = Mix(sum ^ uint64(*(*byte)(unsafe.Add(at, offset))))
	}
	return sum
}

// TableSize returns how many entries, least times a power of two, a table has that takes at most so many bytes; it has
// no fewer than least.
func TableSize(least, entryBytes int, bytes int64) int {
	n := least
	for int64(n) <= bytes/int64(2*entryBytes) {
		n *= 2
	}
	return n
}

// Mix multiplies x by an odd constant and folds the 128-bit product.
func Mix(x uint64) uint64 {
	high, low := bits.Mul64(x+0xD1B54A32D192ED03, 0xEB44ACCAB455D165)
	return high ^ low
}
