package typed

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"oxo"
	"oxo/board"
	"oxo/drop"
	"oxo/solve"
)

// dropPlayer plays the best moves by value and distance, found by search, each with the
// same probability; where it keeps, all moves that keep the value.
type dropPlayer[P oxo.Position[P]] struct {
	b      *typedGame[P]
	solver *sharedSolver
	rand   *rand.Rand
	keeps  bool
}

// makeDropPlayers returns the maker of players that ask one solver.
func (b *typedGame[P]) makeDropPlayers(d *sharedSolver, keeps bool) maker[P] {
	return func(r *rand.Rand) (oxo.Player[P], error) { return &dropPlayer[P]{b, d, r, keeps}, nil }
}

// Choose searches as long as it needs. The error is that of a context that was done before.
func (f *dropPlayer[P]) Choose(ctx context.Context, p P) (oxo.Choice, error) {
	v, list, nodes, err := f.b.solveDropMoves(ctx, f.solver, p)
	if err != nil {
		return oxo.Choice{}, fmt.Errorf("%s: %w", f.b.Spec, err)
	}
	list = slices.DeleteFunc(list, func(o solve.Option) bool { return !o.Best && !(f.keeps && o.Outcome == v.Outcome) })
	c := oxo.Choice{Move: list[f.rand.IntN(len(list))].Move, Nodes: nodes, Scored: true, Exact: true}
	c.Score = float64(v.Outcome.Value(p.Turn()))
	return c, nil
}

// keptDrops is how many positions a player searches for a question where marks fall.
const keptDrops = 2_000_000

// keptFalling returns what finds the verdicts of positions for one player, whose solver
// remembers from move to move. Once it gives up on one it gives up on all of that move's.
func (b *typedGame[P]) keptFalling() func(nodes uint64) (func(context.Context, P) (solve.Verdict, bool, error), error) {
	var own *sharedSolver
	return func(uint64) (func(context.Context, P) (solve.Verdict, bool, error), error) {
		if own == nil {
			at, err := asPos64(b.Start)
			if err != nil {
				return nil, err
			}
			d, err := newSharedSolver(at, drop.Options{Bytes: soonTable, Nodes: keptDrops, Book: b.falling.book})
			if err != nil {
				return nil, err
			}
			own = &d
		}
		gaveUp := false
		return func(ctx context.Context, p P) (v solve.Verdict, ok bool, err error) {
			if gaveUp {
				return v, false, nil
			}
			err = b.withDropSolver(ctx, own, p, func(at board.Pos64) error {
				whole, err := own.solver.Solve(ctx, at)
				v = toSolveVerdict(whole)
				return err
			})
			gaveUp = err != nil
			return v, err == nil, ignoreExpected(err, drop.ErrLimit)
		}, nil
	}
}

// mostAsked is how many positions are searched to know a position's value during a match:
// a few milliseconds, so that a match does not wait.
const mostAsked = 1 << 16

// dropAdjudicator returns what tells the value of positions where marks fall, as far as that
// takes few positions. Each answer is by a solver of its own, so that it depends on the
// position alone.
func (b *typedGame[P]) dropAdjudicator() (func(P) (oxo.Outcome, bool), error) {
	if err := b.ensureDropSolver(); err != nil {
		return nil, err
	}
	return func(p P) (oxo.Outcome, bool) {
		at, err := asPos64(p)
		if err != nil {
			return 0, false
		}
		s, err := drop.New(at.Board(), at.Rules(), drop.Options{Bytes: mostAsked * 8, Nodes: mostAsked})
		if err != nil {
			return 0, false
		}
		v, err := s.Value(context.Background(), at)
		return v.Outcome(p.Turn()), err == nil
	}, nil
}
