// Package drop is an exact solver of positional games in which marks fall. It
// answers a position's value and how long the game lasts by the rule that the
// winner hurries and the loser delays, and which moves are best, by search: a
// position's game need not be enumerated.
//
// The search is alpha-beta with null windows that are narrowed from the
// extremes. Each node knows the winning squares of both sides, so that moves
// that lose at once are never made and forced answers are taken at once; moves
// are tried in the order of the threats they make. Where the order of odd and even squares
// decides who can win, positions are bounded without a search. Mirrored positions share
// an entry of the table near the root, and entries are exact: index and tag
// together are the whole position (after Tromp, The Fhourstones benchmark, and
// Pons, Solving Connect 4). Several workers search at once on one table, against different bounds
// where there are some; at one bound they put off moves that another is at (after Kerrigan, Simplified ABDADA).
//
//	s, err := drop.New(b, board.Normal, drop.SolverOptions{})
//	v, err := s.Solve(ctx, p)
//	v, moves, err := s.Moves(ctx, p)
package drop

import (
	"context"
	"errors"
	"sync"

	"oxo"
	"oxo/board"
	"oxo/solve"
)

// ErrLimit is returned when a question needs more nodes than SolverOptions.Nodes.
var ErrLimit = errors.New("more nodes than allowed")

// SolverOptions limit a solver. The zero value stands for the defaults.
type SolverOptions struct {
	Bytes   int    // most memory for the table; 0 for DefaultBytes
	Workers int    // how many search at once; 0 for one
	Nodes   uint64 // most nodes of one question to the solver; 0 for no limit
	Book    *Book  // answers of early positions

	// Progress is told now and then how many positions a solver has searched; nil for
	// nobody. From within it the solver may be asked to SaveBounds, and nothing else.
	Progress func(nodes uint64)
}

// DefaultBytes is the memory of a table where none is said.
const DefaultBytes = 256 << 20

// Solver answers questions about positions of one game. It remembers what it
// found, and is for one goroutine at a time.
type Solver struct {
	g       *geometry
	o       SolverOptions
	reach   []scoreRange
	small   *table // for questions that are soon answered: it stays in the processor's cache
	middle  *table // for those that take longer, and
	large   *table // for the longest: made when first needed
	workers []*worker
	busy    busy
	nodes   uint64
	known   map[positionKey]scoreBounds // of positions that were asked about
	trunk   map[positionKey]scoreBounds // of positions a few plies after those, where somebody may save
	resumed map[positionKey]scoreBounds // of both, as LoadBounds read them
	saving  *sync.Mutex                 // held where known and trunk are written, and read while there is a search
	game    string                      // its identity
}

// New returns a solver of the game of these rules on a board. It refuses, with
// the reason, games it does not know how to search: those without gravity, of
// more than 64 squares, or in which marks are chosen or slip.
func New(b *board.Board, r board.Rules, o SolverOptions) (*Solver, error) {
	g, err := newGeometry(b, r)
	if err != nil {
		return nil, err
	}
	if o.Bytes <= 0 {
		o.Bytes = DefaultBytes
	}
	o.Workers = max(1, o.Workers)
	if err := o.Book.checkGame(b, r); err != nil {
		return nil, err
	}
	s := &Solver{g: g, o: o, known: map[positionKey]scoreBounds{}, trunk: map[positionKey]scoreBounds{},
		saving: new(sync.Mutex), game: gameIdentity(b, r)}
	for marks := range g.squares + 1 {
		s.reach = append(s.reach, g.possibleScores(marks))
	}
	for range o.Workers {
		s.workers = append(s.workers, s.newWorker())
	}
	if o.Workers > 1 {
		s.busy = make(busy, busySize)
	}
	s.small = s.newTable(min(smallTable, o.Bytes))
	return s, nil
}

// In bytes: the small table takes about half the second-level cache of a core. The large one takes
// a while to clear, and the middle one saves that.
const (
	smallTable  = 512 << 10
	middleTable = 4 << 20
)

// newTable makes a table of about so many bytes for the keys of the solver's board. It is shared, with the care that
// this takes, where the solver has more than one worker.
func (s *Solver) newTable(bytes int) *table {
	low, wide := s.g.keyBits()
	t := newTable(low, wide, bytes)
	t.shared = len(s.workers) > 1
	return t
}

// newWorker makes a worker with a near table of its own, of nearTable bytes or the solver's budget if that is less.
func (s *Solver) newWorker() *worker {
	low, wide := s.g.keyBits()
	return &worker{Solver: s, near: newTable(low, wide, min(nearTable, s.o.Bytes))}
}

// Bytes returns the memory that the solver's tables take.
func (s *Solver) Bytes() int {
	return s.small.bytes() + s.middle.bytes() + s.large.bytes() + len(s.workers)*s.workers[0].near.bytes()
}

// Nodes returns how many positions have been searched so far.
func (s *Solver) Nodes() uint64 { return s.nodes }

// Solve returns p's verdict. It stops early with ctx's error or ErrLimit.
func (s *Solver) Solve(ctx context.Context, p board.Pos64) (solve.Verdict, error) {
	if p.Outcome() != oxo.Ongoing {
		return solve.VerdictOf(p.Outcome(), 0), nil
	}
	q := s.newQuery(ctx)
	defer q.end()
	n, marks := s.nodeOfPosition(p)
	score := q.score(n, marks)
	return s.verdict(score, marks), q.err
}

// Value returns what p is worth to the side to move, and not how long it
// lasts, which is sooner found.
func (s *Solver) Value(ctx context.Context, p board.Pos64) (oxo.Value, error) {
	if p.Outcome() != oxo.Ongoing {
		return p.Outcome().Value(p.Turn()), nil
	}
	q := s.newQuery(ctx)
	defer q.end()
	n, marks := s.nodeOfPosition(p)
	return oxo.Value(q.scoreSign(n, marks)), q.err
}

// WinsWithin reports whether the seat wins p within so many plies, which is sooner found than how long
// p lasts.
func (s *Solver) WinsWithin(ctx context.Context, p board.Pos64, seat oxo.Seat, plies int) (bool, error) {
	if p.Outcome() != oxo.Ongoing {
		return p.Outcome() == oxo.WinFor(seat), nil
	}
	q := s.newQuery(ctx)
	defer q.end()
	n, marks := s.nodeOfPosition(p)
	sign := 1
	if p.Turn() != seat {
		sign = -1
	}
	least := 1 // of the scores, for the seat, of wins in time
	for least < worst && s.g.marksAtEnd(sign*least, marks) > marks+plies {
		least++
	}
	mid := least - 1
	if sign < 0 {
		mid = -least
	}
	low, high := q.narrowBounds(n, marks, func(int, int) []int { return []int{mid} })
	if sign > 0 {
		return low > mid, q.err
	}
	return high <= mid, q.err
}

// Moves returns p's verdict and its moves in ascending order with the verdicts of
// the positions after them.
func (s *Solver) Moves(ctx context.Context, p board.Pos64) (solve.Verdict, []solve.Option, error) {
	if p.Outcome() != oxo.Ongoing {
		return solve.VerdictOf(p.Outcome(), 0), nil, nil
	}
	q := s.newQuery(ctx)
	defer q.end()
	var list []solve.Option
	best := -worst
	for _, m := range p.Moves(nil) {
		after := p.Play(m)
		o := solve.Option{Move: m, Verdict: solve.VerdictOf(after.Outcome(), 0)}
		n, marks := s.nodeOfPosition(after)
		score := s.g.finalScore(after.Outcome(), marks)
		if after.Outcome() == oxo.Ongoing {
			score = q.score(n, marks)
			o.Verdict = s.verdict(score, marks)
		}
		if q.err != nil {
			return solve.Verdict{}, nil, q.err
		}
		list = append(list, o)
		best = max(best, -score)
	}
	_, marks := s.nodeOfPosition(p)
	whole := s.verdict(best, marks)
	for i := range list {
		list[i].Best = list[i].Outcome == whole.Outcome && list[i].Remoteness+1 == whole.Remoteness
	}
	return whole, list, nil
}

// worst is beyond all scores.
const worst = 64

// finalScore returns the score of a finished game to the side that would move.
func (g *geometry) finalScore(o oxo.Outcome, marks int) int {
	return int(o.Value(oxo.Seat(marks&1))) * g.winScore(marks)
}

// verdict returns what a score says of a position with so many marks.
func (s *Solver) verdict(score, marks int) solve.Verdict {
	value := oxo.Value(max(-1, min(1, score)))
	return solve.VerdictOf(value.Outcome(oxo.Seat(marks&1)), s.g.marksAtEnd(score, marks)-marks)
}

// nodeOfPosition returns the node of p, whose side to move may have a win at once, and
// how many marks it has.
func (s *Solver) nodeOfPosition(p board.Pos64) (n node, marks int) {
	x, o := p.Marks()
	marks = x.Len() + o.Len()
	n.own, n.other = s.g.squareBits(x), s.g.squareBits(o)
	if marks&1 == 1 {
		n.own, n.other = n.other, n.own
	}
	return s.g.withPlayableAndWins(n, marks), marks
}

// withPlayableAndWins fills in what follows from a node's marks.
func (g *geometry) withPlayableAndWins(n node, marks int) node {
	n.play = g.playableSquares(n.own | n.other)
	if g.tested[marks&1] {
		n.ownWins = g.findWinningSquares(n.own)
	}
	if g.tested[marks&1^1] {
		n.otherWins = g.findWinningSquares(n.other)
	}
	return n
}
