// Package solve finds strong solutions: the exact value of every position that
// can be reached, and how long the game lasts under best play. The facts of
// the game choose the method: games with chance or payoffs are solved by
// expectation, games that can go in circles by retrograde analysis, and the
// rest by working out each position of the tree once, up to symmetry.
//
// The rule for optimal play is: the winner hurries, the loser delays, and in
// a drawn position both delay.
//
// [Solve] makes a [Solution]; [Solution.Write] and [Read] keep it in a file.
// [TakeCensus] takes a census of a game's positions instead of solving them.
package solve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"

	"oxo"
)

// ErrTooLarge is returned, wrapped, when a game has more positions than the
// limit allows.
var ErrTooLarge = errors.New("too many positions to solve at once")

// ErrCircles is returned, wrapped, of a game with chance or payoffs in which play can go in circles.
var ErrCircles = errors.New("play can go in circles, which can't be solved together with chance or payoffs")

// CheckSolvable refuses games whose values no method here finds.
func CheckSolvable[P oxo.Position[P]](g *oxo.Game[P]) error {
	if g.Loopy() && expectation(g) {
		return fmt.Errorf("%s: %w", g.Spec, ErrCircles)
	}
	return nil
}

// Settings limit a solution. The zero value sets no limit.
type Settings struct {
	Limit    int                 // most positions to store; 0 for no limit
	Progress func(positions int) // called now and then with the positions stored

	// Resume, if set, is the unfinished work of an earlier Solve of the same
	// game from the same position, as Keep was given to write.
	Resume io.Reader

	// Keep, if set, is called now and then, and once ctx has ended the work. To
	// save the work call save before Keep returns. It is not called in games in
	// which play can go in circles or whose positions have no codes.
	Keep func(positions int, save func(io.Writer) error)
}

// Solution holds the verdicts of a position and of all that can be reached
// from it.
type Solution[P oxo.Position[P]] struct {
	game   *oxo.Game[P]
	judge  verdictComparer
	class  func(P) (P, uint64)     // nil where symmetry is not used
	values *valueTable[P, uint16]  // packed verdicts, or
	odds   *valueTable[P, float64] // expected payoffs
	total  uint64
}

// Solve solves the position from and all that can be reached from it. Where
// every symmetry of the game keeps from as it is, one position of each class
// is stored, otherwise each position itself. It stops early with ctx's error
// or ErrTooLarge, and with a [*oxo.GameFault] where a position has no moves and is not over,
// or the game goes on beyond its MaxPlies.
func Solve[P oxo.Position[P]](ctx context.Context, g *oxo.Game[P], from P, o Settings) (*Solution[P], error) {
	if err := CheckSolvable(g); err != nil {
		return nil, err
	}
	within := g.WithCancelableCanonical(ctx)
	run := &solver[P]{Solution: newSolution(g), ctx: ctx, options: o, charge: oxo.NewCharge(ctx)}
	defer run.charge.SetBytes(0)
	if g.Canonical != nil {
		if _, size := within.Canonical(from); size == 1 {
			run.class = within.Canonical
		}
	}
	switch {
	case g.Loopy():
		run.err = run.solveRetrograde(from)
	case o.Resume != nil:
		if run.err = run.load(o.Resume); run.err == nil {
			run.solvePosition(run.representative(from))
		}
	default:
		run.solvePosition(run.representative(from))
	}
	if err := cmp.Or(run.err, ctx.Err()); err != nil { // whose last forms are not to be relied on
		return nil, err
	}
	if run.class != nil {
		run.class = g.Canonical // beyond ctx
	}
	return run.Solution, nil
}

// newSolution returns a solution without positions.
func newSolution[P oxo.Position[P]](g *oxo.Game[P]) *Solution[P] {
	s := &Solution[P]{game: g, judge: verdictComparer{expectation(g)}}
	if s.judge.expectation {
		s.odds = newTable[P, float64](g)
	} else {
		s.values = newTable[P, uint16](g)
	}
	return s
}

// Classes returns the number of positions stored, one for each class where
// symmetry is used.
func (s *Solution[P]) Classes() int {
	if s.odds != nil {
		return s.odds.len()
	}
	return s.values.len()
}

// bytes returns how much memory the solution takes.
func (s *Solution[P]) bytes() int64 {
	if s.odds != nil {
		return s.odds.bytes()
	}
	return s.values.bytes()
}

// Positions returns the number of positions solved, all members of each class
// counted.
func (s *Solution[P]) Positions() uint64 { return s.total }

// At returns p's verdict; false if p can't be reached from where the solution
// starts.
func (s *Solution[P]) At(p P) (Verdict, bool) { return s.storedVerdict(s.representative(p)) }

// Moves returns p's moves in ascending order with their verdicts; false if p
// can't be reached from where the solution starts. At a chance node no move is
// best.
func (s *Solution[P]) Moves(p P) ([]Option, bool) {
	whole, ok := s.At(p)
	if !ok {
		return nil, false
	}
	var list []Option
	for _, m := range p.Moves(nil) {
		v, ok := s.At(p.Play(m))
		if !ok {
			return nil, false
		}
		list = append(list, Option{m, v, p.Turn() != oxo.Chance && s.judge.isOptimal(v, whole)})
	}
	return list, true
}

// representative returns the position under which p is stored.
func (s *Solution[P]) representative(p P) P {
	if s.class == nil {
		return p
	}
	c, _ := s.class(p)
	return c
}

// storedVerdict returns the verdict of a representative, if it is there.
func (s *Solution[P]) storedVerdict(p P) (Verdict, bool) {
	if s.odds != nil {
		x, ok := s.odds.get(p)
		return expectedVerdict(x), ok
	}
	w, ok := s.values.get(p)
	return unpack(w), ok
}

// storeVerdict stores the verdict of a representative, and counts its class.
// Of a game that is solved by expectation only the payoff is kept: the outcome follows from its
// sign.
func (s *Solution[P]) storeVerdict(p P, v Verdict) {
	if s.odds != nil {
		s.odds.put(p, v.Expected)
	} else {
		s.values.put(p, v.pack())
	}
	size := uint64(1)
	if s.class != nil {
		_, size = s.class(p)
	}
	s.total += size
}

// solver is a solution under way.
type solver[P oxo.Position[P]] struct {
	*Solution[P]
	ctx     context.Context
	options Settings
	moves   []oxo.Move // one stack for all plies
	visits  int
	depth   int // plies from where the solution starts to the position worked on
	charge  oxo.Charge
	err     error
}

// longestGame is how many plies a verdict can hold, and errTooLong the error of a game that may last longer.
const longestGame = 1<<14 - 2

var errTooLong = fmt.Errorf("it may last more than %d plies, and solutions hold no longer games", longestGame)

// pollEvery is how many positions lie between two looks at the context.
const pollEvery = 0x1000

// solvePosition returns the verdict of p, a class representative, having stored it and
// those of everything below. After an error the verdict means nothing.
// It goes as deep as the game is long, and no deeper than MaxPlies allow. Play can't go in circles here, so that no
// position is met again while it is worked on.
func (s *solver[P]) solvePosition(p P) Verdict {
	if s.visits++; s.visits%pollEvery == 0 {
		s.charge.SetBytes(s.bytes())
		if err := s.ctx.Err(); err != nil && s.err == nil {
			s.err = err
			s.saveProgress()
		}
	}
	if v, ok := s.storedVerdict(p); ok || s.err != nil {
		return v
	}
	if o := p.Outcome(); o != oxo.Ongoing {
		return s.storeAndReport(p, Verdict{Outcome: o, Expected: s.game.PayoffToFirst(p)})
	}
	base := len(s.moves)
	s.moves = p.Moves(s.moves)
	end := len(s.moves)
	if s.err = s.game.OngoingFault(p, end-base, s.depth); s.err == nil && s.depth >= longestGame {
		s.err = fmt.Errorf("solve %s: %w", s.game.Spec, errTooLong)
	}
	if s.err != nil {
		return Verdict{}
	}
	s.depth++
	turn := p.Turn()
	var best Verdict
	mean := 0.0
	for i := base; i < end; i++ {
		m := s.moves[i]
		v := s.solvePosition(s.representative(p.Play(m)))
		if turn == oxo.Chance {
			mean += s.game.Odds(p, m) * v.Expected
		} else if i == base || s.judge.prefers(v, best, turn) {
			best = v
		}
	}
	s.moves = s.moves[:base]
	s.depth--
	switch {
	case s.err != nil:
		return best
	case turn == oxo.Chance:
		best = expectedVerdict(mean)
	case !s.judge.expectation:
		best = best.onePlyEarlier()
	}
	return s.storeAndReport(p, best)
}

// storeAndReport stores a verdict; now and then it tells how many there are, and keeps them.
// More positions than the limit are the error; those that were stored stay, and all calls above
// return.
func (s *solver[P]) storeAndReport(p P, v Verdict) Verdict {
	s.storeVerdict(p, v)
	n := s.Classes()
	if s.options.Limit > 0 && n > s.options.Limit {
		s.err = fmt.Errorf("%w: more than %d", ErrTooLarge, s.options.Limit)
	}
	if n%pollEvery == 0 {
		if s.options.Progress != nil {
			s.options.Progress(n)
		}
		s.saveProgress()
	}
	return v
}

// saveProgress has the work saved, where that can be.
func (s *solver[P]) saveProgress() {
	if s.options.Keep != nil && s.game.Code != nil {
		s.options.Keep(s.Classes(), s.save)
	}
}
