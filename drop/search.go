package drop

import (
	"context"
	"math/bits"
	"sync/atomic"
)

// A score is a position's value and distance in one number, to the side to
// move: 0 is a draw, h > 0 a win and −h a loss in a game that ends with so many
// marks E that (squares − E)/2 + 1 is h, rounded down. It says E, as who makes
// the last mark says whether E is odd.

// winScore returns the score of a win when the game ends with so many marks.
func (g *geometry) winScore(end int) int { return (g.squares-end)/2 + 1 }

// marksAtEnd returns with how many marks a game ends that is worth score to the side
// to move after so many marks.
func (g *geometry) marksAtEnd(score, marks int) int {
	if score == 0 {
		return g.squares
	}
	winner := marks & 1
	if score < 0 {
		winner, score = winner^1, -score
	}
	last := winner // who makes the last mark
	if g.avoids {
		last ^= 1
	}
	if g.fullFor[winner] > 0 || !g.tested[last] {
		return g.squares // one side wins by a full board and in no other way
	}
	end := g.squares - 2*(score-1)
	if end&1 == last {
		end--
	}
	return end
}

// scoreRange is what scores, from low to high, a position can have, given that the side
// to move can't win at once and has a candidate; lost is its score if it has none.
type scoreRange struct{ low, high, lost int }

// possibleScores returns what scores a position with so many marks can have.
func (g *geometry) possibleScores(marks int) scoreRange {
	mover := marks & 1
	full := int(g.fullFor[mover])
	r := scoreRange{full, full, -g.winScore(marks + 2)}
	winsAt, losesAt := marks+3, marks+4
	makes, suffers := g.tested[mover], g.tested[mover^1]
	if g.avoids {
		r.lost = -g.winScore(marks + 1)
		winsAt, losesAt = marks+2, marks+3
		makes, suffers = suffers, makes
	}
	if makes && winsAt <= g.squares {
		r.high = max(r.high, g.winScore(winsAt))
	}
	if suffers && losesAt <= g.squares {
		r.low = min(r.low, -g.winScore(losesAt))
	}
	return r
}

// node is an ongoing position in which the side to move can't win at once.
//
//	own, other          marks of the side to move and of the opponent
//	ownWins, otherWins  squares with which they would complete a line
//	play                squares on which a mark comes to rest
type node struct{ own, other, ownWins, otherWins, play uint64 }

// winsAtOnce reports whether the side to move can end the game with a win.
func (g *geometry) winsAtOnce(n node) bool { return !g.avoids && n.ownWins&n.play != 0 }

// movesNotLosingAtOnce returns the moves worth a look: those after which the opponent
// does not win at once, or, where completing loses, those that do not complete.
// If there are none the side to move loses: see reach.
func (g *geometry) movesNotLosingAtOnce(ownWins, otherWins, play uint64) (moves uint64) {
	if g.avoids {
		return play &^ ownWins
	}
	moves = play &^ g.squaresDirectlyBelow(otherWins)
	if threats := otherWins & play; threats != 0 {
		if threats&(threats-1) != 0 {
			return 0
		}
		moves &= threats
	}
	return moves
}

// candidate is a move that is yet to be searched, with the squares that its side
// would then complete a line with.
type candidate struct {
	move, wins uint64
	rank       int
}

// worker searches. All workers of a solver share its table.
type worker struct {
	*Solver
	table       *table     // of those with many free squares
	tables      [65]*table // where positions with so many marks are looked up; nil for nowhere
	near        *table     // of those with few free squares, in the processor's cache
	stack       []candidate
	mirrorFrom  int // positions with fewer marks than that are looked up as they are,
	mirrorUntil int // and those with more than that
	trunk       int // positions with fewer marks than that are kept for SaveBounds

	ctx     context.Context
	done    *atomic.Bool // set when the answer is not needed any more
	nodes   uint64
	before  uint64 // nodes of its searches before, for the same question
	checkAt uint64
	limit   uint64
	stopped bool
}

// mirrorPlies is for how many plies mirrored positions are the same: later on
// few of both are come to.
const mirrorPlies = 20

// Positions with at least far free squares are looked up in the table; those with
// fewer in one of nearTable bytes that stays in the processor's cache; those with at
// most quiet not at all, as finding out is cheaper there.
const (
	far       = 16
	quiet     = 8
	nearTable = 256 << 10
)

// prepareSearch readies the worker for a search from a node with so many marks.
func (w *worker) prepareSearch(ctx context.Context, done *atomic.Bool, t *table, limit uint64, n node, marks int) {
	w.ctx, w.done, w.limit = ctx, done, limit
	w.nodes, w.stopped = 0, false
	w.checkAt = min(checkEvery, limit)
	w.mirrorFrom, w.mirrorUntil = w.g.minMarksOfMirroredDescendant(n), marks+mirrorPlies
	w.stack = w.stack[:0]
	w.trunk = 0
	if w.o.Progress != nil { // else nobody saves
		w.trunk = marks + trunkPlies
	}
	if w.table == t {
		return
	}
	w.table = t
	for marks := range w.tables {
		switch free := w.g.squares - marks; {
		case free >= far:
			w.tables[marks] = t
		case free > quiet:
			w.tables[marks] = w.near
		}
	}
}

// checkEvery is how many nodes lie between looks at what may stop a search.
const checkEvery = 1 << 12

// checkStop stops the worker where there is a reason to.
func (w *worker) checkStop() {
	w.checkAt = min(w.nodes+checkEvery, w.limit)
	if w == w.workers[0] {
		w.reportProgress(uint64(len(w.workers)) * (w.before + w.nodes))
	}
	w.stopped = w.stopped || w.nodes >= w.limit || w.done.Load() || w.ctx.Err() != nil
}

// search returns a bound of the score of n, which has so many marks: a lower bound
// above mid, or an upper bound that is not. After w.stopped the result means nothing.
func (w *worker) search(n node, marks, mid int) (bound int) {
	w.nodes++
	g := w.g
	r := &w.reach[marks]
	moves := g.movesNotLosingAtOnce(n.ownWins, n.otherWins, n.play)
	switch {
	case moves == 0:
		return r.lost
	case r.low > mid || r.low == r.high:
		return r.low
	case r.high <= mid:
		return r.high
	case moves&(moves-1) == 0:
		wins := n.ownWins
		if g.tested[marks&1] {
			wins = g.winningSquaresAfter(n.own|moves, moves, wins)
		}
		return -w.search(g.after(n, moves, wins), marks+1, -mid-1)
	}
	if bound := g.parityUpperBound(n, marks, mid); bound <= mid {
		return bound
	}
	t := w.tables[marks&63]
	if t == nil {
		return w.searchMoves(n, marks, moves, mid)
	}
	if w.nodes >= w.checkAt {
		w.checkStop()
	}
	high, low := w.tableKey(n, marks)
	entry, code := t.lookUpBound(high, low)
	if bound, lower := unpackBound(entry); entry != 0 && lower == (bound > mid) {
		return bound
	}
	if marks < w.trunk {
		if b, ok := w.resumed[w.positionKey(n)]; ok && b.low > mid {
			return b.low
		} else if ok && b.high <= mid {
			return b.high
		}
	}
	best := w.searchMoves(n, marks, moves, mid)
	if !w.stopped {
		t.storeBound(high, code, packBound(best, best > mid))
		if marks < w.trunk {
			w.rememberNearRootBound(n, best, mid)
		}
	}
	return best
}

// after returns the node after move m, with which its side would have these winning squares.
func (g *geometry) after(n node, m, wins uint64) node {
	return node{n.other, n.own | m, n.otherWins, wins, n.play&^m | g.squaresDirectlyAbove(m)}
}

// bias makes scores of −32…32 positive.
const bias = 33

// packBound makes an entry of the table of a bound, which is a lower or an upper one.
func packBound(bound int, lower bool) (entry uint64) {
	entry = uint64(bound+bias) << 1
	if lower {
		entry |= 1
	}
	return entry
}

// unpackBound returns the bound that an entry is.
func unpackBound(entry uint64) (bound int, lower bool) {
	return int(entry>>1) - bias, entry&1 != 0
}

// tableKey returns what keeps a node's bound in a table.
func (w *worker) tableKey(n node, marks int) (high, low uint64) {
	if w.mirrorFrom <= marks && marks <= w.mirrorUntil {
		return w.g.classKey(n.own, n.other)
	}
	return w.g.exactKey(n.own, n.own|n.other)
}

// searchMoves searches n's moves, of which there are some; see search.
func (w *worker) searchMoves(n node, marks int, moves uint64, mid int) (best int) {
	g := w.g
	base := len(w.stack)
	if w.pushOrderedMoves(n, marks, moves) {
		w.stack = w.stack[:base]
		return w.reach[marks].high
	}
	best = -worst
	t := w.tables[marks+1]
	if t != nil {
		if best = w.probeAndPruneMoves(t, n, marks, base, mid); best > mid {
			w.stack = w.stack[:base]
			return best
		}
	}
	split := t != nil && t.shared && g.squares-marks > far+splitLeft
	for i, end := base, len(w.stack); i < len(w.stack); i++ {
		o := w.stack[i]
		next := g.after(n, o.move, o.wins)
		var mine *atomic.Uint64
		if split {
			slot, id := w.busy.slot(g.exactKey(next.own, next.own|next.other))
			if i > base+alike && i < end && slot.Load() == id {
				w.stack = append(w.stack, o) // another is at it: later it will be in the table
				continue
			}
			slot.Store(id)
			mine = slot
		}
		score := -w.search(next, marks+1, -mid-1)
		if mine != nil {
			mine.Store(0)
		}
		if best = max(best, score); best > mid || w.stopped {
			break
		}
	}
	w.stack = w.stack[:base]
	return best
}

// probeAndPruneMoves looks up the positions after the moves on the stack from base on. It
// takes those away that are known to be no better than mid, and returns the best bound of
// them, or one above mid where a move is known to be better (enhanced transposition cutoff).
func (w *worker) probeAndPruneMoves(t *table, n node, marks, base, mid int) (best int) {
	best = -worst
	keep := base
	for _, o := range w.stack[base:] {
		high, low := w.tableKey(node{own: n.other, other: n.own | o.move}, marks+1)
		entry, _ := t.lookUpBound(high, low)
		if bound, lower := unpackBound(entry); entry != 0 && lower == (-bound <= mid) {
			if best = max(best, -bound); best > mid {
				return best
			}
			continue
		}
		w.stack[keep] = o
		keep++
	}
	w.stack = w.stack[:keep]
	return best
}

// busy tells workers what others are at: the positions, by hashes of them.
type busy []atomic.Uint64

const (
	busySize  = 1 << 12
	splitLeft = 8 // more free squares than where positions are not looked up in the large table
	alike     = 1 // workers search the first moves of a position alike: one of two mostly settles it
)

// slot returns the place of a key, and the number that stands there while the
// position is searched. That two positions share both costs time and is no error.
func (b busy) slot(high, low uint64) (slot *atomic.Uint64, id uint64) {
	id = (low^bits.RotateLeft64(high, 32))*0x9E3779B97F4A7C15 | 1
	return &b[id>>(64-12)], id
}

// Positions with at least roomy free squares have their moves ordered by open lines as well.
const roomy = 24

// rateOpenLines rates the lines through move m by what they lack after it: those without a mark of the
// opponent, and half as much those that are the opponent's.
func (g *geometry) rateOpenLines(n node, m uint64) (rating int) {
	for _, l := range g.lines[bits.TrailingZeros64(m)&63] {
		own, other := bits.OnesCount64(l&^n.own), bits.OnesCount64(l&^n.other)
		switch {
		case l&n.other == 0 && own == 2:
			rating += 4
		case l&n.other == 0 && own == 3:
			rating++
		case l&n.own == 0 && other == 2:
			rating += 2
		}
	}
	return rating
}

// pushOrderedMoves puts n's moves on the stack, best first: those that threaten most, or, where
// completing loses, that leave most squares safe; among equals those whose threats the opponent
// need not meet right above the move, then those that leave the opponent few such moves, and
// early those on open lines. It reports whether one of them leaves none, and so wins as soon as
// can be.
func (w *worker) pushOrderedMoves(n node, marks int, moves uint64) (foundWin bool) {
	g := w.g
	base := len(w.stack)
	free := g.full &^ (n.own | n.other)
	tested := g.tested[marks&1]
	for ; moves != 0; moves &= moves - 1 {
		m := moves & -moves
		wins := n.ownWins
		if tested {
			wins = g.winningSquaresAfter(n.own|m, m, wins)
		}
		over := g.squaresDirectlyAbove(m)
		replies := g.movesNotLosingAtOnce(n.otherWins, wins, n.play&^m|over)
		if replies == 0 {
			return true
		}
		threats := 2*bits.OnesCount64(wins&free&^m) - bits.OnesCount64(wins&over)
		if g.avoids {
			threats = -threats
		}
		o := candidate{m, wins, threats<<8 - 5*bits.OnesCount64(replies) + g.prior[bits.TrailingZeros64(m)&63]}
		if g.squares-marks >= roomy {
			o.rank += g.prior[bits.TrailingZeros64(m)&63] + g.rateOpenLines(n, m)
		}
		i := len(w.stack)
		w.stack = append(w.stack, o)
		for ; i > base && w.stack[i-1].rank < o.rank; i-- {
			w.stack[i] = w.stack[i-1]
		}
		w.stack[i] = o
	}
	return false
}
