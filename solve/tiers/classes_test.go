package tiers

import (
	"slices"
	"testing"

	"oxo/board"
	"oxo/games/plane"
)

// TestClasses compares the classes that are generated under large groups with those of all sets, tested one by one.
func TestClasses(t *testing.T) {
	boards := map[string]func() (*board.Board, error){
		"plane:affine,3":     func() (*board.Board, error) { return plane.Affine(3) },
		"plane:projective,3": func() (*board.Board, error) { return plane.Projective(3) },
	}
	for name, build := range boards {
		b, err := build()
		if err != nil {
			t.Fatal(err)
		}
		s, err := New(b, board.Normal, 1<<30)
		if err != nil {
			t.Fatal(err)
		}
		if !s.generated() {
			t.Errorf("%s: a group of order %v is not large", name, b.Group().Order())
		}
		for marks := range b.N + 1 {
			var want []class
			for set := uint64(1)<<marks - 1; set < 1<<b.N; set = nextSubset(set) {
				if itself, size := b.Group().IsRepresentative(set); itself {
					want = append(want, class{uint32(set), uint32(size)})
				}
				if set == 0 {
					break
				}
			}
			if got := s.symmetryClasses(marks); !slices.Equal(got, want) {
				t.Errorf("%s, %d marks: %d classes %v, want %d %v", name, marks, len(got), got, len(want), want)
			}
			var from []uint32
			for set := range s.canonicalSets(marks, want[len(want)/2].set) {
				from = append(from, set)
			}
			if len(from) != len(want)-len(want)/2 || from[0] != want[len(want)/2].set {
				t.Errorf("%s, %d marks: from %x on %x", name, marks, want[len(want)/2].set, from)
			}
		}
	}
}
