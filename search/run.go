package search

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"unsafe"

	"oxo"
)

// run is one search in progress: what the depth-first algorithms share, so
// that each of them is only its own idea. A recursive function calls enterNode
// first, then loops over the moves between pushMoves and popMoves, and reports the
// value to storeAndTraceValue.
type run[P oxo.Position[P]] struct {
	ctx context.Context
	g   *oxo.Game[P]
	a   Algorithm
	o   *Options[P]

	charge oxo.Charge // of the table and the trace

	worth  [4]float64   // of outcomes, where the game has no payoffs
	bounds oxo.Interval // where all leaves lie
	window oxo.Interval // what a node's value is known to lie in from the start
	decay  float64
	slack  float64 // values so far apart count as equal

	nodes, pollAt uint64
	halted        bool // a limit was met: values returned from here on mean nothing
	err           error

	depth   int  // of this iteration
	horizon bool // whether a position that is not over was judged at or below the node being searched

	longest int           // plies of any game
	moves   []oxo.Move    // the moves of all nodes from the root to here
	kids    []P           // with symmetry, the classes of their children tried so far
	chances []chanceChild // of all chance nodes from the root to here
	fast    bool          // whether the game's kernel searches what it can
	merge   bool          // whether children are replaced by their classes

	table *Table[P] // nil without memory
	level int       // the one ply that is remembered, or everyPly

	ordered bool // moves are not taken in natural order
	order   moveOrder
	worths  []float64 // of the moves being sorted by Worth
	pv      pvTable
	trace   *Tracer[P] // nil without trace
	watched bool       // there is a table or a trace, which storeAndTraceValue tells
	last    oxo.Move   // the last move played, for the trace

	value valueFunc[P] // the algorithm, for the root
	scout bool         // whether the root tests moves with a null window first
	hint  oxo.Move     // a move to try first at the node just visited

	first    oxo.Move   // the best root move of the last iteration
	want     int        // how many lines to keep
	lines    []Line     // the best root moves of this iteration so far
	excluded []oxo.Move // root moves to leave out
}

// valueFunc is the common shape of the recursive functions: it returns the
// worth of p to First, or, where that does not lie between alpha and beta, a
// bound that lies on the same side.
type valueFunc[P any] func(p P, depth int, alpha, beta float64) float64

const (
	toTheEnd  = 1 << 20 // a depth that no game reaches
	everyPly  = -1
	pollEvery = 1024
)

// rounding is more than sums of odds are rounded by, and less than the odds of
// moves make a difference.
const rounding = 1e-12

// newRun returns a search by an algorithm, with what options leave open filled in.
func newRun[P oxo.Position[P]](ctx context.Context, g *oxo.Game[P], a Algorithm, o *Options[P]) *run[P] {
	s := &run[P]{
		ctx: ctx, g: g.WithCancelableCanonical(ctx), a: a, o: o,
		bounds:  o.leafBounds(g),
		window:  o.FirstWindow(g, a),
		longest: cmp.Or(g.MaxPlies, math.MaxInt),
		decay:   1,
		level:   everyPly,
		ordered: o.Order != Natural,
		merge:   o.Symmetry == AllMoves && g.Canonical != nil,
		trace:   o.Trace,
		hint:    oxo.NoMove,
		want:    max(1, o.Lines),
	}
	for out := range s.worth {
		s.worth[out] = float64(oxo.Outcome(out).Value(oxo.First))
	}
	if o.Decay != 0 {
		s.decay = o.Decay
	}
	if g.Odds != nil {
		s.slack = rounding
	}
	if o.Memory != NoMemory {
		s.table = o.Table
		if s.table == nil {
			s.table = newTableFor(g, o)
		}
		if o.Memory == OneLevel {
			s.level = o.Level
		}
	}
	if s.trace == nil && o.Leaves {
		s.trace = &Tracer[P]{Max: 1}
	}
	if s.trace != nil {
		s.trace.beginSearch(g, s.bounds)
	}
	s.watched = s.table != nil || s.trace != nil
	s.value, s.scout = s.recursionOf(a)
	s.fast = s.gameKernelApplies()
	s.charge = oxo.NewCharge(ctx)
	s.chargeMemory()
	s.schedulePoll()
	return s
}

// chargeMemory counts what the table and the trace take now.
func (s *run[P]) chargeMemory() {
	bytes := int64(0)
	if s.table != nil {
		bytes += int64(len(s.table.buckets)) * int64(unsafe.Sizeof(s.table.buckets[0]))
	}
	if s.trace != nil {
		bytes += s.trace.bytes
	}
	s.charge.SetBytes(bytes)
}

// recursionOf returns the recursive function of a, in First's terms.
func (s *run[P]) recursionOf(a Algorithm) (value valueFunc[P], scout bool) {
	switch a {
	case Minimax, Expectiminimax:
		return func(p P, depth int, _, _ float64) float64 { return s.minimax(p, depth) }, false
	case Negamax:
		return func(p P, depth int, _, _ float64) float64 {
			turn := p.Turn()
			return turn.Sign() * s.negamax(p, turn, depth)
		}, false
	case PVS:
		return func(p P, depth int, alpha, beta float64) float64 {
			turn := p.Turn()
			alpha, beta = flipWindow(turn, alpha, beta)
			return turn.Sign() * s.pvs(p, turn, depth, alpha, beta)
		}, true
	}
	return s.alphabeta, false
}

// enterNode counts a node and answers it where nothing need be searched: the game
// is over, the depth is used up, or memory knows a value that settles the
// window. It also sets s.hint for pushMoves.
func (s *run[P]) enterNode(p P, depth int, alpha, beta float64) (v float64, done bool) {
	s.nodes++
	if s.nodes >= s.pollAt && s.limitReached() {
		return 0, true
	}
	if s.trace != nil {
		s.trace.enterNode(p, s.last, alpha, beta)
	}
	s.pv.clearLine(s.depth - depth)
	if out := p.Outcome(); out != oxo.Ongoing {
		return s.traceLeaf(s.terminalWorth(p, out)), true
	}
	if depth == 0 {
		s.horizon = true
		return s.traceLeaf(s.horizonEstimate(p)), true
	}
	if s.table != nil {
		return s.tableValue(p, depth, alpha, beta)
	}
	return 0, false
}

// traceLeaf reports a leaf's value to the trace and returns it.
func (s *run[P]) traceLeaf(v float64) float64 {
	if s.trace != nil {
		s.trace.endLeaf(v)
	}
	return v
}

// terminalWorth returns the worth of a position that is over.
func (s *run[P]) terminalWorth(p P, out oxo.Outcome) float64 {
	if s.g.Payoff == nil {
		return s.worth[out]
	}
	v := s.g.Payoff(p)
	if v < s.bounds.Lo || v > s.bounds.Hi {
		s.fail(fmt.Errorf("a leaf is worth %v, outside the bounds [%v, %v]", v, s.bounds.Lo, s.bounds.Hi))
	}
	return v
}

// horizonEstimate returns the estimate of a position at the depth limit.
func (s *run[P]) horizonEstimate(p P) float64 {
	if s.o.Eval == nil {
		return s.bounds.Clamp(0)
	}
	return s.o.Eval(p)
}

func (s *run[P]) fail(err error) {
	s.err, s.halted = err, true
}

// limitReached looks at the limits and reports whether the search is to end here.
func (s *run[P]) limitReached() bool {
	s.chargeMemory()
	if limit := s.o.MaxNodes; limit > 0 && s.nodes > limit {
		s.nodes--
		s.halted = true
	} else if s.ctx.Err() != nil {
		s.halted = true
	}
	s.schedulePoll()
	return s.halted
}

// schedulePoll says at which node limits are looked at next.
func (s *run[P]) schedulePoll() {
	s.pollAt = s.nodes + pollEvery
	if limit := s.o.MaxNodes; limit > 0 {
		s.pollAt = min(s.pollAt, limit+1)
	}
}

// frame is where a node's moves and its children's classes lie on the stacks,
// and what s.horizon was before it.
type frame struct {
	first, last, kids int
	horizon           bool
}

// pushMoves puts p's moves on the stack, in the order in which to try them. It panics with the fault of a game that
// has none here, or goes on for too long.
func (s *run[P]) pushMoves(p P, turn oxo.Seat, depth int) frame {
	first := len(s.moves)
	s.moves = p.Moves(s.moves)
	f := frame{first, len(s.moves), len(s.kids), s.horizon}
	if plies := s.depth - depth; f.last == first || plies >= s.longest {
		panic(s.g.OngoingFault(p, f.last-first, plies))
	}
	s.horizon = false
	if s.ordered && turn != oxo.Chance {
		s.sortMoves(s.moves[first:], p, turn, depth)
	}
	return f
}

// sortMoves puts the moves of a seat's node p in the order in which to try them.
func (s *run[P]) sortMoves(moves []oxo.Move, p P, turn oxo.Seat, depth int) {
	if s.o.Order >= Perfect {
		s.sortByWorth(moves, p, turn)
		return
	}
	hint := oxo.NoMove
	if s.o.Order == Best {
		hint = s.hint
	}
	s.order.sortMoves(moves, s.depth-depth, turn, hint)
}

// popMoves takes a node's moves off the stack.
func (s *run[P]) popMoves(f frame) {
	s.horizon = s.horizon || f.horizon
	s.moves = s.moves[:f.first]
	s.kids = s.kids[:f.kids]
}

// childAfter returns the position after m, with full symmetry its class
// representative, and whether a sibling tried before was of the same class.
func (s *run[P]) childAfter(f frame, p P, m oxo.Move) (q P, duplicate bool) {
	s.last = m
	q = p.Play(m)
	if s.merge {
		return s.classRepresentative(f, q)
	}
	return q, false
}

// classRepresentative returns the representative of q's class and whether a sibling tried
// before was of the same class.
func (s *run[P]) classRepresentative(f frame, q P) (representative P, duplicate bool) {
	q, _ = s.g.Canonical(q)
	for i := f.kids; i < len(s.kids); i++ {
		if s.kids[i] == q {
			return q, true
		}
	}
	s.kids = append(s.kids, q)
	return q, false
}

// setBestMove notes that m is the best move so far at the node with depth plies
// left.
func (s *run[P]) setBestMove(depth int, m oxo.Move) { s.pv.prependMove(s.depth-depth, m) }

// isBetter reports whether v is better for who moves than best, by more than values
// are rounded by.
func (s *run[P]) isBetter(v, best float64, maximize bool) bool {
	if maximize {
		return v-best > s.slack
	}
	return best-v > s.slack
}

// recordCutoff notes that the moves after an index are left out because the node's
// value no longer matters, thanks to the move there.
func (s *run[P]) recordCutoff(turn oxo.Seat, f frame, cutIndex, depth int) {
	if s.ordered {
		s.order.creditCutoff(s.moves[cutIndex], s.depth-depth, depth, turn)
	}
	s.traceSkippedMoves(cutIndex+1, f.last)
}

// traceSkippedMoves tells the trace that the moves from one index to before another are left
// out.
func (s *run[P]) traceSkippedMoves(from, end int) {
	if s.trace != nil {
		s.trace.addCutMoves(s.moves[from:end])
	}
}

// storeAndTraceValue tells trace and memory that a node was searched with window (alpha,
// beta) and found to be worth v, move m being best. It comes before popMoves.
func (s *run[P]) storeAndTraceValue(p P, depth int, alpha, beta, v float64, m oxo.Move) {
	if s.trace != nil {
		s.trace.leave(v)
	}
	if s.table != nil && s.remembersPly(depth) {
		known := oxo.Exactly(v)
		if v <= alpha {
			known.Lo = s.bounds.Lo
		} else if v >= beta {
			known.Hi = s.bounds.Hi
		}
		s.table.store(p, known, int32(depth), !s.horizon, m)
	}
}

// remembersPly reports whether memory holds the ply with depth plies left.
func (s *run[P]) remembersPly(depth int) bool {
	return s.level == everyPly || s.level == s.depth-depth
}

// tableValue answers a node from memory if what is remembered is final, or holds
// for the same depth limit, and settles the window.
func (s *run[P]) tableValue(p P, depth int, alpha, beta float64) (v float64, found bool) {
	s.hint = oxo.NoMove
	if !s.remembersPly(depth) {
		return 0, false
	}
	e := s.table.find(p)
	if e == nil {
		return 0, false
	}
	s.hint = e.move
	known, final := oxo.Interval{Lo: e.lo, Hi: e.hi}, e.final || s.atBound(e)
	if !final && int(e.depth) != depth {
		return 0, false
	}
	v = known.Lo
	switch {
	case known.Proven() || known.Lo >= beta:
	case known.Hi <= alpha:
		v = known.Hi
	default:
		return 0, false
	}
	s.horizon = s.horizon || !final
	if s.trace != nil {
		s.trace.endNode(v, Remembered)
	}
	return v, true
}

// atBound reports whether what an entry knows is that the value is a bound of
// the payoffs, which holds however deep one looks.
func (s *run[P]) atBound(e *entry[P]) bool {
	return s.decay == 1 && (e.lo >= s.bounds.Hi || e.hi <= s.bounds.Lo)
}

// flipWindow returns a window in the other terms: from First's to turn's or back.
func flipWindow(turn oxo.Seat, alpha, beta float64) (flippedAlpha, flippedBeta float64) {
	if turn == oxo.First {
		return alpha, beta
	}
	return -beta, -alpha
}
