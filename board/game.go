package board

import (
	"fmt"
	"math/bits"

	"oxo"
)

// Positional is what the two position types have in common beyond
// [oxo.Position]: players, evaluations and views look at marks through it.
type Positional interface {
	Board() *Board
	Rules() Rules
	Marks() (x, o Set)
	Playable() Set
}

// Game64 returns the game of these rules on a board of up to 64 squares.
func Game64(spec, title string, b *Board, r Rules) *oxo.Game[Pos64] {
	t := newGameData(b, r)
	g := newGame(spec, title, t, t.fromMarks64, t.canonicalizer64)
	if width := t.codeBitsPerMarkSet(); width > 0 {
		t.codeShift = width
		g.Code, g.Decode = t.code64, t.decode64
	}
	g.Perft = perft64
	if r.Place == Own && r.Slip == 0 {
		g.Playout = t.playoutKernel64()
		if t.won != nil && !t.falls {
			g.AlphaBeta, g.Minimax = alphabeta64, minimax64
		}
	}
	return g
}

// Game256 returns the game of these rules on a board of up to 256 squares.
func Game256(spec, title string, b *Board, r Rules) *oxo.Game[Pos256] {
	t := newGameData(b, r)
	g := newGame(spec, title, t, t.fromMarks256, t.canonicalizer256)
	g.Playout = t.playoutKernel256()
	return g
}

// placed is a position type that can be made of marks and given either side to move.
type placed[P any] interface {
	Written[P, Set]
	withTurn(s oxo.Seat) P
}

// newGame is [NewGame] of a table.
func newGame[P placed[P]](spec, title string, t *gameData, fromMarks func(x, o Set) P,
	canonical func(stop func() bool) func(P) (P, uint64)) *oxo.Game[P] {
	g := NewGame(spec, title, t.notation, fromMarks, t.checkReachable)
	group := t.board.Group()
	if g.Symmetries = group.Order(); group.HasSymmetry() {
		g.CanonicalUntil, g.Canonical = canonical, canonical(nil)
	}
	if t.rules.Place == Own && !t.falls && !t.slips {
		g.ParsePlayable = func(text string) (P, error) { // positions that no play need lead to
			x, o, seat, err := t.parseEvenUnreachable(text)
			if err != nil {
				return g.Start, fmt.Errorf("position %q: %w", text, err)
			}
			return fromMarks(x, o).withTurn(seat), nil
		}
	}
	return g
}

// canonicalizer64 returns what gives the canonical form under the board's group, until stop, if any, says to give up.
func (t *gameData) canonicalizer64(stop func() bool) func(Pos64) (rep Pos64, orbitSize uint64) {
	group := t.board.Group()
	return func(p Pos64) (Pos64, uint64) {
		var landing uint64
		if p.Turn() == oxo.Chance {
			landing = 1 << (p.Pending() & 63)
		}
		var size uint64
		p.x, p.o, landing, size = group.canonical64(p.x, p.o, landing, stop)
		if landing != 0 {
			p = p.WithPending(p.Pending()&^squareMask | oxo.Move(bits.TrailingZeros64(landing)))
		}
		return p, size
	}
}

// canonicalizer256 is canonicalizer64 for boards of up to 256 squares.
func (t *gameData) canonicalizer256(stop func() bool) func(Pos256) (rep Pos256, orbitSize uint64) {
	group := t.board.Group()
	return func(p Pos256) (Pos256, uint64) {
		var landing Set
		if p.Turn() == oxo.Chance {
			landing = SetOf(Square(p.Pending()))
		}
		var size uint64
		p.x, p.o, landing, size = group.canonicalUntil(p.x, p.o, landing, stop)
		if !landing.Empty() {
			p = p.WithPending(p.Pending()&^squareMask | oxo.Move(landing.First()))
		}
		return p, size
	}
}

// codeBitsPerMarkSet returns the number of bits that each of a position's two mark sets
// takes in its code, or 0 where a code does not fit in 64 bits.
func (t *gameData) codeBitsPerMarkSet() uint {
	n := uint(t.board.N)
	pending := uint(0)
	if t.slips {
		pending = uint(bits.Len(2 * uint(t.board.N)))
	}
	if 2*n+pending > 64 {
		return 0
	}
	return n
}

// code64 packs a position.
//
//	bits 0…n−1    squares marked X
//	bits n…2n−1   squares marked O
//	above         where marks can slip, 1 + square + n·mark of the landing
func (t *gameData) code64(p Pos64) uint64 {
	code := p.x | p.o<<t.codeShift
	if p.Turn() == oxo.Chance {
		m := p.Pending()
		code |= uint64(1+Square(m)+int(m>>markShift)*t.board.N) << (2 * t.codeShift)
	}
	return code
}

// decode64 unpacks a position and refuses numbers that code64 never returns, but not marks that no play leads to.
func (t *gameData) decode64(code uint64) (Pos64, bool) {
	x, o := code&t.full64, code>>t.codeShift&t.full64
	landing := int(code >> (2 * t.codeShift))
	if x&o != 0 || t.rules.Slip == 0 && landing != 0 || landing > 2*t.board.N {
		return Pos64{}, false
	}
	nx, no := bits.OnesCount64(x), bits.OnesCount64(o)
	if t.rules.Place == Own && nx != no && nx != no+1 || t.rules.Place == Cross && no != 0 {
		return Pos64{}, false
	}
	p := t.fromMarks64(Set{A: x}, Set{A: o})
	if landing > 0 {
		m := oxo.Move((landing-1)/t.board.N<<markShift | (landing-1)%t.board.N)
		if checkLegal(t.notation, p, m) != nil || t.rules.Place != Either && m>>markShift != 0 {
			return Pos64{}, false
		}
		p = p.WithPending(m)
	}
	return p, true
}
