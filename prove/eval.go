package prove

import (
	"strconv"

	"oxo/board/bitset"
	"oxo/prove/pairing"
	"oxo/threats"
)

// Proof numbers. A position with pn 0 is won for the attacker, one with dn 0
// is held by the defender, and the other number is then infinite.
const infinite = 1 << 30

// Number is a proof or disproof number as people read it: ∞ where nothing can show it.
type Number uint32

func (n Number) String() string {
	if n >= infinite {
		return "∞"
	}
	return strconv.FormatUint(uint64(n), 10)
}

// sum adds two numbers that are not infinite. It stays below infinite, which says that something is
// known.
func sum(a, b uint32) uint32 { return min(a+b, infinite-1) }

// evaluateDefenderNode evaluates p, where the attacker has just moved and the defender
// is to move. Where that does not decide it, replies are those that need to be
// searched: every other reply loses to continuous threats.
func (s *search[S, Q]) evaluateDefenderNode(p *threats.State[S, Q]) (pn, dn uint32, replies S) {
	g := s.g
	if s.plain {
		return s.evaluateByCompletions(p, defender)
	}
	if !bitset.Empty(g.Completions(p, defender)) {
		return infinite, 0, replies
	}
	if one := g.Completions(p, attacker); !bitset.Empty(one) {
		if !bitset.Empty(bitset.Rest(one)) {
			return 0, infinite, replies
		}
		q := *p
		g.Play(&q, defender, bitset.First(one))
		if s.threats.FindWin(&q, attacker, s.limit) {
			return 0, infinite, replies
		}
		return 1, 1, one
	}
	if s.able[defender] && s.threats.FindWin(p, defender, s.limit) {
		return infinite, 0, replies
	}
	dn = s.disproofGuess(p)
	if !s.threats.FindWin(p, attacker, s.limit) {
		if bitset.Empty(p.Free) {
			return infinite, 0, replies
		}
		replies = s.undominatedMoves(p, p.Free)
		return uint32(bitset.Count(replies)), dn, replies
	}
	todo := bitset.And(s.threats.Zone, p.Free)
	for !bitset.Empty(todo) {
		sq := bitset.First(todo)
		todo = bitset.Rest(todo)
		q := *p
		g.Play(&q, defender, sq)
		if !s.threats.FindWin(&q, attacker, s.limit) {
			replies = bitset.With(replies, sq)
		} else if !g.Barred { // else the reply may bar the defender from lines
			todo = bitset.And(todo, s.threats.Zone)
			replies = bitset.And(replies, s.threats.Zone)
		}
	}
	if replies = s.withoutSlowLosses(p, replies); bitset.Empty(replies) {
		return 0, infinite, replies
	}
	return uint32(bitset.Count(replies)), dn, replies
}

// slowLimit is how many positions a search for slow threats looks at, and
// slowShare the part of all positions of threats, from slowFree on, that such
// searches may take.
const (
	slowLimit = 1000
	slowShare = 4
	slowFree  = 100_000
)

// withoutSlowLosses leaves out those of the replies in p that lose to slow threats, up
// to the first that is not found to. Where no two lines share two squares, as on
// Qubic, there is no open three, and the search took longer than it saved.
// It gives up for good once such searches have taken their share of the work.
func (s *search[S, Q]) withoutSlowLosses(p *threats.State[S, Q], replies S) S {
	if s.defends || !s.overlap {
		return replies
	}
	for todo := replies; !bitset.Empty(todo); todo = bitset.Rest(todo) {
		if s.slower.Nodes > slowFree+s.threats.Nodes/slowShare {
			break
		}
		q := *p
		s.g.Play(&q, defender, bitset.First(todo))
		if !s.slower.FindWin(&q, attacker, slowLimit) {
			break
		}
		replies = bitset.Without(replies, bitset.First(todo))
	}
	return replies
}

// evaluateAttackerNode evaluates p, where the attacker is to move, who has no win by
// continuous threats.
func (s *search[S, Q]) evaluateAttackerNode(p *threats.State[S, Q]) (pn, dn uint32) {
	if s.plain {
		pn, dn, _ = s.evaluateByCompletions(p, attacker)
		return pn, dn
	}
	if wins := s.g.Completions(p, defender); !bitset.Empty(wins) && !bitset.Empty(bitset.Rest(wins)) {
		return infinite, 0
	}
	if !s.relaxed {
		potential := pairing.Potential(s.g, p)
		if potential < 0.5 {
			return infinite, 0
		}
		if s.defends {
			return 1, 1 + uint32(20*potential)
		}
		return 1, 1
	}
	return proofNumbersFromPairing(s.pairings.PairGreedily(p))
}

// proofNumbersFromPairing evaluates a position by what pairs leave of it, the attacker to move.
// Pairs that leave less than one line hold, by Erdős and Selfridge; what is over that says how far
// they are from it.
func proofNumbersFromPairing(potentialLeft uint32) (pn, dn uint32) {
	if potentialLeft < pairing.One {
		return infinite, 0
	}
	return 1, 1 + (potentialLeft-pairing.One)>>8
}

// mostGuess is the disproof number by proofNumbersFromPairing beyond which a search for pairs rarely finds any.
const mostGuess = 1 + (pairing.Likely-pairing.One)>>8

// disproofGuess is the initial disproof number of p, the defender to move: the
// farther from the bound that ends it, the harder to disprove.
func (s *search[S, Q]) disproofGuess(p *threats.State[S, Q]) uint32 {
	if !s.defends {
		return 1
	}
	return 1 + uint32(20*pairing.Potential(s.g, p))
}

// disproofGuessAfterMove returns disproofGuess of the position after a move of the attacker in p: one more mark
// doubles what the lines through it add to the potential.
func disproofGuessAfterMove[S bitset.Squares, Q threats.Lines](
	s *search[S, Q], p *threats.State[S, Q],
) func(sq int) uint32 {
	if !s.defends || s.plain {
		return func(int) uint32 { return 1 }
	}
	potential, weights := pairing.Potential(s.g, p), s.pairings.SquareWeights(p)
	return func(sq int) uint32 { return 1 + uint32(20*(potential+float64(weights[sq])/pairing.One)) }
}

// attackerCandidates returns the attacker's moves worth a search in p; every other free
// square loses at once or to the defender's continuous threats. forced says
// that p leaves him little choice.
// Where the defender completes a line with his next mark the attacker has to be there; of two such
// squares one is too few, which the position after shows.
func (s *search[S, Q]) attackerCandidates(p *threats.State[S, Q]) (moves S, forced bool) {
	if s.plain {
		_, _, moves = s.evaluateByCompletions(p, attacker)
		return moves, false
	}
	if one := s.g.Completions(p, defender); !bitset.Empty(one) {
		return one, true
	}
	if s.able[defender] && s.threats.FindWin(p, defender, s.limit) {
		return bitset.And(p.Free, s.threats.Zone), true
	}
	return s.undominatedMoves(p, p.Free), false
}
