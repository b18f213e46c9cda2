// Package tight is a player of all games: it takes what ends the game best for it,
// and else leaves the other side as few moves as it can.
package tight

import (
	"errors"
	"math/rand/v2"

	"oxo"
	"oxo/games/kind"
	"oxo/lab"
	"oxo/player"
)

// Player is the player. That it is drawn from a policy has exams grade it exactly.
var Player = lab.Player{
	GamePlayer: kind.GamePlayer{Name: "tight", Form: "tight",
		About: "wins where it can, else leaves the other side the fewest moves"},
	Open: func(g *oxo.Game[oxo.Any], options string) (func(*rand.Rand) oxo.Player[oxo.Any], error) {
		if options != "" {
			return nil, errors.New("it has no options")
		}
		return func(r *rand.Rand) oxo.Player[oxo.Any] { return player.NewSamplingPlayer(policy{g}, r) }, nil
	},
}

type policy struct{ game *oxo.Game[oxo.Any] }

// Policy gives the moves of the most worth the same probability.
func (t policy) Policy(p oxo.Any, moves []oxo.Move, w []float64) {
	best, count := 0.0, 0
	for i, m := range moves {
		w[i] = t.worth(p.Play(m), p.Turn())
		switch {
		case i == 0 || w[i] > best:
			best, count = w[i], 1
		case w[i] == best:
			count++
		}
	}
	for i := range w {
		if w[i] == best {
			w[i] = 1 / float64(count)
		} else {
			w[i] = 0
		}
	}
}

// worth says how much a seat likes to have moved to p: an end counts more than all moves.
func (t policy) worth(p oxo.Any, seat oxo.Seat) float64 {
	if p.Outcome() != oxo.Ongoing {
		return 1e6 * seat.Score(t.game.PayoffToFirst(p))
	}
	moves := float64(len(p.Moves(nil)))
	if p.Turn() == seat {
		return moves
	}
	return -moves
}
