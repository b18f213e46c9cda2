package typed

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"oxo"
	"oxo/games/ultimate"
	"oxo/lab/internal/nine"
	"oxo/prove/certificate"
)

// nineProver plays a certificate of a game of nine boards.
type nineProver struct {
	g        *nine.Game
	of       *Certificate
	wins     bool
	strategy *nine.Strategy
}

// Start refuses a game in which the certificate has no strategy for the seat.
func (w *nineProver) Start(_ context.Context, _ ultimate.Pos, seat oxo.Seat) error {
	c, err := w.of.nineClaim(seat.String())
	if err == nil {
		w.wins = c.Wins
		w.strategy, err = nine.Follow(w.g, w.of.Summary.Position, c)
	}
	return err
}

// Choose returns the certificate's move.
func (w *nineProver) Choose(_ context.Context, p ultimate.Pos) (oxo.Choice, error) {
	if w.strategy == nil {
		return oxo.Choice{}, nine.ErrNoAnswer
	}
	m, err := w.strategy.Move(p)
	if err != nil {
		return oxo.Choice{}, err
	}
	score := 0.0
	if w.wins {
		score = 1
	}
	return oxo.Choice{Move: m, Score: score, Scored: true, Exact: true}, nil
}

// nineClaim returns the claim about a side, or without one the claim that says most.
func (c *Certificate) nineClaim(seat string) (*certificate.Claim, error) {
	var best *certificate.Claim
	for i := range c.proof.Claims {
		claim := &c.proof.Claims[i]
		if seat != "" && seat != claim.Seat.String() {
			continue
		}
		if best == nil || claim.Wins && !best.Wins {
			best = claim
		}
	}
	if best == nil {
		return nil, fmt.Errorf("the certificate has no strategy for %s", seat)
	}
	return best, nil
}

// walkNine is [Certificate.Walk] of a game of nine boards.
func (c *Certificate) walkNine(seat string, replies []string) (*Walk, error) {
	claim, err := c.nineClaim(seat)
	if err != nil {
		return nil, err
	}
	b, ok := c.game.(*typedGame[ultimate.Pos])
	if !ok {
		return nil, fmt.Errorf("%s is no game of nine boards", c.Summary.Game)
	}
	g := nineBoards(b)
	strategy, err := nine.Follow(g, c.Summary.Position, claim)
	if err != nil {
		return nil, err
	}
	s, err := c.game.NewSession(SessionOptions{First: Human, Second: Human, Position: c.Summary.Position})
	if err != nil {
		return nil, err
	}
	info := c.game.Info()
	out := &Walk{Info: info, Start: c.Summary.Position, Seat: claim.Seat.String(), Wins: claim.Wins,
		Moves: []string{}, Notes: []string{}, Owned: []int{}}
	p, err := g.Parse(c.Summary.Position)
	for err == nil && !s.Over() {
		var m oxo.Move
		note := ""
		if p.Turn() == claim.Seat {
			if m, err = strategy.Move(p); errors.Is(err, nine.ErrNoAnswer) {
				err = nil // the claim goes no further
				break
			}
			note = fmt.Sprintf("the certificate's move, one of %d", strategy.Len())
		} else if len(replies) == 0 {
			break
		} else if m, err = g.ParseMove(p, replies[0]); err == nil {
			replies = slices.Delete(slices.Clone(replies), 0, 1)
		}
		if err == nil {
			err = s.Move(g.FormatMove(p, m))
			p = p.Play(m)
			out.Moves, out.Notes = s.Record().Moves, append(out.Notes, note)
		}
	}
	switch {
	case err != nil:
		return nil, err
	case len(replies) > 0:
		return nil, fmt.Errorf("reply %q comes after the end of the game", replies[0])
	}
	out.State = s.State()
	return out, nil
}
