package lines

import "math/bits"

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
var weight = [dead + 1]int32{0, 0, 800, 100, 18, 4, 2, 0}

// state is a position, kept move by move: for each line and side the marks in
// it, and what follows from that.
type state struct {
	*geometry
	mark  []uint8
	hash  uint64
	empty int // squares

	own    [2][]uint8 // for each line, the side's marks on squares it needs
	barred [2][]uint8 // for each line, the side's marks on squares barred
	view   [2][]int32 // for each square, Σ weight[rest] over the lines through it

	// count is the number of lines of each rest, live those of any, and close
	// the lines of rest 1 and 2 as bits.
	count [2][dead + 1]int32
	close [2][3][]uint64
	value [dead + 1]int32 // what a line of each rest is worth
	worth [2]int32        // Σ value[rest] over the lines
}

func newState(g *geometry) *state {
	p := &state{geometry: g, mark: make([]uint8, g.n), value: lineValue}
	for side := range p.own {
		p.own[side] = make([]uint8, g.lines)
		p.barred[side] = make([]uint8, g.lines)
		p.view[side] = make([]int32, g.n)
		for k := range p.close[side] {
			p.close[side][k] = make([]uint64, (g.lines+63)/64)
		}
	}
	p.reset()
	return p
}

// reset empties the board.
func (p *state) reset() {
	p.hash, p.empty = 0, p.n
	for i := range p.mark {
		p.mark[i] = empty
	}
	p.count = [2][dead + 1]int32{}
	p.worth = [2]int32{}
	for side := range p.own {
		clear(p.own[side])
		clear(p.barred[side])
		clear(p.view[side])
		for k := range p.close[side] {
			clear(p.close[side][k])
		}
	}
	for side := range p.own {
		for l := range p.lines {
			p.count[side][dead]++
			p.move(side, l, dead, p.rest(side, l))
		}
	}
}

// rest returns the number of marks that side still needs to own line l, near
// for more, dead if it can't.
func (p *state) rest(side, l int) int {
	if p.own[side^1][l] != 0 || p.barred[side][l] != 0 {
		return dead
	}
	return min(int(p.length[l])-int(p.own[side][l]), near)
}

// move notes that line l of side went from one rest to another.
func (p *state) move(side, l, from, to int) {
	if from == to {
		return
	}
	p.count[side][from]--
	p.count[side][to]++
	p.worth[side] += p.value[to] - p.value[from]
	delta := weight[to] - weight[from]
	view := p.view[side]
	for _, s := range p.squares[p.squareAt[l]:p.squareAt[l+1]] {
		view[s] += delta
	}
	if from <= 2 {
		p.close[side][from][l>>6] &^= 1 << (l & 63)
	}
	if to <= 2 {
		p.close[side][to][l>>6] |= 1 << (l & 63)
	}
}

// play puts a mark of side on square s, which must be empty.
func (p *state) play(side, s int) {
	p.mark[s] = uint8(side)
	p.hash ^= p.key[side][s]
	p.empty--
	own, other := p.own[side], p.own[side^1]
	for _, l := range p.through[p.throughAt[s]:p.throughAt[s+1]] {
		l := int(l)
		if own[l] == 0 && p.barred[side^1][l] == 0 {
			p.move(side^1, l, p.rest(side^1, l), dead)
		}
		if other[l] == 0 && p.barred[side][l] == 0 {
			length := int(p.length[l])
			rest := length - int(own[l])
			p.move(side, l, min(rest, near), min(rest-1, near))
		}
		own[l]++
	}
	if p.geometry.barred {
		for _, l := range p.bars[p.barsAt[s]:p.barsAt[s+1]] {
			p.move(side, int(l), p.rest(side, int(l)), dead)
			p.barred[side][l]++
		}
	}
}

// undo takes back play(side, s), the last move.
func (p *state) undo(side, s int) {
	p.mark[s] = empty
	p.hash ^= p.key[side][s]
	p.empty++
	if p.geometry.barred {
		for _, l := range p.bars[p.barsAt[s]:p.barsAt[s+1]] {
			p.barred[side][l]--
			p.move(side, int(l), dead, p.rest(side, int(l)))
		}
	}
	own, other := p.own[side], p.own[side^1]
	for _, l := range p.through[p.throughAt[s]:p.throughAt[s+1]] {
		l := int(l)
		own[l]--
		if own[l] == 0 && p.barred[side^1][l] == 0 {
			p.move(side^1, l, dead, p.rest(side^1, l))
		}
		if other[l] == 0 && p.barred[side][l] == 0 {
			length := int(p.length[l])
			rest := length - int(own[l])
			p.move(side, l, min(rest-1, near), min(rest, near))
		}
	}
}

// completion returns an empty square on which side completes a line, and
// whether there is another one. It returns -1 where there is none.
func (p *state) completion(side int) (s int, more bool) {
	s = -1
	if p.count[side][1] == 0 {
		return s, false
	}
	for k, w := range p.close[side][1] {
		for ; w != 0; w &= w - 1 {
			i := p.lastSquare(k<<6 | bits.TrailingZeros64(w))
			if s >= 0 && i != s {
				return s, true
			}
			s = i
		}
	}
	return s, false
}

// lastSquare returns the empty square of a line of rest 1.
func (p *state) lastSquare(l int) int {
	for _, s := range p.of(l) {
		if p.mark[s] == empty {
			return int(s)
		}
	}
	return -1
}

// lastTwo returns the two empty squares of a line of rest 2.
func (p *state) lastTwo(l int) (a, b int) {
	a = -1
	for _, s := range p.of(l) {
		if p.mark[s] == empty {
			if a >= 0 {
				return a, int(s)
			}
			a = int(s)
		}
	}
	return a, -1
}

// addTwos adds to squares the empty squares of the lines that side needs two
// more marks for.
func (p *state) addTwos(squares *set, side int) {
	if p.count[side][2] == 0 {
		return
	}
	for k, w := range p.close[side][2] {
		for ; w != 0; w &= w - 1 {
			a, b := p.lastTwo(k<<6 | bits.TrailingZeros64(w))
			squares.add(a)
			squares.add(b)
		}
	}
}

// alive reports whether a side can still own a line.
func (p *state) alive() bool {
	return int(p.count[0][dead]) < p.lines || int(p.count[1][dead]) < p.lines
}
