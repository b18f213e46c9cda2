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

// Stage returns the stage of a number, counted from 0; false after the last one.
func (s *Space) Stage(i int) (Stage, bool) {
	if s.forward {
		if i <= s.n {
			return Stage{true, i}, true
		}
		i -= s.n + 1
	}
	return Stage{false, s.n - i}, i <= s.n
}

// StageOf returns the number of a stage.
func (s *Space) StageOf(t Stage) int {
	switch {
	case t.Reach:
		return t.Marks
	case s.forward:
		return s.n + 1 + s.n - t.Marks
	}
	return s.n - t.Marks
}

// Whole is a game that is solved by tiers in memory, as far as there was time for until now.
type Whole struct {
	space  *Space
	turn   chan struct{} // holds one token, which who solves takes
	tables [][][]byte    // of the stages until now, by slice
	done   atomic.Bool
	bytes  atomic.Int64 // of all tables
}

// Whole returns the game with nothing solved.
func (s *Space) Whole() *Whole {
	w := &Whole{space: s, turn: make(chan struct{}, 1)}
	w.turn <- struct{}{}
	return w
}

// Bytes returns how much memory the tables take.
func (w *Whole) Bytes() int64 { return w.bytes.Load() }

// Done reports whether all is solved.
func (w *Whole) Done() bool { return w.done.Load() }

// Values solves what is not solved yet, and returns the values of all positions, for one goroutine.
// Where ctx ends first, the error is its own, and what was found stays for the next call. Others who
// call meanwhile wait.
func (w *Whole) Values(ctx context.Context) (*Values, error) {
	if !w.done.Load() {
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-w.turn:
		}
		defer func() { w.turn <- struct{}{} }()
		if err := w.solve(ctx); err != nil {
			return nil, err
		}
	}
	return w.space.Values(func(marks, index int) ([]byte, error) {
		return w.tables[w.space.StageOf(Stage{false, marks})][index], nil
	}), nil
}

// solve goes on with the slice after the last one that was finished.
func (w *Whole) solve(ctx context.Context) error {
	charge := oxo.NewCharge(ctx)
	defer charge.Set(0)
	for i := max(0, len(w.tables)-1); !w.done.Load(); i++ {
		stage, more := w.space.Stage(i)
		if !more {
			w.dropReach()
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
			table, err := w.slice(ctx, stage, len(w.tables[i]))
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

// dropReach drops the tables of what can be reached, which values need no more.
func (w *Whole) dropReach() {
	for i, list := range w.tables {
		if stage, _ := w.space.Stage(i); stage.Reach {
			for _, table := range list {
				w.bytes.Add(-int64(len(table)))
			}
			w.tables[i] = nil
		}
	}
}

// slice works out the table of a slice from those of the stage before.
func (w *Whole) slice(ctx context.Context, t Stage, index int) (table []byte, err error) {
	task := Task{Marks: t.Marks, Index: index, AdjacentTier: func(i int, _ []byte) ([]byte, error) {
		return w.tables[w.space.StageOf(t)-1][i], nil
	}}
	if t.Reach {
		return w.space.FindReachable(ctx, task)
	}
	task.Reached = func([]byte) ([]byte, error) { // which is written over
		return slices.Clone(w.tables[w.space.StageOf(Stage{true, t.Marks})][index]), nil
	}
	table, _, err = w.space.Solve(ctx, task)
	return table, err
}
