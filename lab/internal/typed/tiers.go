package typed

import (
	"bytes"
	"errors"
	"io"
	"math"
	"time"

	"oxo"
	"oxo/lab/internal/game"
	"oxo/lab/internal/opened"
	"oxo/lab/internal/players"
	"oxo/solve/tiers"
)

// Tiers takes the game apart into tiers.
func (f solving[P]) Tiers(memory int64) (*tiers.Space, error) { return opened.TierSpace(f.b, memory) }

// estimateTiers says what tiers take.
func estimateTiers[P oxo.Position[P]](b *opened.TypedGame[P], q *solveTask[P]) (e game.Estimate, err error) {
	switch {
	case !q.Parts || b.Lab.Shelfless && q.Method == "":
		return e, unsuited("it is work in parts")
	case q.p != b.Start:
		return e, game.FaultOf("position", errors.New("tiers are of whole games, from the start on"))
	}
	memory := min(q.Memory, game.TierMemory)
	space, err := opened.TierSpace(b, memory)
	switch {
	case err != nil && (b.Board == nil || b.Odds != nil || b.Board.N > tiers.MaxSquares):
		return e, unsuited(err.Error())
	case err != nil:
		return e, err
	}
	seconds := opened.EstimateTierSeconds(space)
	return game.Estimate{Seconds: &seconds, Bytes: int64(space.MostMemory())}, nil
}

// FromTiers says what the start is worth by the tables of all tiers.
func (f solving[P]) FromTiers(values *tiers.Values) (*game.SolveResult, error) {
	return f.tierResult(values, f.b.Start, time.Now())
}

// tierResult says what a position is worth in the terms that suit the game.
func (f solving[P]) tierResult(values *tiers.Values, p P, begin time.Time) (*game.SolveResult, error) {
	v, moves, err := players.TierVerdicts(f.b, values, p)
	if err != nil {
		return nil, err
	}
	return describeSolution(f.b, p, v, moves, begin), nil
}

// lookupTiers answers from a file of tiers.
func (f solving[P]) lookupTiers(file io.ReaderAt, p P, begin time.Time) (*game.SolveResult, error) {
	space, err := f.Tiers(math.MaxInt64)
	if err != nil {
		return nil, err
	}
	t, err := space.OpenFile(file, f.b.Identity)
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

// asReaderAt returns what can be read anywhere: r itself, or a copy.
func asReaderAt(r io.Reader) (io.ReaderAt, error) {
	if at, ok := r.(io.ReaderAt); ok {
		if _, err := at.ReadAt(make([]byte, 1), 0); err == nil || err == io.EOF { // else it is a pipe
			return at, nil
		}
	}
	data, err := io.ReadAll(r)
	return bytes.NewReader(data), err
}
