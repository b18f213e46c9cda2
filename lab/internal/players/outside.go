package players

import (
	"cmp"
	"context"
	"errors"
	"io"
	"math/rand/v2"

	"oxo"
	"oxo/engine"
	"oxo/games/kind"
	"oxo/lab/internal/opened"
)

// outsideKind is a kind of player that a program has brought, in a game of positions of type P. Its players are of
// positions of type Q, and wrap puts them behind those of P. What it does wrong is an error.
func outsideKind[P oxo.Position[P], Q oxo.Position[Q]](k kind.PlayerKind[Q], g *oxo.Game[Q],
	wrap func(oxo.Player[Q]) oxo.Player[P]) playerKind[P] {
	open := func(_ *opened.TypedGame[P], args string) (m playerMaker[P], err error) {
		defer oxo.RecoverInto(&err)
		play, err := k.Open(g, args)
		if err == nil && play == nil {
			err = errors.New("its Open returns neither players nor an error")
		}
		if err != nil {
			return nil, err
		}
		return func(r *rand.Rand) (p oxo.Player[P], err error) {
			defer oxo.RecoverInto(&err)
			made := play(r)
			if made == nil {
				return nil, errors.New("it makes no player")
			}
			return wrap(made), nil
		}, nil
	}
	return playerKind[P]{Description{Name: k.Name, Form: cmp.Or(k.Form, k.Name), About: k.About, Outside: true},
		opening[P]{open: open}}
}

// outsideKinds lists the kinds of players that a program has brought: those of the game's kind, and those of all games.
func outsideKinds[P oxo.Position[P]](b *opened.TypedGame[P]) []playerKind[P] {
	var list []playerKind[P]
	for _, k := range b.Only {
		list = append(list, outsideKind(k, b.Game, func(p oxo.Player[P]) oxo.Player[P] { return p }))
	}
	if len(b.Lab.Players) > 0 {
		all := oxo.AnyGame(b.Game)
		for _, k := range b.Lab.Players {
			list = append(list, outsideKind(k, all, fromAny[P]))
		}
	}
	return list
}

// WithoutOptions lists the players that a program has brought and that are named by a word: those of the game's kind,
// and those of all games.
func WithoutOptions[P oxo.Position[P]](b *opened.TypedGame[P]) []kind.GamePlayer {
	var list []kind.GamePlayer
	for _, k := range outsideKinds(b) {
		if k.Form == k.Name {
			list = append(list, kind.GamePlayer{Name: k.Name, Form: k.Form, About: k.About})
		}
	}
	return list
}

// fromAny returns a player of all games as one of games of positions of type P. What else than choosing it can do, it
// can do there too: be examined as a policy, refuse a start, keep to limits, be closed.
func fromAny[P oxo.Position[P]](p oxo.Player[oxo.Any]) oxo.Player[P] {
	if f, ok := p.(oxo.Policy[oxo.Any]); ok {
		return anyPolicy[P]{anyPlayer[P]{p}, f}
	}
	return anyPlayer[P]{p}
}

// anyPlayer is a player of all games as one of games of positions of type P.
type anyPlayer[P oxo.Position[P]] struct{ of oxo.Player[oxo.Any] }

func (x anyPlayer[P]) Choose(ctx context.Context, p P) (oxo.Choice, error) {
	return x.of.Choose(ctx, oxo.AnyOf(p))
}

// Start tells the player where a game begins, if it asks.
func (x anyPlayer[P]) Start(ctx context.Context, p P, seat oxo.Seat) error {
	if s, ok := x.of.(oxo.Starter[oxo.Any]); ok {
		return s.Start(ctx, oxo.AnyOf(p), seat)
	}
	return nil
}

// Limit tells the player its limits, if it keeps to some.
func (x anyPlayer[P]) Limit(depth int, nodes uint64) error {
	if l, ok := x.of.(engine.Limiter); ok {
		return l.Limit(depth, nodes)
	}
	return nil
}

// Close closes the player, if it has something open.
func (x anyPlayer[P]) Close() error {
	if c, ok := x.of.(io.Closer); ok {
		return c.Close()
	}
	return nil
}

// anyPolicy is an anyPlayer whose choice is drawn from a distribution.
type anyPolicy[P oxo.Position[P]] struct {
	anyPlayer[P]
	policy oxo.Policy[oxo.Any]
}

func (x anyPolicy[P]) Policy(p P, moves []oxo.Move, w []float64) {
	x.policy.Policy(oxo.AnyOf(p), moves, w)
}
