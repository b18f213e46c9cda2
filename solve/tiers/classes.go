package tiers

import (
	"math/big"
	"slices"
	"sync"
)

// mostTested is the order of the largest group under which every set of squares is tested whether it stands for its
// class, which is quick there; under larger ones the classes are generated.
const mostTested = 256

// soonGenerated is how many classes are generated before it is known that they are needed.
const soonGenerated = 1e5

// classes are the sets of squares that stand for their classes, tier by tier.
type classes struct {
	mu    sync.Mutex
	tiers [][]class
}

// class is the set that stands for a class, and how many sets the class has.
type class struct{ set, size uint32 }

// classBytes is about what a class takes while the classes are generated.
const classBytes = 32

// symmetryClasses returns the classes of sets of so many squares, ascending by their sets. Each is that of a set of the
// tier before and one more square.
func (s *Space) symmetryClasses(marks int) []class {
	s.classes.mu.Lock()
	defer s.classes.mu.Unlock()
	if s.classes.tiers == nil {
		s.classes.tiers = [][]class{{{0, 1}}}
	}
	for k := len(s.classes.tiers); k <= marks; k++ {
		sizes := map[uint32]uint32{}
		for _, c := range s.classes.tiers[k-1] {
			for free := ^c.set & uint32(1<<s.n-1); free != 0; free &= free - 1 {
				set, _, _, size := s.group.Canonical64(uint64(c.set|free&-free), 0, 0)
				sizes[uint32(set)] = uint32(size)
			}
		}
		tier := make([]class, 0, len(sizes))
		for set, size := range sizes {
			tier = append(tier, class{set, size})
		}
		slices.SortFunc(tier, func(x, y class) int { return int(int64(x.set) - int64(y.set)) })
		s.classes.tiers = append(s.classes.tiers, tier)
	}
	return s.classes.tiers[marks]
}

// generated reports whether the classes are generated, which all squares must be free for.
func (s *Space) generated() bool {
	return s.group != nil && s.board.Below == nil && s.group.Order().Cmp(big.NewInt(mostTested)) > 0
}
