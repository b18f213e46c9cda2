package tiers

import (
	"encoding/binary"
	"fmt"
	"sort"
)

// sliceTable is a slice in one piece of memory, as it is stored: the sets, ascending,
// four bytes each, least first; then their blocks, one after another, a score
// for each word.
type sliceTable struct {
	data   []byte
	blocks int
	width  int // words of a block
}

// parseTable reads the table of a slice.
func (s *Space) parseTable(marks int, slice Slice, data []byte) (sliceTable, error) {
	t := sliceTable{data, slice.Blocks, int(s.tierCombinations(marks).count())}
	switch {
	case len(data) != t.blocks*(setBytes+t.width):
		return t, fmt.Errorf("the table of the slice from %#x has %d bytes, not %d", slice.First, len(data),
			t.blocks*(setBytes+t.width))
	case t.set(0) != slice.First:
		return t, fmt.Errorf("the table begins at %#x, not at %#x", t.set(0), slice.First)
	}
	return t, nil
}

// emptyTable makes the table of a slice without its values.
func (s *Space) emptyTable(marks int, slice Slice) sliceTable {
	width := int(s.tierCombinations(marks).count())
	t := sliceTable{make([]byte, slice.Blocks*(setBytes+width)), slice.Blocks, width}
	i := 0
	for set := range s.canonicalSets(marks, slice.First) {
		binary.LittleEndian.PutUint32(t.data[i*setBytes:], set)
		if i++; i == slice.Blocks {
			break
		}
	}
	return t
}

func (t sliceTable) set(i int) uint32 { return binary.LittleEndian.Uint32(t.data[i*setBytes:]) }

// block returns the scores of a set's words.
func (t sliceTable) block(i int) []byte {
	at := t.blocks*setBytes + i*t.width
	return t.data[at : at+t.width : at+t.width]
}

// blockIndex returns the block of a set, or −1.
func (t sliceTable) blockIndex(set uint32) int {
	i := sort.Search(t.blocks, func(i int) bool { return t.set(i) >= set })
	if i == t.blocks || t.set(i) != set {
		return -1
	}
	return i
}
