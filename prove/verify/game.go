package verify

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"oxo/board"
)

// Outcomes, as numbers: 0 for none, as play goes on, 1 + seat for a win of that seat, and drawn.
const drawn = 3

// Whose marks are placed: each side's own, either by both, or X by both. In the
// latter two marks belong to nobody, and what counts is who moves.
const placeOwn, placeEither, placeCross = 0, 1, 2

// Setup is the game of a certificate and the position it starts from. Seats
// are 0 for First and 1 for Second.
type Setup struct {
	Spec   string // what the file calls it: not checked
	Board  *board.Board
	Tested [2]bool      // whose moves can complete a set
	Done   [2]int       // the outcome then: 1 First wins, 2 Second wins
	Place  int          // whose marks are placed
	Full   int          // the outcome of a full board: 1, 2 or 3, a draw
	Marks  [2]board.Set // what First and Second hold at the start; of shared marks those X and those O
	Turn   int

	Nine *Nine // of a game of nine boards, which has none of the above but a name
	Race *Race // of a race, which has none either
}

// completionWins reports whether completing a set wins for seat.
func (g *Setup) completionWins(seat int) bool { return g.Tested[seat] && g.Done[seat] == 1+seat }

// isPositional reports whether all free squares may be played and no side has
// to shun its sets.
func (g *Setup) isPositional() bool {
	for seat, tested := range g.Tested {
		if tested && !g.completionWins(seat) {
			return false
		}
	}
	return g.Board.Below == nil && g.Place == placeOwn
}

// moveNumberLimit returns how many numbers moves have: a move is the number of its
// square, plus the number of squares where it places an O instead of an X.
func (g *Setup) moveNumberLimit() int {
	if g.Place == placeEither {
		return 2 * g.Board.N
	}
	return g.Board.N
}

// isMonotone reports whether, besides, an extra mark never hurts its owner.
func (g *Setup) isMonotone() bool {
	return g.isPositional() && !slices.ContainsFunc(g.Board.Lines, func(l board.Line) bool { return !l.Bar.Empty() })
}

// legalSquares returns those of the free squares that may be played: all, or where marks fall those that rest on a mark
// or on the ground.
func (g *Setup) legalSquares(free board.Set) board.Set {
	if g.Board.Below == nil {
		return free
	}
	var s board.Set
	for i := range free.All() {
		if under := g.Board.Below[i]; under < 0 || !free.Has(under) {
			s = s.With(i)
		}
	}
	return s
}

// completes reports whether the mark on sq, one of marks, completes a set of seat's: one whose squares all are
// among the marks, and none of its bar.
func (g *Setup) completes(marks board.Set, sq, seat int) bool {
	return g.Tested[seat] &&
		slices.ContainsFunc(g.Board.LinesThrough(sq), func(k int) bool { return g.Board.Lines[k].Owned(marks) })
}

// completionsThroughSquare returns the free squares on which seat would complete a set that holds sq, which is among
// marks. Of a set that lacks one square this is the square, unless the bar rules the set out.
func (c *checker) completionsThroughSquare(marks, free board.Set, sq, seat int) board.Set {
	var s board.Set
	if !c.Tested[seat] {
		return s
	}
	c.spend(len(c.Board.LinesThrough(sq)))
	for _, k := range c.Board.LinesThrough(sq) {
		line := &c.Board.Lines[k]
		if last := line.Need.Minus(marks); last.Len() == 1 && free.Holds(last) && !marks.Meets(line.Bar) {
			s = s.Or(last)
		}
	}
	return s
}

// completingSquares returns the free squares on which seat would complete a set, whichever it is. It asks for more work
// than completionsThroughSquare, which needs to know only of sets through one square.
func (c *checker) completingSquares(marks, free board.Set, seat int) board.Set {
	var s board.Set
	for sq := range free.All() {
		c.spend(len(c.Board.LinesThrough(sq)))
		if c.completes(marks.With(sq), sq, seat) {
			s = s.With(sq)
		}
	}
	return s
}

// play returns p after a move of seat on a free square, and whether the move completes a set. Whether the move is
// legal is looked at by the caller.
func (c *checker) play(p position, move, seat int) (after position, completes bool) {
	sq, mine := move%c.Board.N, seat == c.seat
	c.spend(1 + len(c.Board.LinesThrough(sq)))
	if c.Place != placeOwn {
		mine = move < c.Board.N // the marks X, as those of one's own
	}
	p.free = p.free.Without(sq)
	if mine {
		p.own = p.own.With(sq)
		return p, c.completes(p.own, sq, seat)
	}
	p.opp = p.opp.With(sq)
	return p, c.completes(p.opp, sq, seat)
}

// keepsClaim reports whether an outcome keeps the claim: a win of the seat, or where it claims not to lose anything but
// a win of the other side.
func (c *checker) keepsClaim(outcome int) bool {
	if c.wins {
		return outcome == 1+c.seat
	}
	return outcome != 1+c.other
}

// withoutDeadSquares returns p without the squares in no set that anyone can still own. A mark there changes
// nothing, so positions that differ in such squares alone count as one. Where extra marks may hurt, all squares
// stay.
func (c *checker) withoutDeadSquares(p position) position {
	if !c.monotone {
		return p
	}
	// Without bars a side can still own the sets of which it reaches all squares, if it wants any.
	var own, opp, live board.Set
	if !c.relaxed && c.completionWins(c.seat) {
		own = p.own.Or(p.free)
	}
	if c.completionWins(c.other) {
		opp = p.opp.Or(p.free)
	}
	c.spend(len(c.Board.Lines))
	for k := range c.Board.Lines {
		if need := c.Board.Lines[k].Need; own.Holds(need) || opp.Holds(need) {
			live = live.Or(need)
		}
	}
	return position{p.own.And(live), p.opp.And(live), p.free.And(live)}
}

// canStillOwn reports whether a side with these marks can still own the line, on the free
// squares beside them: one of its marks on the line's bar rules that out for good.
func canStillOwn(line *board.Line, marks, free board.Set) bool {
	return marks.Or(free).Holds(line.Need) && !marks.Meets(line.Bar)
}

// heldByPairs reports whether the seat keeps the opponent, who is to move, from every
// set by answering in pairs, and outside them by the potential. Squares of
// pairs count as the opponent's in the sets that hold no pair.
func (c *checker) heldByPairs(p position, pairs []board.Set) bool {
	var used board.Set
	for _, pair := range pairs {
		if pair.Len() != 2 || !p.free.Holds(pair) || used.Meets(pair) {
			return false
		}
		used = used.Or(pair)
	}
	sum, worst := 0.0, 0.0
	danger := make([]float64, c.Board.N) // what each square adds to the sum
	c.spend(len(c.Board.Lines) * (1 + len(pairs)))
next:
	for k := range c.Board.Lines {
		line := &c.Board.Lines[k]
		if !c.completionWins(c.other) || !canStillOwn(line, p.opp, p.free) {
			continue
		}
		for _, pair := range pairs {
			if line.Need.Holds(pair) {
				continue next
			}
		}
		left := line.Need.And(p.free).Minus(used)
		// Weights are powers of two from 2^−50 on, so sums up to 1 are exact. A set that should weigh less weighs too
		// much, which only makes the test harder to pass.
		weight := math.Ldexp(1, -min(left.Len(), 50))
		sum += weight
		for sq := range left.All() {
			danger[sq] += weight
			worst = max(worst, danger[sq])
		}
	}
	return sum+worst < 1
}

// keepsByMirroring reports whether the seat keeps the claim by answering each mark of the
// opponent, who is to move, with its image.
func (c *checker) keepsByMirroring(p position, perm []uint8) bool {
	if c.Place != placeOwn || !c.Tested[c.other] || !c.keepsClaim(c.Done[c.other]) || !c.keepsClaim(c.Full) {
		return false
	}
	c.spend(len(c.Board.Lines) + c.Board.N)
	// The permutation must be its own inverse, and carry each square to one that is free like it or holds a mark of
	// the other side; only squares of the seat may stay in place.
	var fixed board.Set
	for i := range perm {
		to := int(perm[i])
		switch {
		case int(perm[to]) != i, p.free.Has(i) != p.free.Has(to):
			return false
		case to == i && !p.own.Has(i), to != i && (p.own.Has(i) != p.opp.Has(to)):
			return false
		case to == i:
			fixed = fixed.With(i)
		}
	}
	// A set through a square that stays in place must be its own image, as the theorem asks, and must not be all
	// such squares.
	for _, line := range c.Board.Lines {
		if !line.Need.Meets(fixed) {
			continue
		}
		for i := range line.Need.All() {
			if !line.Need.Has(int(perm[i])) || fixed.Holds(line.Need) {
				return false
			}
		}
	}
	return true
}

// noRefutingSetLeft reports whether no set can still be owned that would end the game against the claim, by either
// side.
func (c *checker) noRefutingSetLeft(p position) bool {
	for k, marks := range [2]board.Set{p.own, p.opp} {
		seat := c.seat ^ k
		harmless := !c.Tested[seat] || c.keepsClaim(c.Done[seat])
		if c.Place != placeOwn { // either side may complete it
			harmless = c.keepsClaim(c.Done[0]) && c.keepsClaim(c.Done[1]) || c.Place == placeCross && k == 1
		}
		if harmless {
			continue
		}
		c.spend(len(c.Board.Lines))
		for k := range c.Board.Lines {
			if canStillOwn(&c.Board.Lines[k], marks, p.free) {
				return false
			}
		}
	}
	return true
}

// moveName says a move, by its square and, of shared marks, the mark.
func (g *Setup) moveName(move int) string {
	mark := ""
	if g.Place != placeOwn {
		mark = string("xo"[move/g.Board.N]) + "@"
	}
	return mark + g.Board.Names[move%g.Board.N]
}

// moveNames writes moves in words, for errors.
func (g *Setup) moveNames(moves []int) string {
	var text []string
	for _, move := range moves {
		text = append(text, g.moveName(move))
	}
	return fmt.Sprintf("[%s]", strings.Join(text, " "))
}
