package players

import (
	"context"
	"fmt"
	"io"
	"math"
	"sync"

	"oxo"
	"oxo/board"
	"oxo/lab/internal/opened"
	"oxo/solve"
	"oxo/solve/tiers"
)

// TierVerdicts says what a position and its moves are worth by tables of tiers. A move is best where
// its position has the same outcome and one ply less to go, as the tables count plies to the end.
// Verdicts are those after the move, in the order of the legal moves. It reads values, which one goroutine may use at
// a time.
func TierVerdicts[P oxo.Position[P]](b *opened.TypedGame[P], values *tiers.Values, p P) (own solve.Verdict,
	moves []solve.Option, err error) {
	at := func(p P) (solve.Verdict, error) {
		x, o := any(p).(board.Positional).Marks()
		v, ok, err := values.VerdictAt(context.Background(), x, o)
		if err == nil && !ok {
			err = fmt.Errorf("position %q is not in the solution", b.Format(p))
		}
		return v, err
	}
	v, err := at(p)
	if err != nil {
		return v, nil, err
	}
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

// IsTierFile reports whether a file begins as one of tiers does.
// A file that is too short for that is none.
func IsTierFile(file io.ReaderAt) bool {
	begin := make([]byte, len(tiers.Magic))
	n, _ := file.ReadAt(begin, 0) // a file that can't be read is told about later
	return string(begin[:n]) == tiers.Magic
}

// tierSolution is a solution by tiers. Values keep the slice that was asked for last, so that they are
// used by one goroutine at a time.
// mu guards values.
type tierSolution[P oxo.Position[P]] struct {
	*opened.TypedGame[P]
	mu     sync.Mutex
	values *tiers.Values
}

// readTierSolution reads a file of tiers and checks all of it. Each slice's checksum is compared here,
// so that a lookup later can't fail.
func readTierSolution[P oxo.Position[P]](b *opened.TypedGame[P], data []byte) (*tierSolution[P], error) {
	space, err := opened.TierSpace(b, math.MaxInt64)
	if err != nil {
		return nil, err
	}
	f, err := space.OpenInMemory(data, b.Identity)
	if err != nil {
		return nil, err
	}
	return &tierSolution[P]{TypedGame: b, values: f.Values}, nil
}

// At looks a position up.
// It is false where the tables have no such position.
func (s *tierSolution[P]) At(p P) (v solve.Verdict, found bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	x, o := any(p).(board.Positional).Marks()
	v, ok, err := s.values.VerdictAt(context.Background(), x, o)
	return v, ok && err == nil // tables of a file were checked
}

// Moves lists the moves of a position with their verdicts; false where it is not there.
func (s *tierSolution[P]) Moves(p P) (moves []solve.Option, found bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, moves, err := TierVerdicts(s.TypedGame, s.values, p)
	return moves, err == nil
}
