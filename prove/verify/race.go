package verify

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// MagicRace begins certificates of races.
const MagicRace = "oxo proof 5\n"

// Race is a position of the race of two tokens on a row of squares, numbered from 0 on the left. First goes to the
// right end, Second to the left one; a move goes to the next square on either side, or over the other token that stands
// there to the square behind.
type Race struct {
	Squares int
	Tokens  [2]int // where First's stands and Second's
	Turn    int
}

// leastSquares is how many squares a row has at least. On shorter ones a token may have no move.
const leastSquares = 3

// step returns where the token of the side to move goes to on one side, -1 to the left and 1 to the right; false where
// that is off the row.
func (p Race) step(side int) (to int, ok bool) {
	to = p.Tokens[p.Turn] + side
	if to == p.Tokens[1-p.Turn] {
		to += side
	}
	return to, 0 <= to && to < p.Squares
}

// play returns the position after the token of the side to move has gone to a square, and whether it has won there.
func (p Race) play(to int) (after Race, won bool) {
	goal := (1 - p.Turn) * (p.Squares - 1)
	p.Tokens[p.Turn], p.Turn = to, 1-p.Turn
	return p, to == goal
}

// moves returns the squares that the side to move can go to, in ascending order.
func (p Race) moves() (list []int) {
	for _, side := range [2]int{-1, 1} {
		if to, ok := p.step(side); ok {
			list = append(list, to)
		}
	}
	return list
}

// checkPossible reports why there is no such position in which play goes on, or nil. It does not ask whether play from
// the start leads there.
func (p Race) checkPossible() error {
	switch {
	case p.Squares < leastSquares:
		return fmt.Errorf("a row of %d squares: it has at least %d", p.Squares, leastSquares)
	case p.Tokens[0] == p.Tokens[1]:
		return errors.New("both tokens are on one square")
	case p.Tokens[0] == p.Squares-1, p.Tokens[1] == 0:
		return errors.New("the game is over at the start")
	}
	return nil
}

// firstDifference returns the first difference between the race of a file and the one that is asked for, without that
// of their positions where anywhere is set, or nil.
func (p Race) firstDifference(asked *Race, anywhere bool) error {
	switch {
	case p.Squares != asked.Squares:
		return fmt.Errorf("its row has %d squares, and the one that is asked for %d", p.Squares, asked.Squares)
	case anywhere:
		return nil
	case p.Tokens != asked.Tokens:
		return fmt.Errorf("it is about another position: the tokens are on squares %d and %d, and not on %d and %d",
			p.Tokens[0]+1, p.Tokens[1]+1, asked.Tokens[0]+1, asked.Tokens[1]+1)
	case p.Turn != asked.Turn:
		return fmt.Errorf("it is about a position in which the %s side is to move, and not the %s", seats[p.Turn],
			seats[asked.Turn])
	}
	return nil
}

// readRace reads the row and the position, in the order in which a certificate has them, and refuses what can be none.
func (r *reader) readRace(g *Setup) error {
	text := make([]byte, r.number(1<<16))
	for k := range text {
		text[k] = byte(r.number(256))
	}
	g.Spec = string(text)
	p := Race{Squares: r.number(256)}
	p.Tokens[0], p.Tokens[1] = r.number(p.Squares), r.number(p.Squares)
	if p.Turn = r.number(2); r.err != nil {
		return r.err
	}
	g.Race = &p
	return p.checkPossible()
}

// rankedChecker checks the strategy of a claim about a race, in which play can go in circles. The strategy has a move
// in every position that it comes to, in the order in which these are first met, breadth first, and where it wins a
// rank, which is above 0. What it rests on is this.
//
// Ranks. In every position let the seat's move win at once, or let each reply to it, none of which ends the game, lead
// to a position of the strategy whose rank is at least 2 lower. Then the seat wins from each within as many plies as
// its rank. For else take the position with the least rank from which it does not. Its move does not win at once, so
// after every reply there is a lower rank, above 0, from which the seat wins within as many plies; with the two moves
// made that is within the rank of the position itself. So a strategy that goes in circles has no ranks: once round a
// circle the rank would be lower than itself.
//
// Closed set. Without ranks each reply still leads to a position of the strategy, and none ends the game. So the other
// side never wins, as it would have to by a reply. The game may never end; nobody has lost it then, and it is a draw.
//
// A side always has a move: a token that can go to neither side has an end of the row on one, and on the other the
// other token with an end right behind it, which is a row of two squares.
type rankedChecker struct {
	levelClaim
	in   *reader
	row  int // squares
	of   []rankedPosition
	open []metPosition // which are met, and whose moves were not read yet
}

// rankedPosition is what is known of a position in which the seat is to move.
type rankedPosition struct {
	met  bool
	most int32 // that its rank may be
	rank int32 // 0 until it was read
}

// metPosition is a position with the ply at which it was met.
type metPosition struct {
	p   Race
	ply int
}

// rankedBytes is what a position takes in memory: what is known of it, and what waits for its move.
const rankedBytes = 12 + 40

// checkRankedStrategies is check of a certificate of a race.
func (r *Report) checkRankedStrategies(in *reader, asked Question, nodes int) error {
	if err := in.readRace(&r.Game); err != nil {
		return in.errorOr(err)
	}
	if err := asked.checkSubject(&r.Game); err != nil {
		return err
	}
	in.takeMemory(rankedBytes * r.Game.Race.Squares * r.Game.Race.Squares)
	return r.checkMoveClaims(in, asked, 0, func() (string, *levelClaim, error) {
		c := rankedChecker{levelClaim: levelClaim{budget: in.budget}, in: in, row: r.Game.Race.Squares}
		text, err := c.checkClaim(*r.Game.Race, nodes-r.Nodes)
		return text, &c.levelClaim, err
	})
}

// checkClaim reads a claim of at most so many positions and checks it. It says the claim in words, also where there is
// an error, which then speaks of it.
func (c *rankedChecker) checkClaim(start Race, maxNodes int) (text string, err error) {
	in, positions := c.in, c.row*c.row
	if c.seat, c.wins = in.number(2), in.bool(); c.wins {
		c.within = in.number(2 * positions)
		c.longest = c.within
	}
	c.nodes = in.number(positions)
	text = seats[c.seat] + " does not lose"
	switch {
	case in.err != nil:
		return "what is claimed", in.err
	case c.wins:
		text = fmt.Sprintf("%s wins within %d plies", seats[c.seat], c.within)
	}
	if c.nodes > maxNodes {
		return text, fmt.Errorf("%w: %d positions, where it may have %d", errTooMuch, c.nodes, maxNodes)
	}
	c.of = make([]rankedPosition, positions)
	most := math.MaxInt32
	if c.wins {
		most = c.within
	}
	if start.Turn == c.seat {
		err = c.meet(start, 0, most)
	} else {
		err = c.meetReplies(start, 0, most)
	}
	for ; err == nil && len(c.open) > 0; c.open = c.open[1:] {
		if err = c.checkMove(c.open[0]); err != nil {
			err = fmt.Errorf("position %d of %d, at ply %d: %w", c.done+1, c.nodes, c.open[0].ply, err)
			break
		}
		c.done, c.ply = c.done+1, c.open[0].ply
	}
	if err == nil && c.done != c.nodes {
		err = fmt.Errorf("%d positions, where it says it has %d", c.done, c.nodes)
	}
	return text, err
}

// checkMove reads the seat's move in a position, and its rank, and looks at all replies.
func (c *rankedChecker) checkMove(at metPosition) error {
	if c.done == c.nodes {
		return errors.New("there is no move left for it")
	}
	of, most := &c.of[c.index(at.p)], math.MaxInt32
	move := c.in.number(c.row)
	if c.wins {
		of.rank = int32(c.in.number(2 * c.row * c.row))
	}
	switch {
	case c.in.err != nil:
		return c.in.err
	case !slices.Contains(at.p.moves(), move):
		return fmt.Errorf("the move to square %d is not legal", move+1)
	case c.wins && (of.rank < 1 || of.rank > of.most):
		return fmt.Errorf("its rank is %d, and has to be from 1 to %d", of.rank, of.most)
	case c.wins:
		most = int(of.rank) - 1
	}
	q, won := at.p.play(move)
	if won {
		return nil
	}
	return c.meetReplies(q, at.ply+1, most)
}

// meetReplies looks at all moves of the other side in p, at that ply, where the game has to end within most plies.
func (c *rankedChecker) meetReplies(p Race, ply, most int) error {
	for _, to := range p.moves() {
		if c.checks++; !c.spend(1) {
			return c.stopReason()
		}
		q, won := p.play(to)
		if won {
			return fmt.Errorf("the reply to square %d wins", to+1)
		}
		if err := c.meet(q, ply+1, most-1); err != nil {
			return fmt.Errorf("the reply to square %d: %w", to+1, err)
		}
	}
	return nil
}

// meet takes down that the strategy comes to p, at that ply, where its rank may be most.
func (c *rankedChecker) meet(p Race, ply, most int) error {
	of := &c.of[c.index(p)]
	switch {
	case most < 1:
		return errors.New("no rank is left, and the game goes on")
	case int(of.rank) > most:
		return fmt.Errorf("the rank does not fall: it is %d there, and has to be at most %d", of.rank, most)
	case !of.met:
		of.met, of.most = true, int32(most)
		c.open = append(c.open, metPosition{p, ply})
	}
	of.most = min(of.most, int32(most))
	return nil
}

// index numbers the positions in which the seat is to move.
func (c *rankedChecker) index(p Race) int { return p.Tokens[0]*c.row + p.Tokens[1] }
