package puzzle

import (
	"fmt"
	"math"
	"slices"

	"oxo"
)

// GoesOn reports whether the puzzle is played on after its answer, until the win that it asks for is there. What is
// left of one after a reply goes on, its last move too.
func (z *Puzzle) GoesOn() bool {
	return (z.Theme == Win || z.Theme == Fork) && (z.Plies > 1 || z.Unique == Several)
}

// Followed is how a puzzle that goes on stands after a move of who solves.
type Followed struct {
	Right bool    // the win comes in as many plies as were left, whatever the other side does
	Reply string  // the other side's move, which lasts longest; empty where the game is over or the move is not right
	Next  *Puzzle // what is to be found after it; nil where the game is over. Its Unique is [Several]

	Threats []string // of a block: with what the other side would win after every other move
	// FirstWin is of a wrong move that makes two threats: with what the other side wins before them.
	FirstWin string
}

// JudgeAndReply judges a move of a puzzle that goes on, and answers it; of a block it says what was threatened. The
// second search does both, within so many positions: what is said holds whatever the judge says. The error is of a move
// that the position has not, or says that the positions were too few.
func JudgeAndReply[P oxo.Position[P]](g *oxo.Game[P], z *Puzzle, move string, maxNodes int) (f Followed, err error) {
	p, err := g.Parse(z.Position)
	if err != nil {
		return f, fmt.Errorf("puzzle %s: %w", z.ID, err)
	}
	m, err := g.ParseMove(p, move)
	if err != nil {
		return f, fmt.Errorf("puzzle %s: %w", z.ID, err)
	}
	if z.Theme == Block {
		f.Right = move == z.Answer
		err = nameThreats(g, p, z.Answer, &f)
		return f, err
	}
	c := &checker[P]{limit: maxNodes, within: map[winQuestion[P]]bool{}, last: map[int]oxo.Move{}}
	seat, left := p.Turn(), z.Plies-1
	p = p.Play(m)
	f.Right = c.winsWithin(p, seat, left)
	if f.Right && p.Outcome() == oxo.Ongoing {
		reply := c.longestDefence(p, seat, left)
		f.Reply = g.FormatMove(p, reply)
		if p = p.Play(reply); p.Outcome() == oxo.Ongoing {
			f.Next = &Puzzle{ID: z.ID, Game: z.Game, Position: g.Format(p), Theme: Win, Plies: left - 1,
				Rating: z.Rating, Shown: z.Shown}
			at := slices.IndexFunc(p.Moves(nil), func(m oxo.Move) bool { return c.winsWithin(p.Play(m), seat, left-2) })
			if at >= 0 {
				f.Next.Answer = g.FormatMove(p, p.Moves(nil)[at])
			}
		}
	}
	if !f.Right && p.Outcome() == oxo.Ongoing && p.Turn() != seat {
		if wins := winning(p); len(wins) > 0 && makesTwoThreats(p, true) {
			f.FirstWin = g.FormatMove(p, wins[0])
		}
	}
	if c.nodes >= c.limit {
		return Followed{}, fmt.Errorf("puzzle %s: not decided within %d positions", z.ID, maxNodes)
	}
	return f, nil
}

// nameThreats names what the answer of a block stops.
func nameThreats[P oxo.Position[P]](g *oxo.Game[P], p P, answer string, f *Followed) error {
	right, err := g.ParseMove(p, answer)
	if err != nil {
		return err
	}
	moves := p.Moves(nil)
	after := slices.IndexFunc(moves, func(m oxo.Move) bool { return m != right && p.Play(m).Outcome() == oxo.Ongoing })
	for _, m := range standingThreats(p, moves, right) {
		f.Threats = append(f.Threats, g.FormatMove(p.Play(moves[after]), m))
	}
	return nil
}

// longestDefence returns the move of p, of the other side, after which the seat needs all the plies that are left to
// win. Of such moves it is the one that leaves the seat the fewest moves that do, of those counted in a tenth of the
// positions.
func (c *checker[P]) longestDefence(p P, seat oxo.Seat, pliesLeft int) oxo.Move {
	moves := p.Moves(nil)
	best, fewest := moves[0], math.MaxInt
	enough := c.nodes + c.limit/10
	for _, m := range moves {
		q := p.Play(m)
		if c.winsWithin(q, seat, pliesLeft-2) {
			continue // sooner
		}
		right := 0
		for _, own := range q.Moves(nil) {
			if c.nodes < enough && c.winsWithin(q.Play(own), seat, pliesLeft-2) {
				right++
			}
		}
		if c.nodes < enough && right < fewest || fewest == math.MaxInt {
			best, fewest = m, right
		}
	}
	return best
}
