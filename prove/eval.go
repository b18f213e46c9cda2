package prove

import "math/bits"

// Proof numbers. A position with pn 0 is won for the attacker, one with dn 0
// is held by the defender, and the other number is then infinite.
const infinite = 1 << 30

func sum(a, b uint32) uint32 { return min(a+b, infinite-1) }

// normalize takes squares out of play that lie in no line a side can still
// own. A mark there changes nothing, and to have to move there is never better
// than any other move; the rules must be such that an extra mark never hurts.
func (s *search[S, Q]) normalize(p *state[S, Q]) {
	if !s.monotone {
		return
	}
	live := s.g.live(p)
	for side := range p.marks {
		for idle := minus(p.marks[side], live); !empty(idle); idle = rest(idle) {
			sq := first(idle)
			p.hash ^= s.g.key[side][sq] ^ s.g.key[out][sq]
		}
		p.marks[side] = and(p.marks[side], live)
	}
	for idle := minus(p.free, live); !empty(idle); idle = rest(idle) {
		p.hash ^= s.g.key[out][first(idle)]
	}
	p.free = and(p.free, live)
}

// judgeReply evaluates p, where the attacker has just moved and the defender
// is to move. Where that does not decide it, replies are those that need to be
// searched: every other reply loses to continuous threats.
func (s *search[S, Q]) judgeReply(p *state[S, Q]) (pn, dn uint32, replies S) {
	g := s.g
	if s.plain {
		return s.judgePlain(p, defender)
	}
	if !empty(g.completions(p, defender)) {
		return infinite, 0, replies
	}
	if one := g.completions(p, attacker); !empty(one) {
		if !empty(rest(one)) {
			return 0, infinite, replies
		}
		q := *p
		g.play(&q, defender, first(one))
		if s.threats.win(&q, attacker, s.limit) {
			return 0, infinite, replies
		}
		return 1, 1, one
	}
	if s.able[defender] && s.threats.win(p, defender, s.limit) {
		return infinite, 0, replies
	}
	dn = s.disproofGuess(p)
	if !s.threats.win(p, attacker, s.limit) {
		if empty(p.free) {
			return infinite, 0, replies
		}
		replies = s.undominated(p, p.free)
		return uint32(count(replies)), dn, replies
	}
	todo := and(s.threats.zone, p.free)
	for !empty(todo) {
		sq := first(todo)
		todo = rest(todo)
		q := *p
		g.play(&q, defender, sq)
		if !s.threats.win(&q, attacker, s.limit) {
			replies = with(replies, sq)
		} else if g.bar == nil { // else the reply may bar the defender from lines
			todo = and(todo, s.threats.zone)
			replies = and(replies, s.threats.zone)
		}
	}
	if replies = s.lastReplies(p, replies); empty(replies) {
		return 0, infinite, replies
	}
	return uint32(count(replies)), dn, replies
}

// slowLimit is how many positions a search for slow threats looks at, and
// slowShare the part of all positions of threats, from slowFree on, that such
// searches may take.
const (
	slowLimit = 1000
	slowShare = 4
	slowFree  = 100_000
)

// lastReplies leaves out those of the replies in p that lose to slow threats, up
// to the first that is not found to. Where no two lines share two squares, as on
// Qubic, there is no open three, and the search took longer than it saved.
func (s *search[S, Q]) lastReplies(p *state[S, Q], replies S) S {
	if s.hold || !s.g.overlap {
		return replies
	}
	for todo := replies; !empty(todo); todo = rest(todo) {
		if s.slower.nodes > slowFree+s.threats.nodes/slowShare {
			break
		}
		q := *p
		s.g.play(&q, defender, first(todo))
		if !s.slower.win(&q, attacker, slowLimit) {
			break
		}
		replies = without(replies, first(todo))
	}
	return replies
}

// judgeMove evaluates p, where the attacker is to move, who has no win by
// continuous threats.
func (s *search[S, Q]) judgeMove(p *state[S, Q]) (pn, dn uint32) {
	if s.plain {
		pn, dn, _ = s.judgePlain(p, attacker)
		return pn, dn
	}
	if wins := s.g.completions(p, defender); !empty(wins) && !empty(rest(wins)) {
		return infinite, 0
	}
	if !s.relaxed {
		potential := s.g.potential(p)
		if potential < 0.5 {
			return infinite, 0
		}
		if s.hold {
			return 1, 1 + uint32(20*potential)
		}
		return 1, 1
	}
	left := s.pairings.greedy(p)
	if left < one {
		return infinite, 0
	}
	return 1, 1 + (left-one)>>8
}

// disproofGuess is the initial disproof number of p, the defender to move: the
// farther from the bound that ends it, the harder to disprove.
func (s *search[S, Q]) disproofGuess(p *state[S, Q]) uint32 {
	if !s.hold {
		return 1
	}
	return 1 + uint32(20*s.g.potential(p))
}

// moves returns the attacker's moves worth a search in p; every other free
// square loses at once or to the defender's continuous threats. forced says
// that p leaves him little choice.
func (s *search[S, Q]) moves(p *state[S, Q]) (moves S, forced bool) {
	if s.plain {
		_, _, moves = s.judgePlain(p, attacker)
		return moves, false
	}
	if one := s.g.completions(p, defender); !empty(one) {
		return one, true
	}
	if s.able[defender] && s.threats.win(p, defender, s.limit) {
		return and(p.free, s.threats.zone), true
	}
	return s.undominated(p, p.free), false
}

// undominated returns the squares of moves that no other is at least as good
// as. Where the defender owns no lines, a square is as good as another for
// either side when it lies in every open line that the other lies in.
func (s *search[S, Q]) undominated(p *state[S, Q], moves S) S {
	if s.able[defender] || !s.monotone {
		return moves
	}
	g, w := s.g, s.g.words
	dead := &p.lines[attacker]
	kept := moves
	for left := moves; !empty(left); left = rest(left) {
		a := first(left)
		// Only squares on one of a's lines can dominate it.
		others := without(kept, a)
		for i, lines := range g.through[a*w : a*w+w] {
			for lines &^= (*dead)[i]; lines != 0 && !empty(others); lines &= lines - 1 {
				others = and(others, g.need[i<<6+bits.TrailingZeros64(lines)])
			}
		}
		if !empty(others) {
			kept = without(kept, a)
		}
	}
	return kept
}
