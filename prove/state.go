package prove

import (
	"fmt"
	"math/bits"
	"math/rand/v2"

	"oxo/board"
)

// lineWords holds what a side has made of every line, one bit a line in each
// of several planes; see [state].
type lineWords interface {
	[4]uint64 | [8]uint64 | [16]uint64 | [64]uint64 | [256]uint64 | [1024]uint64
}

// The two sides of a search. The attacker wants to own a line; the search
// asks whether he can force it.
const (
	attacker = 0
	defender = 1
)

// state is a position. A square is the attacker's, the defender's, free, or
// out of play. For each side, plane 0 of lines marks the lines that the side
// can no longer own; planes 1, 2, … are the number of marks the line still
// needs, less one, in binary, for the lines that are not dead.
//
//	lines[side]: | dead, w words | bit 0 of need−1, w words | bit 1, w words | …
type state[S squares, Q lineWords] struct {
	marks [2]S
	free  S
	lines [2]Q
	hash  uint64 // of marks and squares out of play
}

// geometry is what a search reads about its board.
type geometry[S squares, Q lineWords] struct {
	n, words int
	end      int // words in use of a lineWords
	all      S
	need     []S      // squares of each line
	through  []uint64 // n×words: the lines whose Need has the square
	bar      []uint64 // n×words: the lines whose Bar has the square; nil without bars
	below    []int    // nil without gravity
	key      [3][]uint64
	longest  int
	overlap  bool // two lines share two squares or more
}

// out indexes key beside attacker and defender: a square out of play.
const out = 2

func newGeometry[S squares, Q lineWords](b *board.Board) (*geometry[S, Q], error) {
	g := &geometry[S, Q]{n: b.N, words: (len(b.Lines) + 63) / 64, all: pack[S](b.Squares()), below: b.Below}
	g.through = make([]uint64, b.N*g.words)
	for k, line := range b.Lines {
		g.need = append(g.need, pack[S](line.Need))
		g.longest = max(g.longest, line.Need.Len())
		for i := range line.Need.All() {
			g.through[i*g.words+k>>6] |= 1 << (k & 63)
		}
		for i := 0; i < k && !g.overlap; i++ {
			g.overlap = line.Need.And(b.Lines[i].Need).Len() > 1
		}
		if line.Bar.Empty() {
			continue
		}
		if g.bar == nil {
			g.bar = make([]uint64, b.N*g.words)
		}
		for i := range line.Bar.All() {
			g.bar[i*g.words+k>>6] |= 1 << (k & 63)
		}
	}
	var q Q
	g.end = (1 + max(1, bits.Len(uint(g.longest-1)))) * g.words
	if g.end > len(q) || b.N > 64*len(g.all) {
		return nil, fmt.Errorf("%d winning sets of up to %d squares: too many to prove anything about", len(b.Lines), g.longest)
	}
	r := rand.New(rand.NewPCG(uint64(b.N), 0x6f786f))
	for c := range g.key {
		g.key[c] = make([]uint64, b.N)
		for i := range g.key[c] {
			g.key[c][i] = r.Uint64()
		}
	}
	return g, nil
}

// start returns the empty board. A side that is not able owns no lines.
func (g *geometry[S, Q]) start(able [2]bool) state[S, Q] {
	p := state[S, Q]{free: g.all}
	for side := range p.lines {
		q := &p.lines[side]
		for i := range g.words {
			(*q)[i] = ^uint64(0)
		}
		for k, need := range g.need {
			bit := uint64(1) << (k & 63)
			if able[side] {
				(*q)[k>>6] &^= bit
			}
			for j, n := k>>6+g.words, count(need)-1; j < g.end; j, n = j+g.words, n>>1 {
				if n&1 != 0 {
					(*q)[j] |= bit
				}
			}
		}
	}
	return p
}

// play puts a mark of side on square sq, which must be free.
func (g *geometry[S, Q]) play(p *state[S, Q], side, sq int) {
	p.marks[side] = with(p.marks[side], sq)
	p.free = without(p.free, sq)
	p.hash ^= g.key[side][sq]
	mine, other := &p.lines[side&1], &p.lines[side&1^1]
	w := g.words
	for i, borrow := range g.through[sq*w : sq*w+w] {
		(*other)[i] |= borrow
		for j := i + w; j < g.end; j += w {
			x := (*mine)[j] ^ borrow
			(*mine)[j] = x
			borrow &= x
		}
	}
	if g.bar != nil {
		for i, lines := range g.bar[sq*w : sq*w+w] {
			(*mine)[i] |= lines
		}
	}
}

// remove takes free square sq out of play: no line through it can be owned.
func (g *geometry[S, Q]) remove(p *state[S, Q], sq int) {
	p.free = without(p.free, sq)
	p.hash ^= g.key[out][sq]
	for i, lines := range g.through[sq*g.words : (sq+1)*g.words] {
		p.lines[0][i] |= lines
		p.lines[1][i] |= lines
	}
}

// near returns, among lines 64i…64i+63, those that side needs one more and
// those it needs exactly two more squares of.
func (g *geometry[S, Q]) near(p *state[S, Q], side, i int) (one, two uint64) {
	q := &p.lines[side&1]
	w := g.words
	high, low := (*q)[i], (*q)[i+w]
	for j := i + 2*w; j < g.end; j += w {
		high |= (*q)[j]
	}
	return ^(high | low), low &^ high
}

// needing returns, among lines 64i…64i+63, those that side needs exactly n
// more squares of.
func (g *geometry[S, Q]) needing(p *state[S, Q], side, n, i int) uint64 {
	q := &p.lines[side]
	lines := ^(*q)[i]
	n--
	for j := i + g.words; j < g.end; j, n = j+g.words, n>>1 {
		if n&1 != 0 {
			lines &= (*q)[j]
		} else {
			lines &^= (*q)[j]
		}
	}
	return lines
}

// completions returns the free squares on which side would complete a line.
func (g *geometry[S, Q]) completions(p *state[S, Q], side int) S {
	var s S
	for i := range g.words {
		one, _ := g.near(p, side, i)
		for ; one != 0; one &= one - 1 {
			s = or(s, g.need[i<<6+bits.TrailingZeros64(one)])
		}
	}
	return and(s, p.free)
}

// openTwos returns the free squares of the lines that side needs two more
// squares of.
func (g *geometry[S, Q]) openTwos(p *state[S, Q], side int) S {
	var s S
	for i := range g.words {
		_, two := g.near(p, side, i)
		for ; two != 0; two &= two - 1 {
			s = or(s, g.need[i<<6+bits.TrailingZeros64(two)])
		}
	}
	return and(s, p.free)
}

// live returns the squares, free or not, of the lines that a side can still own.
func (g *geometry[S, Q]) live(p *state[S, Q]) S {
	var s S
	for i := range g.words {
		for lines := ^(p.lines[0][i] & p.lines[1][i]); lines != 0; lines &= lines - 1 {
			s = or(s, g.need[i<<6+bits.TrailingZeros64(lines)])
		}
	}
	return s
}
