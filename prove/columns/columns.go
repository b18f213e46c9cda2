// Package columns has strategies of moves alone for games in which marks fall in columns.
//
// A strategy ends where its side completes a set, or where a theorem shows that it wins or
// does not lose by marking, right above each mark of the other side, the next square of the
// column (Allis, A Knowledge-based Approach of Connect-Four, 1988: follow-up and zugzwang). The
// theorem stands above keepsByFollowUp in package verify, whose own code looks at what is found
// here.
package columns

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"oxo"
	"oxo/board"
	"oxo/prove/certificate"
	"oxo/prove/moves"
)

// ColumnGame is a game of columns with what strategies of moves ask of it. A move has the number of the
// foot of its column.
type ColumnGame struct {
	*moves.Provable[board.Pos64]
	Perms [][]uint8 // automorphisms of the board, the identity first

	rules   board.Rules
	squares uint64
	columns []column
	foot    []uint8  // of each square, the foot of its column
	through [][]line // by square
	lines   []line
}

// column is a column of a board: its squares as a set of bits, and in the order in which they are filled.
type column struct {
	mask   uint64
	square []uint // from the foot up
}

// line is a winning set: the squares that it needs, and those that must not be its owner's.
type line struct{ need, bar uint64 }

// New returns what strategies ask of a game, or why its squares are no columns of own marks.
// Boards have at most 64 squares.
func New(g *oxo.Game[board.Pos64]) (*ColumnGame, error) {
	b, r := g.Start.Board(), g.Start.Rules()
	switch {
	case b.Below == nil:
		return nil, errors.New("marks do not fall")
	case r.Place != board.Own || r.Slip != 0:
		return nil, errors.New("each side must place its own marks, where it chooses")
	}
	c := &ColumnGame{Perms: certificate.Automorphisms(b), rules: r, squares: b.Squares().A, foot: make([]uint8, b.N),
		through: make([][]line, b.N)}
	if err := c.findColumns(b); err != nil {
		return nil, err
	}
	for _, l := range b.Lines {
		of := line{l.Need.A, l.Bar.A}
		c.lines = append(c.lines, of)
		for i := range l.Need.All() {
			c.through[i] = append(c.through[i], of)
		}
	}
	c.Provable = &moves.Provable[board.Pos64]{
		Game: g, Form: c.canonicalForm,
		Turn: func(symmetry int, m oxo.Move) oxo.Move {
			return oxo.Move(c.foot[c.Perms[symmetry][board.Square(m)]])
		},
		Needs: func(board.Pos64, oxo.Seat) int { return 0 },
		Played: func(p board.Pos64) int {
			x, o := p.Marks()
			return x.Len() + o.Len()
		},
		Gains: func(_, _ board.Pos64) bool { return false },
		Settled: func(p board.Pos64, q moves.Question, left int) (int, bool) {
			return c.gameForQuestion(q).claimKept(seatMarksOf(p, q.Seat), p.Turn() == q.Seat, left)
		},
	}
	return c, nil
}

// findColumns finds the columns, in the order of their feet, or says why the squares are none.
// A column begins on a square that rests on none, and each square of it carries at most one.
func (c *ColumnGame) findColumns(b *board.Board) error {
	above := make([]int, b.N)
	for i := range above {
		above[i] = -1
	}
	for i, under := range b.Below {
		if under < 0 {
			continue
		}
		if above[under] >= 0 {
			return fmt.Errorf("two squares rest on %s, so there are no columns", b.Names[under])
		}
		above[under] = i
	}
	for foot, under := range b.Below {
		if under >= 0 {
			continue
		}
		var col column
		for i := foot; i >= 0; i = above[i] {
			col.mask |= 1 << i
			col.square = append(col.square, uint(i))
			c.foot[i] = uint8(foot)
		}
		c.columns = append(c.columns, col)
	}
	return nil
}

// canonicalForm returns the least of the images of a position, as a list of what the squares hold in two bits each, and
// the number of a permutation that gives it. Images of one position have the same form; a byte holds four squares, so a
// form has as many bytes as the board needs, and forms compare as the lists do.
func (c *ColumnGame) canonicalForm(p board.Pos64) (form string, permNumber int) {
	x, o := p.Marks()
	var least [2]uint64
	symmetry := 0
	for k, perm := range c.Perms {
		other := list(permuted(x.A, perm), permuted(o.A, perm))
		if k == 0 || other[0] < least[0] || other[0] == least[0] && other[1] < least[1] {
			least, symmetry = other, k
		}
	}
	var text [16]byte
	binary.BigEndian.PutUint64(text[:8], least[0])
	binary.BigEndian.PutUint64(text[8:], least[1])
	return string(text[:(len(c.foot)+3)/4]), symmetry
}

// list returns what the squares hold, 1 for a mark of x and 2 for one of o, the first square in the highest
// two bits.
func list(x, o uint64) [2]uint64 {
	x, o = bits.Reverse64(x), bits.Reverse64(o)
	return [2]uint64{spreadBits(o>>32)<<1 | spreadBits(x>>32),
		spreadBits(o&math.MaxUint32)<<1 | spreadBits(x&math.MaxUint32)}
}

// spreadBits moves bit i of 32 to bit 2i.
func spreadBits(x uint64) uint64 {
	x = (x | x<<16) & 0x0000ffff0000ffff
	x = (x | x<<8) & 0x00ff00ff00ff00ff
	x = (x | x<<4) & 0x0f0f0f0f0f0f0f0f
	x = (x | x<<2) & 0x3333333333333333
	return (x | x<<1) & 0x5555555555555555
}

// seatMarks is a position as the side of a question sees it: its own marks and the other side's, bit i for square i.
type seatMarks struct{ own, opp uint64 }

// seatMarksOf returns the position as a seat sees it.
func seatMarksOf(p board.Pos64, seat oxo.Seat) seatMarks {
	x, o := p.Marks()
	if seat == oxo.First {
		return seatMarks{x.A, o.A}
	}
	return seatMarks{o.A, x.A}
}

// questionGame is a game as the side of a question sees it: whose moves complete sets, and which outcomes
// answer the question with yes.
type questionGame struct {
	*ColumnGame
	wins                           bool
	ownTested, ownSuits, ownWins   bool
	oppTested, oppSuits, fullSuits bool
}

// gameForQuestion returns what the game is to the side that a question is about. It is made anew for each question, as
// what suits depends on it.
func (c *ColumnGame) gameForQuestion(q moves.Question) *questionGame {
	suits := func(out oxo.Outcome) bool {
		if q.Wins {
			return out == oxo.WinFor(q.Seat)
		}
		return out != oxo.WinFor(q.Seat.Other())
	}
	s, o := q.Seat, q.Seat.Other()
	return &questionGame{ColumnGame: c, wins: q.Wins,
		ownTested: c.rules.Tested[s], ownSuits: suits(c.rules.Done[s]),
		ownWins:   c.rules.Tested[s] && c.rules.Done[s] == oxo.WinFor(s),
		oppTested: c.rules.Tested[o], oppSuits: suits(c.rules.Done[o]), fullSuits: suits(c.rules.Full)}
}

// completesSet reports whether the mark on sq, one of marks, completes a set: only sets through that square are looked
// at, as the others were complete before or are not now.
func (c *ColumnGame) completesSet(marks uint64, sq uint) bool {
	for _, l := range c.through[sq] {
		if l.need&^marks == 0 && l.bar&marks == 0 {
			return true
		}
	}
	return false
}

// nextFreeSquare returns the free square of a column that can be marked, false where it is full. Marks lie on each
// other without gaps, so counting those of the column is enough.
func (col *column) nextFreeSquare(taken uint64) (sq uint, ok bool) {
	k := bits.OnesCount64(col.mask & taken)
	if k == len(col.square) {
		return 0, false
	}
	return col.square[k], true
}

// claimKept is [moves.Provable.Settled].
// With the side to move that is a set completed at once, in one ply; with the other to move it is
// following, which for a claim to win counts only if it ends in time.
func (v *questionGame) claimKept(s seatMarks, toMove bool, pliesLeft int) (endsWithin int, kept bool) {
	if toMove {
		return 1, v.canCompleteNow(s)
	}
	endsWithin, kept = v.keepsByFollowUp(s)
	return endsWithin, kept && (!v.wins || endsWithin <= pliesLeft)
}

// canCompleteNow reports whether the side, to move, can complete a set that suits it, by a mark in any column.
func (v *questionGame) canCompleteNow(s seatMarks) bool {
	if !v.ownTested || !v.ownSuits {
		return false
	}
	for k := range v.columns {
		if sq, ok := v.columns[k].nextFreeSquare(s.own | s.opp); ok && v.completesSet(s.own|1<<sq, sq) {
			return true
		}
	}
	return false
}

// keepsByFollowUp reports whether the side keeps its claim, the other to move, by marking the square
// right above each mark of the other, and within how many plies the game is over.
// At most one column may have an odd number of free squares: there the other side has the last mark
// to itself, or the side wins before it comes to that.
func (v *questionGame) keepsByFollowUp(s seatMarks) (endsWithin int, kept bool) {
	if v.ownTested && !v.ownSuits {
		return 0, false
	}
	taken, odd := s.own|s.opp, -1
	for k := range v.columns {
		// An even number of free squares is shared out to the end by following.
		if bits.OnesCount64(v.columns[k].mask&^taken)&1 == 0 {
			continue
		}
		if odd >= 0 {
			return 0, false
		}
		odd = k
	}
	own, opp := s.own, s.opp
	for k := range v.columns {
		if k == odd {
			continue
		}
		col := &v.columns[k]
		for i := bits.OnesCount64(col.mask & taken); i < len(col.square); i += 2 {
			opp |= 1 << col.square[i]
			own |= 1 << col.square[i+1]
		}
	}
	danger := v.oppTested && !v.oppSuits
	free := bits.OnesCount64(v.squares &^ taken)
	if odd < 0 {
		return free, !(danger && v.holdsSet(opp)) && (v.fullSuits || v.holdsWin(v.lines, own))
	}
	rest := v.columns[odd].square[bits.OnesCount64(v.columns[odd].mask&taken):]
	own = s.own
	for i := 0; i+1 < len(rest); i += 2 {
		opp |= 1 << rest[i]
		own |= 1 << rest[i+1]
		if danger && v.holdsSet(opp) {
			return 0, false
		}
		if v.holdsWin(v.through[rest[i+1]], own) {
			return free - (len(rest) - i - 2), true
		}
	}
	return 0, false
}

// holdsSet reports whether marks hold the squares of a set. Its bar is left aside: one that is met keeps the set from
// being owned, so without it the test is only harder to pass.
func (c *ColumnGame) holdsSet(marks uint64) bool {
	return slices.ContainsFunc(c.lines, func(l line) bool { return l.need&^marks == 0 })
}

// holdsWin reports whether marks hold one of the sets, which wins whatever else is marked.
func (v *questionGame) holdsWin(sets []line, marks uint64) bool {
	return v.ownWins && slices.ContainsFunc(sets, func(l line) bool { return l.need&^marks == 0 && l.bar == 0 })
}

// Keeps reports whether the answer to a question is yes in p, the other side to move, in which so
// many plies more count.
type Keeps func(ctx context.Context, p board.Pos64, q moves.Question, left int) (bool, error)

// FindStrategy returns the strategy that answers a question about root with yes, made of moves after which keeps
// says that the answer is still yes: of these one that few positions seem to follow.
// The error is [moves.ErrNot] where no move keeps the answer.
func (c *ColumnGame) FindStrategy(ctx context.Context, root board.Pos64, q moves.Question,
	keeps Keeps) (*moves.Followed, error) {
	s := &chooser{questionGame: c.gameForQuestion(q), known: map[seatMarks]int{}, led: map[seatMarks]bool{}}
	return c.Follow(root, q, func(p board.Pos64, _ string, left int) (oxo.Move, bool, error) {
		if err := ctx.Err(); err != nil {
			return 0, false, err
		}
		list := s.candidates(seatMarksOf(p, q.Seat), left)
		for _, m := range list {
			yes := len(m.open) == 0
			if !yes {
				var err error
				if yes, err = keeps(ctx, p.Play(oxo.Move(m.sq)), q, left-1); err != nil {
					return 0, false, err
				}
			}
			if yes {
				s.rememberOpenPositions(m)
				return oxo.Move(m.sq), false, nil
			}
		}
		return 0, false, fmt.Errorf("%w: %s", moves.ErrNot, c.Format(p))
	})
}

// chooser orders the moves of a strategy.
type chooser struct {
	*questionGame
	known map[seatMarks]int  // how many positions seem to follow
	led   map[seatMarks]bool // positions that moves taken lead to, and their images
}

// rememberOpenPositions takes down what a move leads to.
// Too many to remember are forgotten all at once: the strategy may then become larger, and stays
// right.
func (s *chooser) rememberOpenPositions(m candidate) {
	if len(s.led) > mostKnown {
		clear(s.led)
	}
	for _, p := range m.open {
		for _, perm := range s.Perms {
			s.led[seatMarks{permuted(p.own, perm), permuted(p.opp, perm)}] = true
		}
	}
}

// permuted returns the marks with each where the permutation takes it, bit perm[i] for bit i.
func permuted(marks uint64, perm []uint8) (to uint64) {
	for ; marks != 0; marks &= marks - 1 {
		to |= 1 << perm[bits.TrailingZeros64(marks)]
	}
	return to
}

// candidate is a move with the positions in which the strategy then has to go on, and a cost that rises with
// those that seem to follow and are not come to anyway.
type candidate struct {
	sq   uint
	cost int
	open []seatMarks
}

// mostKnown bounds the positions that a chooser keeps counts of.
const mostKnown = 1 << 20

// candidates returns the moves that do not fail at once, those with few positions to follow first, and of equal
// ones that through whose square more sets go. pliesLeft is how many plies still count in p, in which the side is to
// move.
func (s *chooser) candidates(p seatMarks, pliesLeft int) []candidate {
	var list []candidate
	for k := range s.columns {
		sq, ok := s.columns[k].nextFreeSquare(p.own | p.opp)
		if !ok {
			continue
		}
		open, ok := s.openAfterMove(seatMarks{p.own | 1<<sq, p.opp}, sq, pliesLeft-1)
		if !ok {
			continue
		}
		cost := 0
		for _, q := range open {
			if !s.led[q] {
				cost += s.estimateFollowingPositions(q, pliesLeft-2)
			}
		}
		list = append(list, candidate{sq, cost<<8 - len(s.through[sq]), open})
	}
	slices.SortStableFunc(list, func(a, b candidate) int { return cmp.Compare(a.cost, b.cost) })
	return list
}

// estimateFollowingPositions returns how many positions seem to follow p, in which the side is to move.
// It looks two plies ahead and no further, and is a guess: 1 and the fewest replies that a move
// leaves open.
func (s *chooser) estimateFollowingPositions(p seatMarks, pliesLeft int) int {
	if n, ok := s.known[p]; ok {
		return n
	}
	least := 1 << 20
	for k := range s.columns {
		sq, ok := s.columns[k].nextFreeSquare(p.own | p.opp)
		if !ok {
			continue
		}
		if open, ok := s.openAfterMove(seatMarks{p.own | 1<<sq, p.opp}, sq, pliesLeft-1); ok {
			least = min(least, len(open))
		}
	}
	if len(s.known) == mostKnown {
		clear(s.known)
	}
	s.known[p] = 1 + least
	return 1 + least
}

// openAfterMove returns the positions that the replies lead to in which the strategy has to go on, after the side has
// marked sq, where pliesLeft plies still count; false where the move or a reply refutes the claim. None and true means
// that the claim is kept whatever the other side does.
func (s *chooser) openAfterMove(p seatMarks, sq uint, pliesLeft int) (openPositions []seatMarks, unrefuted bool) {
	if s.ownTested && s.completesSet(p.own, sq) {
		return nil, s.ownSuits
	}
	if p.own|p.opp == s.squares {
		return nil, s.fullSuits
	}
	if pliesLeft <= 0 {
		return nil, !s.wins
	}
	if plies, ok := s.keepsByFollowUp(p); ok && (!s.wins || plies <= pliesLeft) {
		return nil, true
	}
	for k := range s.columns {
		sq, ok := s.columns[k].nextFreeSquare(p.own | p.opp)
		if !ok {
			continue
		}
		q := seatMarks{p.own, p.opp | 1<<sq}
		switch {
		case s.oppTested && s.completesSet(q.opp, sq):
			if !s.oppSuits {
				return nil, false
			}
		case q.own|q.opp == s.squares:
			if !s.fullSuits {
				return nil, false
			}
		case pliesLeft == 1:
			if s.wins {
				return nil, false
			}
		case !s.canCompleteNow(q):
			openPositions = append(openPositions, q)
		}
	}
	return openPositions, true
}
