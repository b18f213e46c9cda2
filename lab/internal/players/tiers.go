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

// TiersOf takes a game apart into tiers.
func TiersOf[P oxo.Position[P]](b *opened.TypedGame[P], memory int64) (*tiers.Space, error) {
	if b.Board == nil {
		return nil, b.NoBoardError("tiers")
	}
	s, err := tiers.New(b.Board, any(b.Start).(board.Positional).Rules(), memory)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", b.Spec, err)
	}
	return s, nil
}

// TierVerdicts says what a position and its moves are worth by tables of tiers. A move is best where
// its position has the same outcome and one ply less to go, as the tables count plies to the end.
func TierVerdicts[P oxo.Position[P]](b *opened.TypedGame[P], values *tiers.Values, p P) (solve.Verdict, []solve.Option,
	error) {
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

// IsTiers reports whether a file begins as one of tiers does.
func IsTiers(file io.ReaderAt) bool {
	begin := make([]byte, len(tiers.Magic))
	n, _ := file.ReadAt(begin, 0) // a file that can't be read is told about later
	return string(begin[:n]) == tiers.Magic
}

// tierSolution is a file of tiers for players. The file unpacks slices as they are asked for, so that
// it is used by one goroutine at a time.
type tierSolution[P oxo.Position[P]] struct {
	*opened.TypedGame[P]
	mu   sync.Mutex
	file *tiers.File
}

// readTierSolution reads a file of tiers and checks all of it. Each slice's checksum is compared here,
// so that a lookup later can't fail.
func readTierSolution[P oxo.Position[P]](b *opened.TypedGame[P], data []byte) (*tierSolution[P], error) {
	space, err := TiersOf(b, math.MaxInt64)
	if err != nil {
		return nil, err
	}
	f, err := space.Read(data, b.Identity)
	if err != nil {
		return nil, err
	}
	return &tierSolution[P]{TypedGame: b, file: f}, nil
}

// At looks a position up in the file.
func (s *tierSolution[P]) At(p P) (solve.Verdict, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	x, o := any(p).(board.Positional).Marks()
	v, ok, err := s.file.At(context.Background(), x, o)
	return v, ok && err == nil // the file was checked
}

// Moves lists the moves of a position with their verdicts; false where it is not in the file.
func (s *tierSolution[P]) Moves(p P) ([]solve.Option, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, moves, err := TierVerdicts(s.TypedGame, s.file.Values, p)
	return moves, err == nil
}
