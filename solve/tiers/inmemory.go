package tiers

import (
	"context"
	"slices"
	"sync/atomic"

	"oxo"
)

// Stage is a tier on the way to a solution, and what is to be done with it: where what can be reached
// has to be found first, the stages begin with that, from the start on; then come the values, from the
// full board back.
type Stage struct {
	Reach bool // what can be reached is found; else the values
	Marks int
}

// StageAt returns the stage of a number, counted from 0; false after the last one.
func (s *Space) StageAt(i int) (Stage, bool) {
	if s.forward {
		if i <= s.n {
			return Stage{true, i}, true
		}
		i -= s.n + 1
	}
	return Stage{false, s.n - i}, i <= s.n
}

// StageIndex returns the number of a stage.
func (s *Space) StageIndex(t Stage) int {
	switch {
	case t.Reach:
		return t.Marks
	case s.forward:
		return s.n + 1 + s.n - t.Marks
	}
	return s.n - t.Marks
}

// InMemorySolution is a game that is solved by tiers in memory, as far as there was time for until now.
type InMemorySolution struct {
	space  *Space
	turn   chan struct{} // holds one token, which who solves takes
	tables [][][]byte    // of the stages until now, by slice
	done   atomic.Bool
	bytes  atomic.Int64 // of all tables
}

// NewInMemorySolution returns the game with nothing solved.
func (s *Space) NewInMemorySolution() *InMemorySolution {
	w := &InMemorySolution{space: s, turn: make(chan struct{}, 1)}
	w.turn <- struct{}{}
	return w
}

// Bytes returns how much memory the tables take.
func (w *InMemorySolution) Bytes() int64 { return w.bytes.Load() }

// Done reports whether all is solved.
func (w *InMemorySolution) Done() bool { return w.done.Load() }

// SolveValues solves what is not solved yet, and returns the values of all positions, for one goroutine.
// Where ctx ends first, the error is its own, and what was found stays for the next call. Others who
// call meanwhile wait.
func (w *InMemorySolution) SolveValues(ctx context.Context) (*Values, error) {
	if !w.done.Load() {
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-w.turn:
		}
		defer func() { w.turn <- struct{}{} }()
		if err := w.solveRemaining(ctx); err != nil {
			return nil, err
		}
	}
	return w.space.Values(func(marks, index int) ([]byte, error) {
		return w.tables[w.space.StageIndex(Stage{false, marks})][index], nil
	}), nil
}

// solveRemaining goes on with the slice after the last one that was finished.
func (w *InMemorySolution) solveRemaining(ctx context.Context) error {
	charge := oxo.NewCharge(ctx)
	defer charge.SetBytes(0)
	for i := max(0, len(w.tables)-1); !w.done.Load(); i++ {
		stage, more := w.space.StageAt(i)
		if !more {
			w.dropReachTables()
			w.done.Store(true)
			break
		}
		parts, err := w.space.Slices(ctx, stage.Marks)
		if err != nil {
			return err
		}
		if i == len(w.tables) {
			w.tables = append(w.tables, nil)
		}
		for len(w.tables[i]) < len(parts) {
			table, err := w.computeSliceTable(ctx, stage, len(w.tables[i]))
			if err != nil {
				return err
			}
			w.tables[i] = append(w.tables[i], table)
			w.bytes.Add(int64(len(table)))
			charge.Grow(int64(len(table)))
		}
	}
	return nil
}

// dropReachTables drops the tables of what can be reached, which values need no more.
func (w *InMemorySolution) dropReachTables() {
	for i, list := range w.tables {
		if stage, _ := w.space.StageAt(i); stage.Reach {
			for _, table := range list {
				w.bytes.Add(-int64(len(table)))
			}
			w.tables[i] = nil
		}
	}
}

// computeSliceTable works out the table of a slice from those of the stage before.
func (w *InMemorySolution) computeSliceTable(ctx context.Context, t Stage, index int) (table []byte, err error) {
	task := Task{Marks: t.Marks, Index: index, AdjacentTier: func(i int, _ []byte) ([]byte, error) {
		return w.tables[w.space.StageIndex(t)-1][i], nil
	}}
	if t.Reach {
		return w.space.FindReachable(ctx, task)
	}
	task.Reached = func([]byte) ([]byte, error) { // which is written over
		return slices.Clone(w.tables[w.space.StageIndex(Stage{true, t.Marks})][index]), nil
	}
	table, _, err = w.space.SolveSlice(ctx, task)
	return table, err
}
