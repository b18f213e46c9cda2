package drop

import (
	"context"
	"sync"
	"sync/atomic"

	"oxo"
	"oxo/board"
)

// question is one call of a solver: what may end it before it is answered.
type question struct {
	*Solver
	ctx   context.Context
	limit uint64 // of the solver's nodes
	tier  int    // how many of the solver's tables were too small for it
	err   error

	charge oxo.Charge // of the tables that this question made
}

// end gives the question's budget back; the solver keeps the tables.
func (q *question) end() { q.charge.Set(0) }

func (s *Solver) newQuestion(ctx context.Context) *question {
	limit := ^uint64(0)
	if s.o.Nodes > 0 {
		limit = s.nodes + s.o.Nodes
	}
	return &question{Solver: s, ctx: ctx, limit: limit, err: ctx.Err(), charge: oxo.NewCharge(ctx)}
}

// score returns the exact score of an ongoing position. After q.err it means
// nothing.
func (q *question) score(n node, marks int) int { return q.scoreFrom(-worst, n, marks) }

// scoreFrom is score of a position whose score is known to be at least floor, and often
// is just that.
//
// The window is narrowed from the extremes, as to find out whether a game ends
// early takes little; when it has shrunk to a quarter the sign is asked for, so that
// one side's wins need no further look. Where parity tells signs, that is when it has shrunk to a half.
func (q *question) scoreFrom(floor int, n node, marks int) int {
	low, high, ok := q.knownBounds(n, marks)
	if ok {
		return low
	}
	if low <= floor && floor < high {
		low, high = q.narrow(n, marks, floor, floor, high)
	}
	near := (high - low) / 8
	if q.g.lower != 0 {
		near *= 2
	}
	for low < high && q.err == nil {
		mid := low + (high-low)/2
		switch {
		case mid <= 0 && low < -near && low/2 < mid:
			mid = low / 2
		case mid >= 0 && high > near && high/2 > mid:
			mid = high / 2
		case low < 0 && high > 0:
			mid = 0
		}
		low, high = q.narrow(n, marks, mid, low, high)
	}
	return low
}

// sign returns 1, 0 or −1: whether an ongoing position's score is above, at or below 0.
func (q *question) sign(n node, marks int) int {
	low, high, _ := q.knownBounds(n, marks)
	for _, mid := range [2]int{0, -1} {
		if low <= 0 && high >= 0 && low < high && q.err == nil && low <= mid && mid < high {
			low, high = q.narrow(n, marks, mid, low, high)
		}
	}
	switch {
	case low > 0:
		return 1
	case high < 0:
		return -1
	}
	return 0
}

// narrow finds out whether the score, which lies between low and high, is above
// mid, and returns new bounds.
func (q *question) narrow(n node, marks, mid, low, high int) (int, int) {
	bound := q.boundAgainst(n, marks, mid)
	switch {
	case q.err != nil:
		return low, high
	case bound > mid:
		low = max(low, bound)
	default:
		high = min(high, bound)
	}
	q.remember(n, low, high)
	return low, high
}

// knownBounds returns the bounds of an ongoing position's score that need no search,
// and whether they are the score.
func (q *question) knownBounds(n node, marks int) (low, high int, ok bool) {
	g := q.g
	if !g.avoids && n.ownWins&n.play != 0 {
		low = g.winScore(marks + 1)
		return low, low, true
	}
	if score, ok := q.o.Book.score(g, n, marks); ok {
		return score, score, true
	}
	r := q.reach[marks]
	low, high = min(r.lost, r.low), r.high
	if b, ok := q.known[q.positionKey(n)]; ok {
		low, high = max(low, b.low), min(high, b.high)
	}
	return low, high, low == high
}

// trials are how many nodes a question may take with the small table and with the middle one; then
// a large table is made and all workers are called that it may have.
var trials = [...]uint64{1 << 16, 1 << 19}

// boundAgainst returns a lower bound of the score that is above mid, or an upper bound
// that is not.
func (q *question) boundAgainst(n node, marks, mid int) int {
	for ; q.tier < len(trials); q.tier++ {
		t := q.small
		if q.tier > 0 {
			if t = q.middleTable(); t == nil {
				continue
			}
		}
		bound, ok := q.search(t, q.workers[:1], min(q.limit, q.nodes+trials[q.tier]), n, marks, mid)
		if ok || q.err != nil {
			return bound
		}
	}
	if q.large == nil {
		// It does not grow: half of the room is not needed for a copy.
		q.large = q.newTable(2 * oxo.Room(q.ctx, q.o.Bytes/2))
		q.charge.Grow(int64(q.large.bytes()))
	}
	bound, _ := q.search(q.large, q.workers[:oxo.Cores(q.ctx, len(q.workers))], q.limit, n, marks, mid)
	return bound
}

// middleTable returns the middle table, or nil where it would take more than a small part of what
// the solver or the question's budget has.
func (q *question) middleTable() *table {
	if q.middle == nil && middleTable <= min(q.o.Bytes, oxo.Room(q.ctx, q.o.Bytes))/16 {
		q.middle = q.newTable(middleTable)
		q.charge.Grow(int64(q.middle.bytes()))
	}
	return q.middle
}

// search is above by the given workers on a table, all of which look at the
// same position. It returns false if that took as many nodes as limit says,
// which is an error if the question allows no more.
func (q *question) search(t *table, workers []*worker, limit uint64, n node, marks, mid int) (bound int, ok bool) {
	var done atomic.Bool
	var answer atomic.Int64
	left := limit - min(limit, q.nodes)
	work := func(w *worker) {
		w.begin(q.ctx, &done, t, left/uint64(len(workers)), n, marks)
		bound := w.search(n, marks, mid)
		if !w.stopped && done.CompareAndSwap(false, true) {
			answer.Store(int64(bound) + worst)
		}
	}
	var team sync.WaitGroup
	for _, w := range workers[1:] {
		team.Go(func() { work(w) })
	}
	work(workers[0])
	team.Wait()
	for _, w := range workers {
		q.nodes += w.nodes
	}
	if a := answer.Load(); a != 0 {
		return int(a - worst), true
	}
	if q.err = q.ctx.Err(); q.err == nil && q.nodes >= q.limit {
		q.err = ErrLimit
	}
	if q.err != nil {
		q.tell(0)
	}
	return 0, false
}

// InBook reports whether a book has the answers of all of p's moves.
func (s *Solver) InBook(p board.Pos64) bool {
	_, marks := s.node(p)
	return s.o.Book != nil && marks < s.o.Book.Plies
}

// BookVerdict returns the verdict that a book has of an ongoing position.
func (s *Solver) BookVerdict(p board.Pos64) (Verdict, bool) {
	n, marks := s.node(p)
	score, ok := s.o.Book.score(s.g, n, marks)
	return s.verdict(score, marks), ok
}
