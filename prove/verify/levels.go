package verify

import (
	"errors"
	"fmt"
	"math"
)

// leveledGame is a game whose certificates hold moves alone. The positions P of a strategy come in
// levels, all those after the same number of plies together, and those of a level by their forms F,
// which are the same for all images of a position.
type leveledGame[P any, F comparable] interface {
	start() P
	maxPlies() int // the most that can follow the start
	full() int     // the outcome where no move can be made; 0 for none
	moves() int    // moves have numbers below it
	turn(p P) int

	legal(p P, move int) bool
	play(p P, move int) (after P, outcome int) // 0 where play goes on
	moveName(move int) string

	canonicalForm(p P) F
	position(f F, turn int) P
	compareForms(a, b F) int

	// claimKept reports whether a claim that speaks of pliesLeft plies more is kept from p by what the game's
	// theorems say, and within how many plies the game then ends.
	claimKept(p P, c *levelClaim, pliesLeft int) (plies int, kept bool)

	// costs returns the work of one reply, in winning sets looked at, and the memory that a form takes until its
	// level is done, in bytes.
	costs() (reply, form int)
}

// levelClaim is what a strategy is said to reach: that the seat wins within so many plies, or
// does not lose within them.
type levelClaim struct {
	*reader
	seat    int
	wins    bool
	within  int
	nodes   int // positions in which the seat moves, as the file says
	done    int // of these, looked at
	ply     int // of the last of them, from the start
	longest int // plies of the longest game that ended
	checks  uint64
}

// keepsClaim reports whether an outcome keeps the claim: a win of the seat, or where it claims not to lose anything but
// a win of the other side.
func (c *levelClaim) keepsClaim(outcome int) bool {
	if c.wins {
		return outcome == 1+c.seat
	}
	return outcome != 2-c.seat
}

// levelChecker checks the strategy of a claim. It holds no more than two levels at a time.
type levelChecker[P any, F comparable] struct {
	levelClaim
	game        leveledGame[P, F]
	reply, held int // what a reply and a form cost
	next        *sortedStore[F, struct{}]
}

// checkMoveStrategies is check of a certificate that holds moves alone: of nine boards, or of columns, as its first
// line says.
func (r *Report) checkMoveStrategies(in *reader, asked Question, nodes int) error {
	if in.version == MagicNine {
		n, name, err := in.readNine()
		if r.Game.Spec = name; err != nil {
			return in.errorOr(err)
		}
		r.Game.Nine = n
		if err := asked.checkSubject(&r.Game); err != nil {
			return err
		}
		return checkLevelClaims(r, in, asked, nodes, nineGame{n})
	}
	if err := in.readGame(&r.Game); err != nil {
		return in.errorOr(err)
	}
	if err := asked.checkSubject(&r.Game); err != nil {
		return err
	}
	g, err := newColumnGame(&r.Game)
	if err != nil {
		return err
	}
	if g.perms, err = in.readPermutations(r.Game.Board); err != nil {
		return in.errorOr(err)
	}
	return checkLevelClaims(r, in, asked, nodes, g)
}

// checkLevelClaims reads the claims about a game, one or two, and checks them. nodes is how many positions their
// strategies may have together. What it has come to is in the report, whatever the error.
func checkLevelClaims[P any, F comparable](r *Report, in *reader, asked Question, nodes int,
	g leveledGame[P, F]) error {
	claims := in.number(3)
	if claims == 0 {
		return in.errorOr(errors.New("the file claims nothing"))
	}
	for k := range claims {
		c := levelChecker[P, F]{levelClaim: levelClaim{reader: in}, game: g}
		c.reply, c.held = g.costs()
		text, err := c.checkClaim(nodes - r.Nodes)
		if c.done > 0 {
			r.Nodes, r.ply = r.Nodes+c.done, c.ply
		}
		r.Checks += c.checks
		if err != nil {
			return fmt.Errorf("%s: %w", text, err)
		}
		if k > 0 {
			r.Claim += ", "
		}
		r.Claim += text
		r.recordShownClaim(&c.levelClaim, g.maxPlies())
	}
	if err := in.checkAllRead(); err != nil {
		return err
	}
	r.deriveValue()
	return asked.checkAnswered(r)
}

// recordShownClaim takes down what a claim shows that holds, in a game of at most so many plies. Not to lose within all
// plies is not to lose at all.
func (r *Report) recordShownClaim(c *levelClaim, maxPlies int) {
	r.safe[c.seat] = max(r.safe[c.seat], c.within)
	if c.wins || c.within >= maxPlies {
		r.holds[c.seat], r.safe[c.seat] = true, math.MaxInt
	}
	if c.wins {
		if !r.wins[c.seat] || c.longest < r.plies[c.seat] {
			r.plies[c.seat] = c.longest
		}
		r.wins[c.seat] = true
	}
}

// checkClaim reads a claim of at most so many positions and checks it. It says the claim in words, also where there is
// an error, which then speaks of it.
func (c *levelChecker[P, F]) checkClaim(maxNodes int) (text string, err error) {
	c.seat, c.wins, c.within, c.nodes = c.number(2), c.bool(), c.number(c.game.moves()+1), c.number(math.MaxInt32)
	switch {
	case c.err != nil:
		return "what is claimed", c.err
	case c.wins:
		text = seats[c.seat] + " wins"
	case c.within >= c.game.maxPlies():
		text = seats[c.seat] + " does not lose"
	default:
		text = fmt.Sprintf("%s does not win within %d plies", seats[1-c.seat], c.within)
	}
	if c.nodes > maxNodes {
		return text, fmt.Errorf("%w: %d positions, where it may have %d", ErrTooMuch, c.nodes, maxNodes)
	}
	err = c.checkStrategy()
	if c.wins && err == nil {
		text = fmt.Sprintf("%s within %d plies", text, c.longest)
	}
	return text, err
}

// checkStrategy checks the moves as they come, level by level: those of one are read in the order of the forms of its
// positions, and the positions that the replies lead to are the next level.
func (c *levelChecker[P, F]) checkStrategy() error {
	start := c.game.start()
	level, ply := c.newLevel(), 0
	c.next = c.newLevel()
	defer func() { level.close(); c.next.close() }()
	if c.game.turn(start) == c.seat {
		level.put(c.game.canonicalForm(start), struct{}{})
	} else {
		if err := c.checkReplies(start, 0); err != nil {
			return err
		}
		level, c.next, ply = c.next, level, 1
	}
	// It ends with a level that had no position.
	for before := -1; before < c.done; ply += 2 {
		before = c.done
		for f := range level.drainInOrder() {
			if c.done == c.nodes {
				return fmt.Errorf("more positions than the %d it says it has", c.nodes)
			}
			if err := c.checkMove(c.game.position(f, c.seat), ply); err != nil {
				return fmt.Errorf("position %d of %d, at ply %d: %w", c.done+1, c.nodes, ply, err)
			}
			c.done, c.ply = c.done+1, ply
		}
		if c.stopReason() != nil {
			return c.stopReason()
		}
		level, c.next = c.next, level
	}
	if c.done != c.nodes {
		return fmt.Errorf("%d positions, where it says it has %d", c.done, c.nodes)
	}
	return nil
}

// newLevel returns a level without positions, of which two are held at a time, so that each gets half of the
// memory.
func (c *levelChecker[P, F]) newLevel() *sortedStore[F, struct{}] {
	same := func(a, _ struct{}) struct{} { return a }
	return newSortedStore(c.budget, c.game.compareForms, same, 2, c.held, c.nodes)
}

// checkMove reads the seat's move in p, at that ply, and looks at all that may follow. Positions where the claim is
// still open after a reply are put into the next level.
func (c *levelChecker[P, F]) checkMove(p P, ply int) error {
	m := c.number(c.game.moves())
	switch {
	case c.err != nil:
		return c.err
	case !c.game.legal(p, m):
		return fmt.Errorf("the move %s is not legal", c.game.moveName(m))
	}
	q, outcome := c.game.play(p, m)
	if on, err := c.claimStillOpen(q, outcome, ply+1); !on {
		return err
	}
	return c.checkReplies(q, ply+1)
}

// checkReplies looks at all moves of the other side in p, at that ply, each of which counts as one check. If it has
// none, the game is over as a full board is.
func (c *levelChecker[P, F]) checkReplies(p P, ply int) error {
	before := c.checks
	for m := range c.game.moves() {
		if !c.game.legal(p, m) {
			continue
		}
		if c.checks++; !c.spend(c.reply) {
			return c.stopReason()
		}
		q, outcome := c.game.play(p, m)
		on, err := c.claimStillOpen(q, outcome, ply+1)
		if err != nil {
			return fmt.Errorf("the reply %s: %w", c.game.moveName(m), err)
		}
		if !on {
			continue
		}
		if c.next.put(c.game.canonicalForm(q), struct{}{}); c.done+len(c.next.held) > c.nodes {
			return fmt.Errorf("more positions than the %d it says it has", c.nodes)
		}
	}
	if c.checks == before && !c.keepsClaim(c.game.full()) {
		return errors.New("the board is full")
	}
	return nil
}

// claimStillOpen reports whether the claim is still open in a position after so many plies, where the outcome is 0 if
// play goes on. The error says why it is refuted.
func (c *levelChecker[P, F]) claimStillOpen(p P, outcome, ply int) (open bool, err error) {
	if outcome != 0 {
		c.longest = max(c.longest, ply)
		if !c.keepsClaim(outcome) {
			return false, fmt.Errorf("the game ends with %s", [...]string{"", "a win of first", "a win of second",
				"a draw"}[outcome])
		}
		return false, nil
	}
	left := c.within - ply
	switch {
	case c.wins && left <= 0:
		return false, fmt.Errorf("no win after %d plies", ply)
	case left <= 0:
		return false, nil
	}
	plies, ok := c.game.claimKept(p, &c.levelClaim, left)
	if ok {
		c.longest = max(c.longest, ply+plies)
	}
	return !ok, nil
}
