package verify

import (
	"cmp"
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
	*budget
	seat    int
	wins    bool
	within  int
	nodes   int // positions in which the seat moves, as the file says
	read    int // of these, whose moves were read
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
	in          *reader
	game        leveledGame[P, F]
	reply, held int // what a reply and a form cost
	next        *sortedStore[F, struct{}]
	spare       []*levelNodes[F] // to be used again
}

// levelNodes are positions of a level with the seat's moves there, and what they come to, which is a batch.
type levelNodes[F any] struct {
	nodes []levelNode[F]
	next  []F   // forms that they lead to, in their order
	fault error // of the first that does not hold
}

type levelNode[F any] struct {
	form  F
	move  int
	leads int // to so many forms
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
// strategies may have together.
func checkLevelClaims[P any, F comparable](r *Report, in *reader, asked Question, nodes int,
	g leveledGame[P, F]) error {
	return r.checkMoveClaims(in, asked, g.maxPlies(), func() (string, *levelClaim, error) {
		c := levelChecker[P, F]{levelClaim: levelClaim{budget: in.budget}, in: in, game: g}
		c.reply, c.held = g.costs()
		text, err := c.checkClaim(nodes - r.Nodes)
		return text, &c.levelClaim, err
	})
}

// checkMoveClaims reads the claims of a file, one or two, and has each checked, which says it in words. maxPlies is the
// most that a game has. What it has come to is in the report, whatever the error.
func (r *Report) checkMoveClaims(in *reader, asked Question, maxPlies int,
	check func() (text string, c *levelClaim, err error)) error {
	claims := in.number(3)
	if claims == 0 {
		return in.errorOr(errors.New("the file claims nothing"))
	}
	for k := range claims {
		text, c, err := check()
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
		r.recordShownClaim(c, maxPlies)
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
	in := c.in
	c.seat, c.wins, c.within, c.nodes = in.number(2), in.bool(), in.number(c.game.moves()+1), in.number(math.MaxInt32)
	switch {
	case in.err != nil:
		return "what is claimed", in.err
	case c.wins:
		text = seats[c.seat] + " wins"
	case c.within >= c.game.maxPlies():
		text = seats[c.seat] + " does not lose"
	default:
		text = fmt.Sprintf("%s does not win within %d plies", seats[1-c.seat], c.within)
	}
	if c.nodes > maxNodes {
		return text, fmt.Errorf("%w: %d positions, where it may have %d", errTooMuch, c.nodes, maxNodes)
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
	start, ply := c.game.start(), 0
	first, err := []F{c.game.canonicalForm(start)}, error(nil)
	if c.game.turn(start) != c.seat {
		ply = 1
		if first, err = c.checkReplies(start, 0, nil); err != nil {
			return err
		}
	}
	room := int(c.memory / 8) // for positions that are looked at; two levels have the rest
	level := c.newLevel(room)
	c.next = c.newLevel(room)
	defer func() { level.close(); c.next.close() }()
	for _, f := range first {
		level.put(f, struct{}{})
	}
	q := newQueue(c.workers, room)
	// It ends with a level that had no position.
	for before := -1; before < c.read && err == nil && q.fault == nil; ply += 2 {
		before = c.read
		err = c.readLevel(level, ply, q)
		q.takeAll()
		level, c.next = c.next, level
	}
	q.close()
	switch {
	case q.fault != nil:
		return q.fault // which comes before what ended the reading
	case err == nil && c.done != c.nodes:
		return fmt.Errorf("%d positions, where it says it has %d", c.done, c.nodes)
	}
	return err
}

// newLevel returns a level without positions.
func (c *levelChecker[P, F]) newLevel(room int) *sortedStore[F, struct{}] {
	same := func(a, _ struct{}) struct{} { return a }
	return newSortedStore(c.budget, c.game.compareForms, same, (int(c.memory)-room)/2/c.held, c.nodes)
}

// readLevel reads the moves of a level and has its positions looked at.
func (c *levelChecker[P, F]) readLevel(level *sortedStore[F, struct{}], ply int, q *queue) (err error) {
	size := c.held * (1 + c.game.moves()) // of a position with all that it may lead to
	most := max(1, min(q.room/size, levelBatch))
	b := c.newNodes()
	for f := range level.drainInOrder() {
		if c.read == c.nodes {
			err = fmt.Errorf("more positions than the %d it says it has", c.nodes)
			break
		}
		move := c.in.number(c.game.moves())
		if err = c.in.err; err != nil {
			err = fmt.Errorf("position %d of %d, at ply %d: %w", c.read+1, c.nodes, ply, err)
			break
		}
		b.nodes = append(b.nodes, levelNode[F]{form: f, move: move})
		if c.read++; len(b.nodes) == most {
			q.add(c.batchOf(b, size*most, ply))
			b = c.newNodes()
		}
		if q.fault != nil {
			break
		}
	}
	q.add(c.batchOf(b, size*len(b.nodes), ply))
	return cmp.Or(err, c.stopReason())
}

// newNodes returns room for positions, of which there is none yet.
func (c *levelChecker[P, F]) newNodes() *levelNodes[F] {
	last := len(c.spare) - 1
	if last < 0 {
		return &levelNodes[F]{}
	}
	b := c.spare[last]
	c.spare = c.spare[:last]
	return &levelNodes[F]{nodes: b.nodes[:0], next: b.next[:0]}
}

// batchOf returns positions of a level to look at, which take so many bytes.
func (c *levelChecker[P, F]) batchOf(b *levelNodes[F], size, ply int) *batch {
	w := *c // what it counts is taken in the order of the file
	w.budget, w.checks, w.longest = c.share(), 0, 0
	return &batch{size: size, look: func() { w.checkMoves(b, ply) }, take: func() error {
		c.checks, c.longest = c.checks+w.checks, max(c.longest, w.longest)
		next := b.next
		for _, n := range b.nodes {
			for _, f := range next[:n.leads] {
				c.next.put(f, struct{}{})
			}
			next = next[n.leads:]
			c.done, c.ply = c.done+1, ply
		}
		if b.fault != nil {
			c.in.goBack(w.spent)
			return fmt.Errorf("position %d of %d, at ply %d: %w", c.done+1, c.nodes, ply, b.fault)
		}
		c.spare = append(c.spare, b)
		return nil
	}}
}

// checkMoves looks at positions up to the first that does not hold, and leaves those before it.
func (c *levelChecker[P, F]) checkMoves(b *levelNodes[F], ply int) {
	for k := range b.nodes {
		n, before := &b.nodes[k], len(b.next)
		if b.next, b.fault = c.checkMove(c.game.position(n.form, c.seat), n.move, ply, b.next); b.fault != nil {
			b.nodes = b.nodes[:k]
			break
		}
		n.leads = len(b.next) - before
	}
	c.settle()
}

// checkMove looks at the seat's move in p, at that ply, and at all that may follow. It appends the forms of positions
// where the claim is still open after a reply.
func (c *levelChecker[P, F]) checkMove(p P, move, ply int, next []F) ([]F, error) {
	if !c.game.legal(p, move) {
		return next, fmt.Errorf("the move %s is not legal", c.game.moveName(move))
	}
	q, outcome := c.game.play(p, move)
	if on, err := c.claimStillOpen(q, outcome, ply+1); !on {
		return next, err
	}
	return c.checkReplies(q, ply+1, next)
}

// checkReplies looks at all moves of the other side in p, at that ply, each of which counts as one check, and appends
// forms as checkMove does. If it has none, the game is over as a full board is.
func (c *levelChecker[P, F]) checkReplies(p P, ply int, next []F) ([]F, error) {
	before := c.checks
	for m := range c.game.moves() {
		if !c.game.legal(p, m) {
			continue
		}
		if c.checks++; !c.spend(c.reply) {
			return next, c.stopReason()
		}
		q, outcome := c.game.play(p, m)
		on, err := c.claimStillOpen(q, outcome, ply+1)
		if err != nil {
			return next, fmt.Errorf("the reply %s: %w", c.game.moveName(m), err)
		}
		if on {
			next = append(next, c.game.canonicalForm(q))
		}
	}
	if c.checks == before && !c.keepsClaim(c.game.full()) {
		return next, errors.New("the board is full")
	}
	return next, nil
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
