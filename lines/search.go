package lines

import (
	"context"
	"math"
	"slices"

	"oxo/threats"
)

// Values of positions are seen by the side to move. A win in n plies is worth
// won−n; estimates lie within ±highest.
const (
	// An entry of the table keeps a value in 16 bits, so that won must stay below 32,768.
	won     = 30000
	wonBy   = won - 1000 // values from here on are wins
	highest = 20000
	maxPly  = 200
)

// lineValue is what a line of each rest is worth to its side.
var lineValue = [dead + 1]int32{0, 120, 36, 11, 4, 1, 1, 0}

// searcher is a search in progress and what it remembers from move to move.
// One goroutine at a time may use it. The table, the history and what searches for threats remember outlive a search.
type searcher struct {
	p     *state
	table *table // nil for none
	effort
	short bool // all lines are
	prune bool // quiet positions are cut by estimates, and late moves searched less deep by logarithms

	ctx    context.Context
	nodes  uint64 // calls of search
	before uint64 // positions visited for threats before the search under way
	limit  uint64 // on all nodes, 0 for none
	pollAt uint64
	halted bool
	passed bool // the move before was none
	alike  bool // moves are compared with one another: of depths in the table only those an even number apart count

	moves   []move // of all nodes from the root to here
	killers [maxPly + 2][2]uint16
	history [2][]int32
}

// move is a square and how early to try it.
type move struct {
	square uint16
	score  int32
}

// Tuning switches parts of the search off, to measure what each is worth. The
// zero value is the whole search.
type Tuning struct {
	NoTable   bool // no transposition table
	NoOrder   bool // squares in natural order, killers and history unused
	NoFours   bool // no search for threats at all
	NoSlow    bool // no search for slow threats at the root; there is none on cubes and boards of more than 100 squares
	NoZone    bool // all moves are tried against a threat, not only those that meet it
	NoExtend  bool // threats do not deepen the search
	NoReduce  bool // late moves are searched as deep as early ones, and nothing is cut by an estimate
	WholeList bool // all squares are tried, not only the most promising
}

// effort says how far a search goes in each of its parts.
type effort struct {
	order int32 // mask of the scores of moves; 0 for the natural order

	// How many positions a search for continuous threats may look at where no plies
	// are left, at other nodes and at the root, and one for slow threats at the
	// root, which is 0 on cubes and boards of more than slowSquares; 0 for no such search.
	leafFours, nodeFours, rootFours, rootSlow uint64

	zone   bool // only moves that meet a threat are tried against it
	extend int  // plies by which a threat deepens the search

	// How many moves are tried at the root and, where no plies are left, at other
	// nodes where there is no threat to meet, and how many of these are searched to
	// the full depth.
	rootWidth, width, early int
}

// effort returns the effort of a search on a board.
// A width of g.n moves is no bound, as a position has no more.
func (t Tuning) effort(g *geometry) effort {
	e := effort{
		order: -1, leafFours: leafFours, nodeFours: nodeFours, rootFours: rootFours, rootSlow: rootSlow,
		zone: !t.NoZone, extend: 1, rootWidth: rootWidth, width: leafWidth, early: early,
	}
	if t.NoOrder {
		e.order = 0
	}
	if t.NoFours {
		e.leafFours, e.nodeFours, e.rootFours = 0, 0, 0
	}
	if t.NoFours || t.NoSlow || g.n > slowSquares || g.cube {
		e.rootSlow = 0
	}
	if t.NoExtend {
		e.extend = 0
	}
	if t.NoReduce {
		e.early = g.n
	}
	if t.WholeList {
		e.rootWidth, e.width = g.n, g.n
	}
	return e
}

// newSearcher returns a search of a board, with so many bytes for its table.
// The table takes its memory at once. The error is of a board that the lines or the threats can't be laid out of.
func newSearcher(b threats.Board, tableBytes int, t Tuning) (*searcher, error) {
	p, err := newState(b)
	if err != nil {
		return nil, err
	}
	x := &searcher{p: p, effort: t.effort(p.geometry)}
	if !t.NoTable {
		x.table = newTable(tableBytes)
	}
	x.short = slices.Max(p.length) <= shortLines
	x.prune = p.net != nil && !t.NoReduce
	for side := range x.history {
		x.history[side] = make([]int32, p.n)
	}
	return x, nil
}

// positionsVisited returns the number of positions visited in the search under way, with those of searches for
// threats.
func (x *searcher) positionsVisited() uint64 { return x.nodes + x.p.Nodes() - x.before }

// pollEvery is how many positions lie between looks at the limits.
// A search for threats counts its positions too, so that a look may come later than this by one such search.
const pollEvery = 128

// countNode counts a call of search, and looks at the limits now and then; a search that is halted counts no more.
func (x *searcher) countNode() {
	if x.halted {
		return
	}
	x.nodes++
	if x.positionsVisited() >= x.pollAt {
		x.checkLimits()
	}
}

// checkLimits looks at the limits, sets halted where one is met, and says when to look again.
func (x *searcher) checkLimits() {
	n := x.positionsVisited()
	if x.limit > 0 && n >= x.limit || x.ctx.Err() != nil {
		x.halted = true
	}
	x.pollAt = x.positionsVisited() + pollEvery
	if x.limit > 0 {
		x.pollAt = min(x.pollAt, x.limit)
	}
}

// staticEstimate is what a quiet position is worth to side, to move: the worth of its lines, with a part more as it
// moves next, less the worth of the enemy's; where squares have kinds, what their net says.
// Both are cut to ±highest, so that no estimate can be taken for a win.
func (x *searcher) staticEstimate(side int) int {
	p := x.p
	if p.net != nil {
		p.updateKinds()
		return max(-highest, min(p.net.estimate(&p.seen, side), highest))
	}
	v := int(p.worth[side])*tempo/8 - int(p.worth[side^1])
	return max(-highest, min(v, highest))
}

// tempo is the weight of the lines of the side to move, in eighths.
// At 10 the side to move has its own lines count a quarter more.
const tempo = 10

// How many positions a search for continuous threats may look at.
const (
	leafFours = 60
	nodeFours = 400
	rootFours = 50_000
	rootSlow  = 50_000 // for slow threats, and as many for those of the enemy
	slowShare = 10     // of the limit on all positions, the part that each of these may take
)

// How many moves are tried: see effort.
const (
	rootWidth = 60
	leafWidth = 10 // and three more for each ply left
	early     = 4
)

// shortLines is the length of lines up to which continuous threats are not looked
// for where no plies are left, unless the enemy's have to be met at the root: there are
// some nearly everywhere, and a ply more is worth more.
// At the root rootMoves sets leafFours by it, anew for each search.
const shortLines = 4

// slowSquares is the largest board on which slow threats are looked for: they cost
// no games there (docs/mnk.md). On cubes, where search is deep with a net, they cost more than they tell.
const slowSquares = 100

// search returns the value of the position to side, to move, looking depth plies ahead and further along threats,
// if it lies between alpha and beta; else it fails soft. No side owns a line. ply is how many moves led here from
// the root. What it returns once the search is halted means nothing.
// It is alpha-beta (negamax) with a transposition table, in which late moves are searched less deep at first.
func (x *searcher) search(side, depth, ply, alpha, beta int) int {
	x.countNode()
	if x.halted {
		return 0
	}
	p := x.p
	if v, over := x.terminalValue(side, ply); over {
		return v
	}
	if beta > won-ply-3 { // no better than completing a line next time
		if beta = won - ply - 3; alpha >= beta {
			return beta
		}
	}
	must, more := p.Completion(side ^ 1)
	if more {
		return -(won - ply - 2)
	}

	key := p.Hash(side)
	hint, v, known := x.probeTable(key, depth, ply, alpha, beta)
	if known {
		return v
	}
	if v, enough := x.horizonEstimate(side, depth, beta, must); enough {
		return v
	}
	wins, threatened := x.findThreats(side, depth, must)
	if wins {
		return x.storeWinByThreats(key, ply)
	}
	if v, ends := x.leafOrPrunedValue(side, depth, ply, alpha, beta, must, threatened); ends {
		return v
	}

	first := len(x.moves)
	last, deeper, late := x.appendCandidates(side, depth, ply, must, threatened, hint)
	best, bestMove, a := -won+ply, uint16(noSquare), alpha
	for i := first; i < last && !x.halted; i++ {
		bringBestForward(x.moves, i)
		s := int(x.moves[i].square)
		p.play(side, s)
		v := x.childValue(side, i-first, late, deeper, ply, a, beta)
		p.undo(side, s)
		if x.halted || v <= best {
			continue
		}
		best, bestMove = v, uint16(s)
		if a = max(a, v); a >= beta {
			x.creditCutoff(side, s, ply, depth)
			break
		}
	}
	x.moves = x.moves[:first]
	if x.halted {
		return 0
	}
	x.storeInTable(key, bestMove, best, depth, ply, alpha, beta)
	return best
}

// horizonEstimate returns the estimate of a position where no plies are left, if it is enough for beta: that side, to
// move, wins by threats would only be more.
func (x *searcher) horizonEstimate(side, depth, beta, forcedSquare int) (v int, enough bool) {
	if !x.prune || depth > 0 || forcedSquare >= 0 {
		return 0, false
	}
	v = x.staticEstimate(side)
	return v, v >= beta
}

// storeWinByThreats returns the value of the win by threats just found, and stores it.
// The line has the winner's threats alone; each is answered, and the completion is one ply more.
func (x *searcher) storeWinByThreats(key uint64, ply int) int {
	line := x.p.Line()
	v := won - ply - 2*len(line) - 1
	x.table.store(key, uint16(line[0]), rootValueToTable(v, ply), provenDepth, atLeast)
	return v
}

// Margins of estimates in quiet positions, for each ply left, and the plies left up to which they are trusted.
const (
	aboveMargin, abovePlies = 60, 3
	belowMargin, belowPlies = 80, 2
)

// leafOrPrunedValue returns the value of a position from which no move is tried: as no plies are left and there is
// nothing to meet, or as its estimate is enough.
func (x *searcher) leafOrPrunedValue(
	side, depth, ply, alpha, beta, forcedSquare int, threatened bool,
) (v int, ends bool) {
	if forcedSquare < 0 && depth <= 0 && !threatened {
		return x.staticEstimate(side), true
	}
	if x.prune && forcedSquare < 0 && !threatened {
		v, ends = x.pruneByMarginOrNullMove(side, depth, ply, alpha, beta)
	}
	x.passed = false
	return v, ends || x.halted
}

// pruneByMarginOrNullMove returns a value outside the window for a position in which neither side wins by fours, where
// its estimate lies far outside, or where side, to move, would be good enough even if it passed. It never says that a
// side wins.
// The passing move is searched three plies and a quarter of the depth less deep, and never twice in succession.
func (x *searcher) pruneByMarginOrNullMove(side, depth, ply, alpha, beta int) (v int, cut bool) {
	if ply == 0 || alpha <= -wonBy || beta >= wonBy {
		return 0, false
	}
	e := x.staticEstimate(side)
	if depth <= abovePlies && e-aboveMargin*depth >= beta || depth <= belowPlies && e+belowMargin*depth <= alpha {
		return e, true
	}
	if depth < 2 || e < beta || x.passed {
		return 0, false
	}
	x.passed = true
	v = -x.search(side^1, depth-3-depth/4, ply+1, -beta, -beta+1)
	x.passed = false
	return v, v >= beta && v < wonBy
}

// terminalValue returns the value to side, to move, of a position of which the board tells it: one in which side
// completes a line, no square is free, or nobody can own a line any more. One too far from the root counts as a
// draw.
func (x *searcher) terminalValue(side, ply int) (v int, over bool) {
	p := x.p
	if p.count[side][1] > 0 {
		return won - ply - 1, true
	}
	return 0, !p.anyLineOpen() || p.empty == 0 || ply >= maxPly
}

// appendCandidates appends the moves worth trying, the forced one or those that meet a threat
// where there is one, and returns the index after the last to try, the most promising
// first, how deep to search them, and how many of them are never searched less deep.
func (x *searcher) appendCandidates(
	side, depth, ply, forcedSquare int, threatened bool, tableMove uint16,
) (end, childDepth, fullDepthMoves int) {
	childDepth, fullDepthMoves = depth-1, x.p.n
	if forcedSquare >= 0 {
		x.moves = append(x.moves, move{square: uint16(forcedSquare)})
		return len(x.moves), childDepth + x.extend, fullDepthMoves
	}
	if x.prune {
		fullDepthMoves = 1
	}
	first := len(x.moves)
	if threatened && x.zone {
		zone := x.p.Zone()
		x.appendScoredMoves(side, ply, tableMove, &zone)
	} else {
		x.appendScoredMoves(side, ply, tableMove, nil)
	}
	if threatened {
		if depth <= 0 {
			childDepth += x.extend
		}
		return len(x.moves), childDepth, fullDepthMoves
	}
	if !x.prune && depth >= 3 {
		fullDepthMoves = x.early
	}
	return min(len(x.moves), first+x.width+3*max(depth, 0)), childDepth, fullDepthMoves
}

// childValue returns the value to side of the position after its move number nth, as far
// as it lies between a and beta. All but the first move are searched for whether
// they are better than a at all, and from late on less deep at first.
// These are the windows of principal variation search: [a, a+1] first, and the whole one only for what lies within.
func (x *searcher) childValue(side, moveNumber, fullDepthMoves, childDepth, ply, a, beta int) int {
	if moveNumber == 0 {
		return -x.search(side^1, childDepth, ply+1, -beta, -a)
	}
	// Late moves are rarely the best, so they are searched less deep at first, and as deep as others only if they
	// look better; a move that threatens to complete a line is not late.
	reduced := childDepth
	if moveNumber >= fullDepthMoves && x.p.count[side][1] == 0 {
		if x.prune {
			reduced -= reduction(childDepth, moveNumber)
		} else if reduced--; moveNumber >= 3*fullDepthMoves {
			reduced--
		}
	}
	v := -x.search(side^1, reduced, ply+1, -a-1, -a)
	if v > a && reduced < childDepth {
		v = -x.search(side^1, childDepth, ply+1, -a-1, -a)
	}
	if v > a && v < beta {
		v = -x.search(side^1, childDepth, ply+1, -beta, -a)
	}
	return v
}

// reduction is by how many plies move number nth, of so many plies, is searched less deep where squares have kinds.
func reduction(plies, nth int) int { return reductions[min(plies, 63)][min(nth, 63)] }

// reductions are ½ + ln(plies+1)·ln(nth+1)/1.4, rounded down; both counts are cut at 63.
var reductions = func() (list [64][64]int) {
	for plies := range list {
		for nth := range list[plies] {
			list[plies][nth] = int(0.5 + math.Log(float64(plies+1))*math.Log(float64(nth+1))/1.4)
		}
	}
	return list
}()

// findThreats reports whether side, to move, wins by continuous threats, and if not,
// whether the enemy would if it were his turn and that is to be met: then x.p.Zone
// says where it can be. Where squares have kinds that is not asked where no plies are left.
// forcedSquare is the square that side must play on, or -1.
// A threat to be met is not asked about where a completing square must be taken anyway.
func (x *searcher) findThreats(side, depth, forcedSquare int) (wins, threatened bool) {
	budget := x.nodeFours
	if depth <= 0 {
		budget = x.leafFours
	}
	if budget == 0 {
		return false, false
	}
	if x.p.WinsByThreats(x.ctx, side, budget, threats.Likely) {
		return true, false
	}
	if x.p.net != nil && depth <= 0 {
		return false, false
	}
	threatened = forcedSquare < 0 && x.p.WinsByThreats(x.ctx, side^1, budget, threats.Likely)
	return false, threatened && (depth > 0 || x.extend > 0)
}

// provenDepth is the depth of what no deeper search would tell otherwise.
const provenDepth = 127

// probeTable answers a position from the table where what is remembered settles
// the window; else it returns the move to try first, or noSquare.
func (x *searcher) probeTable(key uint64, depth, ply, alpha, beta int) (tableMove uint16, v int, known bool) {
	e := x.table.find(key)
	if e == nil {
		return noSquare, 0, false
	}
	v = rootValueToTable(int(e.value), -ply)
	switch {
	// An entry of too little depth is no answer; nor, where moves are compared, is one that is an odd number of
	// plies deeper, as odd and even depths judge differently.
	case int(e.depth) < depth, x.alike && e.depth != provenDepth && (int(e.depth)-depth)%2 != 0:
	case e.bound&boundMask == exactly,
		e.bound&boundMask == atLeast && v >= beta, e.bound&boundMask == atMost && v <= alpha:
		return e.move, v, true
	}
	return e.move, 0, false
}

// storeInTable stores what a search between alpha and beta has found.
// A value at or below alpha says nothing of which move is best, so that no move is stored with it.
func (x *searcher) storeInTable(key uint64, bestMove uint16, value, depth, ply, alpha, beta int) {
	bound := uint8(exactly)
	switch {
	case value <= alpha:
		bound, bestMove = atMost, noSquare
	case value >= beta:
		bound = atLeast
	}
	x.table.store(key, bestMove, rootValueToTable(value, ply), depth, bound)
}

// rootValueToTable tells wins by their distance from the position, not from the root; with −ply it turns that back.
func rootValueToTable(v, ply int) int {
	switch {
	case v >= wonBy:
		return v + ply
	case v <= -wonBy:
		return v - ply
	}
	return v
}
