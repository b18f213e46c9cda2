package lines

import (
	"slices"

	"oxo/threats"
)

// The marks of squares. A side is X or O, 0 or 1, and its opponent side^1.
const (
	sideX = 0
	sideO = 1
	empty = 2
)

// near is how many rests of lines are told apart: a line's rest is the number
// of marks that a side still needs to own it. Rests of near and more count as
// near.
const near = 6

// dead is the rest of a line that a side can't own any more.
const dead = near + 1

// weight is what a line of each rest adds to the sum of its squares, which
// orders moves. Rest 0 is a line owned.
// Each rest weighs several of the next. Rest 1 weighs nothing: completions are played or met before that.
var weight = [dead + 1]int32{0, 0, 800, 100, 18, 4, 2, 0}

// state is a position, kept move by move: for threats, and for each line and side
// the marks in it, and what follows from that.
type state struct {
	*geometry
	*threats.Finder
	mark  []uint8
	empty int // squares

	own    [2][]uint8 // for each line, the side's marks on squares it needs
	barred [2][]uint8 // for each line, the side's marks on squares barred
	view   [2][]int32 // for each square, Σ weight[rest] over the lines through it; not kept where squares have kinds

	count [2][dead + 1]int32 // lines of each rest
	value [dead + 1]int32    // what a line of each rest is worth
	worth [2]int32           // Σ value[rest] over the lines
	patterns
}

// logFast and logSlow are the sizes of what searches for threats remember, as powers of two.
// They are of positions: 262,144 refuted by continuous threats, and 16,384 by slow ones.
const logFast, logSlow = 18, 14

// newState returns the empty board.
// A board whose lines all have five squares gets the net of fives, a cube its own, and any other none.
func newState(b threats.Board) (*state, error) {
	g, err := newGeometry(b)
	if err != nil {
		return nil, err
	}
	finder, err := threats.NewFinder(b, [2]bool{true, true}, logFast, logSlow)
	if err != nil {
		return nil, err
	}
	p := &state{geometry: g, Finder: finder, mark: make([]uint8, g.n), value: lineValue}
	for side := range p.own {
		p.own[side] = make([]uint8, g.lines)
		p.barred[side] = make([]uint8, g.lines)
		p.view[side] = make([]int32, g.n)
		p.code[side] = make([]uint16, g.groupAt[g.n])
		p.kind[side] = make([]uint8, g.n)
	}
	switch {
	case slices.Min(p.length) == 5 && slices.Max(p.length) == 5:
		p.net = fivesNet()
	case p.cube:
		p.net = cubeNet()
	}
	p.reset()
	return p, nil
}

// reset empties the board. All lines begin as dead and are then brought to what they need, so that counts and sums
// are built by updateLineNeed alone.
func (p *state) reset() {
	p.Reset()
	p.empty = p.n
	for i := range p.mark {
		p.mark[i] = empty
	}
	p.count = [2][dead + 1]int32{}
	p.worth = [2]int32{}
	for side := range p.own {
		clear(p.own[side])
		clear(p.barred[side])
		clear(p.view[side])
	}
	p.resetPatterns()
	for side := range p.own {
		for l := range p.lines {
			p.count[side][dead]++
			p.updateLineNeed(side, l, dead, p.marksNeeded(side, l))
		}
	}
}

// marksNeeded returns the number of marks that side still needs to own line l, near
// for more, dead if it can't.
// A line is dead to a side once the enemy has a mark on a square that it needs, or the side one on a bar of it.
func (p *state) marksNeeded(side, line int) int {
	if p.own[side^1][line] != 0 || p.barred[side][line] != 0 {
		return dead
	}
	return min(int(p.length[line])-int(p.own[side][line]), near)
}

// updateLineNeed notes that a line of side went from one rest to another, in all that is kept of lines: counts, worth,
// and what each of its squares means.
func (p *state) updateLineNeed(side, line, fromNeed, toNeed int) {
	if fromNeed == toNeed {
		return
	}
	p.count[side][fromNeed]--
	p.count[side][toNeed]++
	p.worth[side] += p.value[toNeed] - p.value[fromNeed]
	if p.net != nil {
		p.updatePatternCodes(side, line, fromNeed, toNeed)
		return
	}
	delta := weight[toNeed] - weight[fromNeed]
	view := p.view[side]
	for _, s := range p.squares[p.squareAt[line]:p.squareAt[line+1]] {
		view[s] += delta
	}
}

// play puts a mark of side on square s, which must be empty.
// Only lines through the square, and those that it bars, change. Each goes from one rest to the next for the side, or
// is dead for the enemy.
func (p *state) play(side, square int) {
	p.Play(side, square)
	if p.net != nil {
		p.beginMark(square)
	}
	p.mark[square] = uint8(side)
	p.empty--
	own, other := p.own[side], p.own[side^1]
	for _, l := range p.through[p.throughAt[square]:p.throughAt[square+1]] {
		l := int(l)
		// The first mark of a side in a line rules it out for the other side, if no bar had already.
		if own[l] == 0 && p.barred[side^1][l] == 0 {
			p.updateLineNeed(side^1, l, p.marksNeeded(side^1, l), dead)
		}
		if other[l] == 0 && p.barred[side][l] == 0 {
			length := int(p.length[l])
			rest := length - int(own[l])
			p.updateLineNeed(side, l, min(rest, near), min(rest-1, near))
		}
		own[l]++
	}
	// A mark on a bar rules the line out for its own side.
	if p.geometry.barred {
		for _, l := range p.bars[p.barsAt[square]:p.barsAt[square+1]] {
			p.updateLineNeed(side, int(l), p.marksNeeded(side, int(l)), dead)
			p.barred[side][l]++
		}
	}
}

// undo takes back play(side, s), the last move.
func (p *state) undo(side, square int) {
	p.Undo()
	p.mark[square] = empty
	p.empty++
	// Everything is taken back in the opposite order, so that what marksNeeded sees is what it saw in play.
	if p.geometry.barred {
		for _, l := range p.bars[p.barsAt[square]:p.barsAt[square+1]] {
			p.barred[side][l]--
			p.updateLineNeed(side, int(l), dead, p.marksNeeded(side, int(l)))
		}
	}
	own, other := p.own[side], p.own[side^1]
	for _, l := range p.through[p.throughAt[square]:p.throughAt[square+1]] {
		l := int(l)
		own[l]--
		if own[l] == 0 && p.barred[side^1][l] == 0 {
			p.updateLineNeed(side^1, l, dead, p.marksNeeded(side^1, l))
		}
		if other[l] == 0 && p.barred[side][l] == 0 {
			length := int(p.length[l])
			rest := length - int(own[l])
			p.updateLineNeed(side, l, min(rest-1, near), min(rest, near))
		}
	}
	if p.net != nil {
		p.undoMark()
	}
}

// anyLineOpen reports whether a side can still own a line.
func (p *state) anyLineOpen() bool {
	return int(p.count[0][dead]) < p.lines || int(p.count[1][dead]) < p.lines
}
