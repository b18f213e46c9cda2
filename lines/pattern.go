package lines

import (
	"math/bits"
	"slices"
)

// On boards of fives, whose lines all have five squares, squares are judged by patterns. A group of a square is the
// lines through it that share other squares too: of rows on a grid, those of one direction. What a side's mark on the
// square would make there follows from how many lines of the group have each rest, and the levels of the two groups
// where it makes most are the square's kind for the side.

// groupLines is how many lines a group has at most, as their number takes three bits.
const groupLines = 7

// packedRests is how many rests a code counts: 1 to 4.
const packedRests = 4

// one is what a line of each rest adds to the code of its groups.
var one = [dead + 1]uint16{0, 1, 1 << 3, 1 << 6, 1 << 9, 0, 0, 0}

// A level says what a mark makes in a group, by the lines that are there before it: at 9 it completes one, at 7 and 8
// it makes one or more of rest 1, at 4 to 6 of rest 2, at 1 to 3 of rest 3, at 0 less.
const levels = 10

// fives are the kinds of boards of fives: pairs of levels.
// A pair of levels counts once, the higher first: of 10 levels there are 55 pairs.
var fives = newAlphabet(levels*(levels+1)/2, func(own, other int) bool { return true })

// levelOf tells the level of each code.
// The highest level that holds is a code's own.
var levelOf = func() (list [1 << (3 * packedRests)]uint8) {
	for code := range list {
		n := func(rest int) int { return code >> (3 * (rest - 1)) & 7 }
		level := 0
		switch {
		case n(1) > 0:
			level = 9
		case n(2) > 1:
			level = 8
		case n(2) == 1:
			level = 7
		case n(3) > 2:
			level = 6
		case n(3) == 2:
			level = 5
		case n(3) == 1:
			level = 4
		case n(4) > 3:
			level = 3
		case n(4) > 1:
			level = 2
		case n(4) == 1:
			level = 1
		}
		list[code] = uint8(level)
	}
	return list
}()

// patterns are the codes of all groups, the kinds of all squares and what the net sums of them, kept move by move.
// Kinds are worked out when they are asked for, and restored as they were when a move is taken back.
// Taking a move back restores copies and works nothing out, as search takes back every move that it makes.
type patterns struct {
	net   *net         // none on boards whose squares have no kinds; then nothing is kept here
	code  [2][]uint16  // of each group, how many lines it has of each rest
	kind  [2][]uint8   // of each square, 0 where a mark stands
	stale [2][8]uint64 // squares whose kinds are to be worked out anew
	seen  netSums

	replaced []replacedKind
	before   []patternsBefore // each mark on the board
}

// replacedKind is what the kinds of a square were before they were worked out anew.
type replacedKind struct {
	square uint16
	kind   [2]uint8
}

// patternsBefore is what patterns were before a mark: squares whose kinds were not known, sums, and how many kinds had
// been replaced.
type patternsBefore struct {
	stale    [2][8]uint64
	seen     netSums
	replaced int
}

// resetPatterns forgets all marks.
func (p *patterns) resetPatterns() {
	for side := range p.code {
		clear(p.code[side])
		clear(p.kind[side])
	}
	p.stale = [2][8]uint64{}
	p.replaced, p.before = p.replaced[:0], p.before[:0]
	p.seen = netSums{}
	if p.net != nil {
		p.seen = p.net.emptySums()
	}
}

// beginMark keeps what undoMark restores.
// The kinds of the square itself are stale for both sides: where a mark stands it has none.
func (p *patterns) beginMark(square int) {
	p.before = append(p.before, patternsBefore{p.stale, p.seen, len(p.replaced)})
	p.stale[0][square>>6&7] |= 1 << (square & 63)
	p.stale[1][square>>6&7] |= 1 << (square & 63)
}

// undoMark restores kinds and sums as they were before the last mark; codes are taken back line by line.
func (p *patterns) undoMark() {
	last := len(p.before) - 1
	b := &p.before[last]
	for _, r := range slices.Backward(p.replaced[b.replaced:]) {
		p.kind[0][r.square], p.kind[1][r.square] = r.kind[0], r.kind[1]
	}
	p.replaced = p.replaced[:b.replaced]
	p.stale, p.seen = b.stale, b.seen
	p.before = p.before[:last]
}

// updatePatternCodes notes that a line of side went from one rest to another in the codes of its groups.
func (p *state) updatePatternCodes(side, line, fromNeed, toNeed int) {
	change := one[toNeed] - one[fromNeed]
	if change == 0 {
		return
	}
	code, stale := p.code[side], &p.stale[side]
	groups := p.groups[p.squareAt[line]:p.squareAt[line+1]]
	for i, s := range p.squares[p.squareAt[line]:p.squareAt[line+1]] {
		code[groups[i]] += change
		stale[s>>6&7] |= 1 << (s & 63)
	}
}

// updateKinds works out the kinds of the squares whose codes have changed since the last time.
// The net's sums change only by squares whose kinds have become others.
func (p *state) updateKinds() {
	net := p.net
	for i := range p.stale[0] {
		x, o := p.stale[0][i], p.stale[1][i]
		for left := x | o; left != 0; left &= left - 1 {
			s := i<<6 + bits.TrailingZeros64(left)
			was := [2]uint8{p.kind[0][s], p.kind[1][s]}
			var is [2]uint8
			if p.mark[s] == empty {
				is = was
				if x>>(s&63)&1 != 0 {
					is[0] = p.squareKind(0, s)
				}
				if o>>(s&63)&1 != 0 {
					is[1] = p.squareKind(1, s)
				}
			}
			if is != was {
				p.replaced = append(p.replaced, replacedKind{uint16(s), was})
				p.kind[0][s], p.kind[1][s] = is[0], is[1]
				p.seen.replace(net, was, is)
			}
		}
		p.stale[0][i], p.stale[1][i] = 0, 0
	}
}

// squareKind returns the kind of a free square for a side: its two highest levels, or on a cube what its lines hold.
func (p *state) squareKind(side, square int) (kind uint8) {
	if p.cube {
		return p.kindByCounts(side, square)
	}
	for _, c := range p.code[side][p.groupAt[square]:p.groupAt[square+1]] {
		kind = withLevel[kind&63][levelOf[c&(1<<(3*packedRests)-1)]&15]
	}
	return kind
}

// withLevel tells the kind of a square of each kind if one more group of it has a level; a table, as branches on levels
// are not foreseen.
var withLevel = func() (list [1 << 6][1 << 4]uint8) {
	for high := range levels {
		for low := range high + 1 {
			for level := range levels {
				all := []int{high, low, level}
				slices.Sort(all)
				list[kindByLevels(high, low)][level] = kindByLevels(all[2], all[1])
			}
		}
	}
	return list
}()

// kindByLevels returns the kind of a square of two levels.
func kindByLevels(high, low int) uint8 { return uint8(high*(high+1)/2 + low) }

// groupLinesThroughSquares sets out the groups of each square, of lines that share other squares too; on a cube, where
// no lines do, of all its lines.
// Two lines come into one group also by way of a third. One of more than groupLines lines is cut into several.
func (g *geometry) groupLinesThroughSquares() {
	g.groups = make([]uint32, len(g.squares))
	g.groupAt = []int32{0}
	total := int32(0)
	for s := range g.n {
		through := g.through[g.throughAt[s]:g.throughAt[s+1]]
		group := make([]int, len(through)) // of each line, by the first of its lines
		for i := range group {
			group[i] = i
		}
		for changed := true; changed; {
			changed = false
			for i := range through {
				for j := range i {
					if group[i] != group[j] && (g.cube || g.shareOtherSquare(int(through[i]), int(through[j]), s)) {
						group[i], group[j] = min(group[i], group[j]), min(group[i], group[j])
						changed = true
					}
				}
			}
		}
		number := map[[2]int]int32{} // of each group, cut where it has too many lines
		size := map[int]int{}
		for i, l := range through {
			part := [2]int{group[i], size[group[i]] / groupLines}
			size[group[i]]++
			if _, ok := number[part]; !ok {
				number[part] = total
				total++
			}
			for at := g.squareAt[l]; at < g.squareAt[l+1]; at++ {
				if int(g.squares[at]) == s {
					g.groups[at] = uint32(number[part])
				}
			}
		}
		g.groupAt = append(g.groupAt, total)
	}
}

// shareOtherSquare reports whether two lines share a square other than the one given.
func (g *geometry) shareOtherSquare(lineA, lineB, square int) bool {
	for _, q := range g.squaresOf(lineA) {
		for _, r := range g.squaresOf(lineB) {
			if q == r && int(q) != square {
				return true
			}
		}
	}
	return false
}
