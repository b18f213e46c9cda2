package tiers

import (
	"context"
	"sort"

	"oxo/board"
	"oxo/solve"
)

// Values answers what positions are worth from the tables of a space. It keeps
// the table that it used last, and is for one goroutine.
type Values struct {
	space *Space

	// load returns the table of a slice of a tier.
	load func(marks, index int) ([]byte, error)

	slices       func(ctx context.Context, marks int) ([]Slice, error)
	marks, index int // of the table at hand
	at           sliceTable
}

// Values answers from tables that load returns.
func (s *Space) Values(load func(marks, index int) ([]byte, error)) *Values {
	return &Values{space: s, load: load, slices: s.Slices}
}

// VerdictAt returns the verdict of the position with these marks; false where it can't
// be reached.
func (v *Values) VerdictAt(ctx context.Context, x, o board.Set) (solve.Verdict, bool, error) {
	none := solve.Verdict{}
	s := v.space
	taken, marks := uint32(x.Or(o).A), x.Or(o).Len()
	set, perm := s.canonical(taken)
	list, err := v.slices(ctx, marks)
	if err != nil {
		return none, false, err
	}
	k := sort.Search(len(list), func(i int) bool { return list[i].First > set }) - 1
	if k < 0 || x.Meets(o) {
		return none, false, nil
	}
	if v.at.data == nil || v.marks != marks || v.index != k {
		data, err := v.load(marks, k)
		if err != nil {
			return none, false, err
		}
		if v.at, err = s.parseTable(marks, list[k], data); err != nil {
			v.at.data = nil
			return none, false, err
		}
		v.marks, v.index = marks, k
	}
	b := v.at.blockIndex(set)
	if b < 0 {
		return none, false, nil
	}
	image := uint32(0)
	for i := range x.All() {
		if perm != nil {
			i = int(perm[i])
		}
		image |= 1 << i
	}
	own := s.tierCombinations(marks)
	if own.ones >= 0 && own.ones != x.Len() {
		return none, false, nil
	}
	verdict, ok := decodeScore(v.at.block(b)[partialRank(own, uint64(extractBits(image, set)), 0, 0)], seat(marks))
	return verdict, ok, nil
}
