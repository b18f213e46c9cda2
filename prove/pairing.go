package prove

import (
	"math/bits"

	"oxo/board/bitset"
	"oxo/threats"
)

// potential returns the Erdős–Selfridge sum of p: 2^−need over the lines the
// attacker can still own. With the attacker to move the defender can keep him
// from every line where it is below 1/2, with the defender to move where it is
// below 1 (Erdős and Selfridge 1973).
func potential[S bitset.Squares, Q threats.Lines](g *threats.Geometry[S, Q], p *threats.State[S, Q]) float64 {
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

// pairings looks for what keeps the attacker, to move, from every line: disjoint
// pairs of free squares and a small enough potential outside them. The defender
// answers a move in a pair with the other square of it, so that no line is
// owned that holds a pair; one pair may serve several lines. The lines left
// count as if the squares of pairs were the attacker's already. With x the most
// that a square adds to their sum of 2^−need, a sum below 1−x is below 1
// after each move of the attacker outside the pairs, and the theorem of Erdős
// and Selfridge holds for the rest.
//
// Sums are in units of 1/one, rounded up.
type pairings[S bitset.Squares, Q threats.Lines] struct {
	g      *threats.Geometry[S, Q]
	pairs  [][2]int
	lines  []openLine[S] // those no pair serves yet
	buffer []uint8       // of their squares
	danger []uint32      // by square: the sum over the lines through it
	both   []uint32      // by two squares, the lower first: the sum over the lines through both

	levels [][]numbered[S] // of serve: for each depth the lines not served yet
	blame  []int           // for each line, 1 and how often it could not be served
	nodes  int
	part   int // nodes at which the search begins anew
}

// openLine is a line by the squares that the attacker still needs.
type openLine[S bitset.Squares] struct {
	free S
	list []uint8
}

// numbered is a line by the free squares and its number among the blame.
type numbered[S bitset.Squares] struct {
	free S
	line int
}

const (
	one   = 1 << 16
	never = 1 << 30 // the attacker, to move, completes a line
)

func weight(need int) uint32 { return max(1, uint32(one)>>min(uint(need), 31)) }

const (
	firstPart      = 25      // nodes until a search first begins anew
	patientPairing = 10_000  // nodes of a search for a pairing where it is worth much
	likelyPairing  = 2 * one // what greedy leaves at most where a search may find more
)

// find reports whether the defender was found to hold p, the attacker to move,
// within so many nodes. On success a.pairs holds the pairs.
func (a *pairings[S, Q]) find(p *threats.State[S, Q], limit int) bool {
	if left := a.greedy(p); left < one || left > likelyPairing {
		return left < one
	}
	return a.search(p, limit)
}

// greedy makes pairs one at a time, always the one that lowers the sum most,
// until the rest is small enough or no pair lowers it. It returns the sum left
// and the most that a square adds to it: the defender holds p where that is
// below one.
func (a *pairings[S, Q]) greedy(p *threats.State[S, Q]) uint32 {
	n := a.g.N
	if !a.open(p) {
		return never
	}
	a.pairs = a.pairs[:0]
	a.prepare()
	clear(a.both)
	sum := uint32(0)
	for k := range a.lines {
		sum += a.add(a.lines[k].list, 1)
	}
	for {
		worst := uint32(0)
		for _, d := range a.danger {
			worst = max(worst, d)
		}
		if sum+worst < one {
			return sum + worst
		}
		x, y, best := 0, 0, int32(0)
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
		if best == 0 {
			return sum + worst
		}
		a.pairs = append(a.pairs, [2]int{x, y})
		for k := 0; k < len(a.lines); k++ {
			line := &a.lines[k]
			hasX, hasY := bitset.Has(line.free, x), bitset.Has(line.free, y)
			if !hasX && !hasY {
				continue
			}
			sum -= a.add(line.list, ^uint32(0))
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
			sum += a.add(list, 1)
		}
	}
}

// open sets a.lines to the lines that the attacker can still own, and reports
// whether he needs at least two squares of each.
func (a *pairings[S, Q]) open(p *threats.State[S, Q]) bool {
	g := a.g
	a.lines, a.buffer = a.lines[:0], a.buffer[:0]
	for i := range g.Words {
		for lines := ^a.g.Dead(p, attacker, i); lines != 0; lines &= lines - 1 {
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

// dangers sets a.danger for p.
func (a *pairings[S, Q]) dangers(p *threats.State[S, Q]) {
	a.prepare()
	for i := range a.g.Words {
		for lines := ^a.g.Dead(p, attacker, i); lines != 0; lines &= lines - 1 {
			s := bitset.And(a.g.Need[i<<6+bits.TrailingZeros64(lines)], p.Free)
			for w := weight(bitset.Count(s)); !bitset.Empty(s); s = bitset.Rest(s) {
				a.danger[bitset.First(s)] += w
			}
		}
	}
}

func (a *pairings[S, Q]) prepare() {
	if n := a.g.N; a.danger == nil {
		a.danger, a.both = make([]uint32, n), make([]uint32, n*n)
	}
	clear(a.danger)
}

// add adds a line of these squares times the sign, and returns its weight.
func (a *pairings[S, Q]) add(list []uint8, sign uint32) uint32 {
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

// search looks for pairs that hold p by trying them out. It begins anew after
// more and more nodes, and then lines that were to blame come earlier.
func (a *pairings[S, Q]) search(p *threats.State[S, Q], limit int) bool {
	if !a.open(p) {
		return false
	}
	if len(a.levels) == 0 {
		a.levels = make([][]numbered[S], a.g.N/2+1)
	}
	list := a.levels[0][:0]
	a.blame = a.blame[:0]
	for k, line := range a.lines {
		list = append(list, numbered[S]{line.free, k})
		a.blame = append(a.blame, 1)
	}
	a.levels[0] = list
	a.nodes = 0
	for part := firstPart; ; part *= 2 {
		a.pairs = a.pairs[:0]
		a.part = min(a.nodes+part, limit)
		if a.serve(0, p.Free) {
			return true
		}
		if a.nodes <= a.part || a.nodes >= limit {
			return false
		}
	}
}

// serve finds pairs among the unpaired squares for a.levels[depth]. It settles
// first the line with the fewest of them for its blame, and tries the pair that
// serves the most lines first.
func (a *pairings[S, Q]) serve(depth int, unpaired S) bool {
	list := a.levels[depth]
	if a.nodes++; a.nodes > a.part {
		return false
	}
	var tight S
	fewest, blame := 1<<20, 1
	sum := uint32(0)
	for _, l := range list {
		s := bitset.And(l.free, unpaired)
		n := bitset.Count(s)
		if n < 2 {
			a.blame[l.line]++
			return false
		}
		if b := a.blame[l.line]; n*blame < fewest*b {
			tight, fewest, blame = s, n, b
		}
		sum += weight(n)
	}
	if sum < one && sum+a.worst(list, unpaired) < one {
		return true
	}
	var options [64]struct{ x, y, served int }
	n := 0
	for s := tight; !bitset.Empty(s); s = bitset.Rest(s) {
		x := bitset.First(s)
		for u := bitset.Rest(s); !bitset.Empty(u) && n < len(options); u = bitset.Rest(u) {
			y := bitset.First(u)
			served := 0
			for _, l := range list {
				if bitset.Has(l.free, x) && bitset.Has(l.free, y) {
					served++
				}
			}
			options[n].x, options[n].y, options[n].served = x, y, served
			n++
		}
	}
	for ; n > 0; n-- {
		best := 0
		for k := 1; k < n; k++ {
			if options[k].served > options[best].served {
				best = k
			}
		}
		x, y := options[best].x, options[best].y
		copy(options[best:n-1], options[best+1:n])
		left := a.levels[depth+1][:0]
		for _, l := range list {
			if !bitset.Has(l.free, x) || !bitset.Has(l.free, y) {
				left = append(left, l)
			}
		}
		a.levels[depth+1] = left
		a.pairs = append(a.pairs, [2]int{x, y})
		if a.serve(depth+1, bitset.Without(bitset.Without(unpaired, x), y)) {
			return true
		}
		a.pairs = a.pairs[:len(a.pairs)-1]
		if a.nodes > a.part {
			return false
		}
	}
	return false
}

// worst returns the most that an unpaired square adds to the sum of the lines.
func (a *pairings[S, Q]) worst(lines []numbered[S], unpaired S) uint32 {
	a.prepare()
	worst := uint32(0)
	for _, l := range lines {
		s := bitset.And(l.free, unpaired)
		for w := weight(bitset.Count(s)); !bitset.Empty(s); s = bitset.Rest(s) {
			i := bitset.First(s)
			a.danger[i] += w
			worst = max(worst, a.danger[i])
		}
	}
	return worst
}
