package typed

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"

	"oxo"
	"oxo/engine"
	"oxo/lab/internal/game"
	"oxo/lab/internal/players"
)

// NewEngine returns the game with a player for the text protocols. An empty spec
// is the strongest player that takes whatever time it is given; for it the game
// is solved on the side, if it is not too large, until ctx is done. A player that is named is bound by the manager's
// limits of depth and nodes where it can be, and by its time always. The error is of a spec that this game refuses.
func (f contesting[P]) NewEngine(ctx context.Context, playerSpec string) (engine.Engine, error) {
	if playerSpec == "" {
		s := f.solveInBackground(ctx)
		return engine.NewEngine(f.b.Game, func(limit engine.Limit, report func(oxo.Choice, []oxo.Move)) (oxo.Player[P],
			error) {
			searching, err := f.newSearchPlayer(limit, report)
			return &solveOrSearchPlayer[P]{s, searching, rand.New(rand.NewPCG(rand.Uint64(), 0))}, err
		}), nil
	}
	m, err := players.OpenClockedPlayer(f.b, playerSpec)
	if err != nil {
		return nil, err
	}
	return engine.NewEngine(f.b.Game, func(limit engine.Limit, _ func(oxo.Choice, []oxo.Move)) (oxo.Player[P], error) {
		p, err := m(rand.New(rand.NewPCG(rand.Uint64(), 0)))
		// A player that can't keep to the limits is refused, and closed where it holds something open.
		if l, ok := p.(engine.Limiter); ok && err == nil {
			if err := l.Limit(limit.Depth, limit.Nodes); err != nil {
				if c, ok := p.(io.Closer); ok {
					c.Close()
				}
				return nil, fmt.Errorf("player %q: %w", playerSpec, err)
			}
		}
		return p, err
	}), nil
}

// HostQuiz plays one game of the quiz's protocol with the programs that connect, at least one, each
// greeted as it comes; on a seat without one a player plays. Where a program leaves or breaks the
// rules, the other one wins. The record is the game's; an error is a program's that left or broke the
// rules, which the other one is told as its win. The guests are by seat, First's at 0; nil is a seat for the
// player of that spec. Greeting is what each program is greeted with.
func (f contesting[P]) HostQuiz(ctx context.Context, guests [2]game.QuizGuest, playerSpec,
	greeting string) (*oxo.Record, error) {
	// The session is made by hand, as a program takes a seat only once it has connected.
	s := &session[P]{TypedGame: f.b, specs: [2]string{playerSpec, playerSpec}, trail: []P{f.b.Start},
		chance: rand.New(rand.NewPCG(1, 2))}
	defer s.Close()
	var hosted [2]*engine.QuizPlayer[P]
	for seat, await := range guests {
		if await == nil {
			m, err := players.OpenPlayer(f.b, playerSpec)
			if err != nil {
				return nil, err
			}
			if s.players[seat], err = m(rand.New(rand.NewPCG(rand.Uint64(), 0))); err != nil {
				return nil, err
			}
			continue
		}
		c, err := await(ctx)
		if err != nil {
			return nil, err
		}
		guest, err := engine.GreetQuiz(ctx, f.b.Game, engine.NewConn(c), oxo.Seat(seat), greeting,
			engine.ClientOptions{})
		if err != nil {
			return nil, err
		}
		hosted[seat], s.players[seat], s.specs[seat] = guest, guest, guest.Name
	}
	// The board of the start is sent only when everybody is there.
	for _, guest := range hosted {
		if guest == nil {
			continue
		}
		if err := guest.ShowStart(ctx); err != nil {
			return nil, err
		}
	}
	for !s.Over() {
		turn := s.currentPosition().Turn()
		if _, err := s.Step(ctx); err != nil {
			// A program that has failed loses, and its opponent is told so; a game that was called off has no winner.
			if other := hosted[turn.Other()]; other != nil && ctx.Err() == nil {
				err = errors.Join(err, other.End(s.currentPosition(), oxo.Win))
			}
			return nil, err
		}
	}
	// Each program is told the last board, and whether it has won or lost.
	for seat, guest := range hosted {
		if guest == nil {
			continue
		}
		if err := guest.End(s.currentPosition(), s.currentPosition().Outcome().Value(oxo.Seat(seat))); err != nil {
			return nil, fmt.Errorf("telling the end: %w", err)
		}
	}
	r := s.Record()
	return &r, nil
}
