package typed

import (
	"context"

	"oxo"
	"oxo/games/ultimate"
	"oxo/lab/internal/nine"
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
	c, err := w.of.NineClaim(seat.String())
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

