package lines

import (
	"context"
	"math/rand/v2"

	"oxo"
	"oxo/threats"
)

// found is what a search says about a position. Values are those of search, to the side to move.
type found struct {
	square  int
	value   int
	before  int  // the value of the iteration before, where there was one; else value
	depth   int  // of the last complete iteration
	exact   bool // value is the truth: a win by continuous threats
	only    bool // there was nothing to choose
	finally bool // no deeper search would say otherwise
}

// findMove searches for a move of side in x.p, which no side has won and which has
// an empty square. It ends with ctx and with the limits of o, and tells report of each
// iteration.
// Depths are searched one after another from 1, so that the limits can end it at any time with a move at hand.
func (x *searcher) findMove(ctx context.Context, side int, o PlayerOptions, r *rand.Rand, report func(found)) found {
	x.beginSearch(ctx, o.Nodes)
	list, sure := x.rootMoves(side, r)
	if sure.finally {
		return sure
	}
	x.halted = false // a move is chosen however little time there is
	best := found{square: int(list[0].square), only: len(list) == 1}
	for d := 1; o.Depth == 0 || d <= o.Depth; d++ {
		f := x.searchRootToDepth(side, d, list)
		if f.square < 0 {
			break
		}
		// The value of the iteration before is kept for estimates; the first has none before it and counts twice.
		if best.before = best.value; d == 1 {
			best.before = f.value
		}
		best.square, best.value = f.square, f.value
		if x.halted {
			break
		}
		best.depth = d
		if report != nil {
			report(best)
		}
		// A won or lost game gets no other value, a lone move need not be judged, and no line goes on beyond a full
		// board.
		if f.value >= wonBy || f.value <= -wonBy || best.only && !o.JudgeForced || d >= x.p.empty {
			break
		}
	}
	return best
}

// meanOfLastTwoIterations is the mean of the last two iterations: whoever is to move where a search ends looks better
// there, so that odd and even depths differ. A value that is won or lost stays so.
// It halves toward 0.
func (f found) meanOfLastTwoIterations() int {
	if f.value >= wonBy || f.value <= -wonBy || f.before >= wonBy || f.before <= -wonBy {
		return f.value
	}
	return (f.value + f.before) / 2
}

// beginSearch begins a search of so many positions, 0 for no limit. Killers are forgotten; the table and the history
// stay, as they tell of the next move too.
func (x *searcher) beginSearch(ctx context.Context, maxNodes uint64) {
	x.ctx, x.halted, x.limit = oxo.WithPunctualDeadline(ctx), false, maxNodes
	x.nodes, x.before = 0, x.p.Nodes()
	x.table.startNewAge()
	x.moves = x.moves[:0]
	for i := range x.killers {
		x.killers[i] = [2]uint16{noSquare, noSquare}
	}
	x.checkLimits()
}

// rateMoves values all the moves that findMove chooses from, and all that there are on an empty board, to the deepest
// two depths that the limits leave. It returns none where the move to make is clear at once, and where the limits end
// it too soon.
// Every move has the full window, which costs more than finding the best does, so that its value is its own.
func (x *searcher) rateMoves(ctx context.Context, side int, maxNodes uint64) (list []found) {
	x.beginSearch(ctx, maxNodes)
	x.alike = true
	defer func() { x.alike = false }()
	moves, sure := x.rootMoves(side, nil)
	if sure.finally {
		return nil
	}
	// On an empty board findMove takes a central square without looking at others, and here all are to be compared.
	if x.p.empty == x.p.n {
		moves = moves[:0]
		for s := range x.p.n {
			moves = append(moves, move{square: uint16(s)})
		}
	}
	var before []found
	for d := 1; d <= x.p.empty; d++ {
		rated := make([]found, 0, len(moves))
		for i, m := range moves {
			s := int(m.square)
			x.p.play(side, s)
			v := -x.search(side^1, d-1, 1, -won, won)
			x.p.undo(side, s)
			if x.halted {
				return list
			}
			f := found{square: s, value: v, before: v, depth: d}
			if d > 1 {
				f.before = before[i].value
			}
			rated = append(rated, f)
		}
		if before = rated; d > 1 {
			list = rated
		}
	}
	return list
}

// rootMoves returns the moves to choose from, the most promising first, or the move to make where that is clear at
// once, when finally is set. It looks for wins by threats with far more effort than the nodes below; r, if not nil,
// draws among moves that seem alike.
// Questions come in the order of what their answers cost: completions, continuous threats, then slow threats.
func (x *searcher) rootMoves(side int, r *rand.Rand) (moves []move, decided found) {
	p := x.p
	if s, _ := p.Completion(side); s >= 0 {
		return nil, found{square: s, value: won - 1, depth: 1, exact: true, finally: true}
	}
	// Of two squares on which the enemy completes a line only one can be taken.
	must, more := p.Completion(side ^ 1)
	if more {
		return nil, found{square: must, value: -(won - 2), depth: 2, exact: true, finally: true}
	}
	fours := x.rootFours > 0
	wins := fours && p.WinsByThreats(x.ctx, side, x.rootFours, threats.Every)
	threatened := fours && !wins && must < 0 && p.empty < p.n &&
		p.WinsByThreats(x.ctx, side^1, x.rootFours, threats.Every)
	zone := p.Zone()
	x.leafFours = min(leafFours, x.rootFours)
	if x.short && !threatened {
		x.leafFours = 0 // see shortLines
	}
	if wins {
		n := len(p.Line())
		return nil, found{square: p.Line()[0], value: won - 2*n - 1, depth: 2*n + 1, exact: true, finally: true}
	}
	if must >= 0 {
		return []move{{square: uint16(must)}}, found{}
	}
	if p.empty == p.n {
		return x.mostCentralMove(r), found{}
	}
	if x.rootSlow > 0 {
		if s := p.SlowWinningMove(x.ctx, side, x.slowThreatNodeLimit(), threats.Likely); s >= 0 {
			return nil, found{square: s, value: wonBy, exact: true, finally: true}
		}
	}
	x.moves = x.moves[:0]
	meet := threatened && x.zone
	if meet {
		x.appendScoredMoves(side, 0, noSquare, &zone)
	} else {
		x.appendScoredMoves(side, 0, noSquare, nil)
	}
	list := append([]move(nil), x.moves...)
	x.moves = x.moves[:0]
	if r != nil {
		r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	}
	for i := range list {
		bringBestForward(list, i)
	}
	// Moves that meet a threat are all tried, however little they promise, as any of them may be the only one.
	if !meet {
		list = list[:min(len(list), x.rootWidth)]
	}
	if x.rootSlow > 0 {
		list = x.dropMovesLosingToThreats(side, list)
	}
	return list, found{}
}

// slowThreatNodeLimit returns how many positions a search for slow threats may look at.
func (x *searcher) slowThreatNodeLimit() uint64 {
	if x.limit > 0 {
		return min(x.rootSlow, x.limit/slowShare)
	}
	return x.rootSlow
}

// dropMovesLosingToThreats leaves out the moves of list after which the enemy was found to win
// by threats, unless that is all of them.
// It looks only where the enemy has a line that lacks three marks, out of which a slow threat is made.
func (x *searcher) dropMovesLosingToThreats(side int, list []move) []move {
	if left := x.slowThreatNodeLimit(); x.p.count[side^1][3] > 0 {
		kept := make([]move, 0, len(list))
		// All the moves share the effort, so one that is kept has not been shown to be safe.
		each := left / uint64(len(list))
		for _, m := range list {
			x.p.play(side, int(m.square))
			if x.p.SlowWinningMove(x.ctx, side^1, each, threats.Likely) < 0 {
				kept = append(kept, m)
			}
			x.p.undo(side, int(m.square))
		}
		if len(kept) > 0 {
			return kept
		}
	}
	return list
}

// mostCentralMove returns one of the most central squares, for an empty board: any of them by r, the first where r is
// nil.
func (x *searcher) mostCentralMove(r *rand.Rand) (single []move) {
	var best []move
	for s, c := range x.p.central {
		if len(best) > 0 && c > x.p.central[best[0].square] {
			best = best[:0]
		}
		if len(best) == 0 || c == x.p.central[best[0].square] {
			best = append(best, move{square: uint16(s)})
		}
	}
	if r != nil {
		return best[r.IntN(len(best)):][:1]
	}
	return best[:1]
}

// searchRootToDepth searches the moves of list depth plies deep, brings the best to the
// front, and returns it: -1 where the limits left no time for the first.
// A move that becomes the best goes to the front and the others keep their order, in which the next depth tries them.
func (x *searcher) searchRootToDepth(side, depth int, list []move) found {
	p := x.p
	best := found{square: -1, value: -won}
	alpha := -won
	for i := range list {
		s := int(list[i].square)
		p.play(side, s)
		var v int
		if i == 0 {
			v = -x.search(side^1, depth-1, 1, -won, -alpha)
		} else {
			// Later moves are asked only whether they are better than the best so far, in a window of one point;
			// only one that is gets its value in the full window (principal variation search).
			v = -x.search(side^1, depth-1, 1, -alpha-1, -alpha)
			if v > alpha && !x.halted {
				v = -x.search(side^1, depth-1, 1, -won, -alpha)
			}
		}
		p.undo(side, s)
		if x.halted {
			break
		}
		if v > alpha || i == 0 {
			alpha = max(v, alpha)
			best.square, best.value = s, v
			m := list[i]
			copy(list[1:i+1], list[:i])
			list[0] = m
		}
	}
	return best
}
