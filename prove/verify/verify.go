// Package verify checks certificates of positional games: files that hold a
// game, claims about who wins or does not lose, and a strategy for each.
// [Check] replays the strategies against every legal reply. It searches
// nothing, takes nothing from the prover, and works out from the squares and
// the winning sets alone what each move does.
//
// Beside the rules it takes eight theorems for granted:
//
//   - pairing: a side that answers each mark in a pair with the other square
//     of the pair never lets the opponent own a set that holds such a pair;
//   - potential (Erdős and Selfridge 1973): a side that is to move can keep the
//     opponent from every set if the sum of 2^−(squares he still needs) over the
//     sets that he can still own is below 1; so if he is to move, where that
//     sum and the most that one square adds to it are below 1 together;
//   - extra marks: in a positional game without bars one more mark never hurts
//     its owner. So a reply in no set that anyone can still own is no better
//     than any other; and if only one side can own sets, a reply is no better
//     than another that lies in all of the open sets that the first lies in;
//   - mirror: let a symmetry be its own inverse, carry the marks of each side to
//     the other's, and keep in place at most squares that the seat has marked,
//     and every set through these. Then the seat, who answers each mark with its
//     image, completes no set: the image of that set was the opponent's a move
//     before, and a set that is its own image has marks of both;
//   - strategy stealing: for the same reason the side that moves first on the
//     empty board does not lose where the game is the same for both;
//   - zones: for the same reason one strategy answers several replies at once, where it
//     works though the opponent had a mark on all of them; see [position.worstOfBoth];
//   - following: where marks fall in columns, who answers each mark right above it shares out the
//     free squares; see columnGame.keepsByFollowUp;
//   - ranks: where play can go in circles, who comes to a lower rank whatever is answered wins, and
//     who stays in a closed set does not lose; see rankedChecker.
package verify

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"oxo/board"
)

// Report is what a certificate says, and whether it shows it.
type Report struct {
	OK         bool   // of a part, that it holds, which shows nothing before all do
	Reason     string // why not, where OK is false
	ByMoves    bool   // whether the strategies are moves alone
	Unreadable bool   // whether that is because the file is no whole certificate
	Limited    bool   // whether that is because the check was given up at a limit, which is no verdict

	Game   Setup  // as the file has it, as far as it could be read
	Claim  string // for people, such as "first wins"
	Value  string // first, second, draw, or unknown where the claims leave that open
	Nodes  int    // positions in the strategies
	Zones  int    // of them, those that stand for several positions at once
	Checks uint64 // replies looked at
	Work   int64  // winning sets looked at; 0 where OK is false

	wins, holds [2]bool // what the claims show of each seat
	plies       [2]int  // within how many it wins, where that is shown; else 0
	safe        [2]int  // within how many it is shown not to lose
	ply         int     // of the last position looked at, where positions come in levels
}

// position is seen by the side whose strategy is checked: that side's marks,
// the opponent's, and the free squares that are in play. Of shared marks own are
// those X, opp those O.
type position struct{ own, opp, free board.Set }

// checker checks the strategy of one claim.
type checker struct {
	*Setup
	*budget
	seat, other int
	wins        bool // claims a win, otherwise not to lose
	relaxed     bool // without use of the seat's own sets
	monotone    bool // see Setup.isMonotone
	part, parts int  // nodes whose number leaves the remainder part are looked at
	perms       [][]uint8
	waiting     *sortedStore[uint32, expected] // by the numbers of nodes that are still to come
	nodes       int                            // of the strategy
	done        int                            // of these, checked
	zones       int                            // those of them that stand for several positions
	checks      uint64                         // replies looked at
}

// Check checks a certificate, a file of size bytes, against the question that it is
// to answer: whether it shows that claim of that position of that game. Its work is
// bounded by the limits, and by the size of the file. The error is that of a context
// that was done before the answer was known, or of a disk. Of a file whose checksum does not
// fit it says how far it can be followed.
func Check(ctx context.Context, file io.ReaderAt, size int64, asked Question, limits Limits) (*Report, error) {
	r := &Report{Value: "unknown"}
	in := newReader(file, size, newBudget(ctx, size, limits), limits.Progress)
	most := cmp.Or(limits.Nodes, math.MaxInt32)
	check := r.checkStrategies
	switch in.version {
	case MagicNine, MagicColumns:
		r.ByMoves, check = true, r.checkMoveStrategies
	case MagicRace:
		r.ByMoves, check = true, r.checkRankedStrategies
	}
	if err := asked.checkPart(r.ByMoves); err != nil {
		return nil, err
	}
	asked.Part, asked.Parts = max(asked.Part, 1), max(asked.Parts, 1) // the whole is the only part
	damaged := in.err
	if errors.Is(damaged, errDamaged) {
		in.err = nil
	}
	err := check(in, asked, most)
	if errors.Is(damaged, errDamaged) {
		in.err = fmt.Errorf("%w; %s", damaged, r.describeLastGoodPosition())
		err = in.err
	}
	if errors.Is(damaged, errDamaged) || asked.Parts > 1 { // it shows nothing
		r.wins, r.holds, r.safe, r.Value = [2]bool{}, [2]bool{}, [2]int{}, "unknown"
	}
	if err == nil && in.settle() {
		r.Work = workLimit(size) - in.left.Load()
	}
	switch {
	case ctx.Err() != nil && (in.spent == ctx.Err() || in.err == ctx.Err()):
		return nil, ctx.Err()
	case in.broken:
		return nil, in.spent
	case in.spent != nil:
		err = in.spent
	case in.err != nil:
		r.Unreadable = true
	}
	if r.OK = err == nil; err != nil {
		r.Reason, r.Limited = err.Error(), errors.Is(err, errTooMuch)
	}
	return r, nil
}

// describeLastGoodPosition says how far a file that is damaged can be followed.
// Nothing that was read before is believed for that; it is for people who mend the file.
func (r *Report) describeLastGoodPosition() string {
	switch {
	case r.Nodes == 0:
		return "it has no last good position"
	case r.ByMoves:
		return fmt.Sprintf("its last good position is number %d, after %d plies", r.Nodes, r.ply)
	}
	return fmt.Sprintf("its last good position is number %d", r.Nodes)
}

// seats are the names of the two sides, by their numbers in a file.
var seats = [2]string{"first", "second"}

// checkStrategies reads and checks a file of strategies for positional games: the game, the permutations, and
// one claim after the other, of so many nodes together. What it has come to is in the report,
// whatever the error.
func (r *Report) checkStrategies(in *reader, asked Question, nodes int) error {
	g := &r.Game
	if err := in.readGame(g); err != nil {
		return in.errorOr(err)
	}
	if err := asked.checkSubject(g); err != nil {
		return err
	}
	perms, err := in.readPermutations(g.Board)
	if err != nil {
		return in.errorOr(err)
	}
	claims := in.number(3)
	if claims == 0 {
		return in.errorOr(errors.New("the file claims nothing"))
	}
	for k := range claims {
		c := checker{Setup: g, budget: in.budget, perms: perms, monotone: g.isMonotone(),
			part: asked.Part - 1, parts: asked.Parts}
		text, err := c.checkClaim(in, nodes-r.Nodes)
		r.Nodes += c.done
		if err != nil {
			return in.errorOr(fmt.Errorf("%s: %w", text, err))
		}
		if k > 0 {
			r.Claim += ", "
		}
		r.Claim += text
		r.Zones += c.zones
		r.Checks += c.checks
		r.wins[c.seat] = r.wins[c.seat] || c.wins
		r.holds[c.seat] = true
	}
	if err := in.checkAllRead(); err != nil {
		return err
	}
	r.deriveValue()
	return asked.checkAnswered(r)
}

// checkClaim reads a claim of at most so many nodes and checks it. It says the claim in
// words.
// A claim by strategy stealing has no nodes, and is never one to win.
func (c *checker) checkClaim(in *reader, maxNodes int) (text string, err error) {
	c.seat, c.wins = in.number(2), in.bool()
	c.other = 1 - c.seat
	stealing, relaxed := in.bool(), in.bool()
	c.relaxed = relaxed
	c.nodes = in.number(math.MaxInt32)
	text = seats[c.seat] + map[bool]string{true: " wins", false: " does not lose"}[c.wins]
	switch {
	case in.err != nil:
		return text, in.err
	case c.nodes > maxNodes:
		return text, fmt.Errorf("%w: %d positions, where it may have %d", errTooMuch, c.nodes, maxNodes)
	case stealing && (c.wins || c.nodes != 0 || !c.steals()):
		return text, errors.New("strategy stealing does not show that here")
	case !stealing:
		return text, c.checkStrategy(in, c.nodes)
	}
	return text, nil
}

// deriveValue works out the value that the claims show together. Where a full board is
// no draw, who does not lose wins.
func (r *Report) deriveValue() {
	for seat := range seats {
		if r.holds[seat] && r.Game.Board != nil && r.Game.Full != drawn {
			r.wins[seat] = true
		}
	}
	switch {
	case r.wins[0]:
		r.Value = seats[0]
	case r.wins[1]:
		r.Value = seats[1]
	case r.holds[0] && r.holds[1]:
		r.Value = "draw"
	}
}

// steals reports whether strategy stealing shows that the seat does not lose.
func (c *checker) steals() bool {
	return c.monotone && c.completionWins(0) && c.completionWins(1) && c.Full == drawn &&
		c.Marks[0].Empty() && c.Marks[1].Empty() && c.Turn == c.seat
}

// checkNodes looks at nodes up to the first that does not hold.
func (c *checker) checkNodes(nodes []node) error {
	for k := range nodes {
		if err := cmp.Or(c.checkNode(&nodes[k]), c.stopReason()); err != nil {
			c.settle()
			c.done = nodes[k].at
			return fmt.Errorf("node %d: %w", nodes[k].at, err)
		}
	}
	c.settle()
	return c.stopReason()
}

// checkNode looks at a node whose position is known.
// The file names a move or a threat, and how the game ends or goes on from there; nothing of that
// is believed before it was looked at.
func (c *checker) checkNode(n *node) error {
	if wait := n.at == 0 && c.Turn == c.other; wait != (n.kind == kindWait) {
		return errors.New("the wrong side is to move")
	}
	p := n.p
	switch n.kind {
	case kindLine:
		if !c.winsByThreats(p, c.completingSquares(p.opp, p.free, c.other), n.line) {
			return fmt.Errorf("the threats %s do not win", c.moveNames(n.line))
		}
		return nil
	case kindMove:
		if !c.legalSquares(p.free).Has(n.move % c.Board.N) {
			return fmt.Errorf("the move %s is not legal", c.moveName(n.move))
		}
		var done bool
		if p, done = c.play(p, n.move, c.seat); done && !c.keepsClaim(c.Done[c.seat]) {
			return fmt.Errorf("the move %s completes a set", c.moveName(n.move))
		}
	}
	switch {
	case n.end == endOpen:
		return c.checkReplies(p, n)
	case n.end == endSettled && c.keepsClaim(c.Full) && c.noRefutingSetLeft(p):
		return nil
	case n.end == endMirrored:
		if !c.keepsByMirroring(p, c.perms[n.mirror]) {
			return errors.New("mirrored answers do not hold")
		}
		return nil
	case n.end == endSettled:
		return errors.New("the game can still end otherwise")
	case c.wins || !c.isPositional() || !c.keepsClaim(c.Full):
		return errors.New("neither pairing nor potential ends this game")
	case !c.heldByPairs(p, n.pairs):
		return errors.New("the pairing and the potential do not hold")
	}
	return nil
}

// checkReplies checks that every reply in p is answered.
// A reply is answered by another node, by a line of threats that wins against it, by the end of the
// game in the seat's favour, or because it is no better than one that is answered. An edge for a
// move that is not legal is refused too, as nobody meant it.
func (c *checker) checkReplies(p position, n *node) error {
	var covered board.Set // squares with an answer
	var left []int        // moves without
	legal := c.legalSquares(p.free)
	for move := range c.moveNumberLimit() {
		sq := move % c.Board.N
		if !legal.Has(sq) {
			continue
		}
		if c.checks++; !c.spend(1) {
			return c.stopReason()
		}
		q, done := c.play(p, move, c.other)
		if done {
			if !c.keepsClaim(c.Done[c.other]) {
				return fmt.Errorf("the reply %s completes a set", c.moveName(move))
			}
			covered = covered.With(sq)
			continue
		}
		if k := n.listed(move); k >= 0 { // the edge was followed
			n.replies = slices.Delete(n.replies, k, k+1)
			covered = covered.With(sq)
			continue
		}
		threatened := c.completionsThroughSquare(q.opp, q.free, sq, c.other)
		wins := func(line []int) bool { return c.winsByThreats(q, threatened, line) }
		switch {
		case slices.ContainsFunc(n.lines, wins):
			covered = covered.With(sq)
		case !c.keepsClaim(c.Full) || !c.withoutDeadSquares(q).free.Empty():
			left = append(left, move)
		}
	}
	if len(n.replies) > 0 {
		return fmt.Errorf("the reply %s is not legal", c.moveName(n.replies[0].move))
	}
	if c.legalSquares(p.free).Empty() && !c.keepsClaim(c.Full) {
		return errors.New("the board is full")
	}
	for _, move := range left {
		if !c.isReplyDominated(p, move, covered) {
			return fmt.Errorf("the reply %s has no answer", c.moveName(move))
		}
	}
	return nil
}

// winsByThreats reports whether the seat wins p, to move, by the threats of line:
// each but the last forces its answer, the last makes two or completes a set.
// threatened are the squares on which the opponent would complete one.
// The opponent's answers are not in the line: each is the one square that keeps the seat from
// completing a set.
func (c *checker) winsByThreats(p position, threatened board.Set, line []int) bool {
	if c.relaxed || !c.completionWins(c.seat) || !c.isPositional() && len(line) > 1 {
		return false
	}
	for _, sq := range line {
		if !c.legalSquares(p.free).Has(sq % c.Board.N) {
			return false
		}
		var done bool
		if p, done = c.play(p, sq, c.seat); done {
			return true
		}
		if !c.isPositional() {
			return false
		}
		ends := c.completionsThroughSquare(p.own, p.free, sq, c.seat)
		switch {
		case ends.Empty() || !threatened.Without(sq).Empty():
			return false
		case ends.Len() > 1:
			return true
		}
		reply := ends.First()
		p.opp, p.free = p.opp.With(reply), p.free.Without(reply)
		threatened = c.completionsThroughSquare(p.opp, p.free, reply, c.other)
	}
	return false
}

// isReplyDominated reports whether the reply sq in p is no better than one of those answered,
// in games where it is no more than a square.
func (c *checker) isReplyDominated(p position, sq int, answered board.Set) bool {
	if !c.monotone {
		return false
	}
	twoSided := !c.relaxed && c.completionWins(c.seat) && c.completionWins(c.other)
	c.spend(len(c.Board.LinesThrough(sq)))
	for _, k := range c.Board.LinesThrough(sq) {
		if own, opp := c.sidesAbleToOwn(&c.Board.Lines[k], p); own || opp {
			if twoSided {
				return false
			}
			answered = answered.And(c.Board.Lines[k].Need)
		}
	}
	return !answered.Empty()
}

// sidesAbleToOwn reports whether the seat and the opponent can still own the line, where they
// want to.
func (c *checker) sidesAbleToOwn(line *board.Line, p position) (own, opp bool) {
	own = !c.relaxed && c.completionWins(c.seat) && canStillOwn(line, p.own, p.free)
	opp = c.completionWins(c.other) && canStillOwn(line, p.opp, p.free)
	return own, opp
}
