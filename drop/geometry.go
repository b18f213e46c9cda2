package drop

import (
	"errors"
	"fmt"
	"math/bits"
	"slices"

	"oxo"
	"oxo/board"
)

// geometry is a board and its rules in the form that the search wants: a bit
// for each square, and two ways to find winning squares. On a grid whose
// columns fit 64 bits with a sentinel above each, a column takes height+1 bits,
// lowest square first, and rows are found by shifts (Tromp's layout). On any
// other board square i is bit i and rows are found in lists of lines.
type geometry struct {
	squares int      // N
	full    uint64   // all squares
	floor   uint64   // those that rest on nothing
	bit     [64]uint // of each square of the board
	prior   [64]int  // of each bit, the lines through it: where threats do not tell moves apart, more come first
	avoids  bool     // completing a line loses
	tested  [2]bool  // whose moves can complete a line
	fullFor [2]int8  // what a full board is worth to each seat: 1, 0 or -1

	// columns: the board is a grid of cols columns, height bits apart. Then lines are rows of run squares,
	// if exact of no more than run, and shifts find them.
	columns     bool
	shifts      bool
	cols        int
	height, run uint
	exact       bool

	// Where the squares are columns, lines win for both sides and a full board is a draw, the squares of a
	// column pair off from the top: lower has those under their partner. It is 0 elsewhere.
	lower  uint64
	over   [64]uint64 // the squares of its column over each bit
	under  [64]uint64 // and under it
	needed []uint64   // without shifts, all lines

	lines [64][]uint64 // through each bit, without the bit itself

	// Without columns above has, for each square, the squares that rest on it, and support the one
	// below it. If some line is spoilt by further marks, barred has all lines.
	above   [64]uint64
	support [64]uint64
	barred  []line

	group *board.Group // on boards that are not grids, if it has more than the identity
}

type line struct{ need, bar uint64 }

// newGeometry returns the geometry of a board and rules, or why positions of
// that game are out of reach.
func newGeometry(b *board.Board, r board.Rules) (*geometry, error) {
	switch {
	case b.Below == nil:
		return nil, errors.New("marks do not fall here")
	case b.N > 64:
		return nil, fmt.Errorf("%d squares: at most 64", b.N)
	case r.Place != board.Own || r.Slip != 0:
		return nil, fmt.Errorf("rules %q: each side must place its own marks, where it chooses", r.Name)
	}
	g := &geometry{squares: b.N, tested: r.Tested}
	for seat := range oxo.Seat(2) {
		g.fullFor[seat] = int8(r.Full.Value(seat))
		if r.Tested[seat] && r.Done[seat] != oxo.WinFor(seat) {
			g.avoids = true
		}
	}
	if run, exact, ok := b.FallingRows(); ok && b.Cols*(b.Rows+1) <= 64 { // with a sentinel above each column
		g.cols, g.height, g.run, g.exact = b.Cols, uint(b.Rows)+1, uint(run), exact
		g.numberByColumn()
	} else {
		g.numberAsGiven(b)
	}
	for i, j := range b.Below {
		g.full |= 1 << g.bit[i]
		if j < 0 {
			g.floor |= 1 << g.bit[i]
		}
		for _, k := range b.LinesThrough(i) {
			g.lines[g.bit[i]] = append(g.lines[g.bit[i]], g.squareBits(b.Lines[k].Need)&^(1<<g.bit[i]))
		}
	}
	g.pairSquaresForParity(b)
	return g, nil
}

// numberByColumn lays a grid out in columns.
func (g *geometry) numberByColumn() {
	g.columns, g.shifts = true, true
	rows := int(g.height) - 1
	for i := range g.squares {
		g.bit[i] = uint(i%g.cols)*g.height + uint(rows-1-i/g.cols)
		g.prior[g.bit[i]] = (rows - 1 - i/g.cols) - 2*abs(2*(i%g.cols)-g.cols+1)
	}
}

// numberAsGiven keeps the board's own numbers and lists its lines.
func (g *geometry) numberAsGiven(b *board.Board) {
	if b.Group().HasSymmetry() {
		g.group = b.Group()
	}
	for i, j := range b.Below {
		g.bit[i] = uint(i)
		if j >= 0 {
			g.support[i] = 1 << j
			g.above[j] |= 1 << i
		}
	}
	if slices.ContainsFunc(b.Lines, func(l board.Line) bool { return !l.Bar.Empty() }) {
		for _, l := range b.Lines {
			g.barred = append(g.barred, line{l.Need.A, l.Bar.A})
		}
	}
}

// squareBits returns a set of squares of the board as bits.
func (g *geometry) squareBits(s board.Set) (marks uint64) {
	for i := range s.All() {
		marks |= 1 << g.bit[i]
	}
	return marks
}

// squaresDirectlyAbove returns the squares that become playable when square m is filled.
func (g *geometry) squaresDirectlyAbove(m uint64) uint64 {
	if g.columns {
		return m << 1 & g.full
	}
	return g.above[bits.TrailingZeros64(m)&63]
}

// squaresDirectlyBelow returns the squares right below the given ones.
func (g *geometry) squaresDirectlyBelow(squares uint64) (under uint64) {
	if g.columns {
		return squares & g.full >> 1
	}
	for ; squares != 0; squares &= squares - 1 {
		under |= g.support[bits.TrailingZeros64(squares)&63]
	}
	return under
}

// playableSquares returns the squares on which a mark comes to rest.
func (g *geometry) playableSquares(taken uint64) uint64 {
	free := g.floor
	for t := taken; t != 0; t &= t - 1 {
		free |= g.squaresDirectlyAbove(t & -t)
	}
	return free &^ taken
}

// winningSquaresAfter returns the squares with which own, which does not own a line, would
// own one, whether they can be played yet or not. The last mark of own was
// lastMark, and winsBefore were the winning squares before it; taken squares may be among the result.
func (g *geometry) winningSquaresAfter(own, lastMark, winsBefore uint64) uint64 {
	switch {
	case g.shifts && g.run == 4 && !g.exact:
		h := g.height
		return fourCompletions(own, 1) | fourCompletions(own, h-1) | fourCompletions(own, h) | fourCompletions(own, h+1)
	case g.shifts:
		h := g.height
		return g.rowCompletions(own, 1) | g.rowCompletions(own, h-1) | g.rowCompletions(own, h) | g.rowCompletions(own,
			h+1)
	case g.barred != nil:
		return g.unbarredWins(own)
	}
	for _, l := range g.lines[bits.TrailingZeros64(lastMark)&63] {
		if rest := l &^ own; rest&(rest-1) == 0 {
			winsBefore |= rest
		}
	}
	return winsBefore
}

// findWinningSquares is winningSquaresAfter of marks that come from elsewhere.
func (g *geometry) findWinningSquares(own uint64) (found uint64) {
	if g.shifts || g.barred != nil {
		return g.winningSquaresAfter(own, 0, 0)
	}
	for m := own; m != 0; m &= m - 1 {
		found = g.winningSquaresAfter(own, m&-m, found)
	}
	for i, lines := range g.lines { // lines of one square
		for _, l := range lines {
			if l == 0 {
				found |= 1 << i
			}
		}
	}
	return found
}

// fourCompletions is rowCompletions for rows of four that may be longer.
func fourCompletions(own uint64, d uint) uint64 {
	d &= 63
	low, high := own<<d, own>>d
	low2, high2 := low&(low<<d), high&(high>>d)
	return low2&(low<<(2*d&63)|high) | high2&(high>>(2*d&63)|low)
}

// rowCompletions returns the squares that would complete a row of run, squares of a row
// lying d bits apart. Bits that are no squares may be among them.
func (g *geometry) rowCompletions(own uint64, d uint) (found uint64) {
	var low [64]uint64 // low[j]: the j squares before are own
	low[0] = ^uint64(0)
	for j := uint(1); j < g.run; j++ {
		low[j] = low[j-1] & (own << (j * d))
	}
	high := ^uint64(0) // the run−1−j squares after are own
	for j := g.run; j > 0; j-- {
		row := low[j-1] & high
		if g.exact {
			row &^= own<<(j*d) | own>>((g.run-j+1)*d)
		}
		found |= row
		high &= own >> ((g.run - j + 1) * d)
	}
	return found
}

// unbarredWins is winningSquaresAfter on boards some of whose lines are spoilt by further marks.
func (g *geometry) unbarredWins(own uint64) (found uint64) {
	for _, l := range g.barred {
		if rest := l.need &^ own; rest&(rest-1) == 0 && own&l.bar == 0 {
			found |= rest
		}
	}
	return found
}

// exactKey returns what tells a position with so many marks from all others: one
// word where keyBits says that one is enough, else two, the second of 64 bits.
func (g *geometry) exactKey(own, taken uint64) (high, low uint64) {
	switch {
	case g.columns: // the sum marks the top of each column (Tromp)
		return 0, own + taken
	case g.squares <= 32:
		return 0, own<<g.squares | taken
	}
	return own, taken
}

// keyBits returns the bits of a key's low word, and whether there is a high one.
func (g *geometry) keyBits() (low uint, wide bool) {
	switch {
	case g.columns:
		return uint(g.cols) * g.height, false
	case g.squares <= 32:
		return 2 * uint(g.squares), false
	}
	return uint(g.squares), true
}

// classKey returns the key of one position of p's class under the symmetries
// of the board.
func (g *geometry) classKey(own, other uint64) (high, low uint64) {
	if g.group != nil {
		own, other, _, _ = g.group.Canonical64(own, other, 0)
	}
	high, low = g.exactKey(own, own|other)
	if g.columns {
		low = min(low, g.mirror(low))
	}
	return high, low
}

// minMarksOfMirroredDescendant returns how many marks a position below n has at least if its mirror image lies
// below n too: it has the marks of n and their images. Where those are in each other's way
// there is none.
func (g *geometry) minMarksOfMirroredDescendant(n node) (marks int) {
	if !g.columns {
		return 0
	}
	own, other := g.mirror(n.own), g.mirror(n.other)
	if n.own&other != 0 {
		return g.squares + 1
	}
	return bits.OnesCount64(n.own|own) + bits.OnesCount64(n.other|other)
}

// mirror returns a set of squares of a grid, or its key, with the columns from
// right to left.
func (g *geometry) mirror(marks uint64) (image uint64) {
	column := uint64(1)<<g.height - 1
	for range g.cols {
		image = image<<g.height | marks&column
		marks >>= g.height
	}
	return image
}

func abs(x int) int { return max(x, -x) }
