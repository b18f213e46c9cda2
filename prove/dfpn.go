package prove

import (
	"context"
	"slices"

	"oxo/board"
	"oxo/board/bitset"
	"oxo/prove/pairing"
	"oxo/threats"
)

// The two sides of a search. The attacker wants to own a line; the search
// asks whether he can force it.
const (
	attacker = 0
	defender = 1
)

// search is a depth-first proof-number search (Nagai 2002) for a win of the
// attacker: pn is how many positions have at least to be proved still, dn how
// many have to be disproved. Nodes are searched as the representative of their
// class, so that what is found in one place serves everywhere.
type search[S bitset.Squares, Q threats.Lines] struct {
	searchRules[S, Q]
	threats  *threats.Search[S, Q]
	slower   *threats.SlowerSearch[S, Q]
	pairings *pairing.Finder[S, Q]
	symmetry *symmetry[S]
	table    *table[S]

	task
	empty threats.State[S, Q] // no marks yet
	root  threats.State[S, Q]
	open  S // squares that are free at the root, whether or not they matter
	turn  int

	limit        uint64 // positions in one threat search
	tries        int    // replies tested for a pairing in a position
	pairingNodes int    // positions of a search for a pairing

	ctx     context.Context
	nodes   uint64
	budget  uint64
	halted  bool
	team    *team // nil for a search on its own
	helpers []*search[S, Q]
	ahead   int       // searches of this round before it
	kids    [][]child // for each depth
	near    images[S] // of the position whose children are looked at
	none    images[S] // of the empty board
	pn, dn  uint32    // of the root
}

// child is a position one move on.
// The squares are those of the representative that its parent is searched as; perm then leads to
// the child's own.
type child struct {
	key    uint64
	sq     int16
	perm   int16
	pn, dn uint32
	rank   int32
	work   uint32 // of the entry that pn and dn are from
	threat bool   // the move forces a reply
}

// canonical returns the key of p's class with side to move, and the
// permutation to the representative. p differs little from near.
func (s *search[S, Q]) canonical(p *threats.State[S, Q], side int, near *images[S]) (uint64, int) {
	key, perm := s.symmetry.canonical(near, s.contents(p))
	return key ^ threats.Salt[side], perm
}

// contents returns what canonical positions are told apart by.
// Those are the marks of either side and the squares that matter no more.
func (s *search[S, Q]) contents(p *threats.State[S, Q]) [3]S {
	filled := bitset.Or(p.Marks[0], p.Marks[1])
	return [3]S{p.Marks[0], p.Marks[1], bitset.Minus(bitset.Minus(s.g.All, p.Free), filled)}
}

// permutedState returns the image of p under a permutation.
// It is played anew, as the counts of lines that a state keeps can't be permuted.
func (s *search[S, Q]) permutedState(p *threats.State[S, Q], perm int) threats.State[S, Q] {
	q := s.empty
	for side, marks := range p.Marks {
		for marks = s.symmetry.image(marks, perm); !bitset.Empty(marks); marks = bitset.Rest(marks) {
			s.g.Play(&q, side, bitset.First(marks))
		}
	}
	for gone := bitset.Minus(q.Free, s.symmetry.image(p.Free, perm)); !bitset.Empty(gone); gone = bitset.Rest(gone) {
		s.g.BlockSquare(&q, bitset.First(gone))
	}
	return q
}

// searchAttacker searches p, a class representative with the attacker to move, until its
// proof number reaches pnThreshold or its disproof number dnThreshold.
// The numbers that it returns are stored first. Where the search is halted they are bounds that
// hold, of which less is known than could be.
func (s *search[S, Q]) searchAttacker(p *threats.State[S, Q], key uint64, pnThreshold, dnThreshold uint32,
	depth int) (pn, dn uint32) {
	began := s.nodes
	s.countVisitAndPoll()
	e, ok := s.table.probe(key)
	if ok && s.team != nil && (e.pn == 0 || e.dn == 0) {
		return e.pn, e.dn
	}
	e.replies = s.relevantAttackSquares(e, p)
	kids := s.generateAttackerMoves(p, e.replies, s.emptyChildren(depth))
	s.kids[depth] = kids
	best := -1
	for {
		var second, others uint32
		pn, dn, best, second, others = s.backUpNode(kids, attacker)
		if pn >= pnThreshold || dn >= dnThreshold || pn == 0 || dn == 0 || s.halted {
			break
		}
		c := &kids[best]
		if s.refreshChild(c) {
			continue
		}
		// The child may rise until the sum over all children reaches the threshold; a relaxed
		// search goes by the greatest of them, and one for each other child.
		limit := dnThreshold - dn + c.dn
		if s.relaxed {
			limit = dnThreshold - others
		}
		q := *p
		s.playToChild(&q, attacker, c)
		s.countSearchesBelow(c.key, 1)
		c.pn, c.dn = s.searchDefender(&q, c.key, min(pnThreshold, second+1+second/4), limit, depth+1)
		s.countSearchesBelow(c.key, -1)
	}
	if pn == 0 {
		e.replies = bitset.Single[S](int(kids[best].sq) % s.g.N)
	}
	s.table.store(entry[S]{key: key, pn: pn, dn: dn, work: uint32(s.nodes-began) + 1, replies: e.replies})
	return pn, dn
}

// searchDefender searches p, a class representative with the defender to move.
// The replies that have to be searched are found at the first visit and kept in the table, as
// finding them takes searches for threats.
func (s *search[S, Q]) searchDefender(p *threats.State[S, Q], key uint64, pnThreshold, dnThreshold uint32,
	depth int) (pn, dn uint32) {
	began := s.nodes
	s.countVisitAndPoll()
	e, ok := s.table.probe(key)
	if !ok {
		e.pn, e.dn, e.replies = s.evaluateDefenderNode(p)
		if e.pn >= pnThreshold || e.dn >= dnThreshold || e.pn == 0 || e.dn == 0 {
			e.key, e.work = key, 1
			s.table.store(e)
			return e.pn, e.dn
		}
	} else if depth > 0 && (e.pn == 0 || e.dn == 0) {
		return e.pn, e.dn // decided since the parent looked; its replies may not be known
	}
	kids := s.generateDefenderReplies(p, e.replies, s.emptyChildren(depth))
	if s.defends && !e.paired {
		s.tryPairings(p, kids)
	}
	s.kids[depth] = kids
	best := -1
	for {
		var second uint32
		pn, dn, best, second, _ = s.backUpNode(kids, defender)
		if pn >= pnThreshold || dn >= dnThreshold || pn == 0 || dn == 0 || s.halted {
			break
		}
		c := &kids[best]
		if s.refreshChild(c) {
			continue
		}
		q := *p
		s.playToChild(&q, defender, c)
		s.countSearchesBelow(c.key, 1)
		c.pn, c.dn = s.searchAttacker(&q, c.key, pnThreshold-pn+c.pn, min(dnThreshold, s.disproofThreshold(second)),
			depth+1)
		s.countSearchesBelow(c.key, -1)
	}
	if dn == 0 {
		e.replies = bitset.Single[S](int(kids[best].sq) % s.g.N)
	}
	s.table.store(entry[S]{key: key, pn: pn, dn: dn, work: uint32(s.nodes-began) + 1, paired: true, replies: e.replies})
	return pn, dn
}

// playToChild takes p, a class representative, to that of the position after a move.
// p is changed in place; the caller hands in a copy where it goes on with the position.
func (s *search[S, Q]) playToChild(p *threats.State[S, Q], side int, c *child) {
	s.playMove(p, side, int(c.sq))
	s.removeDeadSquares(p)
	if c.perm != 0 {
		*p = s.permutedState(p, int(c.perm))
	}
}

// backUpNode returns the numbers of a position by those after the moves of side. The number that side lowers, the
// proof number for the attacker and the disproof number for the defender, is the least of the moves'. The other one is
// their sum, as all moves have to be answered, but for the attacker of a relaxed search the greatest of them, and one
// for each other move that is open. Besides it says which move to search next, the least number of the others as this
// search should see it, and how many others are open in a relaxed search.
func (s *search[S, Q]) backUpNode(kids []child, side int) (pn, dn uint32, best int, second, others uint32) {
	lowest, total := uint32(infinite), uint32(0)
	best, second = -1, infinite
	least, leastOther := uint32(infinite), uint32(infinite)
	for k := range kids {
		c := &kids[k]
		own, other := c.pn, c.dn
		if side == defender {
			own, other = other, own
		}
		switch {
		case side == defender || !s.relaxed:
			total = sum(total, other)
		case other == 0:
		case total == 0:
			total = other
		default:
			total = max(total, other)
			others++
		}
		lowest = min(lowest, own)
		v := s.virtualNumber(c.key, own)
		if best < 0 || v < least || v == least && other < leastOther {
			best, second, least, leastOther = k, least, v, other
		} else {
			second = min(second, v)
		}
	}
	total = sum(total, others)
	switch lowest {
	case 0:
		total = infinite
	case infinite:
		total = 0
	}
	if side == defender {
		return total, lowest, best, second, others
	}
	return lowest, total, best, second, others
}

// disproofThreshold returns how far the disproof number of a reply may rise where the next
// best has the given one.
// More than the next best has, so that the search does not go to and fro between the two: each
// change of path costs what the table forgets meanwhile.
func (s *search[S, Q]) disproofThreshold(second uint32) uint32 {
	if s.defends {
		return second + 10 + second/4
	}
	return second + 1 + second/2
}

// generateAttackerMoves appends the attacker's moves in p within a zone with their numbers.
// The list ends with the first move that wins. A narrow search takes the best width moves and
// leaves out those that force, which the threat search has tried.
func (s *search[S, Q]) generateAttackerMoves(p *threats.State[S, Q], zone S, kids []child) []child {
	moves, forced := s.attackerCandidates(p)
	moves = bitset.And(moves, zone)
	kids = s.appendMoves(moves, kids)
	if s.place != board.Own {
		kids = slices.DeleteFunc(kids, func(c child) bool { return s.completesLine(p, attacker, int(c.sq)) })
	}
	s.rankAttackerMoves(p, kids)
	slices.SortFunc(kids, func(a, b child) int { return int(b.rank) - int(a.rank) })
	s.symmetry.computeImages(&s.near, s.contents(p))
	list := kids[:0]
	for _, c := range kids {
		q := *p
		s.playMove(&q, attacker, int(c.sq))
		c.threat = !s.plain && !forced && !bitset.Empty(s.g.Completions(&q, attacker))
		if s.width > 0 && (c.threat || !forced && len(list) == s.width) {
			continue
		}
		list = appendUnlessSymmetric(s, list, c, &q, defender)
	}
	s.table.prefetch(list)
	guess := disproofGuessAfterMove(s, p)
	for k := range list {
		c := &list[k]
		if e, ok := s.table.probe(c.key); ok {
			c.pn, c.dn = e.pn, e.dn
		} else if s.plain {
			q := *p
			s.playMove(&q, attacker, int(c.sq))
			c.pn, c.dn, _ = s.evaluateByCompletions(&q, defender)
		} else {
			c.pn, c.dn = uint32(1+k), guess(int(c.sq))
		}
		if c.threat && c.pn != 0 && c.dn != 0 {
			c.pn = sum(c.pn, threatPenalty)
		}
		if c.pn == 0 {
			return list[:k+1]
		}
	}
	return list
}

// appendUnlessSymmetric appends c, which leads to p with side to move, unless one of the same class is
// in the list.
// Of symmetric moves the first alone has to be searched.
func appendUnlessSymmetric[S bitset.Squares, Q threats.Lines](
	s *search[S, Q], list []child, c child, p *threats.State[S, Q], side int,
) []child {
	s.removeDeadSquares(p)
	key, perm := s.canonical(p, side, &s.near)
	if slices.ContainsFunc(list, func(d child) bool { return d.key == key }) {
		return list
	}
	c.key, c.perm = key, int16(perm)
	return append(list, c)
}

// threatPenalty is added to the proof number of a forcing move that does not
// win by continuous threats: without it the search wanders through exchanges.
const threatPenalty = 4

// judged is how many of the defender's replies are judged where that is a
// search for pairs; the others count as a little worse.
const judged = 12

// generateDefenderReplies appends the given replies of the defender in p with their numbers,
// those that take most from the attacker first.
func (s *search[S, Q]) generateDefenderReplies(p *threats.State[S, Q], replies S, kids []child) []child {
	s.symmetry.computeImages(&s.near, s.contents(p))
	kids = s.appendMoves(replies, kids)
	if s.place != board.Own {
		kids = slices.DeleteFunc(kids, func(c child) bool { return s.completesLine(p, defender, int(c.sq)) })
	}
	if s.defends {
		dangers := s.pairings.SquareWeights(p)
		for k := range kids {
			kids[k].rank = int32(dangers[kids[k].sq])
		}
		slices.SortStableFunc(kids, func(a, b child) int { return int(b.rank) - int(a.rank) })
	}
	list := kids[:0]
	for _, c := range kids {
		q := *p
		s.playMove(&q, defender, int(c.sq))
		list = appendUnlessSymmetric(s, list, c, &q, attacker)
	}
	s.table.prefetch(list)
	hardest, begun := uint32(0), false
	for k := range list {
		c := &list[k]
		if e, ok := s.table.probe(c.key); ok {
			c.pn, c.dn = e.pn, e.dn
		} else if s.relaxed && k >= judged {
			c.pn, c.dn = 1, hardest+1
		} else {
			if s.relaxed {
				if !begun {
					s.pairings.BeginReplies(p)
					begun = true
				}
				c.pn, c.dn = proofNumbersFromPairing(s.pairings.PairAfterReply(p, int(c.sq)))
			} else {
				q := *p
				s.playMove(&q, defender, int(c.sq))
				c.pn, c.dn = s.evaluateAttackerNode(&q)
			}
			if c.pn != 0 {
				hardest = max(hardest, c.dn)
			}
			if c.dn == 0 {
				s.table.store(entry[S]{key: c.key, pn: c.pn, dn: c.dn, work: 1})
			}
		}
		if c.dn == 0 {
			return list[:k+1]
		}
	}
	return list
}

// tryPairings looks for a pairing after the likeliest of the replies in p, after all but the first for longer the
// nearer the pairs made greedily came, and stops at the first that it finds.
func (s *search[S, Q]) tryPairings(p *threats.State[S, Q], kids []child) {
	slices.SortStableFunc(kids, func(a, b child) int { return int(a.dn) - int(b.dn) })
	for k := range kids[:min(len(kids), s.tries)] {
		c, nodes := &kids[k], s.pairingNodes
		if c.dn == 0 || s.relaxed && c.dn > mostGuess {
			return
		}
		if s.relaxed && k > 0 {
			nodes = nodes * int(mostGuess-c.dn) / mostGuess
		}
		q := *p
		s.playMove(&q, defender, int(c.sq))
		s.removeDeadSquares(&q)
		if s.pairings.SearchPairing(&q, nodes) {
			c.pn, c.dn = infinite, 0
			s.table.store(entry[S]{key: c.key, pn: c.pn, dn: c.dn, work: 1})
			return
		}
	}
}

// emptyChildren returns the empty list of children for a depth.
// A list is used until the search comes to that depth again, so that none is made at every visit.
func (s *search[S, Q]) emptyChildren(depth int) []child {
	for len(s.kids) <= depth {
		s.kids = append(s.kids, make([]child, 0, s.g.N))
	}
	return s.kids[depth][:0]
}

// countVisitAndPoll counts a visit and looks at the limits now and then.
// The context is asked at one of 256 visits, as asking takes longer than a visit may.
func (s *search[S, Q]) countVisitAndPoll() {
	s.nodes++
	if s.nodes >= s.budget || s.nodes&255 == 0 && (s.ctx.Err() != nil || s.team != nil && s.team.done.Load()) {
		s.halted = true
	}
}
