package prove

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"oxo/board"
	"oxo/board/bitset"
	"oxo/prove/certificate"
	"oxo/prove/pairing"
	"oxo/threats"
)

// strategist writes down the strategy of the side that a finished search found
// to succeed. What the table has lost it searches again.
type strategist[S bitset.Squares, Q threats.Lines] struct {
	s     *search[S, Q]
	perms *permutationList
	known map[uint64]written // by key
	most  int                // that known may hold
	nodes *certificate.Nodes // those that a node leads to come before it
	side  int                // whose strategy
}

// written says of a node its number, and how many were written for it.
type written struct{ number, size int }

// extractStrategy returns what the search proved, as a claim with its nodes.
func (s *search[S, Q]) extractStrategy(ctx context.Context, perms *permutationList, memory int64,
	nodesOn certificate.Disk) (claim certificate.Claim, err error) {
	claim = certificate.Claim{Seat: s.seat, Wins: true}
	x := &strategist[S, Q]{s: s, perms: perms, known: map[uint64]written{}, side: attacker,
		most: max(leastKnown, int(memory/knownShare/bytesOfKnown))}
	if s.dn == 0 {
		x.side = defender
		claim = certificate.Claim{Seat: s.seat.Other(), Relaxed: s.relaxed}
	}
	s.ctx, s.budget, s.halted = ctx, ^uint64(0), false
	defer func() {
		if err != nil && x.nodes != nil {
			x.nodes.Close()
		}
	}()
	if x.nodes, err = certificate.NewNodes(nodesOn, true); err != nil {
		return claim, err
	}
	var root certificate.Node
	if s.turn == x.side {
		root, err = x.buildNode(&s.root)
	} else {
		root.Kind = certificate.Wait
		err = x.setEndOrReplies(&root, &s.root)
	}
	if err != nil {
		return claim, err
	}
	x.nodes.Add(root)
	claim.Nodes = x.nodes
	return claim, x.nodes.Finish()
}

// nodeFor returns the number of the node for p, normalized and the strategist's
// side to move, and the permutation that takes p there.
func (x *strategist[S, Q]) nodeFor(p *threats.State[S, Q]) (number, perm int, err error) {
	s := x.s
	key, perm := s.canonical(p, x.side, &s.none)
	by := x.perms.numberOrAdd(s.symmetry.perms[perm])
	if w, ok := x.known[key]; ok {
		return w.number, by, nil
	}
	q, before := s.permutedState(p, perm), x.nodes.Len()
	n, err := x.buildNode(&q)
	if err != nil {
		return 0, 0, err
	}
	return x.addNode(key, n, x.nodes.Len()+1-before), by, nil
}

// addNode writes a node down, for which so many are written with it, and returns its number.
func (x *strategist[S, Q]) addNode(key uint64, n certificate.Node, size int) (number int) {
	number = x.nodes.Len()
	x.nodes.Add(n)
	if len(x.known) == x.most {
		x.forgetSmallNodes()
	}
	x.known[key] = written{number, size}
	return number
}

// What a node that is known takes, in bytes, and how many may be known at least.
const (
	bytesOfKnown = 50
	leastKnown   = 1 << 6
)

// knownShare is what part of the memory nodes that are known may take; a test takes less.
var knownShare int64 = 8

// forgetSmallNodes forgets half of the nodes, those with the least below them. They are written again where they are
// led to again.
func (x *strategist[S, Q]) forgetSmallNodes() {
	for least := 2; len(x.known) > x.most/2; least *= 2 {
		maps.DeleteFunc(x.known, func(_ uint64, w written) bool { return w.size < least })
	}
}

// buildNode returns the node for p, its side to move.
func (x *strategist[S, Q]) buildNode(p *threats.State[S, Q]) (certificate.Node, error) {
	if line := x.findThreatWin(p); line != nil {
		return certificate.Node{Kind: certificate.Line, Line: line}, nil
	}
	sq, err := x.chooseMove(p)
	if err != nil {
		return certificate.Node{}, err
	}
	n := certificate.Node{Kind: certificate.Move, Square: sq}
	q := *p
	x.s.playMove(&q, x.side, sq)
	x.s.removeDeadSquares(&q)
	if x.side == defender && x.s.relaxed && !x.wasSearched(&q) {
		x.s.pairings.BeginReplies(p) // as the search judges replies
		if x.s.pairings.PairAfterReply(p, sq) < pairing.One {
			x.endWithPairs(&n, x.s.pairings.Pairs, x.s.symmetry.perms[0])
			return n, nil
		}
	}
	return n, x.setEndOrReplies(&n, &q)
}

// endWithPairs ends n with the images of pairs under a permutation.
func (x *strategist[S, Q]) endWithPairs(n *certificate.Node, pairs [][2]int, perm []uint8) {
	n.End = certificate.Pairing
	if len(pairs) == 0 {
		n.End = certificate.Potential
	}
	for _, pair := range pairs {
		n.Pairs = append(n.Pairs, [2]uint8{perm[pair[0]], perm[pair[1]]})
	}
}

// wasSearched reports whether the search went on below p, the attacker to move.
func (x *strategist[S, Q]) wasSearched(p *threats.State[S, Q]) bool {
	key, _ := x.s.canonical(p, attacker, &x.s.none)
	e, ok := x.s.table.probe(key)
	return ok && e.work > 1
}

// setEndOrReplies sets what follows in n, p being the position with the other side to
// move.
func (x *strategist[S, Q]) setEndOrReplies(n *certificate.Node, p *threats.State[S, Q]) error {
	s, g, other := x.s, x.s.g, x.side^1
	if !s.plain && x.side == defender && !x.wasSearched(p) && s.pairings.FindPairing(p, patientPairing) {
		x.endWithPairs(n, s.pairings.Pairs, s.symmetry.perms[0])
		return nil
	}
	var zones []S // for each of n's lines of threats, where a reply could disturb it
	if !s.plain && s.able[x.side] && s.threats.FindWin(p, x.side, s.limit) {
		n.Threats, zones = append(n.Threats, x.lastThreatLine()), append(zones, s.threats.Zone)
	}
	if x.outcomeIsSettled(p) {
		n.End = certificate.Settled
		return nil
	}
	needed := s.undominatedMoves(p, p.Free)
	if s.plain {
		needed = s.g.LegalSquares(p)
	}
	if x.side == defender && s.relaxed && s.monotone {
		needed = x.addRepliesRefutedAsPass(n, p, needed)
	}
	var won []answered
	var left []int
	for _, c := range s.appendMoves(needed, nil) {
		sq := int(c.sq)
		if len(zones) > 0 && !bitset.Has(zones[0], sq%g.N) {
			won = append(won, answered{sq, 0})
			continue
		}
		if s.completesLine(p, other, sq) {
			if s.good[other] {
				return fmt.Errorf("square %d lets the other side complete a line: %w", sq%g.N+1, errLost)
			}
			continue
		}
		q := *p
		s.playMove(&q, other, sq)
		s.removeDeadSquares(&q)
		if bitset.Empty(q.Free) {
			continue
		}
		by := 0
		for by < len(zones) && bitset.Has(zones[by], sq%g.N) && !x.threatLineWins(&q, n.Threats[by]) {
			by++
		}
		if by == len(zones) {
			line := x.findThreatWin(&q)
			if line == nil {
				left = append(left, sq)
				continue
			}
			n.Threats, zones = append(n.Threats, line), append(zones, x.lastThreatZone())
		}
		won = append(won, answered{sq, by})
	}
	x.keepNeededThreatLines(n, p, won, zones)
	return x.addReplyNodes(n, p, left)
}

// addReplyNodes adds to n the replies in p, and where each leads.
func (x *strategist[S, Q]) addReplyNodes(n *certificate.Node, p *threats.State[S, Q], replies []int) error {
	for _, sq := range replies {
		q := *p
		x.s.playMove(&q, x.side^1, sq)
		x.s.removeDeadSquares(&q)
		number, perm, err := x.nodeFor(&q)
		if err != nil {
			return err
		}
		n.Replies = append(n.Replies, certificate.ReplyNode{Square: sq, Perm: perm, Node: number})
	}
	slices.SortFunc(n.Replies, func(a, b certificate.ReplyNode) int { return a.Square - b.Square })
	return nil
}

// answered is a reply and the first of the lines of threats that wins against it.
type answered struct{ reply, by int }

// keepNeededThreatLines leaves of n's lines of threats those that win against most of the replies in p
// against which none that is kept wins, until one wins against each.
func (x *strategist[S, Q]) keepNeededThreatLines(n *certificate.Node, p *threats.State[S, Q], open []answered,
	zones []S) {
	if len(n.Threats) < 2 {
		return
	}
	wins := make([][]int, len(n.Threats)) // for each line the replies
	for _, a := range open {
		q := *p
		x.s.playMove(&q, x.side^1, a.reply)
		for k := a.by; k < len(wins); k++ {
			if k == a.by || !bitset.Has(zones[k], a.reply%x.s.g.N) || x.threatLineWins(&q, n.Threats[k]) {
				wins[k] = append(wins[k], a.reply)
			}
		}
	}
	var kept [][]uint8
	for len(open) > 0 {
		best := 0
		for k := range wins {
			if d := len(wins[k]) - len(wins[best]); d > 0 || d == 0 && len(n.Threats[k]) < len(n.Threats[best]) {
				best = k
			}
		}
		kept = append(kept, n.Threats[best])
		done := wins[best]
		isDone := func(reply int) bool { return slices.Contains(done, reply) }
		open = slices.DeleteFunc(open, func(a answered) bool { return isDone(a.reply) })
		for k := range wins {
			if k != best {
				wins[k] = slices.DeleteFunc(wins[k], isDone)
			}
		}
		wins[best] = nil
	}
	n.Threats = kept
}

// findThreatWin returns a win by continuous threats in p, or nil.
func (x *strategist[S, Q]) findThreatWin(p *threats.State[S, Q]) []uint8 {
	s := x.s
	if s.place != board.Own {
		if move := x.completingMove(p); move >= 0 && s.good[x.side] {
			return []uint8{uint8(move)}
		}
		return nil
	}
	if !s.able[x.side] || !s.good[x.side] {
		return nil
	}
	if s.plain {
		if wins := bitset.And(s.g.LegalSquares(p), s.g.Completions(p, x.side)); !bitset.Empty(wins) {
			return []uint8{uint8(bitset.First(wins))}
		}
		return nil
	}
	if !s.threats.FindWin(p, x.side, 100*s.limit) {
		return nil
	}
	return x.lastThreatLine()
}

// completingMove returns a move by which the strategist's side completes a line, or
// -1.
func (x *strategist[S, Q]) completingMove(p *threats.State[S, Q]) int {
	for _, c := range x.s.appendMoves(x.s.g.LegalSquares(p), nil) {
		if x.s.completesLine(p, x.side, int(c.sq)) {
			return int(c.sq)
		}
	}
	return -1
}

// lastThreatLine returns the moves of the win by threats that was found last.
func (x *strategist[S, Q]) lastThreatLine() []uint8 {
	line := make([]uint8, len(x.s.threats.Line))
	for k, sq := range x.s.threats.Line {
		line[k] = uint8(sq)
	}
	return line
}

// lastThreatZone returns the squares on which another reply than the last one could disturb the win found last.
func (x *strategist[S, Q]) lastThreatZone() S {
	if x.s.plain || x.s.place != board.Own || x.s.g.Barred {
		return x.s.g.All
	}
	return x.s.threats.Zone
}

// threatLineWins reports whether line wins in p.
func (x *strategist[S, Q]) threatLineWins(p *threats.State[S, Q], line []uint8) bool {
	g, q := x.s.g, *p
	allowed := q.Free
	if x.s.plain {
		allowed = x.s.g.LegalSquares(p)
	}
	if x.s.place != board.Own {
		move := int(line[0])
		return bitset.Has(allowed, move%g.N) && x.s.completesLine(p, x.side, move)
	}
	for _, sq := range line {
		if !bitset.Has(allowed, int(sq)) {
			return false
		}
		if bitset.Has(g.Completions(&q, x.side), int(sq)) {
			return true
		}
		g.Play(&q, x.side, int(sq))
		threats := g.Completions(&q, x.side)
		if x.s.plain || bitset.Empty(threats) || !bitset.Empty(g.Completions(&q, x.side^1)) {
			return false
		}
		if !bitset.Empty(bitset.Rest(threats)) {
			return true
		}
		g.Play(&q, x.side^1, bitset.First(threats))
		allowed = q.Free
	}
	return false
}

// outcomeIsSettled reports whether nothing can end the game otherwise any more.
func (x *strategist[S, Q]) outcomeIsSettled(p *threats.State[S, Q]) bool {
	return x.s.plain && x.s.full == (x.side == attacker) && !x.s.canCompleteGoodLine(p, x.side^1)
}

// chooseMove returns the move of the strategy in p, which has to be decided.
func (x *strategist[S, Q]) chooseMove(p *threats.State[S, Q]) (int, error) {
	s := x.s
	if x.outcomeIsSettled(p) {
		return bitset.First(s.g.LegalSquares(p)), nil
	}
	if bitset.Empty(p.Free) { // at the start, where no line can be owned any more
		return bitset.First(s.open), nil
	}
	key, perm := s.canonical(p, x.side, &s.none)
	q := s.permutedState(p, perm)
	if sq := x.foundMove(key); sq >= 0 {
		return slices.Index(s.symmetry.perms[perm], uint8(sq)), nil
	}
	for attempt := range attempts {
		for _, c := range x.candidateMoves(&q, key, attempt) {
			if x.side == attacker && c.pn == 0 || x.side == defender && c.dn == 0 {
				mark, sq := int(c.sq)/s.g.N, int(c.sq)%s.g.N
				return mark*s.g.N + slices.Index(s.symmetry.perms[perm], uint8(sq)), nil
			}
		}
		if s.halted {
			return 0, context.Cause(s.ctx)
		}
		if x.side == attacker && !s.plain && s.overlap && attempt == 0 && s.slower.FindWin(p, attacker, 10*slowLimit) {
			return s.slower.Move, nil
		}
	}
	return 0, errLost
}

// foundMove returns the move with which the search succeeded in the position of the key, or −1.
func (x *strategist[S, Q]) foundMove(key uint64) int {
	e, ok := x.s.table.probe(key)
	won := x.side == attacker && e.pn == 0 || x.side == defender && e.dn == 0
	if !ok || !won || x.s.place != board.Own || bitset.Count(e.replies) != 1 {
		return -1
	}
	return bitset.First(e.replies)
}

// attempts is how often candidateMoves looks for a move, harder each time.
const attempts = 4

// candidateMoves returns moves in p, a class representative, with their numbers:
// first from the table, then from a search. What one worker found by threats
// within the limit, or a narrow search in a position of which another made
// something else, may not be found again like that. So third the search keeps
// only what it knows for sure and looks further for threats, and last it also
// tries all the moves.
func (x *strategist[S, Q]) candidateMoves(p *threats.State[S, Q], key uint64, attempt int) []child {
	s := x.s
	if attempt == 0 {
		if x.side == attacker {
			return s.generateAttackerMoves(p, s.g.All, s.emptyChildren(0))
		}
		_, _, replies := s.evaluateDefenderNode(p)
		if bitset.Empty(replies) {
			replies = p.Free
		}
		return s.generateDefenderReplies(p, replies, s.emptyChildren(0))
	}
	if attempt > 1 {
		s.table.retainIf(func(e *entry[S]) bool {
			return x.side == attacker && e.pn == 0 || x.side == defender && e.dn == 0
		})
		s.limit = max(s.limit, 1_000_000)
		if attempt == attempts-1 {
			s.width = 0
		}
	}
	if x.side == attacker {
		s.searchAttacker(p, key, infinite, infinite, 0)
	} else {
		s.searchDefender(p, key, infinite, infinite, 0)
	}
	return s.kids[0]
}
