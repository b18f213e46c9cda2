package drop

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"oxo"
	"oxo/board"
	"oxo/solve"
)

// query is one call of a solver: what may end it before it is answered.
type query struct {
	*Solver
	ctx   context.Context
	limit uint64 // of the solver's nodes
	tier  int    // how many of the solver's tables were too small for it
	err   error

	charge oxo.Charge // of the tables that this query made
}

// end gives the query's budget back; the solver keeps the tables.
func (q *query) end() { q.charge.SetBytes(0) }

// newQuery begins a query that may search SolverOptions.Nodes positions more than were searched up to now, 0 for any
// number. A context that is over already is the query's error.
func (s *Solver) newQuery(ctx context.Context) *query {
	limit := ^uint64(0)
	if s.o.Nodes > 0 {
		limit = s.nodes + s.o.Nodes
	}
	return &query{Solver: s, ctx: ctx, limit: limit, err: ctx.Err(), charge: oxo.NewCharge(ctx)}
}

// score returns the exact score of an ongoing position. After q.err it means
// nothing.
func (q *query) score(n node, marks int) int {
	least, _ := q.o.Book.bounds(q.g, n, marks)
	return q.scoreFromLowerBound(least, n, marks)
}

// scoreFromLowerBound is score of a position whose score is known to be at least so much, and often
// is just that.
//
// The bounds are narrowed from the extremes, as to find out whether a game ends
// early takes little; when they have shrunk to a quarter the sign is asked for, so that
// one side's wins need no further look. Where parity tells signs, that is when they have shrunk to a half.
func (q *query) scoreFromLowerBound(lowerBound int, n node, marks int) int {
	near := -1
	low, _ := q.narrowBounds(n, marks, func(low, high int) []int {
		if low <= lowerBound && lowerBound < high {
			return []int{lowerBound}
		}
		if near < 0 {
			if near = (high - low) / 8; q.g.lower != 0 {
				near *= 2
			}
		}
		mid := q.g.nextNullWindow(low, high, near)
		return []int{mid, q.g.nextNullWindow(mid+1, high, near), q.g.nextNullWindow(low, mid, near)}
	})
	return low
}

// nextNullWindow returns against what a score between low and high is searched next, of which the sign is not yet asked
// for while one bound is further from 0 than near. Until then that bound moves by half, or, where parity tells
// signs, by a fifth or a fourth: without, games of under 15 plies take half as many nodes more there, with it misère
// games take two to three times as many.
func (g *geometry) nextNullWindow(low, high, near int) (mid int) {
	mid = low + (high-low)/2
	nextLow, nextHigh := low/2, high/2
	if g.lower != 0 {
		nextLow, nextHigh = low*4/5, high*3/4
	}
	switch {
	case mid <= 0 && low < -near && nextLow < mid:
		return nextLow
	case mid >= 0 && high > near && nextHigh > mid:
		return nextHigh
	case low < 0 && high > 0:
		return 0
	}
	return mid
}

// scoreSign returns 1, 0 or −1: whether an ongoing position's score is above, at or below 0.
func (q *query) scoreSign(n node, marks int) int {
	low, high := q.narrowBounds(n, marks, func(low, high int) []int {
		if low > 0 || high < 0 {
			return nil
		}
		return []int{0, -1}
	})
	switch {
	case low > 0:
		return 1
	case high < 0:
		return -1
	}
	return 0
}

// knownBounds returns the bounds of an ongoing position's score that need no search.
func (q *query) knownBounds(n node, marks int) (low, high int) {
	g := q.g
	if g.winsAtOnce(n) {
		low = g.winScore(marks + 1)
		return low, low
	}
	low, high = q.o.Book.bounds(g, n, marks)
	if low == high {
		return low, high
	}
	r := q.reach[marks]
	low, high = max(low, min(r.lost, r.low)), min(high, r.high)
	k := q.positionKey(n)
	b, ok := q.known[k]
	if !ok {
		b, ok = q.resumed[k]
	}
	if ok {
		low, high = max(low, b.low), min(high, b.high)
	}
	return low, high
}

// trials are how many nodes a search may take with the small table and with the middle one; then
// a large table is made and all workers are called that it may have. Positions with at least long
// free squares begin with the middle one, where there is room for it.
var trials = [...]uint64{1 << 16, 1 << 21}

const long = 31

// narrowing is the search for the score of one position, and what is known of that score so far.
type narrowing struct {
	*query
	n         node
	marks     int
	low, high int

	mids func(low, high int) []int // see narrow
}

// next returns what the score is yet to be searched against.
func (b *narrowing) next() []int {
	return slices.DeleteFunc(b.mids(b.low, b.high), func(mid int) bool { return mid < b.low || mid >= b.high })
}

// narrowBounds searches n against what mids tells of bounds, in this order, until the bounds meet or none of
// it lies between them. It returns the bounds.
func (q *query) narrowBounds(n node, marks int, mids func(low, high int) []int) (low, high int) {
	b := &narrowing{query: q, n: n, marks: marks, mids: mids}
	b.low, b.high = q.knownBounds(n, marks)
	if q.tier == 0 && q.g.squares-marks >= long && q.middleTableIfRoom() != nil {
		q.tier = 1
	}
	for ; q.tier < len(trials); q.tier++ {
		t := q.small
		if q.tier > 0 {
			if t = q.middleTableIfRoom(); t == nil {
				continue
			}
		}
		if b.searchWithWorkers(t, q.workers[:1], trials[q.tier]) || q.err != nil {
			return b.low, b.high
		}
	}
	if q.large == nil {
		// It does not grow: half of the room is not needed for a copy.
		q.large = q.newTable(2 * oxo.TableBytesWithinBudget(q.ctx, q.o.Bytes/2))
		q.charge.Grow(int64(q.large.bytes()))
	}
	workers := q.workers[:oxo.CoresWithinBudget(q.ctx, len(q.workers))]
	if !b.searchWithWorkers(q.large, workers, ^uint64(0)) && q.err == nil {
		q.err = ErrLimit // each worker has had its share of the nodes
	}
	return b.low, b.high
}

// unasked is what a worker is at that searches nothing.
const unasked = worst

// searchWithWorkers narrows the bounds by the given workers on a table. Each searches against another of mids as
// long as there are some, and else helps another. It returns false if a search took more than so many nodes,
// which is an error if the query allows no more.
func (b *narrowing) searchWithWorkers(t *table, workers []*worker, maxNodes uint64) (settled bool) {
	var lock sync.Mutex // of what follows, the bounds and the query's error
	asked := slices.Repeat([]int{unasked}, len(workers))
	done := make([]atomic.Bool, len(workers))
	left := (b.limit - min(b.limit, b.nodes)) / uint64(len(workers))
	work := func(i int, w *worker) {
		lock.Lock()
		defer lock.Unlock()
		w.before = 0
		for mids := b.next(); b.err == nil && len(mids) > 0; mids = b.next() {
			mid := mids[max(0, slices.IndexFunc(mids, func(mid int) bool { return !slices.Contains(asked, mid) }))]
			asked[i] = mid
			done[i].Store(false)
			lock.Unlock()
			w.prepareSearch(b.ctx, &done[i], t, min(left-min(left, w.before), maxNodes), b.n, b.marks)
			bound := w.search(b.n, b.marks, mid)
			lock.Lock()
			w.before += w.nodes
			asked[i] = unasked
			switch {
			case !w.stopped:
				b.tightenBounds(bound, mid)
				for i, mid := range asked {
					if mid < b.low || mid >= b.high {
						done[i].Store(true)
					}
				}
			case !done[i].Load():
				b.err = b.ctx.Err()
				return
			}
		}
	}
	var team oxo.Group
	for i, w := range workers[1:] {
		team.Go(func() { work(i+1, w) })
	}
	work(0, workers[0])
	team.Wait()
	for _, w := range workers {
		b.nodes += w.before
	}
	settled = len(b.next()) == 0
	if b.err == nil && !settled && b.nodes >= b.limit {
		b.err = ErrLimit
	}
	if b.err != nil {
		b.reportProgress(0)
	}
	return settled
}

// tightenBounds narrows the bounds by what a search against mid returned.
func (b *narrowing) tightenBounds(bound, mid int) {
	if bound > mid {
		b.low = max(b.low, bound)
	} else {
		b.high = min(b.high, bound)
	}
	b.rememberBounds(b.n, b.low, b.high)
}

// middleTableIfRoom returns the middle table, or nil where it would take more than a small part of what
// the solver or the query's budget has.
func (q *query) middleTableIfRoom() *table {
	if q.middle == nil && middleTable <= min(q.o.Bytes, oxo.TableBytesWithinBudget(q.ctx, q.o.Bytes))/16 {
		q.middle = q.newTable(middleTable)
		q.charge.Grow(int64(q.middle.bytes()))
	}
	return q.middle
}

// InBook reports whether a book has the answers of all of p's moves.
func (s *Solver) InBook(p board.Pos64) bool {
	_, marks := s.nodeOfPosition(p)
	return s.o.Book != nil && marks < s.o.Book.Plies
}

// BookVerdict returns the verdict that a book has of an ongoing position.
func (s *Solver) BookVerdict(p board.Pos64) (solve.Verdict, bool) {
	n, marks := s.nodeOfPosition(p)
	low, high := s.o.Book.bounds(s.g, n, marks)
	return s.verdict(low, marks), low == high
}
