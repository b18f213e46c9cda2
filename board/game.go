package board

import (
	"errors"
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

type placed[P any] interface {
	oxo.Position[P]
	Positional
	pendingMove() oxo.Move
	withPending(m oxo.Move) P
	withTurn(s oxo.Seat) P
}

// Game64 returns the game of these rules on a board of up to 64 squares.
func Game64(spec, title string, b *Board, r Rules) *oxo.Game[Pos64] {
	t := newTable(b, r)
	g := newGame(spec, title, t, t.fromMarks64)
	if g.CanonicalUntil = canonicalFunc64(t); g.CanonicalUntil != nil {
		g.Canonical = g.CanonicalUntil(nil)
	}
	if width := t.bitsPerMarkSet(); width > 0 {
		t.codeShift = width
		g.Code, g.Decode = t.code64, t.decode64
	}
	g.Perft = perft64
	if r.Place == Own && r.Slip == 0 {
		g.Playout = t.playout64()
		if t.won != nil && !t.falls {
			g.AlphaBeta, g.Minimax = alphabeta64, minimax64
		}
	}
	return g
}

// Game256 returns the game of these rules on a board of up to 256 squares.
func Game256(spec, title string, b *Board, r Rules) *oxo.Game[Pos256] {
	t := newTable(b, r)
	g := newGame(spec, title, t, t.fromMarks256)
	if g.CanonicalUntil = canonicalFunc256(t); g.CanonicalUntil != nil {
		g.Canonical = g.CanonicalUntil(nil)
	}
	g.Playout = t.playout256()
	return g
}

func newGame[P placed[P]](spec, title string, t *table, fromMarks func(x, o Set) P) *oxo.Game[P] {
	g := &oxo.Game[P]{
		Spec:       spec,
		Title:      title,
		Start:      fromMarks(Set{}, Set{}),
		MaxMoves:   t.board.N,
		MaxPlies:   t.board.N,
		Symmetries: t.board.Group().Order(),
	}
	if t.rules.Place == Either {
		g.MaxMoves *= 2
	}
	if t.slips {
		g.MaxPlies *= 2
		g.Odds = func(p P, m oxo.Move) float64 { return t.odds(p.Playable().Len(), m == p.pendingMove()) }
	}
	g.Format = func(p P) string {
		x, o := p.Marks()
		if p.Turn() == oxo.Chance {
			return t.board.Format(x, o) + " " + seatMarks[mover(x.Len()+o.Len())] + " ~" + t.formatMove(p.pendingMove())
		}
		return t.board.Format(x, o) + " " + seatMarks[p.Turn()]
	}
	g.Parse = func(text string) (P, error) {
		var none P
		x, o, pending, err := t.parsePosition(text)
		if err == nil {
			err = t.checkReachable(x, o)
		}
		if err != nil {
			return none, fmt.Errorf("position %q: %w", text, err)
		}
		p := fromMarks(x, o)
		if pending != oxo.NoMove {
			if err := t.checkLegal(p, pending); err != nil {
				return none, fmt.Errorf("position %q: landing: %w", text, err)
			}
			p = p.withPending(pending)
		}
		return p, nil
	}
	if t.rules.Place == Own && !t.falls && !t.slips {
		g.ParsePlayable = playableParser(t, fromMarks)
	}
	g.FormatMove = func(_ P, m oxo.Move) string { return t.formatMove(m) }
	g.ParseMove = func(p P, text string) (oxo.Move, error) {
		m, err := parseMoveOn(t, p, text)
		if err == nil {
			err = t.checkLegal(p, m)
		}
		if err == nil && p.Turn() == oxo.Chance && m>>markShift != p.pendingMove()>>markShift {
			err = errors.New("the other mark is landing")
		}
		if err != nil {
			return oxo.NoMove, fmt.Errorf("move %q: %w", text, err)
		}
		return m, nil
	}
	return g
}

// parseMoveOn reads a move from p: a square, or the column in which a mark falls to one.
func parseMoveOn[P placed[P]](t *table, p P, text string) (oxo.Move, error) {
	if col := t.columnNamed(text); col >= 0 && p.Turn() != oxo.Chance {
		return t.moveInColumn(p.Moves(nil), col)
	}
	return t.parseMove(text)
}

// playableParser reads positions that no play need lead to.
func playableParser[P placed[P]](t *table, fromMarks func(x, o Set) P) func(text string) (P, error) {
	return func(text string) (P, error) {
		x, o, seat, err := t.parsePlayable(text)
		if err != nil {
			var none P
			return none, fmt.Errorf("position %q: %w", text, err)
		}
		return fromMarks(x, o).withTurn(seat), nil
	}
}

// odds is the probability that a mark lands where it was meant to, or on another one
// of so many squares that it can land on.
func (t *table) odds(squares int, meant bool) float64 {
	switch {
	case squares == 1:
		return 1
	case meant:
		return 1 - t.rules.Slip
	}
	return t.rules.Slip / float64(squares-1)
}

// checkLegal returns the reason why m can't be played in p, or nil.
func (t *table) checkLegal(p interface {
	Positional
	Outcome() oxo.Outcome
}, m oxo.Move) error {
	i := Square(m)
	x, o := p.Marks()
	switch {
	case p.Outcome() != oxo.Ongoing:
		return errors.New("the game is over")
	case x.Has(i) || o.Has(i):
		return errors.New("that square is taken")
	case !p.Playable().Has(i):
		return fmt.Errorf("a mark would fall: %s below it must be filled first", t.board.Names[t.board.Below[i]])
	}
	return nil
}

// canonicalFunc64 returns what gives the canonical form under the board's group, until
// stop, where it is not nil, says to give up, or nil where only the identity is a
// symmetry.
func canonicalFunc64(t *table) func(stop func() bool) func(Pos64) (Pos64, uint64) {
	group := t.board.Group()
	if !group.HasSymmetry() {
		return nil
	}
	return func(stop func() bool) func(Pos64) (Pos64, uint64) {
		return func(p Pos64) (Pos64, uint64) {
			var landing uint64
			if p.Turn() == oxo.Chance {
				landing = 1 << (p.pendingMove() & 63)
			}
			var size uint64
			p.x, p.o, landing, size = group.canonical64(p.x, p.o, landing, stop)
			if landing != 0 {
				p = p.withPending(p.pendingMove()&^squareMask | oxo.Move(bits.TrailingZeros64(landing)))
			}
			return p, size
		}
	}
}

// canonicalFunc256 is canonical64 for boards of up to 256 squares.
func canonicalFunc256(t *table) func(stop func() bool) func(Pos256) (Pos256, uint64) {
	group := t.board.Group()
	if !group.HasSymmetry() {
		return nil
	}
	return func(stop func() bool) func(Pos256) (Pos256, uint64) {
		return func(p Pos256) (Pos256, uint64) {
			var landing Set
			if p.Turn() == oxo.Chance {
				landing = SetOf(Square(p.pendingMove()))
			}
			var size uint64
			p.x, p.o, landing, size = group.canonicalUntil(p.x, p.o, landing, stop)
			if !landing.Empty() {
				p = p.withPending(p.pendingMove()&^squareMask | oxo.Move(landing.First()))
			}
			return p, size
		}
	}
}

// bitsPerMarkSet returns the number of bits that each of a position's two mark sets
// takes in its code, or 0 where a code does not fit in 64 bits.
func (t *table) bitsPerMarkSet() uint {
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
func (t *table) code64(p Pos64) uint64 {
	code := p.x | p.o<<t.codeShift
	if p.Turn() == oxo.Chance {
		m := p.pendingMove()
		code |= uint64(1+Square(m)+int(m>>markShift)*t.board.N) << (2 * t.codeShift)
	}
	return code
}

func (t *table) decode64(code uint64) (Pos64, bool) {
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
		if t.checkLegal(p, m) != nil || t.rules.Place != Either && m>>markShift != 0 {
			return Pos64{}, false
		}
		p = p.withPending(m)
	}
	return p, true
}
