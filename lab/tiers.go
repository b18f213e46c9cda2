package lab

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"sync"
	"time"

	"oxo"
	"oxo/board"
	"oxo/solve"
	"oxo/solve/tiers"
)

// TierResult is the result of a solution by tiers: what the start is worth, and
// how many positions with so many marks are worth what. Classes is the number
// of values stored.
type TierResult struct {
	SolveResult
	Tiers []TierCounts `json:"tiers"`
}

// TierCounts is how many positions with so many marks there are, and how many
// of them are worth what.
type TierCounts struct {
	Marks int `json:"marks"`
	tiers.Counts
	Slices int `json:"slices"`
}

// tiers takes the game apart into tiers.
func (b *bound[P]) tiers(memory int64) (*tiers.Space, error) {
	if b.board == nil {
		return nil, b.noBoard("tiers")
	}
	s, err := tiers.New(b.board, any(b.Start).(board.Positional).Rules(), memory)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", b.Spec, err)
	}
	return s, nil
}

// merge puts the tiers' counts together and makes the file.
func (j *tierJob[P]) merge(outputs Outputs, create Create) (any, error) {
	shelf := outputs.Shelf()
	h := tiers.Header{Game: j.identity, Tiers: make([]tiers.Tier, j.space.Marks()+1)}
	r := TierResult{Tiers: make([]TierCounts, len(h.Tiers))}
	var all tiers.Counts
	for stage := range outputs.Stages() {
		pass, marks, ok := j.at(stage)
		if !ok || pass != passSolve {
			continue
		}
		list, err := j.space.Slices(context.Background(), marks)
		if err != nil {
			return nil, err
		}
		t := &h.Tiers[marks]
		t.Marks = marks
		for i, slice := range list {
			data, err := outputs.Output(stage, i)
			if err != nil {
				return nil, err
			}
			var out tierOutput
			if err := json.Unmarshal(data, &out); err != nil {
				return nil, err
			}
			t.Add(out.Counts)
			t.Slices = append(t.Slices, tiers.Stored{Slice: slice, Sum: out.Sum})
		}
		r.Tiers[marks] = TierCounts{marks, t.Counts, len(list)}
		all.Add(t.Counts)
	}
	load := loader(shelf)
	told, err := j.tellTiers(j.space.Values(load), j.Start, time.Now())
	if err != nil {
		return nil, err
	}
	r.SolveResult = *told
	r.Positions, r.Classes = all.Positions, int(all.Stored)
	if j.strong {
		f, err := create(solutionFile)
		if err != nil {
			return nil, err
		}
		if err := errors.Join(tiers.Write(f, h, load), f.Close()); err != nil {
			return nil, err
		}
	}
	return timeless(r)
}

// loader loads tables from the shelf, each in the place of the one before.
func loader(s Shelf) func(marks, index int) ([]byte, error) {
	var buf []byte
	return func(marks, index int) (_ []byte, err error) {
		buf, err = s.Get(tableName(passSolve, marks, index), buf)
		return buf, err
	}
}

// byTiers says what a position and its moves are worth by tables of tiers.
func (b *bound[P]) byTiers(values *tiers.Values, p P) (solve.Verdict, []solve.Option, error) {
	at := func(p P) (solve.Verdict, error) {
		x, o := any(p).(board.Positional).Marks()
		v, ok, err := values.At(context.Background(), x, o)
		if err == nil && !ok {
			err = fmt.Errorf("position %q is not in the solution", b.Format(p))
		}
		return v, err
	}
	v, err := at(p)
	if err != nil {
		return v, nil, err
	}
	var moves []solve.Option
	for _, m := range p.Moves(nil) {
		after, err := at(p.Play(m))
		if err != nil {
			return v, nil, err
		}
		best := after.Outcome == v.Outcome && after.Remoteness+1 == v.Remoteness
		moves = append(moves, solve.Option{Move: m, Verdict: after, Best: best})
	}
	return v, moves, nil
}

// tellTiers says the same in the terms that suit the game.
func (b *bound[P]) tellTiers(values *tiers.Values, p P, begin time.Time) (*SolveResult, error) {
	v, moves, err := b.byTiers(values, p)
	if err != nil {
		return nil, err
	}
	return b.told(p, v, moves, begin), nil
}

// lookupTiers answers from a file of tiers.
func (b *bound[P]) lookupTiers(file io.ReaderAt, p P, begin time.Time) (*SolveResult, error) {
	space, err := b.tiers(math.MaxInt64)
	if err != nil {
		return nil, err
	}
	f, err := space.Open(file, b.identity)
	if err != nil {
		return nil, err
	}
	r, err := b.tellTiers(f.Values, p, begin)
	if err != nil {
		return nil, err
	}
	var all tiers.Counts
	for _, t := range f.Tiers {
		all.Add(t.Counts)
	}
	r.Positions, r.Classes = all.Positions, int(all.Stored)
	return r, nil
}

// randomAccess returns what can be read anywhere: r itself, or a copy.
func randomAccess(r io.Reader) (io.ReaderAt, error) {
	if at, ok := r.(io.ReaderAt); ok {
		if _, err := at.ReadAt(make([]byte, 1), 0); err == nil || err == io.EOF { // else it is a pipe
			return at, nil
		}
	}
	data, err := io.ReadAll(r)
	return bytes.NewReader(data), err
}

// isTiers reports whether a file begins as one of tiers does.
func isTiers(file io.ReaderAt) bool {
	begin := make([]byte, len(tiers.Magic))
	n, _ := file.ReadAt(begin, 0) // a file that can't be read is told about later
	return string(begin[:n]) == tiers.Magic
}

// tierSolution is a file of tiers for players.
type tierSolution[P oxo.Position[P]] struct {
	*bound[P]
	mu   sync.Mutex
	file *tiers.File
}

// tierSolution reads a file of tiers and checks all of it.
func (b *bound[P]) tierSolution(data []byte) (*tierSolution[P], error) {
	space, err := b.tiers(math.MaxInt64)
	if err != nil {
		return nil, err
	}
	f, err := space.Read(data, b.identity)
	if err != nil {
		return nil, err
	}
	return &tierSolution[P]{bound: b, file: f}, nil
}

func (s *tierSolution[P]) At(p P) (solve.Verdict, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	x, o := any(p).(board.Positional).Marks()
	v, ok, err := s.file.At(context.Background(), x, o)
	return v, ok && err == nil // the file was checked
}

func (s *tierSolution[P]) Moves(p P) ([]solve.Option, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, moves, err := s.byTiers(s.file.Values, p)
	return moves, err == nil
}
