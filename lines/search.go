package lines

import (
	"context"
	"slices"

	"oxo/threats"
)

// Values of positions are seen by the side to move. A win in n plies is worth
// won−n; estimates lie within ±highest.
const (
	won     = 30000
	wonBy   = won - 1000 // values from here on are wins
	highest = 20000
	maxPly  = 200
)

// lineValue is what a line of each rest is worth to its side.
var lineValue = [dead + 1]int32{0, 120, 36, 11, 4, 1, 1, 0}

// searcher is a search in progress and what it remembers from move to move.
type searcher struct {
	p     *state
	table *table
	Tuning
	short bool // all lines are
	blind bool // no threats are looked for where no plies are left; see shortLines

	ctx    context.Context
	nodes  uint64 // calls of search
	before uint64 // positions visited for threats before the search under way
	limit  uint64 // on all nodes, 0 for none
	pollAt uint64
	halted bool

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
	NoFours   bool // no search for continuous threats at all
	NoSlow    bool // no search for slow threats at the root; there is none on boards of more than 100 squares
	NoZone    bool // all moves are tried against a threat, not only those that meet it
	NoExtend  bool // threats do not deepen the search
	NoReduce  bool // late moves are searched as deep as early ones
	WholeList bool // all squares are tried, not only the most promising
}

func newSearcher(b threats.Board, tableBytes int, t Tuning) (*searcher, error) {
	p, err := newState(b)
	if err != nil {
		return nil, err
	}
	x := &searcher{p: p, table: newTable(tableBytes), Tuning: t}
	x.NoSlow = x.NoSlow || p.n > slowSquares
	x.short = slices.Max(p.length) <= shortLines
	for side := range x.history {
		x.history[side] = make([]int32, p.n)
	}
	return x, nil
}

// all returns the number of positions visited.
func (x *searcher) all() uint64 { return x.nodes + x.p.Nodes() - x.before }

const pollEvery = 128

// poll looks at the limits.
func (x *searcher) poll() {
	n := x.all()
	if x.limit > 0 && n >= x.limit || x.ctx.Err() != nil {
		x.halted = true
	}
	x.pollAt = x.all() + pollEvery
	if x.limit > 0 {
		x.pollAt = min(x.pollAt, x.limit)
	}
}

// estimate is what a quiet position is worth to side, to move.
func (x *searcher) estimate(side int) int {
	p := x.p
	v := int(p.worth[side])*tempo/8 - int(p.worth[side^1])
	return max(-highest, min(v, highest))
}

// tempo is the weight of the lines of the side to move, in eighths.
const tempo = 10

// How many positions a search for continuous threats may look at.
const (
	leafFours = 60
	nodeFours = 400
	rootFours = 50_000
	rootSlow  = 50_000 // for slow threats, and as many for those of the enemy
	slowShare = 10     // of the limit on all positions, the part that each of these may take
)

// shortLines is the length of lines up to which continuous threats are not looked
// for where no plies are left, unless the enemy's have to be met at the root: there are
// some nearly everywhere, and a ply more is worth more.
const shortLines = 4

// slowSquares is the largest board on which slow threats are looked for: they cost
// no games there, and won some of Qubic once (docs/mnk.md).
const slowSquares = 100

// search returns the value of the position to side, to move, looking depth
// plies ahead and further along threats, if it lies between alpha and beta;
// else it fails soft. No side owns a line.
func (x *searcher) search(side, depth, ply, alpha, beta int) int {
	x.nodes++
	if x.all() >= x.pollAt {
		x.poll()
	}
	if x.halted {
		return 0
	}
	p := x.p
	if p.count[side][1] > 0 {
		return won - ply - 1
	}
	if !p.alive() || p.empty == 0 || ply >= maxPly {
		return 0
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
	hint, v, known := x.recall(key, depth, ply, alpha, beta)
	if known {
		return v
	}
	wins, threatened := x.threats(side, depth, must)
	if wins {
		line := p.Line()
		v := won - ply - 2*len(line) - 1
		x.remember(key, uint16(line[0]), toTable(v, ply), 127, atLeast)
		return v
	}
	if must < 0 && depth <= 0 && (!threatened || x.NoExtend) {
		return x.estimate(side)
	}

	first := len(x.moves)
	switch {
	case must >= 0:
		x.moves = append(x.moves, move{square: uint16(must)})
	case threatened && !x.NoZone:
		zone := p.Zone()
		x.list(side, ply, hint, &zone)
	default:
		x.list(side, ply, hint, nil)
	}
	last := len(x.moves)
	if !threatened && !x.WholeList {
		last = min(last, first+width(depth))
	}
	deeper := depth - 1
	if !x.NoExtend && (must >= 0 || threatened && depth <= 0) {
		deeper = depth
	}

	best, bestMove, a := -won+ply, uint16(noSquare), alpha
	for i := first; i < last; i++ {
		pick(x.moves, i)
		s := int(x.moves[i].square)
		p.play(side, s)
		var v int
		if i == first {
			v = -x.search(side^1, deeper, ply+1, -beta, -a)
		} else {
			reduced := deeper
			if !x.NoReduce && !threatened && depth >= 3 && i >= first+early && p.count[side][1] == 0 {
				reduced--
				if i >= first+3*early {
					reduced--
				}
			}
			v = -x.search(side^1, reduced, ply+1, -a-1, -a)
			if v > a && reduced < deeper {
				v = -x.search(side^1, deeper, ply+1, -a-1, -a)
			}
			if v > a && v < beta {
				v = -x.search(side^1, deeper, ply+1, -beta, -a)
			}
		}
		p.undo(side, s)
		if x.halted {
			break
		}
		if v > best {
			best, bestMove = v, uint16(s)
			if a = max(a, v); a >= beta {
				x.credit(side, s, ply, depth)
				break
			}
		}
	}
	x.moves = x.moves[:first]
	if x.halted {
		return 0
	}
	bound := uint8(exactly)
	if best <= alpha {
		bound, bestMove = atMost, noSquare
	} else if best >= beta {
		bound = atLeast
	}
	x.remember(key, bestMove, toTable(best, ply), depth, bound)
	return best
}

// width is how many moves are tried with depth plies left where there is no
// threat to meet, and early how many of them are searched to the full depth.
func width(depth int) int { return 10 + 3*max(depth, 0) }

const early = 4

// threats reports whether side, to move, wins by continuous threats, and if not,
// whether the enemy would if it were his turn: then x.p.Zone says where that
// can be met. must is the square that side must play on, or -1.
func (x *searcher) threats(side, depth, must int) (wins, threatened bool) {
	if x.NoFours {
		return false, false
	}
	budget := uint64(nodeFours)
	if depth <= 0 {
		if x.blind {
			return false, false
		}
		budget = leafFours
	}
	if x.p.Win(x.ctx, side, budget, threats.Likely) {
		return true, false
	}
	return false, must < 0 && x.p.Win(x.ctx, side^1, budget, threats.Likely)
}

// recall answers a position from the table where what is remembered settles
// the window; else it returns the move to try first, or noSquare.
func (x *searcher) recall(key uint64, depth, ply, alpha, beta int) (hint uint16, v int, known bool) {
	if x.NoTable {
		return noSquare, 0, false
	}
	e := x.table.find(key)
	if e == nil {
		return noSquare, 0, false
	}
	v = fromTable(int(e.value), ply)
	switch {
	case int(e.depth) < depth:
	case e.bound&boundMask == exactly, e.bound&boundMask == atLeast && v >= beta, e.bound&boundMask == atMost && v <= alpha:
		return e.move, v, true
	}
	return e.move, 0, false
}

func (x *searcher) remember(key uint64, s uint16, value, depth int, bound uint8) {
	if !x.NoTable {
		x.table.store(key, s, value, depth, bound)
	}
}

// toTable tells wins by their distance from the position, not from the root.
func toTable(v, ply int) int {
	switch {
	case v >= wonBy:
		return v + ply
	case v <= -wonBy:
		return v - ply
	}
	return v
}

func fromTable(v, ply int) int {
	switch {
	case v >= wonBy:
		return v - ply
	case v <= -wonBy:
		return v + ply
	}
	return v
}
