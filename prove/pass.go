package prove

import (
	"slices"

	"oxo/board/bitset"
	"oxo/prove/certificate"
	"oxo/prove/pairing"
	"oxo/threats"
)

// refutation is how the defender would hold a position if the attacker passed: by a move
// and pairs after it. It holds whatever marks the attacker has outside the zone: the squares
// of the move, of the pairs, and of the lines that no pair serves.
type refutation[S bitset.Squares] struct {
	move  int
	pairs [][2]int
	zone  S
}

// passes is how many of the defender's moves are looked at after a pass of the attacker.
const passes = 12

// forEachPassRefutation calls visit with refutations of a pass of the attacker in p, the moves that
// take most from him first, until that returns false.
func (s *search[S, Q]) forEachPassRefutation(p *threats.State[S, Q], visit func(refutation[S]) bool) {
	weights := slices.Clone(s.pairings.SquareWeights(p))
	s.pairings.BeginReplies(p)
	for range passes {
		best := -1
		for left := p.Free; !bitset.Empty(left); left = bitset.Rest(left) {
			if sq := bitset.First(left); weights[sq] > 0 && (best < 0 || weights[sq] > weights[best]) {
				best = sq
			}
		}
		if best < 0 {
			return
		}
		weights[best] = 0
		if s.pairings.PairAfterReply(p, best) >= pairing.One {
			continue
		}
		r := refutation[S]{best, s.pairings.Pairs, bitset.With(s.pairings.UnservedLineSquares(p), best)}
		for _, pair := range r.pairs {
			r.zone = bitset.With(bitset.With(r.zone, pair[0]), pair[1])
		}
		if !visit(r) {
			return
		}
	}
}

// relevantAttackSquares returns the squares on which the attacker has to be tried in p, from its entry
// in the table if that has them: a move outside the zone of a refutation of a pass is
// refuted as the pass is.
func (s *search[S, Q]) relevantAttackSquares(e entry[S], p *threats.State[S, Q]) S {
	if !bitset.Empty(e.replies) {
		return e.replies
	}
	zone := s.g.All
	if s.relaxed && s.monotone {
		s.forEachPassRefutation(p, func(r refutation[S]) bool {
			zone = bitset.And(zone, r.zone)
			return !bitset.Empty(bitset.And(zone, p.Free))
		})
	}
	return zone
}

// addRepliesRefutedAsPass adds to n the replies in p that are refuted as a pass is, and returns those
// of needed that are not. Replies with one refutation lead to one node.
func (x *strategist[S, Q]) addRepliesRefutedAsPass(n *certificate.Node, p *threats.State[S, Q],
	needed S) (unanswered S) {
	s := x.s
	_, perm := s.canonical(p, attacker, &s.none)
	q, back := s.permutedState(p, perm), s.symmetry.perms[perm]
	needed = s.symmetry.image(needed, perm)
	s.forEachPassRefutation(&q, func(r refutation[S]) bool {
		replies := bitset.Minus(needed, r.zone)
		if bitset.Empty(replies) {
			return true
		}
		needed = bitset.And(needed, r.zone)
		number, by := x.refutationNode(&q, back, r, replies)
		for ; !bitset.Empty(replies); replies = bitset.Rest(replies) {
			sq := slices.Index(back, uint8(bitset.First(replies)))
			n.Replies = append(n.Replies, certificate.ReplyNode{Square: sq, Perm: by, Node: number})
		}
		return !bitset.Empty(needed)
	})
	var left S
	for ; !bitset.Empty(needed); needed = bitset.Rest(needed) {
		left = bitset.With(left, slices.Index(back, uint8(bitset.First(needed))))
	}
	return left
}

// refutationNode returns the number of the node for p, a class representative, after all the given
// replies, in which a refutation is followed, and the permutation that takes the position of
// which p is the image under perm there.
func (x *strategist[S, Q]) refutationNode(
	p *threats.State[S, Q], perm []uint8, r refutation[S], replies S,
) (number, permNumber int) {
	s, q := x.s, *p
	for ; !bitset.Empty(replies); replies = bitset.Rest(replies) {
		s.g.Play(&q, attacker, bitset.First(replies))
	}
	s.removeDeadSquares(&q)
	key, k := s.canonical(&q, defender, &s.none)
	to, whole := s.symmetry.perms[k], make([]uint8, len(perm))
	for i, j := range perm {
		whole[i] = to[j]
	}
	permNumber = x.perms.numberOrAdd(whole)
	if w, ok := x.known[key]; ok {
		return w.number, permNumber
	}
	node := certificate.Node{Kind: certificate.Move, Square: int(to[r.move])}
	x.endWithPairs(&node, r.pairs, to)
	return x.addNode(key, node, 1), permNumber
}
