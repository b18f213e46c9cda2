package pairing

import (
	"math/bits"

	"oxo/board/bitset"
	"oxo/threats"
)

// greedyPairing is what pairs made one at a time leave of a position.
// Sums are of the potential, in units of which One is the bound. They are kept up as pairs are made
// and taken back, where adding up anew would take most of the time.
type greedyPairing[S bitset.Squares] struct {
	pairs  [][2]int
	lines  []openLine[S] // those that no pair serves
	danger []uint32      // by square: the sum over the lines through it
	both   []uint32      // by two squares, the lower first: the sum over the lines through both
	sum    uint32        // over all the lines
	near   [][2]uint16   // pairs that were near to lowering it or did, when all were looked at last
	beside []S           // for each square the higher ones of the lines through it that there were at first
}

// openLine is a line by the squares that the attacker still needs of it, where
// those of pairs are his.
type openLine[S bitset.Squares] struct {
	free S
	line int
}

// newGreedy returns room for the pairs of a board of so many squares.
func newGreedy[S bitset.Squares](squares int) greedyPairing[S] {
	return greedyPairing[S]{danger: make([]uint32, squares), both: make([]uint32, squares*squares),
		beside: make([]S, squares)}
}

// PairGreedily makes pairs one at a time, always the one that lowers the sum most,
// until the rest is small enough or no pair lowers it. It returns the sum left
// and the most that a square adds to it: the defender holds p where that is
// below One.
func (a *Finder[S, Q]) PairGreedily(p *threats.State[S, Q]) (potentialLeft uint32) {
	if a.collectOpenLines(&a.now, p) >= 0 {
		return never
	}
	left := a.now.pairWhileLowering()
	a.Pairs = a.now.pairs
	return left
}

// BeginReplies pairs p, the defender to move, for PairAfterReply.
// It stays good until the next BeginReplies, for any number of replies.
func (a *Finder[S, Q]) BeginReplies(p *threats.State[S, Q]) {
	a.urgent = a.collectOpenLines(&a.parent, p)
	a.parent.pairWhileLowering()
}

// PairAfterReply is PairGreedily of p after a mark of the defender on sq. It starts with
// the pairs that BeginReplies found for p: those that sq is in, or that serve no line
// any more, are taken back, and then pairs are made as before.
func (a *Finder[S, Q]) PairAfterReply(p *threats.State[S, Q], sq int) (potentialLeft uint32) {
	if a.urgent >= 0 && !bitset.Has(a.g.Need[a.urgent], sq) {
		return never
	}
	now, closed := &a.now, a.through(sq)
	now.copyFrom(&a.parent)
	kept := now.lines[:0]
	for _, l := range now.lines {
		if closed[l.line>>6]>>(l.line&63)&1 != 0 {
			now.addLineWeight(l.free, ^uint32(0))
		} else {
			kept = append(kept, l)
		}
	}
	now.lines = kept
	pairs := now.pairs[:0]
	for _, pair := range now.pairs {
		if pair[0] != sq && pair[1] != sq && a.pairServesLine(p, pair, closed) {
			pairs = append(pairs, pair)
			continue
		}
		for _, x := range pair {
			if x != sq {
				a.unpairSquare(x)
			}
		}
	}
	now.pairs = pairs
	left := now.pairWhileLowering()
	a.Pairs = now.pairs
	return left
}

// UnservedLineSquares returns the free squares of the lines of p that the pairs found last leave.
func (a *Finder[S, Q]) UnservedLineSquares(p *threats.State[S, Q]) (squares S) {
	for _, l := range a.now.lines {
		squares = bitset.Or(squares, bitset.And(a.g.Need[l.line], p.Free))
	}
	return squares
}

// pairServesLine reports whether a line of p holds the pair that the attacker can own and that is not closed.
func (a *Finder[S, Q]) pairServesLine(p *threats.State[S, Q], pair [2]int, closed []uint64) bool {
	ofX, ofY := a.through(pair[0]), a.through(pair[1])
	for i := range closed {
		if ofX[i]&ofY[i]&^a.g.DeadLines(p, attacker, i)&^closed[i] != 0 {
			return true
		}
	}
	return false
}

// unpairSquare gives the lines left a square that was in a pair.
func (a *Finder[S, Q]) unpairSquare(sq int) {
	through := a.through(sq)
	for k := range a.now.lines {
		if l := &a.now.lines[k]; through[l.line>>6]>>(l.line&63)&1 != 0 {
			a.now.addLineWeight(l.free, ^uint32(0))
			l.free = bitset.With(l.free, sq)
			a.now.addLineWeight(l.free, 1)
		}
	}
}

// collectOpenLines begins a pairing with the lines that the attacker can still own in
// p. It returns one that he needs one more square of, −1 where there is none.
func (a *Finder[S, Q]) collectOpenLines(to *greedyPairing[S], p *threats.State[S, Q]) (urgentLine int) {
	to.pairs, to.lines, to.near, to.sum = to.pairs[:0], to.lines[:0], to.near[:0], 0
	clear(to.danger)
	clear(to.both)
	clear(to.beside)
	urgentLine = -1
	for i := range a.g.Words {
		for lines := ^a.g.DeadLines(p, attacker, i); lines != 0; lines &= lines - 1 {
			line := i<<6 + bits.TrailingZeros64(lines)
			free := bitset.And(a.g.Need[line], p.Free)
			if bitset.Empty(bitset.Rest(free)) {
				urgentLine = line
			}
			to.lines = append(to.lines, openLine[S]{free, line})
			to.addLineWeight(free, 1)
			for !bitset.Empty(free) {
				sq := bitset.First(free)
				free = bitset.Rest(free)
				to.beside[sq] = bitset.Or(to.beside[sq], free)
			}
		}
	}
	return urgentLine
}

// copyFrom makes x a copy of y, in the memory that it has.
func (x *greedyPairing[S]) copyFrom(y *greedyPairing[S]) {
	x.pairs, x.lines, x.sum = append(x.pairs[:0], y.pairs...), append(x.lines[:0], y.lines...), y.sum
	x.near = append(x.near[:0], y.near...)
	copy(x.danger, y.danger)
	copy(x.both, y.both)
	copy(x.beside, y.beside)
}

// pairWhileLowering makes pairs while that lowers the sum and is needed. It returns the sum left
// and the most that a square adds to it.
// The most that a square adds is counted as the attacker is to move.
func (x *greedyPairing[S]) pairWhileLowering() (potentialLeft uint32) {
	for {
		worst := uint32(0)
		for _, d := range x.danger {
			worst = max(worst, d)
		}
		if x.sum+worst < One {
			return x.sum + worst
		}
		u, v, lowers := x.bestPair()
		if !lowers {
			return x.sum + worst
		}
		x.pairs = append(x.pairs, [2]int{u, v})
		x.applyPair(u, v)
	}
}

// bestPair returns a pair that lowers the sum, if any does: the one that lowers it most of those
// that were near to doing so when all were looked at last, else of all.
func (x *greedyPairing[S]) bestPair() (u, v int, lowers bool) {
	n, best := len(x.danger), int32(0)
	for _, pair := range x.near {
		i, j := int(pair[0]), int(pair[1])
		if d := int32(x.danger[i]) + int32(x.danger[j]) - 3*int32(x.both[i*n+j]); d < best {
			u, v, best = i, j, d
		}
	}
	if best < 0 {
		return u, v, true
	}
	near, found := x.near[:cap(x.near)], 0
	for i, s := range x.beside {
		di, row := int32(x.danger[i]), x.both[i*n:(i+1)*n]
		if di == 0 {
			continue
		}
		if room := found + n; len(near) < room {
			near = append(near, make([][2]uint16, room)...)
		}
		for w := 0; w < len(s); w++ {
			for left := s[w]; left != 0; left &= left - 1 {
				j := w<<6 + bits.TrailingZeros64(left)
				both := int32(row[j])
				d := di + int32(x.danger[j]) - 3*both
				near[found] = [2]uint16{uint16(i), uint16(j)} // without a branch, which would be mispredicted
				if d < both {
					found++
				}
				if d < best {
					u, v, best = i, j, d
				}
			}
		}
	}
	x.near = near[:found]
	return u, v, best < 0
}

// applyPair drops the lines that hold both squares of a pair, and has the attacker own its
// square in the others.
// Order does not matter among the lines, so that the last takes the place of one that is dropped.
func (x *greedyPairing[S]) applyPair(u, v int) {
	for k := 0; k < len(x.lines); k++ {
		free := x.lines[k].free
		hasU, hasV := bitset.Has(free, u), bitset.Has(free, v)
		if !hasU && !hasV {
			continue
		}
		x.addLineWeight(free, ^uint32(0))
		if hasU && hasV {
			last := len(x.lines) - 1
			x.lines[k] = x.lines[last]
			x.lines = x.lines[:last]
			k--
			continue
		}
		x.lines[k].free = bitset.Without(bitset.Without(free, u), v)
		x.addLineWeight(x.lines[k].free, 1)
	}
}

// addLineWeight adds a line of these squares times the sign.
// The sign is 1 or, to take a line away, the greatest uint32, by which products wrap around to the
// negative.
func (x *greedyPairing[S]) addLineWeight(free S, sign uint32) {
	n := len(x.danger)
	w := weight(bitset.Count(free)) * sign
	x.sum += w
	for !bitset.Empty(free) {
		i := bitset.First(free)
		free = bitset.Rest(free)
		x.danger[i] += w
		row := x.both[i*n : (i+1)*n]
		for t := free; !bitset.Empty(t); t = bitset.Rest(t) {
			row[bitset.First(t)] += w
		}
	}
}
