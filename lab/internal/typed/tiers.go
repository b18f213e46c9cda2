package typed

import (
	"bytes"
	"context"
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

// Tiers takes the game apart into tiers.
func (f solving[P]) Tiers(memory int64) (*tiers.Space, error) { return tiersOf(f.b, memory) }

// tiersOf takes a game apart into tiers.
func tiersOf[P oxo.Position[P]](b *openedGame[P], memory int64) (*tiers.Space, error) {
	if b.board == nil {
		return nil, b.noBoardError("tiers")
	}
	s, err := tiers.New(b.board, any(b.Start).(board.Positional).Rules(), memory)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", b.Spec, err)
	}
	return s, nil
}

// tierSeconds is about how long a value of tiers takes, and tierStart how long all that
// takes which does not depend on their number.
const (
	tierSeconds = 65e-9
	tierStart   = 0.05
)

// estimateTiers says what tiers take.
func estimateTiers[P oxo.Position[P]](b *openedGame[P], q *solveTask[P]) (e Estimate, err error) {
	switch {
	case !q.Parts || b.lab.Shelfless && q.Method == "":
		return e, unsuited("it is work in parts")
	case q.p != b.Start:
		return e, fault("position", errors.New("tiers are of whole games, from the start on"))
	}
	memory := min(q.Memory, TierMemory)
	space, err := tiersOf(b, memory)
	switch {
	case err != nil && (b.board == nil || b.Odds != nil || b.board.N > tiers.MaxSquares):
		return e, unsuited(err.Error())
	case err != nil:
		return e, err
	}
	seconds := tierStart + tierSeconds*space.Stored()
	if space.NeedsReachable() {
		seconds *= 2 // what can be reached is found first
	}
	return Estimate{&seconds, int64(min(float64(memory), 8*space.Stored()+1<<20))}, nil
}

// TierMemory is the most that a part by tiers takes unless told otherwise.
const TierMemory = 256 << 20

// tierVerdicts says what a position and its moves are worth by tables of tiers.
func (b *openedGame[P]) tierVerdicts(values *tiers.Values, p P) (solve.Verdict, []solve.Option, error) {
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

// FromTiers says what the start is worth by the tables of all tiers.
func (f solving[P]) FromTiers(values *tiers.Values) (*SolveResult, error) {
	return f.tierResult(values, f.b.Start, time.Now())
}

// tierResult says what a position is worth in the terms that suit the game.
func (f solving[P]) tierResult(values *tiers.Values, p P, begin time.Time) (*SolveResult, error) {
	v, moves, err := f.b.tierVerdicts(values, p)
	if err != nil {
		return nil, err
	}
	return describeSolution(f.b, p, v, moves, begin), nil
}

// lookupTiers answers from a file of tiers.
func (f solving[P]) lookupTiers(file io.ReaderAt, p P, begin time.Time) (*SolveResult, error) {
	space, err := f.Tiers(math.MaxInt64)
	if err != nil {
		return nil, err
	}
	t, err := space.Open(file, f.b.identity)
	if err != nil {
		return nil, err
	}
	r, err := f.tierResult(t.Values, p, begin)
	if err != nil {
		return nil, err
	}
	var all tiers.Counts
	for _, one := range t.Tiers {
		all.Add(one.Counts)
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
	*openedGame[P]
	mu   sync.Mutex
	file *tiers.File
}

// readTierSolution reads a file of tiers and checks all of it.
func readTierSolution[P oxo.Position[P]](b *openedGame[P], data []byte) (*tierSolution[P], error) {
	space, err := tiersOf(b, math.MaxInt64)
	if err != nil {
		return nil, err
	}
	f, err := space.Read(data, b.identity)
	if err != nil {
		return nil, err
	}
	return &tierSolution[P]{openedGame: b, file: f}, nil
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
	_, moves, err := s.tierVerdicts(s.file.Values, p)
	return moves, err == nil
}
