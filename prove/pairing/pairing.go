// Package pairing finds what keeps a side from every line for good: pairs of
// squares, one the answer to the other, and a small enough potential outside
// them.
//
// Side 0 of a state is the attacker, who wants to own a line; side 1 is the
// defender.
package pairing

import (
	"math/bits"

	"oxo/board/bitset"
	"oxo/threats"
)

const attacker = 0

// Potential returns the Erdős–Selfridge sum of p: 2^−need over the lines the
// attacker can still own. With the attacker to move the defender can keep him
// from every line where it is below 1/2, with the defender to move where it is
// below 1 (Erdős and Selfridge 1973).
func Potential[S bitset.Squares, Q threats.Lines](g *threats.Geometry[S, Q], p *threats.State[S, Q]) float64 {
	sum, worth := 0.0, 1.0
	for n := 1; n <= g.Longest; n++ {
		worth /= 2
		lines := 0
		for i := range g.Words {
			lines += bits.OnesCount64(g.LinesNeeding(p, attacker, n, i))
		}
		sum += worth * float64(lines)
	}
	return sum
}

// Finder looks for what keeps the attacker, to move, from every line: disjoint
// pairs of free squares and a small enough potential outside them. The defender
// answers a move in a pair with the other square of it, so that no line is
// owned that holds a pair; one pair may serve several lines. The lines left
// count as if the squares of pairs were the attacker's already. With x the most
// that a square adds to their sum of 2^−need, a sum below 1−x is below 1
// after each move of the attacker outside the pairs, and the theorem of Erdős
// and Selfridge holds for the rest.
//
// Sums are in units of 1/One, rounded up.
type Finder[S bitset.Squares, Q threats.Lines] struct {
	Pairs [][2]int // of the last position that was found to be held

	g      *threats.Geometry[S, Q]
	now    greedyPairing[S]
	parent greedyPairing[S] // of the position whose replies are looked at
	urgent int              // a line of it that the attacker needs one more square of, or −1
	danger []uint32         // by square: the sum over the lines through it

	levels []uint64 // of pairLines: for each depth the lines not served yet, a bit for each
	blame  []int32  // for each line, 1 and how often it could not be served
	nodes  int
	part   int // nodes at which the search begins anew
}

// New returns a finder for positions of g.
func New[S bitset.Squares, Q threats.Lines](g *threats.Geometry[S, Q]) *Finder[S, Q] {
	n := g.N
	return &Finder[S, Q]{g: g, now: newGreedy[S](n), parent: newGreedy[S](n), danger: make([]uint32, n),
		levels: make([]uint64, (n/2+2)*g.Words), blame: make([]int32, len(g.Need))}
}

const (
	One    = 1 << 16 // the unit of sums
	Likely = 2 * One // what Greedy leaves at most where a search may find more

	never     = 1 << 30 // the attacker, to move, completes a line
	firstPart = 25      // nodes until a search first begins anew
)

// weight is what a line adds to a sum of which the attacker needs so many squares.
func weight(need int) uint32 { return One >> min(need, 16) }

// FindPairing reports whether the defender was found to hold p, the attacker to move,
// within so many nodes. On success a.Pairs holds the pairs.
func (a *Finder[S, Q]) FindPairing(p *threats.State[S, Q], maxNodes int) bool {
	if left := a.PairGreedily(p); left < One || left > Likely {
		return left < One
	}
	return a.SearchPairing(p, maxNodes)
}

// SquareWeights returns for each square of p the sum over the lines through it that the
// attacker can still own, until the next call of a method.
func (a *Finder[S, Q]) SquareWeights(p *threats.State[S, Q]) []uint32 {
	clear(a.danger)
	for i := range a.g.Words {
		for lines := ^a.g.DeadLines(p, attacker, i); lines != 0; lines &= lines - 1 {
			s := bitset.And(a.g.Need[i<<6+bits.TrailingZeros64(lines)], p.Free)
			for w := weight(bitset.Count(s)); !bitset.Empty(s); s = bitset.Rest(s) {
				a.danger[bitset.First(s)] += w
			}
		}
	}
	return a.danger
}

// SearchPairing looks for pairs that hold p by trying them out. It begins anew after
// more and more nodes, and then lines that were to blame come earlier.
func (a *Finder[S, Q]) SearchPairing(p *threats.State[S, Q], maxNodes int) bool {
	g := a.g
	for i := range g.Words {
		a.levels[i] = ^g.DeadLines(p, attacker, i)
		for lines := a.levels[i]; lines != 0; lines &= lines - 1 {
			line := i<<6 + bits.TrailingZeros64(lines)
			if bitset.Count(bitset.And(g.Need[line], p.Free)) < 2 {
				return false
			}
			a.blame[line] = 1
		}
	}
	a.nodes = 0
	for part := firstPart; ; part *= 2 {
		a.Pairs = a.Pairs[:0]
		a.part = min(a.nodes+part, maxNodes)
		if a.pairLines(0, p.Free) {
			return true
		}
		if a.nodes <= a.part || a.nodes >= maxNodes {
			return false
		}
	}
}

// level returns the lines that no pair serves after so many pairs, a bit for each.
func (a *Finder[S, Q]) level(depth int) []uint64 {
	return a.levels[depth*a.g.Words : (depth+1)*a.g.Words]
}

// through returns the lines through a square, a bit for each.
func (a *Finder[S, Q]) through(sq int) []uint64 {
	return a.g.Through[sq*a.g.Words : (sq+1)*a.g.Words]
}

// pairLines finds pairs among the unpaired squares for the lines of a level. It
// settles first the line with the fewest of them for its blame, and tries the pair
// that serves the most lines first.
func (a *Finder[S, Q]) pairLines(depth int, unpaired S) bool {
	if a.nodes++; a.nodes > a.part {
		return false
	}
	lines := a.level(depth)
	tight, sum, ok := a.tightestLine(lines, unpaired)
	if !ok {
		return false
	}
	if sum < One && sum+a.maxSquareSum(lines, unpaired) < One {
		return true
	}
	var options [mostOptions]option
	n := a.listPairs(&options, lines, tight)
	next := a.level(depth + 1)
	for ; n > 0; n-- {
		best := 0
		for k := 1; k < n; k++ {
			if options[k].served > options[best].served {
				best = k
			}
		}
		x, y := int(options[best].x), int(options[best].y)
		copy(options[best:n-1], options[best+1:n])
		ofX, ofY := a.through(x), a.through(y)
		for i := range next {
			next[i] = lines[i] &^ (ofX[i] & ofY[i])
		}
		a.Pairs = append(a.Pairs, [2]int{x, y})
		if a.pairLines(depth+1, bitset.Without(bitset.Without(unpaired, x), y)) {
			return true
		}
		a.Pairs = a.Pairs[:len(a.Pairs)-1]
		if a.nodes > a.part {
			return false
		}
	}
	return false
}

// tightestLine returns the unpaired squares of the line to settle first, and the sum
// of the lines; false where one of them can't be served.
func (a *Finder[S, Q]) tightestLine(lines []uint64, unpaired S) (tight S, sum uint32, ok bool) {
	fewest, blame := int32(1<<10), int32(1)
	need := a.g.Need
	blames := a.blame[:len(need)]
	for i, left := range lines {
		for ; left != 0; left &= left - 1 {
			line := i<<6 + bits.TrailingZeros64(left)
			s := bitset.And(need[line], unpaired)
			n := int32(bitset.Count(s))
			if n < 2 {
				blames[line]++
				return tight, 0, false
			}
			if b := blames[line]; n*blame < fewest*b {
				tight, fewest, blame = s, n, b
			}
			sum += weight(int(n))
		}
	}
	return tight, sum, true
}

// option is a pair and how many lines it serves.
type option struct {
	x, y   int16
	served int32
}

const mostOptions = 64 // that are tried for a line

// listPairs sets options to pairs of the squares, and returns how many they are.
func (a *Finder[S, Q]) listPairs(options *[mostOptions]option, lines []uint64, squares S) (n int) {
	for s := squares; !bitset.Empty(s); s = bitset.Rest(s) {
		x := bitset.First(s)
		ofX := a.through(x)
		for u := bitset.Rest(s); !bitset.Empty(u) && n < len(options); u = bitset.Rest(u) {
			y := bitset.First(u)
			served := 0
			for i, ofY := range a.through(y) {
				served += bits.OnesCount64(lines[i] & ofX[i] & ofY)
			}
			options[n] = option{int16(x), int16(y), int32(served)}
			n++
		}
	}
	return n
}

// maxSquareSum returns the most that an unpaired square adds to the sum of the lines.
func (a *Finder[S, Q]) maxSquareSum(lines []uint64, unpaired S) uint32 {
	clear(a.danger)
	worst := uint32(0)
	for i, left := range lines {
		for ; left != 0; left &= left - 1 {
			s := bitset.And(a.g.Need[i<<6+bits.TrailingZeros64(left)], unpaired)
			for w := weight(bitset.Count(s)); !bitset.Empty(s); s = bitset.Rest(s) {
				sq := bitset.First(s)
				a.danger[sq] += w
				worst = max(worst, a.danger[sq])
			}
		}
	}
	return worst
}
