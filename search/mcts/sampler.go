package mcts

import (
	"cmp"
	"context"
	"math"

	"oxo"
	"oxo/search/proof"
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
// With an evaluation no random moves are played: see [sampler.evaluateMovesOfLeaf].
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
	bounds  oxo.Interval
	half    float64 // half the width of bounds
	explore float64 // UCT's C, or PUCT's with an evaluation

	temperature float64

	worth [4]float64
	drawn float64 // what a draw counts to First: less than it is worth to the side that searches, with contempt
	root  P
	dice  // here rather than behind a pointer: two of them would share a cache line

	biases biases

	treeMemory
	spare treeMemory // where the part of the tree that is kept is put together
	bytes int        // the most that the tree may take
	sims  int

	besides int // bytes that the search takes besides trees

	expandAt uint32 // the expansion threshold: a node gets children once it has been visited that often

	prover     *proof.Prover[P] // nil where nothing is to be proven beside the simulations
	proofNodes uint64           // that it took
	maxSims    int              // of simulations, and of what it costs
	ctx        context.Context

	one    simulation[P]  // the one under way, where they go one by one
	team   *workerTeam[P] // where several are
	legal  []oxo.Move
	played [2][]int32 // by seat and move, the last simulation that played it, with RAVE
}

// simulation is one run down the tree.
type simulation[P any] struct {
	path   []visit[P]
	result float64
	proof  bool // whether an interval on the path may have become narrower

	awaited bool // it counts as a visit already

	evaluation[P]
}

// visit is a position on the path of a simulation, and the edge to it.
type visit[P any] struct {
	p    P
	edge uint32
}

const (
	defaultTreeBytes = 256 << 20
	maxPlayout       = 10_000 // plies of a random game where play can go in circles
)

// newSampler returns one of so many workers on the tree of p, with what options leave open filled
// in.
func newSampler[P oxo.Position[P]](g *oxo.Game[P], p P, o *Options[P], worker, workers int) *sampler[P] {
	s := &sampler[P]{g: g, o: o, bounds: o.Bounds, root: p, explore: math.Sqrt2}
	if o.Eval != nil {
		s.explore = defaultJudgedExplore
	}
	s.half = cmp.Or((s.bounds.Hi-s.bounds.Lo)/2, 1)
	s.temperature = cmp.Or(o.Temperature, defaultTemperature)
	if o.Explore > 0 {
		s.explore = o.Explore
	}
	for out := range s.worth {
		s.worth[out] = float64(oxo.Outcome(out).Value(oxo.First))
	}
	if o.Contempt != 0 {
		s.drawn = -p.Turn().Sign() * o.Contempt
		s.worth[oxo.Drawn] = s.drawn
	}
	s.bytes = o.TreeBytes / workers
	if o.Eval != nil && o.BiasKeys != nil && s.bytes >= 4*biasBytes {
		s.biases = newBiases()
		s.besides += biasBytes
	}
	s.expandAt = 1 + uint32(g.MaxMoves)/16
	s.rng.Seed(o.Seed, uint64(worker))
	if o.Prove > 0 {
		bytes := min(proverBytes/workers, s.bytes/4)
		s.prover, _ = proof.NewProver(g, max(1, bytes)) // g suits it: see Check
		s.besides += bytes
	}
	s.bytes -= s.besides
	if o.Trees != nil {
		s.bytes /= 2 // the tree, and the part of it that is kept for the next search
	}
	s.treeMemory = takePooledMemory(treeKind{o.RAVE > 0, s.biases[0] != nil, wholePages(g.MaxMoves)}, s.bytes)
	s.spare.treeKind = s.treeKind
	s.resetToRoot()
	return s
}

// resetToRoot makes the tree that knows nothing but its root.
func (s *sampler[P]) resetToRoot() {
	s.treeMemory.reset()
	root := node{known: s.bounds, move: oxo.NoMove, turn: s.root.Turn()}
	if s.o.Eval != nil {
		root.sum, root.varianceFactor = s.o.Eval(s.root), 1
		root.squares = float32(root.sum * root.sum)
	}
	s.attachNode(0, root)
}

// simulate runs one simulation.
func (s *sampler[P]) simulate() {
	x := &s.one
	if s.descendToLeaf(x) {
		s.evaluateMovesOfLeaf(x)
		s.expandEvaluatedLeaf(x)
	}
	if s.o.Trace != nil {
		treeReport[P]{s}.backUpAndTell(s.o.Trace, x)
		return
	}
	s.backUp(x)
}

// descendToLeaf goes down the tree from the root. At the end of x's path is then a
// position that has a result, or, with an evaluation, one that has to be judged:
// it reports whether it has.
func (s *sampler[P]) descendToLeaf(x *simulation[P]) (needsEvaluation bool) {
	s.sims++
	x.path, x.proof, x.awaited = x.path[:0], false, false
	p, at, e := s.root, uint32(0), s.edges.at(0)
	for {
		x.path = append(x.path, visit[P]{p, at})
		if e.node == 0 {
			over := s.makeNode(at, p)
			x.proof = x.proof || over
		}
		if e.node == 0 { // no room
			x.result = s.evaluateOrPlayout(p)
			return false
		}
		n := s.nodes.at(e.node & nodeIndex)
		if n.known.Proven() {
			x.result = s.withContempt(n.known.Lo)
			return false
		}
		if n.first == 0 {
			switch {
			case n.virtualVisits > 0:
				// Another worker evaluates it. There is an end to that: n is not
				// awaited any more, even where the tree is full.
				s.team.finishOldestSimulation()
				x.path, e = x.path[:len(x.path)-1], s.edges.at(at)
				continue
			case s.o.Eval != nil:
				return true
			case e.visits < s.expandAt || !s.expandNode(n, p):
				x.result = s.playout(p)
				return false
			}
		}
		at = s.selectChildEdge(e, n, p)
		if e = s.edges.at(at); e.node != 0 {
			p = p.Play(s.nodes.at(e.node & nodeIndex).move)
		} else {
			p = p.Play(*s.moves.at(at))
		}
	}
}

// backUp adds the result of x to every position on its path.
func (s *sampler[P]) backUp(x *simulation[P]) {
	if s.o.RAVE > 0 {
		s.addResultToAMAF(x)
	}
	proof := x.proof
	for i := len(x.path) - 1; i >= 0; i-- {
		e := s.edges.at(x.path[i].edge)
		if !x.awaited {
			e.visits++
		}
		if e.node == 0 {
			s.countResultWithoutNode(e, x.result)
			continue
		}
		n := s.nodes.at(e.node & nodeIndex)
		n.sum += x.result
		if x.awaited {
			n.virtualVisits--
		}
		if s.o.Eval == nil {
			e.worth = float32(n.sum / float64(e.visits))
			e.bonus = 1 / float32(math.Sqrt(float64(e.visits)))
		} else {
			n.squares += float32(x.result * x.result)
			if visits := e.visits - uint32(n.virtualVisits); isScheduled(visits) {
				n.varianceFactor = s.explorationVarianceFactor(n, visits)
				if i > 0 && visits > 1 && s.corrected {
					s.learnBias(e.node&nodeIndex, visits, x.path[i-1].p, x.path[i].p)
				}
			}
			share := 1 / float32(e.visits+1)
			e.bonus = n.prior * share
			if n.virtualVisits > 0 {
				share = 1 / float32(e.visits+1-uint32(n.virtualVisits))
			}
			e.worth = float32(n.sum) * share
		}
		if proof && n.first != 0 {
			proof = s.proveFromEdges(e, n, x.path[i].p)
		}
		if visits := e.visits - uint32(n.virtualVisits); s.prover != nil && proofDue(visits) && n.first != 0 &&
			!n.known.Proven() {
			proof = s.askProver(x.path[i].edge, x.path[i].p, visits) || proof
		}
	}
}

// makeNode makes the node of the edge, which leads to p, if there is room for it,
// and reports whether p is over.
func (s *sampler[P]) makeNode(edgeIndex uint32, p P) (over bool) {
	if !s.hasRoom(0, 1, s.bytes) {
		return false
	}
	e := s.edges.at(edgeIndex)
	n := node{known: s.bounds, move: *s.moves.at(edgeIndex), turn: p.Turn()}
	if s.o.Eval != nil {
		n.sum, n.prior = float64(e.worth), e.bonus
		n.squares, n.varianceFactor = e.worth*e.worth, 1
	}
	out := p.Outcome()
	if out != oxo.Ongoing {
		v := s.g.PayoffToFirst(p)
		n.known = oxo.Exactly(v)
	}
	s.attachNode(edgeIndex, n)
	return out != oxo.Ongoing
}

// attachNode makes n the node of the edge.
func (s *sampler[P]) attachNode(edgeIndex uint32, n node) {
	e := s.edges.at(edgeIndex)
	e.node = uint32(s.nodes.n)
	if n.known != s.bounds {
		e.node |= narrowed
	}
	var r record
	if s.corrected {
		r.judged = *s.judged.at(edgeIndex)
	}
	s.addNode(n, r)
}

// countResultWithoutNode adds the result of a simulation to an edge without a node.
func (s *sampler[P]) countResultWithoutNode(e *edge, result float64) {
	n := float32(e.visits)
	if s.o.Eval == nil {
		e.worth += (float32(result) - e.worth) / n
		e.bonus = float32(1 / math.Sqrt(float64(n)))
	} else {
		e.worth += (float32(result) - e.worth) / (n + 1)
		e.bonus *= n / (n + 1)
	}
}

// evaluateOrPlayout returns what a simulation that ends at p brings, where there is no
// room for more of the tree.
func (s *sampler[P]) evaluateOrPlayout(p P) float64 {
	if s.o.Eval != nil {
		return s.o.Eval(p)
	}
	return s.playout(p)
}

// withContempt returns what a proven value counts: a draw counts s.drawn.
func (s *sampler[P]) withContempt(v float64) float64 {
	if v == 0 {
		return s.drawn
	}
	return v
}

// terminalValue returns what a position that is over counts.
func (s *sampler[P]) terminalValue(p P, out oxo.Outcome) float64 {
	if s.g.Payoff == nil {
		return s.worth[out]
	}
	return s.g.Payoff(p)
}

// expandNode makes the edges of n, the node of p, in random order, as that decides
// which is tried first. It reports false where the tree is full.
func (s *sampler[P]) expandNode(n *node, p P) (hadRoom bool) {
	s.legal = s.g.OngoingMoves(p, s.legal[:0])
	if !s.hasRoom(len(s.legal), len(s.legal), s.bytes) {
		return false
	}
	s.shuffle(s.legal)
	n.first, n.children = s.addEdges(s.legal), uint16(len(s.legal))
	return true
}

// selectChildEdge returns the edge of n to follow next, n being the node of e: each one
// once, then the best by UCT, or PUCT; at a chance node one drawn by the odds.
//
// With an evaluation that is PUCT, which adds C·P·√N/(n+1) to the mean. What the
// evaluation says of a position counts as a first visit.
//
// Source of PUCT: Rosin, Multi-armed bandits with episode context, Annals of
// Mathematics and Artificial Intelligence (2011), in the form of Silver et al.,
// Mastering the game of Go without human knowledge, Nature (2017).
func (s *sampler[P]) selectChildEdge(e *edge, n *node, p P) (edgeIndex uint32) {
	if n.turn == oxo.Chance {
		return n.first + uint32(s.drawChanceMove(p, s.movesOf(n)))
	}
	if s.o.RAVE > 0 {
		return n.first + uint32(s.chooseChildByRAVE(e, n))
	}
	if s.o.Eval == nil && n.tried < n.children {
		n.tried++
		return n.first + uint32(n.tried) - 1
	}
	scale, wide := s.scoreFactors(e, n)
	best, value := 0, float32(math.Inf(-1))
	edges := s.edgesOf(n)
	for i := range edges {
		c := &edges[i]
		if v := scale*c.worth + wide*c.bonus; v > value && !s.isDominated(n, c) {
			best, value = i, v
		}
	}
	return n.first + uint32(best)
}

// scoreFactors returns what UCT or PUCT multiplies the mean and the bonus of a child of n with, n being the node of e:
// the score of the child, to the seat to move at n, is the sum of both.
func (s *sampler[P]) scoreFactors(e *edge, n *node) (scale, wide float32) {
	spread := 0.0
	if s.o.Eval == nil {
		spread = math.Sqrt(math.Log(float64(e.visits)))
	} else {
		spread = math.Sqrt(float64(e.visits)) * float64(n.varianceFactor)
		if e.visits >= fewVisits {
			spread *= exploreGrowth(e.visits)
		}
	}
	return float32(n.turn.Sign() / s.half), float32(s.explore * spread)
}

// provenInterval returns the interval in which the value of the position that e leads to
// is proven to lie.
func (s *sampler[P]) provenInterval(e *edge) oxo.Interval {
	if e.node&narrowed == 0 {
		return s.bounds
	}
	return s.nodes.at(e.node & nodeIndex).known
}

// isDominated reports whether edge c of n is proven not to beat what the seat to
// move at n is sure of already.
func (s *sampler[P]) isDominated(n *node, c *edge) bool {
	if c.node&narrowed == 0 {
		return false // or n would be proven
	}
	known := s.nodes.at(c.node & nodeIndex).known
	if n.turn == oxo.First {
		return known.Hi <= n.known.Lo
	}
	return known.Lo >= n.known.Hi
}

// proveFromEdges narrows the interval of n, the node of e, to what its edges prove and
// reports whether it did.
func (s *sampler[P]) proveFromEdges(e *edge, n *node, p P) (changed bool) {
	if s.o.NoProof {
		return false
	}
	edges := s.edgesOf(n)
	now := s.provenInterval(&edges[0])
	switch n.turn {
	case oxo.First:
		for i := range edges {
			known := s.provenInterval(&edges[i])
			now.Lo, now.Hi = max(now.Lo, known.Lo), max(now.Hi, known.Hi)
		}
	case oxo.Second:
		for i := range edges {
			known := s.provenInterval(&edges[i])
			now.Lo, now.Hi = min(now.Lo, known.Lo), min(now.Hi, known.Hi)
		}
	default:
		now = oxo.Interval{}
		moves := s.movesOf(n)
		for i := range edges {
			odds, known := s.g.Odds(p, moves[i]), s.provenInterval(&edges[i])
			now.Lo += odds * known.Lo
			now.Hi += odds * known.Hi
		}
	}
	return e.narrow(n, now)
}

// narrow narrows what is known of n, the node of e, and reports whether that is new.
func (e *edge) narrow(n *node, to oxo.Interval) (changed bool) {
	to = oxo.Interval{Lo: max(to.Lo, n.known.Lo), Hi: min(to.Hi, n.known.Hi)}
	if to == n.known {
		return false
	}
	n.known = to
	e.node |= narrowed
	return true
}
