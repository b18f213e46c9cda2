package lines

import (
	"math/bits"
	"slices"
)

// On boards whose lines all have five squares, squares are judged by patterns. A group of a square is the lines through
// it that share other squares too: of rows on a grid, those of one direction. What a side's mark on the square would
// make there follows from how many lines of the group have each rest, and the levels of the two groups where it makes
// most are the square's kind for the side.

// groupLines is how many lines a group has at most, as their number takes three bits.
const groupLines = 7

// packedRests is how many rests a code counts: 1 to 4.
const packedRests = 4

// one is what a line of each rest adds to the code of its groups.
var one = [dead + 1]uint16{0, 1, 1 << 3, 1 << 6, 1 << 9, 0, 0, 0}

// A level says what a mark makes in a group, by the lines that are there before it: at 9 it completes one, at 7 and 8
// it makes one or more of rest 1, at 4 to 6 of rest 2, at 1 to 3 of rest 3, at 0 less.
const (
	levels = 10
	kinds  = levels * levels
)

// levelOf tells the level of each code.
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

// patterns are the codes of all groups and the kinds of all squares, kept move by move.
type patterns struct {
	five  bool         // all lines have five squares; else nothing is kept here
	code  [2][]uint16  // of each group, how many lines it has of each rest
	kind  [2][]uint8   // of each square, 0 where a mark stands
	dirty [2][8]uint64 // squares whose kinds are to be worked out anew
	sum   [2]int32     // what the kinds are worth to each side if it is to move
}

// updatePatternCodes notes that a line of side went from one rest to another in the codes of its groups.
func (p *state) updatePatternCodes(side, line, fromNeed, toNeed int) {
	change := one[toNeed] - one[fromNeed]
	if change == 0 {
		return
	}
	code, dirty := p.code[side], &p.dirty[side]
	groups := p.groups[p.squareAt[line]:p.squareAt[line+1]]
	for i, s := range p.squares[p.squareAt[line]:p.squareAt[line+1]] {
		code[groups[i]] += change
		dirty[s>>6&7] |= 1 << (s & 63)
	}
}

// touch notes that what stands on square s has changed.
func (p *state) touch(s int) {
	p.dirty[0][s>>6&7] |= 1 << (s & 63)
	p.dirty[1][s>>6&7] |= 1 << (s & 63)
}

// updateDirtyPatternKinds works out anew the kinds of the squares whose codes have changed since the last time.
func (p *state) updateDirtyPatternKinds() {
	for side := range p.dirty {
		kind := p.kind[side]
		mine, theirs := p.sum[side], p.sum[side^1]
		for i, left := range p.dirty[side] {
			for ; left != 0; left &= left - 1 {
				s := i<<6 + bits.TrailingZeros64(left)
				var k uint8
				if p.mark[s] == empty {
					k = p.patternKind(side, s)
				}
				if old := kind[s]; old != k {
					kind[s] = k
					mine += mover[k] - mover[old]
					theirs += waiter[k] - waiter[old]
				}
			}
		}
		p.dirty[side] = [8]uint64{}
		p.sum[side], p.sum[side^1] = mine, theirs
	}
}

// patternKind returns the kind of a free square for a side: its two highest levels.
func (p *state) patternKind(side, square int) (twoHighestLevels uint8) {
	kind := uint8(0)
	for _, c := range p.code[side][p.groupAt[square]:p.groupAt[square+1]] {
		kind = withLevel[kind&127][levelOf[c&(1<<(3*packedRests)-1)]&15]
	}
	return kind
}

// withLevel tells the kind of a square of each kind if one more group of it has a level; a table, as branches on levels
// are not foreseen.
var withLevel = func() (list [1 << 7][1 << 4]uint8) {
	for kind := range kinds {
		for level := range levels {
			all := []int{kind / levels, kind % levels, level}
			slices.Sort(all)
			list[kind][level] = uint8(all[2]*levels + all[1])
		}
	}
	return list
}()

// groupLinesThroughSquares sets out the groups of each square, of lines that share other squares too.
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
					if group[i] != group[j] && g.shareOtherSquare(int(through[i]), int(through[j]), s) {
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
