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
			lines += bits.OnesCount64(g.Needing(p, attacker, n, i))
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
	lines  []openLine[S] // those no pair serves yet
	buffer []uint8       // of their squares
	danger []uint32      // by square: the sum over the lines through it
	both   []uint32      // by two squares, the lower first: the sum over the lines through both

	levels []uint64 // of pairLines: for each depth the lines not served yet, a bit for each
	blame  []int32  // for each line, 1 and how often it could not be served
	nodes  int
	part   int // nodes at which the search begins anew
}

// New returns a finder for positions of g.
func New[S bitset.Squares, Q threats.Lines](g *threats.Geometry[S, Q]) *Finder[S, Q] {
	n := g.N
	return &Finder[S, Q]{g: g, danger: make([]uint32, n), both: make([]uint32, n*n),
		levels: make([]uint64, (n/2+2)*g.Words), blame: make([]int32, len(g.Need))}
}

// openLine is a line by the squares that the attacker still needs.
type openLine[S bitset.Squares] struct {
	free S
	list []uint8
}

const (
	One    = 1 << 16 // the unit of sums
	Likely = 2 * One // what Greedy leaves at most where a search may find more

	never     = 1 << 30 // the attacker, to move, completes a line
	firstPart = 25      // nodes until a search first begins anew
)

// weight is what a line adds to a sum of which the attacker needs so many squares.
func weight(need int) uint32 { return max(1, uint32(One)>>min(uint(need), 31)) }

// Find reports whether the defender was found to hold p, the attacker to move,
// within so many nodes. On success a.Pairs holds the pairs.
func (a *Finder[S, Q]) Find(p *threats.State[S, Q], limit int) bool {
	if left := a.PairGreedily(p); left < One || left > Likely {
		return left < One
	}
	return a.Search(p, limit)
}

// PairGreedily makes pairs one at a time, always the one that lowers the sum most,
// until the rest is small enough or no pair lowers it. It returns the sum left
// and the most that a square adds to it: the defender holds p where that is
// below One.
func (a *Finder[S, Q]) PairGreedily(p *threats.State[S, Q]) uint32 {
	if !a.collectOpenLines(p) {
		return never
	}
	a.Pairs = a.Pairs[:0]
	clear(a.danger)
	clear(a.both)
	sum := uint32(0)
	for k := range a.lines {
		sum += a.addLineWeight(a.lines[k].list, 1)
	}
	for {
		worst := uint32(0)
		for _, d := range a.danger {
			worst = max(worst, d)
		}
		if sum+worst < One {
			return sum + worst
		}
		x, y, lowers := a.best()
		if !lowers {
			return sum + worst
		}
		a.Pairs = append(a.Pairs, [2]int{x, y})
		sum += a.makePair(x, y)
	}
}

// best returns the pair that lowers the sum most, if any does.
func (a *Finder[S, Q]) best() (x, y int, lowers bool) {
	n, best := a.g.N, int32(0)
	for k := range a.lines {
		list := a.lines[k].list
		for i, u := range list {
			du, row := int32(a.danger[u]), a.both[int(u)*n:]
			for _, v := range list[i+1:] {
				if d := du + int32(a.danger[v]) - 3*int32(row[v]); d < best {
					x, y, best = int(u), int(v), d
				}
			}
		}
	}
	return x, y, best < 0
}

// makePair drops the lines that hold both squares of a pair, has the attacker own
// its square in the others, and returns what that adds to the sum.
func (a *Finder[S, Q]) makePair(x, y int) (adds uint32) {
	for k := 0; k < len(a.lines); k++ {
		line := &a.lines[k]
		hasX, hasY := bitset.Has(line.free, x), bitset.Has(line.free, y)
		if !hasX && !hasY {
			continue
		}
		adds -= a.addLineWeight(line.list, ^uint32(0))
		if hasX && hasY {
			last := len(a.lines) - 1
			a.lines[k] = a.lines[last]
			a.lines = a.lines[:last]
			k--
			continue
		}
		gone := x
		if hasY {
			gone = y
		}
		line.free = bitset.Without(line.free, gone)
		list := line.list[:0]
		for _, u := range line.list {
			if int(u) != gone {
				list = append(list, u)
			}
		}
		line.list = list
		adds += a.addLineWeight(list, 1)
	}
	return adds
}

// collectOpenLines sets a.lines to the lines that the attacker can still own, and reports
// whether he needs at least two squares of each.
func (a *Finder[S, Q]) collectOpenLines(p *threats.State[S, Q]) bool {
	g := a.g
	a.lines, a.buffer = a.lines[:0], a.buffer[:0]
	for i := range g.Words {
		for lines := ^a.g.DeadLines(p, attacker, i); lines != 0; lines &= lines - 1 {
			free := bitset.And(g.Need[i<<6+bits.TrailingZeros64(lines)], p.Free)
			if bitset.Empty(bitset.Rest(free)) {
				return false
			}
			begin := len(a.buffer)
			for s := free; !bitset.Empty(s); s = bitset.Rest(s) {
				a.buffer = append(a.buffer, uint8(bitset.First(s)))
			}
			a.lines = append(a.lines, openLine[S]{free, a.buffer[begin:]})
		}
	}
	return true
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

// addLineWeight adds a line of these squares times the sign, and returns its weight.
func (a *Finder[S, Q]) addLineWeight(list []uint8, sign uint32) uint32 {
	n := a.g.N
	w := weight(len(list))
	for i, u := range list {
		a.danger[u] += w * sign
		row := a.both[int(u)*n:]
		for _, v := range list[i+1:] {
			row[v] += w * sign
		}
	}
	return w
}

// Search looks for pairs that hold p by trying them out. It begins anew after
// more and more nodes, and then lines that were to blame come earlier.
func (a *Finder[S, Q]) Search(p *threats.State[S, Q], limit int) bool {
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
		a.part = min(a.nodes+part, limit)
		if a.pairLines(0, p.Free) {
			return true
		}
		if a.nodes <= a.part || a.nodes >= limit {
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
	for i, left := range lines {
		for ; left != 0; left &= left - 1 {
			line := i<<6 + bits.TrailingZeros64(left)
			s := bitset.And(a.g.Need[line], unpaired)
			n := int32(bitset.Count(s))
			if n < 2 {
				a.blame[line]++
				return tight, 0, false
			}
			if b := a.blame[line]; n*blame < fewest*b {
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
