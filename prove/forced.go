package prove

import (
	"fmt"

	"oxo"
	"oxo/board"
)

// Threats finds wins by continuous threats: every move but the last threatens
// to complete a line, and so forces the reply. It is for players and reviews
// as well as for proofs. One goroutine at a time may use it.
type Threats struct{ finder finder }

// finder is a search for threats without its type parameters.
type finder interface {
	find(mine, theirs board.Set, seat oxo.Seat, limit int) []int
	slow(mine, theirs board.Set, seat oxo.Seat, limit int) int
}

// NewThreats returns a search for wins by threats in games of g's kind; its
// start position does not matter. It refuses games in which owning a line
// does not win or not every free square may be played.
func NewThreats(g Game) (*Threats, error) {
	if err := g.Check(); err != nil {
		return nil, err
	}
	if !g.positional() {
		return nil, fmt.Errorf("%s: wins by threats are for games where a completed line wins and every free square may be played", g.Spec)
	}
	f, err := newFinder(&g)
	return &Threats{f}, err
}

// Win looks for a win of seat, to move, who holds mine against theirs, and
// visits no more than limit positions. It returns the moves of both sides in
// turn, the last one completing a line; of the replies that can't help, the
// first. It returns nil where it finds no win: there may be one all the same,
// of another kind, or beyond the limit.
func (t *Threats) Win(mine, theirs board.Set, seat oxo.Seat, limit int) []int {
	return t.finder.find(mine, theirs, seat, limit)
}

// Slow looks for a win of seat, to move, by threats that must be answered at
// once and threats one level slower: moves after which a pass would lose to
// continuous threats, such as open threes in five in a row. It visits no more
// than limit positions, and returns the first move of the win, or -1 where it
// finds none.
func (t *Threats) Slow(mine, theirs board.Set, seat oxo.Seat, limit int) int {
	return t.finder.slow(mine, theirs, seat, limit)
}

type threatFinder[S squares, Q lineWords] struct {
	threats *threats[S, Q]
	slower  *slower[S, Q]
	empty   [2]state[S, Q] // the empty board, for First and Second to win
}

func makeFinder[S squares, Q lineWords](game *Game) (finder, error) {
	g, err := newGeometry[S, Q](game.Board)
	if err != nil {
		return nil, err
	}
	f := &threatFinder[S, Q]{threats: newThreats(g, logRefuted)}
	f.slower = newSlower(g, f.threats, logRefuted)
	for seat := range f.empty {
		f.empty[seat] = g.start([2]bool{game.good(oxo.Seat(seat)), game.good(oxo.Seat(1 - seat))})
	}
	return f, nil
}

// position returns the position with seat to move as the attacker; false where
// there is none.
func (f *threatFinder[S, Q]) position(mine, theirs board.Set, seat oxo.Seat) (p state[S, Q], ok bool) {
	if seat != oxo.First && seat != oxo.Second || mine.Meets(theirs) {
		return p, false
	}
	g := f.threats.g
	p = f.empty[seat]
	for i := range mine.All() {
		g.play(&p, attacker, i)
	}
	for i := range theirs.All() {
		g.play(&p, defender, i)
	}
	if seat == oxo.Second {
		// What is refuted for one seat need not be for the other.
		p.hash ^= 0xd6e8feb86659fd93
	}
	return p, true
}

func (f *threatFinder[S, Q]) slow(mine, theirs board.Set, seat oxo.Seat, limit int) int {
	if p, ok := f.position(mine, theirs, seat); ok && f.slower.win(&p, attacker, limit) {
		return f.slower.move
	}
	return -1
}

func (f *threatFinder[S, Q]) find(mine, theirs board.Set, seat oxo.Seat, limit int) []int {
	p, ok := f.position(mine, theirs, seat)
	if !ok || !f.threats.win(&p, attacker, limit) {
		return nil
	}
	g := f.threats.g
	var line []int
	for _, sq := range f.threats.line {
		line = append(line, sq)
		if has(g.completions(&p, attacker), sq) {
			return line
		}
		g.play(&p, attacker, sq)
		ends := g.completions(&p, attacker)
		reply := first(ends)
		g.play(&p, defender, reply)
		line = append(line, reply)
		if ends = rest(ends); !empty(ends) {
			return append(line, first(ends))
		}
	}
	return line
}
