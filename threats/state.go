package threats

import (
	"fmt"
	"math/bits"
	"math/rand/v2"

	"oxo/board/bitset"
)

// Lines is what a side has made of every line, one bit a line in each of several planes; see [State].
type Lines interface {
	[4]uint64 | [8]uint64 | [16]uint64 | [40]uint64 | [64]uint64 | [80]uint64 | [256]uint64 | [1024]uint64 |
		[16384]uint64
}

// State is a position. A square is that of side 0, that of side 1, free, or out of play. Lines has, for each side, in
// order the words of lines 0 to 63, 64 to 127, …: one that marks the lines that the side can no longer own, and the
// number of marks the others still need, less one, in binary.
//
//	Lines[side]: | dead | bit 0 of need−1 | bit 1 | … | dead | bit 0 | …
type State[S bitset.Squares, Q Lines] struct {
	Marks [2]S
	Free  S
	Lines [2]Q
	Hash  uint64 // of marks and squares out of play

	// close has a bit, for each side, for the words that have a line of need one or two, and perhaps for others;
	// see [Geometry.nextCloseWord].
	close [2]uint64
}

// Geometry is what searches read about a board.
type Geometry[S bitset.Squares, Q Lines] struct {
	N, Words int // squares, and words with a bit for every line
	Planes   int // words of a Q for each of these
	shift    int // words k<<shift to (k+1)<<shift−1 share bit k of a State's close
	All      S
	Need     []S         // squares of each line
	Through  []uint64    // N×Words: the lines whose Need has the square
	Below    []int       // nil where marks don't fall
	Key      [3][]uint64 // hash keys: of the marks of both sides, and of squares out of play
	Turn     uint64      // hash key of side 1 to move
	Longest  int
	Barred   bool     // whether any line has a bar
	bar      []uint64 // N×Words: the lines whose Bar has the square; nil without bars
	cells    [][]cell // of Through, for each square those that are not 0
	at       []int32  // squares[at[l]:at[l+1]] are those of line l, ascending
	squares  []uint16
}

// cell is one word of Through that is not 0: most squares are in lines of few words, so that a mark need not look
// at all.
type cell struct {
	word  int
	lines uint64
}

// Out indexes Key beside the two sides: a square out of play.
const Out = 2

// NewGeometry returns what searches read about b, which must fit into S and Q.
func NewGeometry[S bitset.Squares, Q Lines](b Board) (*Geometry[S, Q], error) {
	if err := b.Check(); err != nil {
		return nil, err
	}
	g := &Geometry[S, Q]{N: b.Squares, Words: (len(b.Need) + 63) / 64, Planes: 1 + planes(b), Barred: b.Bar != nil,
		Below: b.Below}
	var q Q
	if b.Words() > len(q) || g.N > 64*len(g.All) {
		return nil, fmt.Errorf("%d squares and %d winning sets of up to %d squares: too many", g.N, len(b.Need),
			longestLine(b))
	}
	g.Longest = longestLine(b)
	g.Through = make([]uint64, g.N*g.Words)
	if g.Barred {
		g.bar = make([]uint64, g.N*g.Words)
	}
	g.at = []int32{0}
	for l, need := range b.Need {
		var squares S
		for _, s := range need {
			squares = bitset.With(squares, s)
			g.Through[s*g.Words+l>>6] |= 1 << (l & 63)
		}
		g.Need = append(g.Need, squares)
		for ; !bitset.Empty(squares); squares = bitset.Rest(squares) {
			g.squares = append(g.squares, uint16(bitset.First(squares)))
		}
		g.at = append(g.at, int32(len(g.squares)))
		if g.Barred {
			for _, s := range b.Bar[l] {
				g.bar[s*g.Words+l>>6] |= 1 << (l & 63)
			}
		}
	}
	for g.Words > 64<<g.shift {
		g.shift++
	}
	g.cells = make([][]cell, g.N)
	for s := range g.N {
		g.All = bitset.With(g.All, s)
		for i, lines := range g.Through[s*g.Words : (s+1)*g.Words] {
			if lines != 0 {
				g.cells[s] = append(g.cells[s], cell{i, lines})
			}
		}
	}
	r := rand.New(rand.NewPCG(uint64(g.N), uint64(len(b.Need))))
	for c := range g.Key {
		if c == Out {
			g.Turn = r.Uint64()
		}
		g.Key[c] = make([]uint64, g.N)
		for s := range g.Key[c] {
			g.Key[c][s] = r.Uint64()
		}
	}
	return g, nil
}

// longestLine returns how many squares the longest line has.
func longestLine(b Board) (squares int) {
	n := 1
	for _, need := range b.Need {
		n = max(n, len(need))
	}
	return n
}

// planes returns how many planes tell what lines need.
func planes(b Board) int { return max(1, bits.Len(uint(longestLine(b)-1))) }

// EmptyBoard returns the empty board. A side that can't own lines has none.
func (g *Geometry[S, Q]) EmptyBoard(canOwnLines [2]bool) State[S, Q] {
	p := State[S, Q]{Free: g.All}
	for side := range p.Lines {
		q := &p.Lines[side]
		for i := range g.Words {
			(*q)[i*g.Planes] = ^uint64(0)
		}
		for k, need := range g.Need {
			at, bit := k>>6*g.Planes, uint64(1)<<(k&63)
			if canOwnLines[side] {
				(*q)[at] &^= bit
			}
			n := bitset.Count(need) - 1
			if g.Words <= fewWords || n < 2 && canOwnLines[side] {
				p.close[side] |= 1 << (k >> 6 >> g.shift)
			}
			for j := 1; j < g.Planes; j, n = j+1, n>>1 {
				if n&1 != 0 {
					(*q)[at+j] |= bit
				}
			}
		}
	}
	return p
}

// Play puts a mark of side on square sq, which must be free.
func (g *Geometry[S, Q]) Play(p *State[S, Q], side, sq int) {
	p.Marks[side][sq>>6] |= 1 << (sq & 63)
	p.Free[sq>>6] &^= 1 << (sq & 63)
	p.Hash ^= g.Key[side][sq]
	mine, other := &p.Lines[side&1], &p.Lines[side&1^1]
	if g.Words <= fewWords {
		for i, borrow := range g.Through[sq*g.Words : (sq+1)*g.Words] {
			at := i * g.Planes
			(*other)[at] |= borrow
			for j := at + 1; j < at+g.Planes; j++ {
				x := (*mine)[j] ^ borrow
				(*mine)[j] = x
				borrow &= x
			}
		}
	} else {
		g.countMarkInLines(p, side&1, sq)
	}
	if g.bar != nil {
		for i, lines := range g.bar[sq*g.Words : (sq+1)*g.Words] {
			(*mine)[i*g.Planes] |= lines
		}
	}
}

// fewWords is the number of words up to which all of them are looked at each time.
const fewWords = 4

// countMarkInLines notes a mark of side on square sq in the words of the lines through it.
func (g *Geometry[S, Q]) countMarkInLines(p *State[S, Q], side, sq int) {
	mine, other := &p.Lines[side], &p.Lines[side^1]
	for _, c := range g.cells[sq] {
		at := c.word * g.Planes
		(*other)[at] |= c.lines
		borrow := c.lines &^ (*mine)[at]
		if borrow == 0 {
			continue
		}
		near := borrow
		low := (*mine)[at+1] ^ borrow
		(*mine)[at+1] = low
		borrow &= low
		for j := at + 2; j < at+g.Planes; j++ {
			x := (*mine)[j] ^ borrow
			(*mine)[j] = x
			borrow &= x
			near &^= x
		}
		if near != 0 {
			p.close[side] |= 1 << (c.word >> g.shift)
		}
	}
}

// BlockSquare takes free square sq out of play: no line through it can be owned.
func (g *Geometry[S, Q]) BlockSquare(p *State[S, Q], sq int) {
	p.Free = bitset.Without(p.Free, sq)
	p.Hash ^= g.Key[Out][sq]
	for _, c := range g.cells[sq] {
		p.Lines[0][c.word*g.Planes] |= c.lines
		p.Lines[1][c.word*g.Planes] |= c.lines
	}
}

// nextCloseWord returns the first number of a word from i on in which side may have lines of
// need one or two, g.Words where there is none.
func (g *Geometry[S, Q]) nextCloseWord(p *State[S, Q], side, i int) int {
	left := p.close[side&1] >> (i >> g.shift)
	if left == 0 {
		return g.Words
	}
	if skip := bits.TrailingZeros64(left); skip > 0 {
		return (i>>g.shift + skip) << g.shift
	}
	return i
}

// DeadLines returns, among lines 64i…64i+63, those that side can no longer own.
func (g *Geometry[S, Q]) DeadLines(p *State[S, Q], side, word int) uint64 {
	return p.Lines[side][word*g.Planes]
}

// LinesNeedingOneAndTwo returns, among lines 64i…64i+63, those that side needs one more and
// those it needs exactly two more squares of.
func (g *Geometry[S, Q]) LinesNeedingOneAndTwo(p *State[S, Q], side, word int) (one, two uint64) {
	q := &p.Lines[side&1]
	at := word * g.Planes
	high, low := (*q)[at], (*q)[at+1]
	for j := at + 2; j < at+g.Planes; j++ {
		high |= (*q)[j]
	}
	return ^(high | low), low &^ high
}

// LinesNeeding returns, among lines 64i…64i+63, those that side needs exactly n more squares of.
func (g *Geometry[S, Q]) LinesNeeding(p *State[S, Q], side, marks, word int) uint64 {
	q := &p.Lines[side]
	at := word * g.Planes
	lines := ^(*q)[at]
	marks--
	for j := at + 1; j < at+g.Planes; j, marks = j+1, marks>>1 {
		if marks&1 != 0 {
			lines &= (*q)[j]
		} else {
			lines &^= (*q)[j]
		}
	}
	if marks > 0 {
		return 0
	}
	return lines
}

// Completions returns the squares that may be played on which side would complete a line.
func (g *Geometry[S, Q]) Completions(p *State[S, Q], side int) S {
	var s S
	for i := g.nextCloseWord(p, side, 0); i < g.Words; i = g.nextCloseWord(p, side, i+1) {
		one, _ := g.LinesNeedingOneAndTwo(p, side, i)
		for ; one != 0; one &= one - 1 {
			s = bitset.Or(s, g.Need[i<<6+bits.TrailingZeros64(one)])
		}
	}
	if s = bitset.And(s, p.Free); g.Below != nil {
		return bitset.And(s, g.LegalSquares(p))
	}
	return s
}

// Completion returns the square on which side completes the first line that it
// needs one more square of, −1 where there is none, and whether another square
// completes another one. Where marks fall, squares that can't be played don't count.
func (g *Geometry[S, Q]) Completion(p *State[S, Q], side int) (sq int, more bool) {
	sq = -1
	for i := g.nextCloseWord(p, side, 0); i < g.Words; i = g.nextCloseWord(p, side, i+1) {
		one, _ := g.LinesNeedingOneAndTwo(p, side, i)
		for ; one != 0; one &= one - 1 {
			end, _ := g.twoFreeSquaresOf(p, i<<6+bits.TrailingZeros64(one))
			if end == sq || g.Below != nil && !g.isLegalSquare(p, end) {
				continue
			}
			if sq >= 0 {
				return sq, true
			}
			sq = end
		}
	}
	return sq, false
}

// twoFreeSquaresOf returns the first two free squares of a line, of which it has one at least;
// the second is −1 where there is no other.
func (g *Geometry[S, Q]) twoFreeSquaresOf(p *State[S, Q], line int) (a, b int) {
	// On boards of one word its bits tell them; on others the squares of the line are looked at one by one.
	if len(p.Free) == 1 {
		squares := g.Need[line][0] & p.Free[0]
		a = bits.TrailingZeros64(squares)
		if squares &= squares - 1; squares == 0 {
			return a, -1
		}
		return a, bits.TrailingZeros64(squares)
	}
	a = -1
	for _, s := range g.squares[g.at[line]:g.at[line+1]] {
		if p.Free[s>>6]>>(s&63)&1 != 0 {
			if a >= 0 {
				return a, int(s)
			}
			a = int(s)
		}
	}
	return a, -1
}

// squaresOfLinesNeedingTwo returns the free squares of the lines that side needs two more squares of: on each of them
// its mark would threaten to complete such a line.
func (g *Geometry[S, Q]) squaresOfLinesNeedingTwo(p *State[S, Q], side int) S {
	var s S
	for i := g.nextCloseWord(p, side, 0); i < g.Words; i = g.nextCloseWord(p, side, i+1) {
		_, two := g.LinesNeedingOneAndTwo(p, side, i)
		for ; two != 0; two &= two - 1 {
			s = bitset.Or(s, g.Need[i<<6+bits.TrailingZeros64(two)])
		}
	}
	return bitset.And(s, p.Free)
}

// LiveSquares returns the squares, free or not, of the lines that a side can still own.
func (g *Geometry[S, Q]) LiveSquares(p *State[S, Q]) S {
	var s S
	all := bitset.Or(p.Free, bitset.Or(p.Marks[0], p.Marks[1]))
	for i := range g.Words {
		for lines := ^(g.DeadLines(p, 0, i) & g.DeadLines(p, 1, i)); lines != 0; lines &= lines - 1 {
			s = bitset.Or(s, g.Need[i<<6+bits.TrailingZeros64(lines)])
			if len(s) == 1 && bitset.Empty(bitset.Minus(all, s)) { // to look takes longer where there are more words
				return s
			}
		}
	}
	return s
}

// LegalSquares returns the free squares that may be played: where marks fall, those whose square below is filled.
func (g *Geometry[S, Q]) LegalSquares(p *State[S, Q]) S {
	if g.Below == nil {
		return p.Free
	}
	var moves S
	for left := p.Free; !bitset.Empty(left); left = bitset.Rest(left) {
		if sq := bitset.First(left); g.isLegalSquare(p, sq) {
			moves = bitset.With(moves, sq)
		}
	}
	return moves
}

// isLegalSquare reports whether a free square has none that is free below it.
func (g *Geometry[S, Q]) isLegalSquare(p *State[S, Q], sq int) bool {
	below := g.Below[sq]
	return below < 0 || !bitset.Has(p.Free, below)
}
