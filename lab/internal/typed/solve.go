package typed

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"time"
	"unsafe"

	"oxo"
	"oxo/drop"
	"oxo/solve"
)

// ErrTooLarge is wrapped by errors about games that are too large to be solved
// at once.
var ErrTooLarge = solve.ErrTooLarge

// SolveResult is a position's exact worth.
type SolveResult struct {
	Game     string `json:"game"`
	Position string `json:"position"`

	// Value is first, second or draw; it is left out where Expected, the
	// payoff to First, takes its place.
	Value      string   `json:"value,omitempty"`
	Expected   *float64 `json:"expected,omitempty"`
	Remoteness *int     `json:"remoteness"` // plies to the end; null for endless draws and expected payoffs

	// Bounds are the least and the most plies to the end, where no more is known of them.
	Bounds *[2]int `json:"remoteness_bounds,omitempty"`

	Best      []string  `json:"best"`               // null where the best moves are not known
	Moves     []Worth   `json:"moves"`              // where only a win was looked for, those that keep it
	Method    string    `json:"method,omitempty"`   // the way taken: table, tiers, …
	Positions uint64    `json:"positions"`          // worked out, or by a search: looked at
	Classes   int       `json:"classes"`            // positions stored, one for each class where symmetry is used
	Estimate  *Estimate `json:"estimate,omitempty"` // what the way was expected to take
	Seconds   float64   `json:"seconds"`
}

// Worth is what the position after a move is worth.
type Worth struct {
	Move       string   `json:"move"`
	Value      string   `json:"value,omitempty"`
	Expected   *float64 `json:"expected,omitempty"`
	Remoteness *int     `json:"remoteness"` // plies to the end after the move
	Best       bool     `json:"best"`
}

// tableSeconds is about how long a stored position takes.
const tableSeconds = 1.2e-6

// bytesPerPosition is how many bytes a stored position takes at most, as tables grow by doubling.
func (b *typedGame[P]) bytesPerPosition() float64 {
	switch {
	case b.Code == nil:
		return 3 * float64(unsafe.Sizeof(b.Start))
	case b.Odds != nil || b.Payoff != nil:
		return 80
	}
	return 40
}

// estimateTable says what a table of all positions below takes.
func estimateTable[P oxo.Position[P]](b *typedGame[P], q *solveTask[P]) (Estimate, error) {
	if b.Loopy() {
		return Estimate{}, unsuited("play can go in circles")
	}
	return b.estimateInMemory(q)
}

// estimateRetrograde is estimateTable where play can go in circles.
func estimateRetrograde[P oxo.Position[P]](b *typedGame[P], q *solveTask[P]) (Estimate, error) {
	if !b.Loopy() {
		return Estimate{}, unsuited("it is for games in which play can go in circles")
	}
	return b.estimateInMemory(q)
}

func (b *typedGame[P]) estimateInMemory(q *solveTask[P]) (e Estimate, err error) {
	seconds := tableSeconds * q.size
	switch e.Seconds = &seconds; {
	case q.Strong && b.Code == nil:
		return e, fault("strong", fmt.Errorf("positions of %s don't fit in 64 bits each, so its strong solution "+
			"can't be written", b.Spec))
	case q.size*b.bytesPerPosition() > float64(q.Memory):
		return e, fmt.Errorf("about %.1g MB, and it may take %d MB of memory", q.size*b.bytesPerPosition()/(1<<20),
			q.Memory>>20)
	}
	e.Bytes = int64(q.size * b.bytesPerPosition())
	return e, nil
}

// runTable solves by a table of all positions below.
func runTable[P oxo.Position[P]](ctx context.Context, b *typedGame[P], q *solveTask[P]) (*SolveResult, error) {
	o := solve.Options{Limit: int(float64(q.Memory) / b.bytesPerPosition()), Resume: q.Resume}
	began := time.Now()
	tell := func(n int, save func(io.Writer) error) { q.reportProgress(ByTable, began, uint64(n), q.size, save) }
	if b.Code != nil {
		o.Keep = tell
	} else { // such work can't be saved
		o.Progress = func(n int) { tell(n, nil) }
	}
	s, err := solve.Solve(ctx, b.Game, q.p, o)
	if err != nil {
		if errors.Is(err, solve.ErrTooLarge) {
			err = fmt.Errorf("solve %s: %w", b.Spec, err)
		}
		return nil, err
	}
	if q.Out != nil {
		if err := s.Write(q.Out, b.identity); err != nil {
			return nil, err
		}
	}
	return b.resultFromSolution(s, q.p, began)
}

// guesses is how many random games guess the size of a game.
const guesses = 50

// hopeless is how many times the limit the guessed number of classes may be
// before a solution is not even tried.
const hopeless = 1.5

// refuseTooLarge returns an error where a guess says that far more than limit
// classes of positions can be reached from p.
func (b *typedGame[P]) refuseTooLarge(p P, limit int) error {
	classes := solve.EstimatePositions(b.Game, p, guesses, 1)
	if p == b.Start && b.Canonical != nil {
		order, _ := new(big.Float).SetInt(b.Symmetries).Float64()
		classes /= order
	}
	if classes > hopeless*float64(limit) {
		return fmt.Errorf("solve %s: %w: about %.1g", b.Spec, solve.ErrTooLarge, classes)
	}
	return nil
}

// solveFrom solves from p unless that is plainly too large.
func (b *typedGame[P]) solveFrom(ctx context.Context, p P, o solve.Options) (*solve.Solution[P], error) {
	if err := b.refuseTooLarge(p, o.Limit); err != nil {
		return nil, err
	}
	s, err := solve.Solve(ctx, b.Game, p, o)
	if errors.Is(err, solve.ErrTooLarge) {
		err = fmt.Errorf("solve %s: %w", b.Spec, err)
	}
	return s, err
}

// Lookup answers from a strong solution that Solve wrote, or from a book.
func (f solving[P]) Lookup(ctx context.Context, solution io.Reader, position string) (*SolveResult, error) {
	begin := time.Now()
	p, err := parse(f.b.Game, position)
	if err != nil {
		return nil, err
	}
	file, err := randomAccess(solution)
	if err != nil {
		return nil, err
	}
	head := make([]byte, 16)
	if n, _ := file.ReadAt(head, 0); drop.IsBook(head[:n]) {
		return f.b.lookUpInBook(ctx, io.NewSectionReader(file, 0, math.MaxInt64), p, begin)
	}
	if isTiers(file) {
		return f.lookupTiers(file, p, begin)
	}
	s, err := solve.Read(io.NewSectionReader(file, 0, math.MaxInt64), f.b.Game, f.b.identity)
	if err != nil {
		return nil, err
	}
	return f.b.resultFromSolution(s, p, begin)
}

func (b *typedGame[P]) resultFromSolution(s *solve.Solution[P], p P, begin time.Time) (*SolveResult, error) {
	v, ok := s.At(p)
	if !ok {
		return nil, fmt.Errorf("position %q is not in the solution", b.Format(p))
	}
	moves, ok := s.Moves(p)
	if !ok {
		return nil, fmt.Errorf("a position after %q is not in the solution", b.Format(p))
	}
	r := b.describeSolution(p, v, moves, begin)
	r.Positions, r.Classes = s.Positions(), s.Classes()
	return r, nil
}

// describeSolution says what a position and its moves are worth.
func (b *typedGame[P]) describeSolution(p P, v solve.Verdict, moves []solve.Option, begin time.Time) *SolveResult {
	r := &SolveResult{Game: b.Spec, Position: b.Format(p), Best: []string{}, Moves: []Worth{}}
	r.Value, r.Expected, r.Remoteness = b.describeVerdict(v)
	for _, m := range moves {
		w := Worth{Move: b.FormatMove(p, m.Move), Best: m.Best}
		w.Value, w.Expected, w.Remoteness = b.describeVerdict(m.Verdict)
		r.Moves = append(r.Moves, w)
		if m.Best {
			r.Best = append(r.Best, w.Move)
		}
	}
	r.Seconds = time.Since(begin).Seconds()
	return r
}

// describeVerdict says a verdict in the terms that suit the game.
func (b *typedGame[P]) describeVerdict(v solve.Verdict) (value string, expected *float64, remoteness *int) {
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
