package search

import (
	"cmp"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"sync"
	"unsafe"

	"oxo"
)

// sampler grows one tree of mcts: Monte Carlo tree search by UCT with proven
// values.
//
// A simulation goes down the tree, at each node to the child that is best by
// UCT; from a leaf of the tree it plays random moves to the end; and the
// result is added to every node on the way. A leaf gets children once it has
// been visited a few times, the more the more moves the game has, so that the
// tree grows by about a node a simulation. Beside its mean each
// node has an interval in which its value is proven to lie: a terminal position
// is its worth, the others follow from their children. A child that provably
// can't beat what its parent is sure of is not visited again, and when the
// root's interval is a single value, the search is over. For wins and losses
// alone this is MCTS-Solver; the intervals extend it to draws, payoffs and
// chance.
//
// With an evaluation no random moves are played: see [sampler.judge].
//
// All results are payoffs to First within the game's bounds, which must be
// finite.
//
// Sources: Kocsis and Szepesvári, Bandit Based Monte-Carlo Planning, ECML
// (2006); Winands, Björnsson and Saito, Monte-Carlo Tree Search Solver,
// Computers and Games (2008); for the intervals Cazenave and Saffidine, Score
// Bounded Monte-Carlo Tree Search, Computers and Games (2010); for
// all-moves-as-first Gelly and Silver, Combining Online and Offline Knowledge
// in UCT, ICML (2007).
type sampler[P oxo.Position[P]] struct {
	g       *oxo.Game[P]
	o       *Options[P]
	bounds  Interval
	half    float64 // half the width of bounds
	explore float64 // UCT's C, or PUCT's with an evaluation

	temperature float64

	worth [4]float64
	drawn float64 // what a draw counts to First: less than it is worth to the side that searches, with contempt
	root  P
	rng   rand.PCG // here rather than behind a pointer: two of them would share a cache line

	nodes []sample // nodes[0] is the root
	spare []sample // where the part of the tree that is kept is put together
	limit int      // of len(nodes)
	sims  int

	patience uint32 // a node gets children once it has been visited that often

	path   []step[P]
	moves  []oxo.Move
	after  []P // the positions after moves, where there is an evaluation
	values []float32
	amaf   []amaf     // for each node, with RAVE
	played [2][]int32 // by seat and move, the last simulation that played it, with RAVE
}

// sample is a node of the tree.
type sample struct {
	sum      float64  // of the results of the simulations through here
	known    Interval // where the value is proven to lie
	rarity   float64  // 1/√visits, or with an evaluation 1/(visits+1), kept so that choosing needs no roots
	visits   uint32
	first    uint32 // index of the first child; the others follow; 0 before they are made
	children uint16
	tried    uint16 // children visited so far, which are the first ones
	move     oxo.Move
	turn     oxo.Seat
	guess    float32 // the worth by the evaluation, where there is one
	prior    float32 // the probability of the move, going by the guesses
}

// amaf is what simulations brought in which a node's move was played at any
// time after its parent, by the same seat.
type amaf struct {
	sum    float64
	visits uint32
}

// step is a node on the path of a simulation.
type step[P any] struct {
	p    P
	node uint32
}

const (
	defaultTreeBytes = 256 << 20
	maxPlayout       = 10_000 // plies of a random game where play can go in circles
)

func newSampler[P oxo.Position[P]](g *oxo.Game[P], p P, o *Options[P], worker, workers int) *sampler[P] {
	s := &sampler[P]{g: g, o: o, bounds: o.bounds(g), root: p, explore: math.Sqrt2}
	if o.Eval != nil {
		s.explore = defaultJudgedExplore
	}
	if math.IsInf(s.bounds.Hi-s.bounds.Lo, 0) {
		s.bounds.Lo, s.bounds.Hi = g.Bounds()
	}
	s.half = (s.bounds.Hi - s.bounds.Lo) / 2
	if s.half == 0 {
		s.half = 1
	}
	s.temperature = cmp.Or(o.Temperature, defaultTemperature)
	if o.Explore > 0 {
		s.explore = o.Explore
	}
	for out := range s.worth {
		s.worth[out] = float64(oxo.Outcome(out).Value(oxo.First))
	}
	if o.Contempt != 0 {
		s.drawn = -sign(p.Turn()) * o.Contempt
		s.worth[oxo.Drawn] = s.drawn
	}
	size := o.TreeBytes
	if size == 0 {
		size = defaultTreeBytes
	}
	each := int(unsafe.Sizeof(sample{}))
	if o.RAVE > 0 {
		each += int(unsafe.Sizeof(amaf{}))
		s.amaf = make([]amaf, 1)
	}
	if o.Trees != nil {
		each *= 2 // the tree, and the part of it that is kept for the next search
	}
	s.limit = min(size/workers/each, math.MaxUint32)
	s.patience = 1 + uint32(g.MaxMoves)/16
	s.rng.Seed(o.Seed, uint64(worker))
	if o.Trees == nil {
		s.nodes = reuse()
	}
	s.nodes = append(s.nodes, sample{known: s.bounds, move: oxo.NoMove, turn: p.Turn()})
	return s
}

// usedNodes holds the memory of trees that nobody needs any more, as pointers
// to slices: a game of many short searches would make as much anew for each
// move.
var usedNodes sync.Pool

// mostUsed is how many nodes such memory has at most, 4 megabytes.
const mostUsed = 4 << 20 / int(unsafe.Sizeof(sample{}))

// reuse returns the memory of an earlier tree, or nil where there is none.
func reuse() []sample {
	if nodes, ok := usedNodes.Get().(*[]sample); ok {
		return (*nodes)[:0]
	}
	return nil
}

// release gives the memory of the tree to later searches. The sampler must not
// be used after that.
func (s *sampler[P]) release() {
	if nodes := s.nodes; cap(nodes) <= mostUsed {
		usedNodes.Put(&nodes)
	}
	s.nodes = nil
}

// simulate runs one simulation.
func (s *sampler[P]) simulate() {
	s.sims++
	s.path = s.path[:0]
	p, at := s.root, uint32(0)
	var result float64
	proof := false // whether an interval on the path may have become narrower
	for {
		s.path = append(s.path, step[P]{p, at})
		n := &s.nodes[at]
		if n.known.Proven() {
			result = s.felt(n.known.Lo)
			break
		}
		if n.visits == 0 {
			if out := p.Outcome(); out != oxo.Ongoing {
				v := s.g.Worth(p)
				n.known, result = Interval{v, v}, s.felt(v)
				proof = true
				break
			}
		}
		if s.o.Eval != nil && n.first == 0 {
			result, proof = s.judge(at, p), true
			break
		}
		if n.first == 0 && (n.visits < s.patience || !s.expand(at, p)) {
			result = s.playout(p)
			break
		}
		at = s.choose(at, p)
		p = p.Play(s.nodes[at].move)
	}
	if s.o.RAVE > 0 {
		s.shareResult(result)
	}
	for i := len(s.path) - 1; i >= 0; i-- {
		n := &s.nodes[s.path[i].node]
		n.visits++
		if s.o.Eval == nil {
			n.rarity = 1 / math.Sqrt(float64(n.visits))
		} else {
			n.rarity = 1 / float64(n.visits+1)
		}
		n.sum += result
		if proof && n.first != 0 {
			proof = s.prove(n, s.path[i].p)
		}
	}
}

// felt returns what a proven value counts: a draw counts s.drawn.
func (s *sampler[P]) felt(v float64) float64 {
	if v == 0 {
		return s.drawn
	}
	return v
}

// terminal returns what a position that is over counts.
func (s *sampler[P]) terminal(p P, out oxo.Outcome) float64 {
	if s.g.Payoff == nil {
		return s.worth[out]
	}
	return s.g.Payoff(p)
}

// expand makes the children of node at, in random order where that decides
// which is tried first. It reports false where the tree is full.
func (s *sampler[P]) expand(at uint32, p P) bool {
	s.moves = p.Moves(s.moves[:0])
	if len(s.nodes)+len(s.moves) > s.limit {
		return false
	}
	if s.o.Eval == nil || at == 0 {
		for i := len(s.moves) - 1; i > 0; i-- {
			j := s.draw(i + 1)
			s.moves[i], s.moves[j] = s.moves[j], s.moves[i]
		}
	}
	if len(s.nodes)+len(s.moves) > cap(s.nodes) {
		s.nodes = slices.Grow(s.nodes, len(s.nodes)+len(s.moves)) // append alone would copy them more often
	}
	s.nodes[at].first = uint32(len(s.nodes))
	s.nodes[at].children = uint16(len(s.moves))
	s.nodes[at].turn = p.Turn()
	for _, m := range s.moves {
		s.nodes = append(s.nodes, sample{known: s.bounds, move: m})
		if s.o.RAVE > 0 {
			s.amaf = append(s.amaf, amaf{})
		}
	}
	return true
}

// choose returns the child of node at to visit next: each one once, then the
// best by UCT; at a chance node one drawn by the odds.
func (s *sampler[P]) choose(at uint32, p P) uint32 {
	n := &s.nodes[at]
	children := s.nodes[n.first : n.first+uint32(n.children)]
	if n.turn == oxo.Chance {
		return n.first + uint32(s.drawChance(p, children))
	}
	if s.o.Eval != nil {
		return n.first + uint32(s.chooseJudged(n, children))
	}
	if s.o.RAVE > 0 {
		return n.first + uint32(s.chooseRAVE(n, children))
	}
	if n.tried < n.children {
		n.tried++
		return n.first + uint32(n.tried) - 1
	}
	scale := sign(n.turn) / s.half
	wide := s.explore * math.Sqrt(math.Log(float64(n.visits)))
	best, value := 0, math.Inf(-1)
	for i := range children {
		c := &children[i]
		// The mean, scaled to [-1, 1], and C·√(ln N / n).
		if v := (scale*c.sum*c.rarity + wide) * c.rarity; v > value && !s.hopeless(n, c) {
			best, value = i, v
		}
	}
	return n.first + uint32(best)
}

// hopeless reports whether child c of n is proven not to beat what the seat to
// move at n is sure of already.
func (s *sampler[P]) hopeless(n, c *sample) bool {
	if n.turn == oxo.First {
		return c.known.Hi <= n.known.Lo
	}
	return c.known.Lo >= n.known.Hi
}

// prove narrows n's interval to what its children prove and reports whether it
// did.
func (s *sampler[P]) prove(n *sample, p P) bool {
	if s.o.NoProof {
		return false
	}
	children := s.nodes[n.first : n.first+uint32(n.children)]
	now := children[0].known
	switch n.turn {
	case oxo.First:
		for i := range children {
			now.Lo, now.Hi = max(now.Lo, children[i].known.Lo), max(now.Hi, children[i].known.Hi)
		}
	case oxo.Second:
		for i := range children {
			now.Lo, now.Hi = min(now.Lo, children[i].known.Lo), min(now.Hi, children[i].known.Hi)
		}
	default:
		now = Interval{}
		for i := range children {
			odds := s.g.Odds(p, children[i].move)
			now.Lo += odds * children[i].known.Lo
			now.Hi += odds * children[i].known.Hi
		}
	}
	if now.Lo <= n.known.Lo && now.Hi >= n.known.Hi {
		return false
	}
	n.known = now
	return true
}

// playout plays random moves to the end and returns the result.
func (s *sampler[P]) playout(p P) float64 {
	if s.g.Playout != nil && s.g.Payoff == nil && s.o.RAVE == 0 {
		return s.worth[s.g.Playout(p, &s.rng)]
	}
	for range maxPlayout {
		out := p.Outcome()
		if out != oxo.Ongoing {
			return s.terminal(p, out)
		}
		s.moves = p.Moves(s.moves[:0])
		var m oxo.Move
		if turn := p.Turn(); turn == oxo.Chance {
			m = s.drawOdds(p, s.moves)
		} else {
			m = s.moves[s.draw(len(s.moves))]
			if s.o.RAVE > 0 {
				s.note(turn, m)
			}
		}
		p = p.Play(m)
	}
	return s.bounds.clamp(0)
}

// draw returns a uniform number from 0 to n-1.
func (s *sampler[P]) draw(n int) int {
	high, _ := bits.Mul64(s.rng.Uint64(), uint64(n))
	return int(high)
}

// drawUnit returns a uniform number in [0, 1).
func (s *sampler[P]) drawUnit() float64 { return float64(s.rng.Uint64()>>11) / (1 << 53) }

// drawOdds returns one of chance's moves in p, drawn by the odds.
func (s *sampler[P]) drawOdds(p P, moves []oxo.Move) oxo.Move {
	last := moves[0]
	for x, i := s.drawUnit(), 0; i < len(moves); i++ {
		odds := s.g.Odds(p, moves[i])
		if x < odds {
			return moves[i]
		}
		x -= odds
		if odds > 0 {
			last = moves[i]
		}
	}
	return last // the odds' rounding errors
}

// drawChance returns the index of one of chance's children, drawn by the odds.
func (s *sampler[P]) drawChance(p P, children []sample) int {
	last := 0
	for x, i := s.drawUnit(), 0; i < len(children); i++ {
		odds := s.g.Odds(p, children[i].move)
		if x < odds {
			return i
		}
		x -= odds
		if odds > 0 {
			last = i
		}
	}
	return last
}
