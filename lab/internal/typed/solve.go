package typed

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"time"

	"oxo/solve"
)

// ErrTooLarge is wrapped by errors about games that are too large to be solved
// at once.
var ErrTooLarge = solve.ErrTooLarge

// SolveOptions say what to solve and how far.
type SolveOptions struct {
	Position string    // empty for the start
	Out      io.Writer // where to write the strong solution; nil for nowhere
	Limit    int       // most positions to store; 0 for DefaultLimit

	// Keep is told how many positions there are so far; where save is not nil, it
	// writes what Resume goes on from. See [solve.Options].
	Resume io.Reader
	Keep   func(positions int, save func(io.Writer) error)
}

// DefaultLimit is the most positions that are stored for a solution unless
// told otherwise: about 4 GB of them.
const DefaultLimit = 150_000_000

// SolveResult is a position's exact worth.
type SolveResult struct {
	Game     string `json:"game"`
	Position string `json:"position"`

	// Value is first, second or draw; it is left out where Expected, the
	// payoff to First, takes its place.
	Value      string   `json:"value,omitempty"`
	Expected   *float64 `json:"expected,omitempty"`
	Remoteness *int     `json:"remoteness"` // plies to the end; null for endless draws and expected payoffs
	Best       []string `json:"best"`
	Moves      []Worth  `json:"moves"`
	Positions  uint64   `json:"positions"`
	Classes    int      `json:"classes"` // positions stored, one for each class where symmetry is used
	Seconds    float64  `json:"seconds"`
}

// Worth is what the position after a move is worth.
type Worth struct {
	Move       string   `json:"move"`
	Value      string   `json:"value,omitempty"`
	Expected   *float64 `json:"expected,omitempty"`
	Remoteness *int     `json:"remoteness"` // plies to the end after the move
	Best       bool     `json:"best"`
}

// solvable returns the position of the options, or why it can't be solved,
// where strong is set into a file.
func (f solving[P]) solvable(o SolveOptions, strong bool) (P, error) {
	p, err := parse(f.b.Game, o.Position)
	switch {
	case err != nil:
		return p, fault("position", err)
	case !strong:
		return p, nil
	case p != f.b.Start:
		return p, fault("position", errors.New("a strong solution is written from the start of the game, not from another position"))
	case f.b.Code == nil:
		return p, fault("strong", fmt.Errorf("positions of %s don't fit in 64 bits each, so its strong solution can't be written", f.b.Spec))
	}
	return p, nil
}

// Solvable says why Solve would refuse the options; nil where it would not.
func (f solving[P]) Solvable(o SolveOptions, strong bool) error {
	p, err := f.solvable(o, strong)
	if err != nil {
		return err
	}
	if !strong && f.b.falls() == nil {
		return nil
	}
	return f.b.plainlyTooLarge(p, cmp.Or(o.Limit, DefaultLimit))
}

// Solve solves a position exactly, with all that can be reached from it.
func (f solving[P]) Solve(ctx context.Context, o SolveOptions) (*SolveResult, error) {
	begin := time.Now()
	p, err := f.solvable(o, o.Out != nil)
	if err != nil {
		return nil, err
	}
	if o.Out == nil {
		if r, ok, err := f.b.solveFalling(ctx, p, begin); ok {
			return r, err
		}
	}
	so := solve.Options{Limit: o.Limit, Resume: o.Resume, Keep: o.Keep}
	if o.Keep != nil && f.b.Code == nil { // such work can't be saved
		so.Progress = func(n int) { o.Keep(n, nil) }
	}
	s, err := f.b.solution(ctx, p, so)
	if err != nil {
		return nil, err
	}
	if o.Out != nil {
		if err := s.Write(o.Out, f.b.identity); err != nil {
			return nil, err
		}
	}
	return f.b.result(s, p, begin)
}

// guesses is how many random games guess the size of a game.
const guesses = 50

// hopeless is how many times the limit the guessed number of classes may be
// before a solution is not even tried.
const hopeless = 1.5

// plainlyTooLarge returns an error where a guess says that far more than limit
// classes of positions can be reached from p.
func (b *bound[P]) plainlyTooLarge(p P, limit int) error {
	classes := solve.Guess(b.Game, p, guesses, 1)
	if p == b.Start && b.Canonical != nil {
		order, _ := new(big.Float).SetInt(b.Symmetries).Float64()
		classes /= order
	}
	if classes > hopeless*float64(limit) {
		return fmt.Errorf("solve %s: %w: about %.1g", b.Spec, solve.ErrTooLarge, classes)
	}
	return nil
}

// solution solves from p unless that is plainly too large.
func (b *bound[P]) solution(ctx context.Context, p P, o solve.Options) (*solve.Solution[P], error) {
	if o.Limit == 0 {
		o.Limit = DefaultLimit
	}
	if err := b.plainlyTooLarge(p, o.Limit); err != nil {
		return nil, err
	}
	s, err := solve.Solve(ctx, b.Game, p, o)
	if errors.Is(err, solve.ErrTooLarge) {
		err = fmt.Errorf("solve %s: %w", b.Spec, err)
	}
	return s, err
}

// Lookup answers from a strong solution that Solve wrote.
func (f solving[P]) Lookup(solution io.Reader, position string) (*SolveResult, error) {
	begin := time.Now()
	p, err := parse(f.b.Game, position)
	if err != nil {
		return nil, err
	}
	file, err := randomAccess(solution)
	if err != nil {
		return nil, err
	}
	if isTiers(file) {
		return f.lookupTiers(file, p, begin)
	}
	s, err := solve.Read(io.NewSectionReader(file, 0, math.MaxInt64), f.b.Game, f.b.identity)
	if err != nil {
		return nil, err
	}
	return f.b.result(s, p, begin)
}

func (b *bound[P]) result(s *solve.Solution[P], p P, begin time.Time) (*SolveResult, error) {
	v, ok := s.At(p)
	if !ok {
		return nil, fmt.Errorf("position %q is not in the solution", b.Format(p))
	}
	moves, ok := s.Moves(p)
	if !ok {
		return nil, fmt.Errorf("a position after %q is not in the solution", b.Format(p))
	}
	r := b.told(p, v, moves, begin)
	r.Positions, r.Classes = s.Positions(), s.Classes()
	return r, nil
}

// told says what a position and its moves are worth.
func (b *bound[P]) told(p P, v solve.Verdict, moves []solve.Option, begin time.Time) *SolveResult {
	r := &SolveResult{Game: b.Spec, Position: b.Format(p), Best: []string{}, Moves: []Worth{}}
	r.Value, r.Expected, r.Remoteness = b.worth(v)
	for _, m := range moves {
		w := Worth{Move: b.FormatMove(p, m.Move), Best: m.Best}
		w.Value, w.Expected, w.Remoteness = b.worth(m.Verdict)
		r.Moves = append(r.Moves, w)
		if m.Best {
			r.Best = append(r.Best, w.Move)
		}
	}
	r.Seconds = time.Since(begin).Seconds()
	return r
}

// worth says a verdict in the terms that suit the game.
func (b *bound[P]) worth(v solve.Verdict) (value string, expected *float64, remoteness *int) {
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
