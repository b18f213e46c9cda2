package typed

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"oxo"
	"oxo/drop"
	"oxo/solve"
)

// fallingPlayer plays the best moves by value and distance, found by search, each with the
// same probability; where it keeps, all moves that keep the value.
type fallingPlayer[P oxo.Position[P]] struct {
	b     *bound[P]
	rand  *rand.Rand
	keeps bool
}

// Choose searches as long as it needs. The error is that of a context that was done before.
func (f *fallingPlayer[P]) Choose(ctx context.Context, p P) (oxo.Choice, error) {
	v, list, nodes, err := f.b.fallingMoves(ctx, p)
	if err != nil {
		return oxo.Choice{}, fmt.Errorf("%s: %w", f.b.Spec, err)
	}
	list = slices.DeleteFunc(list, func(o solve.Option) bool { return !o.Best && !(f.keeps && o.Outcome == v.Outcome) })
	c := oxo.Choice{Move: list[f.rand.IntN(len(list))].Move, Nodes: nodes, Scored: true, Exact: true}
	c.Score = float64(v.Outcome.Value(p.Turn()))
	return c, nil
}

// hurried plays the best move where a search finds it soon, and else what another player does.
type hurried[P oxo.Position[P]] struct {
	fallingPlayer[P]
	soon  time.Duration
	other oxo.Player[P]
}

// Choose searches for a while.
func (h *hurried[P]) Choose(ctx context.Context, p P) (oxo.Choice, error) {
	soon, cancel := context.WithTimeout(ctx, h.soon)
	defer cancel()
	c, err := h.fallingPlayer.Choose(soon, p)
	if err != nil && ctx.Err() == nil {
		return h.other.Choose(ctx, p)
	}
	return c, err
}

// mostAsked is how many positions are searched to know a position's value during a match:
// a few milliseconds, so that a match does not wait.
const mostAsked = 1 << 16

// adjudicateFalling returns what tells the value of positions where marks fall, as far as that
// takes few positions. Each answer is by a solver of its own, so that it depends on the
// position alone.
func (b *bound[P]) adjudicateFalling() (func(P) (oxo.Outcome, bool), error) {
	if err := b.falls(); err != nil {
		return nil, err
	}
	return func(p P) (oxo.Outcome, bool) {
		at, err := asFalling(p)
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
