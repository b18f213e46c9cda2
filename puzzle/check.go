package puzzle

import (
	"fmt"
	"slices"

	"oxo"
)

// checkNodes is how many positions the second search of a puzzle may look at: a puzzle
// that it can't decide within so many is not kept.
const checkNodes = 3_000_000

// mistakeNodes is checkNodes of a mistake in a played game, which somebody waits for.
const mistakeNodes = 300_000

// checker is a second search, as plain as it can be: it knows the rules and nothing else, no symmetry,
// no bound and no judge. It is minimax with a table, so that a fault in the judge's sources, which are
// clever, does not make a puzzle.
// worth and within are its tables, by question; nodes counts positions of all questions of a puzzle, up to limit.
type checker[P oxo.Position[P]] struct {
	limit, nodes int
	worth        map[atLeastQuestion[P]]bool
	within       map[winQuestion[P]]bool
	last         map[int]oxo.Move // by plies left, the move that decided last
}

// atLeastQuestion is the question whether a seat gets at least so much from a position, and winQuestion
// whether it wins within so many plies.
type (
	atLeastQuestion[P any] struct {
		p     P
		seat  oxo.Seat
		least oxo.Value
	}
	winQuestion[P any] struct {
		p     P
		plies int
	}
)

// Check has the second search look at a puzzle of the game. The error says what is wrong with it, or
// that it is not decided within so many positions. It is called for each puzzle of the collection by a
// test, and for each that is mined before it is kept.
func Check[P oxo.Position[P]](g *oxo.Game[P], z *Puzzle, maxNodes int) error {
	p, err := g.Parse(z.Position)
	if err != nil {
		return fmt.Errorf("puzzle %s: %w", z.ID, err)
	}
	answer, err := g.ParseMove(p, z.Answer)
	if err != nil {
		return fmt.Errorf("puzzle %s: %w", z.ID, err)
	}
	right := []oxo.Move{answer}
	for _, also := range z.Also {
		m, err := g.ParseMove(p, also)
		if err != nil {
			return fmt.Errorf("puzzle %s: %w", z.ID, err)
		}
		right = append(right, m)
	}
	c := &checker[P]{limit: maxNodes}
	holds, known := c.claimHolds(p, right, z.Unique, z.Plies)
	switch {
	case !known:
		return fmt.Errorf("puzzle %s: not decided within %d positions", z.ID, maxNodes)
	case !holds:
		return fmt.Errorf("puzzle %s: %s is not the only right move at %q of %s", z.ID, z.Answer, z.Position, z.Game)
	}
	return nil
}

// claimHolds reports whether the claim of the right moves at p, mostly one, is true, and whether that is known within
// the limit. Every move is asked the question that the claim is about, and exactly those must have the answer yes. Of a
// draw it is asked too that no move wins.
// plies is the puzzle's, the answer counted, and of use to the claim Fastest alone.
func (c *checker[P]) claimHolds(p P, answers []oxo.Move, claim Uniqueness, plies int) (holds, known bool) {
	c.worth, c.within, c.last = map[atLeastQuestion[P]]bool{}, map[winQuestion[P]]bool{}, map[int]oxo.Move{}
	seat := p.Turn()
	// right asks of the position after a move whether that move does what is claimed of the answer.
	right := func(q P) bool {
		switch claim {
		case Wins:
			return c.getsAtLeast(atLeastQuestion[P]{q, seat, oxo.Win})
		case Draws:
			return c.getsAtLeast(atLeastQuestion[P]{q, seat, oxo.Draw})
		case Fastest:
			return c.winsWithin(q, seat, plies-1)
		case Survives:
			return !c.winsWithin(q, seat.Other(), 1)
		}
		return false
	}
	for _, m := range p.Moves(nil) {
		if right(p.Play(m)) != slices.Contains(answers, m) {
			return false, c.nodes < c.limit
		}
	}
	if claim == Draws && c.getsAtLeast(atLeastQuestion[P]{p, seat, oxo.Win}) {
		return false, c.nodes < c.limit
	}
	return true, c.nodes < c.limit
}

// getsAtLeast reports whether the seat gets at least so much under best play. Once the limit is reached its
// answers mean nothing: claimHolds looks at the count.
func (c *checker[P]) getsAtLeast(q atLeastQuestion[P]) bool {
	if o := q.p.Outcome(); o != oxo.Ongoing {
		return o.Value(q.seat) >= q.least
	}
	if c.nodes++; c.nodes >= c.limit {
		return false
	}
	if known, ok := c.worth[q]; ok {
		return known
	}
	// The seat needs one move that gets it there; the other side, one that does not.
	own := q.p.Turn() == q.seat
	got := !own
	for _, m := range q.p.Moves(nil) {
		if c.getsAtLeast(atLeastQuestion[P]{q.p.Play(m), q.seat, q.least}) == own {
			got = own
			break
		}
	}
	c.worth[q] = got
	return got
}

// remembers is from how many plies on what was found out is kept.
const remembers = 2

// winsWithin reports whether the seat wins within so many plies, however the other side plays. Positions
// with one ply left are cheaper to search than to remember.
// Without plies left a position counts as won only where the seat has won already.
func (c *checker[P]) winsWithin(p P, seat oxo.Seat, plies int) bool {
	if o := p.Outcome(); o != oxo.Ongoing || plies <= 0 {
		return o == oxo.WinFor(seat)
	}
	if c.nodes++; c.nodes >= c.limit {
		return false
	}
	if known, ok := c.within[winQuestion[P]{p, plies}]; ok && plies >= remembers {
		return known
	}
	own := p.Turn() == seat
	won := !own
	moves := p.Moves(nil)
	for i, m := range moves { // what decided elsewhere often decides here
		if m == c.last[plies] {
			moves[0], moves[i] = moves[i], moves[0]
		}
	}
	for _, m := range moves {
		if c.winsWithin(p.Play(m), seat, plies-1) == own {
			won, c.last[plies] = own, m
			break
		}
	}
	if plies >= remembers {
		c.within[winQuestion[P]{p, plies}] = won
	}
	return won
}
