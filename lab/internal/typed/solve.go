package typed

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"time"
	"unsafe"

	"oxo"
	"oxo/lab/internal/falling"
	"oxo/lab/internal/game"
	"oxo/lab/internal/opened"
	"oxo/lab/internal/players"
	"oxo/solve"
	"oxo/solve/tiers"
)

// tableSeconds is about how long a stored position takes.
const tableSeconds = 1.2e-6

// bytesPerPosition is how many bytes a stored position takes at most, as tables grow by doubling.
func bytesPerPosition[P oxo.Position[P]](b *opened.TypedGame[P]) float64 {
	switch {
	case b.Code == nil:
		return 3 * float64(unsafe.Sizeof(b.Start))
	case b.Odds != nil || b.Payoff != nil:
		return 80
	}
	return 60
}

// estimateTable says what a table of all positions below takes.
func estimateTable[P oxo.Position[P]](b *opened.TypedGame[P], q *solveTask[P]) (game.Estimate, error) {
	if b.Loopy() {
		return game.Estimate{}, unsuited("play can go in circles")
	}
	return estimateInMemory(b, q)
}

// estimateRetrograde is estimateTable where play can go in circles.
func estimateRetrograde[P oxo.Position[P]](b *opened.TypedGame[P], q *solveTask[P]) (game.Estimate, error) {
	if !b.Loopy() {
		return game.Estimate{}, unsuited("it is for games in which play can go in circles")
	}
	return estimateInMemory(b, q)
}

// estimateInMemory is the estimate of both ways that hold all positions in memory; it refuses what
// does not fit. The whole game may fit where what is below a later position does not, as that has fewer symmetries.
func estimateInMemory[P oxo.Position[P]](b *opened.TypedGame[P], q *solveTask[P]) (e game.Estimate, err error) {
	size := q.size
	if most := float64(q.Memory) / bytesPerPosition(b); size > most && q.p != b.Start {
		if all := guessClassesBelow(b, b.Start); all <= most {
			size, q.whole = all, all
		}
	}
	seconds := tableSeconds * size
	switch e.Seconds = &seconds; {
	case q.Strong && b.Code == nil:
		return e, game.FaultOf("strong",
			fmt.Errorf("positions of %s don't fit in 64 bits each, so its strong solution "+
				"can't be written", b.Spec))
	case size*bytesPerPosition(b) > float64(q.Memory):
		limit, unit := q.Memory>>20, "MB"
		if limit == 0 {
			limit, unit = q.Memory>>10, "kB"
		}
		return e, fmt.Errorf("%s, and it may take %d %s of memory",
			game.AboutBytes(size*bytesPerPosition(b)), limit, unit)
	}
	e.Bytes = min(q.Memory, int64(outTimes*size*bytesPerPosition(b)))
	return e, nil
}

// How far a guess of the number of positions may be out before a table is given up where a proof can follow: so many
// times, and so many positions.
const (
	outTimes     = 3
	outPositions = 1_000_000
)

// solveByTable solves by a table of all positions below. The limit of positions is what the memory holds, and where a
// proof can follow not many more than were guessed.
// The state can be kept where positions have codes of 64 bits.
func solveByTable[P oxo.Position[P]](ctx context.Context, b *opened.TypedGame[P],
	q *solveTask[P]) (*game.SolveResult, error) {
	most := float64(q.Memory) / bytesPerPosition(b)
	from, size := q.p, q.size
	if q.whole > 0 {
		from, size = b.Start, q.whole
	}
	if q.proofFollows {
		most = min(most, outTimes*size+outPositions)
	}
	o := solve.Settings{Limit: int(most), Resume: q.Resume}
	began := time.Now()
	tell := func(n int, save func(io.Writer) error) {
		q.reportSolveProgress(game.ByTable, began, uint64(n), size, save)
	}
	if b.Code != nil {
		o.Keep = tell
	} else { // such work can't be saved
		o.Progress = func(n int) { tell(n, nil) }
	}
	s, err := solve.Solve(ctx, b.Game, from, o)
	if err != nil {
		if errors.Is(err, solve.ErrTooLarge) {
			err = fmt.Errorf("%w, which is all that its memory holds; give it more with --memory", err)
		}
		return nil, err
	}
	if q.Out != nil {
		if err := s.Write(q.Out, b.Identity); err != nil {
			return nil, err
		}
	}
	return resultFromSolution(b, s, q.p, began)
}

// lookUpInBook is LookUpSolution in a book.
func (f solving[P]) lookUpInBook(ctx context.Context, book io.Reader, p P, began time.Time) (*game.SolveResult, error) {
	s, err := falling.Open(f.b.Start, book)
	if err != nil {
		return nil, err
	}
	v, moves, nodes, err := s.SolveWithMoves(ctx, p)
	if err != nil {
		return nil, err
	}
	r := describeSolution(f.b, p, v, moves, began)
	r.Method, r.Positions = game.ByDrop, nodes
	return r, nil
}

// LookUpSolution answers from a strong solution that Solve wrote, or from a book. The first bytes of the file
// tell a book, tiers and a solution of a table apart. A stream is read whole, a file where it is
// asked.
func (f solving[P]) LookUpSolution(ctx context.Context, solution io.Reader,
	position string) (*game.SolveResult, error) {
	begin := time.Now()
	p, err := opened.ParseOrStart(f.b.Game, position)
	if err != nil {
		return nil, err
	}
	file, err := asReaderAt(solution)
	if err != nil {
		return nil, err
	}
	head := make([]byte, 16)
	if n, _ := file.ReadAt(head, 0); falling.IsBook(head[:n]) {
		return f.lookUpInBook(ctx, io.NewSectionReader(file, 0, math.MaxInt64), p, begin)
	}
	if players.IsTierFile(file) {
		return f.lookupTiers(file, p, begin)
	}
	s, err := solve.Read(io.NewSectionReader(file, 0, math.MaxInt64), f.b.Game, f.b.Identity)
	if err != nil {
		return nil, err
	}
	return resultFromSolution(f.b, s, p, begin)
}

// resultFromSolution reads a position and its moves out of a solution, which may be another game's
// start's and not have them.
func resultFromSolution[P oxo.Position[P]](b *opened.TypedGame[P], s *solve.Solution[P], p P,
	begin time.Time) (*game.SolveResult, error) {
	v, ok := s.At(p)
	if !ok {
		return nil, fmt.Errorf("position %q is not in the solution", b.Format(p))
	}
	moves, ok := s.Moves(p)
	if !ok {
		return nil, fmt.Errorf("a position after %q is not in the solution", b.Format(p))
	}
	r := describeSolution(b, p, v, moves, begin)
	r.Positions, r.Classes = s.Positions(), s.Classes()
	return r, nil
}

// ReplyMap returns the map of optimal play of a seat from a position.
func (f solving[P]) ReplyMap(ctx context.Context, position string, seat oxo.Seat) (*game.ReplyMap, error) {
	return opened.MapReplies(ctx, f.b, position, seat)
}

// describeSolution says what a position and its moves are worth.
func describeSolution[P oxo.Position[P]](b *opened.TypedGame[P], p P, v solve.Verdict, moves []solve.Option,
	begin time.Time) *game.SolveResult {
	r := &game.SolveResult{Game: b.Spec, Position: b.Format(p), Best: []string{}, Moves: []game.Worth{}}
	r.Value, r.Expected, r.Remoteness = describeVerdict(b, v)
	for _, m := range moves {
		w := game.Worth{Move: b.FormatMove(p, m.Move), Best: m.Best}
		w.Value, w.Expected, w.Remoteness = describeVerdict(b, m.Verdict)
		r.Moves = append(r.Moves, w)
		if m.Best {
			r.Best = append(r.Best, w.Move)
		}
	}
	r.Others = len(p.Moves(nil)) - len(moves)
	r.Seconds = time.Since(begin).Seconds()
	return r
}

// describeVerdict says a verdict in the terms that suit the game. With chance or payoffs that is the
// expected payoff to First, else who wins and the distance in plies; distance is nil where play need
// never end.
func describeVerdict[P oxo.Position[P]](b *opened.TypedGame[P], v solve.Verdict) (value string, expected *float64,
	remoteness *int) {
	if b.Odds == nil {
		value = v.Outcome.String()
	}
	if b.Odds != nil || b.Payoff != nil {
		return value, &v.Expected, nil
	}
	if v.Remoteness != solve.Endless {
		remoteness = &v.Remoteness
	}
	return value, nil, remoteness
}

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
