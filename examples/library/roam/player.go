package roam

import (
	"context"
	"math/rand/v2"

	"oxo"
)

// middle is the square in the centre.
const middle = 4

// centre is a player that wins at once where it can, else takes the centre, and
// else moves at random. Its policy can be examined exactly.
type centre struct{ r *rand.Rand }

func (c centre) Choose(_ context.Context, p Pos) (oxo.Choice, error) {
	moves := best(p, p.Moves(nil))
	return oxo.Choice{Move: moves[c.r.IntN(len(moves))]}, nil
}

// Policy gives the moves that it likes the same probability.
func (centre) Policy(p Pos, moves []oxo.Move, w []float64) {
	liked := best(p, moves)
	for i, m := range moves {
		w[i] = 0
		for _, l := range liked {
			if l == m {
				w[i] = 1 / float64(len(liked))
			}
		}
	}
}

// best returns the moves that are liked: all that win, or else all that take the
// centre, or else all.
func best(p Pos, moves []oxo.Move) []oxo.Move {
	won := oxo.WinFor(p.turn)
	for _, likes := range []func(oxo.Move) bool{
		func(m oxo.Move) bool { return p.Play(m).Outcome() == won },
		func(m oxo.Move) bool { return m%9 == middle },
	} {
		var liked []oxo.Move
		for _, m := range moves {
			if likes(m) {
				liked = append(liked, m)
			}
		}
		if liked != nil {
			return liked
		}
	}
	return moves
}
