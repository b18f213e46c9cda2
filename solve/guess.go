package solve

import (
	"math"
	"math/rand/v2"

	"oxo"
)

// Guess estimates how many positions can be reached from p, to tell games that
// can be solved at once from hopeless ones without trying. Random probes
// estimate the sequences of k moves (Knuth 1975); in a game of placing marks a
// position comes about by at most k! orders of play, and by at most ⌈k/2⌉!⌊k/2⌋!
// where each side has marks of its own, so the sequences divided by that are
// the least number of positions there can be. Where play can go in circles the
// guess is 0.
func Guess[P oxo.Position[P]](g *oxo.Game[P], p P, probes int, seed uint64) float64 {
	if g.Loopy() {
		return 0
	}
	ownMarks := g.MaxMoves <= g.MaxPlies
	r := rand.New(rand.NewPCG(seed, 0))
	var moves []oxo.Move
	total := 0.0
	for range probes {
		logWeight := 0.0
		at := p
		for k := 1; at.Outcome() == oxo.Ongoing; k++ {
			moves = at.Moves(moves[:0])
			orders := float64(k)
			if ownMarks {
				orders = float64((k + 1) / 2)
			}
			logWeight += math.Log(float64(len(moves)) / orders)
			total += math.Exp(logWeight)
			at = at.Play(moves[r.IntN(len(moves))])
		}
	}
	return 1 + total/float64(probes)
}
