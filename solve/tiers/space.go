package tiers

import (
	"context"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"sync"

	"oxo"
	"oxo/board"
)

// Bounds of what is tried.
const (
	MaxSquares = 32
	mostStored = 1 << 40 // values in all tiers
)

// Space is a positional game taken apart into tiers and slices. It may be used
// by many at once.
type Space struct {
	board   *board.Board
	rules   board.Rules
	n       int
	group   *board.Group // nil where only the identity is an automorphism
	forward bool
	stored  float64 // bytes of values in all tiers, about
	edges   float64 // steps from a set to one with a square more, in all tiers, about
	most    float64 // bytes of the largest tier, with what goes with it
	budget  uint64  // bytes that a slice may take with what goes with it
	cache   []tierSlices
	classes classes
}

// tierSlices is what is found out about a tier at the first question.
type tierSlices struct {
	mu     sync.Mutex
	slices []Slice
}

// Slice is a range of a tier's blocks.
type Slice struct {
	First  uint32 `json:"first"`  // the first set
	Blocks int    `json:"blocks"` // how many sets
}

// New takes a game apart into slices of which a part of the work takes no more
// than so many bytes of memory, garbage included. It refuses games with
// chance, more than [MaxSquares] squares, or too many positions, and too little
// memory, and says what is needed.
func New(b *board.Board, r board.Rules, memory int64) (*Space, error) {
	switch {
	case r.Slip != 0:
		return nil, fmt.Errorf("games with chance can't be solved by tiers")
	case b.N > MaxSquares:
		return nil, fmt.Errorf("%d squares: tiers are for boards of at most %d", b.N, MaxSquares)
	}
	s := &Space{board: b, rules: r, n: b.N, cache: make([]tierSlices, b.N+1)}
	if g := b.Group(); g.HasSymmetry() {
		s.group = g
	}
	// Where every part of a position without a winning set is one, too, a
	// position can be reached if its last move can be taken back. Otherwise
	// what can be reached is found from the start on.
	s.forward = b.Below != nil
	for _, l := range b.Lines {
		s.forward = s.forward || !l.Bar.Empty()
	}
	order, _ := b.Group().Order().Float64()
	floor := b.N // squares with none below them
	for _, below := range b.Below {
		if below >= 0 {
			floor--
		}
	}
	need, classes := uint64(0), math.Exp2(float64(s.n))/order // at least
	for marks, sets := range countSupportedSets(b) {
		sets /= order
		if s.generated() && classes < soonGenerated {
			sets = float64(len(s.symmetryClasses(marks)))
		}
		s.stored += sets * float64(s.tierCombinations(marks).count())
		s.edges += sets * float64(min(b.N-marks, floor))
		s.most = max(s.most, sets*float64(s.bytesPerSet(marks)))
		need = max(need, s.bytesPerSet(marks))
	}
	if s.generated() {
		s.most += classBytes * classes
	}
	if s.stored > mostStored {
		return nil, fmt.Errorf("about %.1g positions: tiers are for games of at most %.1g", s.stored,
			float64(mostStored))
	}
	// Of what a part takes half is garbage that is not collected yet. The
	// other half is its slice, a slice of the other tier, the same on its way
	// through the network, and tables of ranks.
	tables := uint64(16) << ((s.n + 2) / 2)
	if least := 2 * (3*need + tables); uint64(max(memory, 0)) < least {
		return nil, fmt.Errorf("memory: %d bytes are too few for this game; the least is %d", memory, least)
	}
	s.budget = (uint64(memory)/2 - tables) / 3
	s.most = min(float64(memory), 2*(3*s.most+float64(tables)))
	return s, nil
}

// MostMemory returns about how many bytes a part of the work takes at most.
func (s *Space) MostMemory() float64 { return s.most }

// Stored returns about how many bytes the values of all tiers take.
func (s *Space) Stored() float64 { return s.stored }

// countSupportedSets returns how many sets of so many squares there are of which none has an empty
// square below it. What rests on a square is a forest, so that they are counted
// as products of polynomials in the number of squares.
func countSupportedSets(b *board.Board) (bySize []float64) {
	counts := make([][]float64, b.N+1) // of what rests on each square, with it; last those on the floor
	for i := range counts {
		counts[i] = []float64{1}
	}
	order := make([]int, 0, b.N) // each square before the one below it
	depth := make([]int, b.N)
	for i := range b.N {
		order = append(order, i)
		for at := i; b.Below != nil && b.Below[at] >= 0; at = b.Below[at] {
			depth[i]++
		}
	}
	slices.SortStableFunc(order, func(i, j int) int { return depth[j] - depth[i] })
	for _, i := range order {
		to := b.N
		if depth[i] > 0 {
			to = b.Below[i]
		}
		own := append([]float64{1}, counts[i]...) // the square is empty, or taken and others on it
		product := make([]float64, len(counts[to])+len(own)-1)
		for j, x := range counts[to] {
			for k, y := range own {
				product[j+k] += x * y
			}
		}
		counts[to] = product
	}
	return counts[b.N]
}

// MaxMarks returns the greatest number of marks, that of the last tier.
func (s *Space) MaxMarks() int { return s.n }

// Edges returns about how many steps there are from a set of squares to one with a square more.
func (s *Space) Edges() float64 { return s.edges }

// NeedsReachable reports whether what can be reached has to be found first, from the
// start on, by [Space.FindReachable].

// NeedsReachable reports whether what can be reached is found from the start on.
func (s *Space) NeedsReachable() bool { return s.forward }

// tierCombinations returns the words of a tier.
func (s *Space) tierCombinations(marks int) bitCombinations {
	switch s.rules.Place {
	case board.Either:
		return bitCombinations{marks, -1}
	case board.Cross:
		return bitCombinations{marks, marks}
	}
	return bitCombinations{marks, (marks + 1) / 2}
}

// setBytes is what a table takes for each set besides its values, and
// edgeBytes what each of its neighbours takes while a slice is worked out.
const (
	setBytes  = 4
	edgeBytes = 12
)

// bytesPerSet returns how many bytes a set takes while its slice is worked out.
func (s *Space) bytesPerSet(marks int) uint64 {
	neighbours := s.n - marks
	if s.forward {
		neighbours = max(neighbours, marks)
	}
	return s.tierCombinations(marks).count() + setBytes + uint64(neighbours)*edgeBytes
}

// Slices returns the slices of a tier. They depend on the game and the memory
// alone.
func (s *Space) Slices(ctx context.Context, marks int) ([]Slice, error) {
	t := &s.cache[marks]
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.slices != nil {
		return t.slices, ctx.Err()
	}
	most := int(min(s.budget/s.bytesPerSet(marks), 1<<31-1))
	var list []Slice
	seen := 0
	for set := range s.canonicalSets(marks, 0) {
		if seen++; seen%pollEvery == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if n := len(list); n > 0 && list[n-1].Blocks < most {
			list[n-1].Blocks++
		} else {
			list = append(list, Slice{set, 1})
		}
	}
	t.slices = list
	return list, ctx.Err()
}

// pollEvery is how many sets lie between two looks at the context.
const pollEvery = 256

// canonicalSets yields one set of each class of sets of so many squares that can be
// taken, from first on, ascending, and how many the class has.
func (s *Space) canonicalSets(marks int, first uint32) func(yield func(set uint32, class uint64) bool) {
	return func(yield func(uint32, uint64) bool) {
		if s.generated() {
			list := s.symmetryClasses(marks)
			at, _ := slices.BinarySearchFunc(list, first, func(c class, set uint32) int {
				return int(int64(c.set) - int64(set))
			})
			for _, c := range list[at:] {
				if !yield(c.set, uint64(c.size)) {
					return
				}
			}
			return
		}
		for set := max(uint64(first), 1<<marks-1); set < 1<<s.n; set = nextSubset(set) {
			class := uint64(1)
			if s.board.Below != nil && !s.isSupported(uint32(set)) {
				continue
			}
			if s.group != nil {
				var itself bool
				if itself, class = s.group.IsRepresentative(set); !itself {
					continue
				}
			}
			if !yield(uint32(set), class) || set == 0 {
				return
			}
		}
	}
}

// isSupported reports whether no square of a set has an empty one below it.
func (s *Space) isSupported(set uint32) bool {
	for e := set; e != 0; e &= e - 1 {
		if j := s.board.Below[bits.TrailingZeros32(e)]; j >= 0 && set>>j&1 == 0 {
			return false
		}
	}
	return true
}

// canonical returns the set of a class that is kept, and an automorphism that
// carries set to it; nil for the identity.
func (s *Space) canonical(set uint32) (uint32, []uint8) {
	if s.group == nil {
		return set, nil
	}
	to, _, _, perm := s.group.CanonicalBy(board.Set{A: uint64(set)}, board.Set{}, board.Set{})
	return uint32(to.A), perm
}

// representative is canonical without the automorphism.
func (s *Space) representative(set uint32) uint32 {
	if s.group == nil {
		return set
	}
	to, _, _, _ := s.group.Canonical64(uint64(set), 0, 0)
	return uint32(to)
}

// seat returns who is to move with so many marks on the board.
func seat(marks int) oxo.Seat { return oxo.Seat(marks & 1) }
