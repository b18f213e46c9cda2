package typed

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"runtime"
	"time"

	"oxo"
	"oxo/board"
	"oxo/drop"
	"oxo/lab/internal/falling"
	"oxo/lab/internal/game"
	"oxo/lab/internal/opened"
)

// dropSeconds is about how long a search takes a position, and largeSeconds how long the large table takes
// that is made from about so many positions on.
const (
	dropSeconds  = 70e-9
	largeFrom    = 600_000
	largeSeconds = 0.4
)

// estimateDropSearch says what a search takes where marks fall: of n positions that there are,
// the boards in docs/gravity.md were searched in 0.05 to 1.5 times n to the three quarters.
func estimateDropSearch[P oxo.Position[P]](b *opened.TypedGame[P], q *solveTask[P]) (e game.Estimate, err error) {
	if q.Strong {
		return e, unsuited("a search does not tell all positions")
	}
	s, err := b.Drops()
	if err != nil {
		return e, unsuited(err.Error())
	}
	positions := q.estimateDropPositions()
	seconds, bytes := dropSeconds*positions, int64(drop.DefaultBytes)
	switch {
	case s.InBook(q.p):
		seconds, bytes = 0, 0
	case positions < largeFrom:
		bytes = 1 << 20 // for what is soon answered
	default:
		seconds += largeSeconds
	}
	if seconds > endless {
		return e, fmt.Errorf("%s days", game.AboutNumber(seconds/86400))
	}
	return game.Estimate{Seconds: &seconds, Bytes: min(q.Memory, bytes)}, nil
}

// estimateDropPositions guesses how many positions a search looks at where marks fall. Where who completes a set loses,
// few moves are forced and more positions are looked at.
func (q *solveTask[P]) estimateDropPositions() float64 {
	rules := any(q.p).(board.Positional).Rules()
	for _, seat := range []oxo.Seat{oxo.First, oxo.Second} {
		if rules.Done[seat] == oxo.WinFor(seat.Other()) {
			return 1.6 * math.Pow(q.size, 0.82)
		}
	}
	return 0.75 * math.Pow(q.size, 0.75)
}

// dropMark begins the state of a search of falling marks among what Resume goes on from.
var dropMark = []byte("oxo solve: drop\n")

// solveByDropSearch solves by search where marks fall, by a solver of its own, that takes no more memory than it
// may. One worker searches the same positions in every run; long searches take all cores. The state
// that is kept begins with dropMark and has the solver's bounds of the positions that are a few plies away.
func solveByDropSearch[P oxo.Position[P]](ctx context.Context, b *opened.TypedGame[P],
	q *solveTask[P]) (*game.SolveResult, error) {
	began := time.Now()
	s, err := b.Drops()
	if err != nil {
		return nil, err
	}
	workers := 1
	if dropSeconds*q.estimateDropPositions() > soon {
		workers = cmp.Or(q.Workers, runtime.GOMAXPROCS(0))
	}
	keep := func(nodes uint64, save func(io.Writer) error) {
		q.reportSolveProgress(game.ByDrop, began, nodes, q.estimateDropPositions(), func(w io.Writer) error {
			_, err := w.Write(dropMark)
			return errors.Join(err, save(w))
		})
	}
	v, moves, nodes, err := s.Solve(ctx, q.p, q.Memory, workers, q.Resume, keep)
	if err != nil {
		return nil, err
	}
	r := describeSolution(b, q.p, v, moves, began)
	r.Positions = nodes
	return r, nil
}

// NewBookMaker returns a maker of a book of the game, which goes on from the book that the
// program has with it; see [drop.NewBookMaker].
func (f solving[P]) NewBookMaker(plies int, withNextPly bool, o drop.SolverOptions) (*drop.BookMaker, error) {
	start, err := falling.AsPos64(f.b.Start)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.b.Spec, err)
	}
	if s, err := f.b.Drops(); err == nil {
		o.Book = s.Book()
	}
	m, err := drop.NewBookMaker(f.b.Spec, start.Board(), start.Rules(), plies, withNextPly, o)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.b.Spec, err)
	}
	return m, nil
}
