package solve

import (
	"math/rand/v2"
	"slices"

	"oxo"
)

// guessStep is how many plies lie between the plies that Guess looks at.
const guessStep = 4

// vast is so large a guess that it needs no refining.
const vast = 1e30

// Guess estimates how many positions can be reached from p, to tell games that
// can be solved at once from hopeless ones without trying. Random games
// estimate how many sequences of k moves there are (Knuth, Mathematics of
// Computation 29, 1975), and playing the moves of one of them again in random
// order estimates how many of them lead to the same position; their ratio is
// the number of positions after k moves. Positions in which the game is over are
// left out, as hardly any other order of play gets to them. Where play can go in circles,
// and with chance, the guess is 0. It is good to an order of magnitude or so.
func Guess[P oxo.Position[P]](g *oxo.Game[P], p P, games int, seed uint64) float64 {
	if g.Loopy() || g.Odds != nil {
		return 0
	}
	r := rand.New(rand.NewPCG(seed, 0))
	total := 1.0
	for range games {
		if total > vast {
			return total
		}
		sequences := 1.0
		at := p
		var played []oxo.Move
		for at.Outcome() == oxo.Ongoing {
			moves := at.Moves(nil)
			m := moves[r.IntN(len(moves))]
			sequences *= float64(len(moves))
			played = append(played, m)
			at = at.Play(m)
			if len(played)%guessStep == 0 && at.Outcome() == oxo.Ongoing {
				if sequences > vast*vast {
					return vast // or more: the orders of so many moves don't fit a float
				}
				total += guessStep * sequences / orders(p, at, played, r) / float64(games)
			}
		}
	}
	return total
}

// orders estimates in how many orders the moves played from p lead to end:
// with each seat keeping its own moves, and with all moves in one pool, where
// either seat may have made any of them.
func orders[P oxo.Position[P]](p, end P, played []oxo.Move, r *rand.Rand) float64 {
	const tries = 3
	best := 1.0
	for _, pooled := range []bool{false, true} {
		sum := 0.0
		for range tries {
			sum += reorder(p, end, played, pooled, r)
		}
		best = max(best, sum/tries)
	}
	return best
}

// reorder plays the moves in a random legal order, and returns the product of
// the numbers of choices it had, or 0 if it does not get to end.
func reorder[P oxo.Position[P]](p, end P, played []oxo.Move, pooled bool, r *rand.Rand) float64 {
	var left [3][]oxo.Move
	at := p
	for _, m := range played {
		pile := at.Turn()
		if pooled {
			pile = 0
		}
		left[pile] = append(left[pile], m)
		at = at.Play(m)
	}
	weight := 1.0
	at = p
	for range played {
		pile := at.Turn()
		if pooled {
			pile = 0
		}
		moves := at.Moves(nil)
		var choices []int
		for i, m := range left[pile] {
			if _, ok := slices.BinarySearch(moves, m); ok {
				choices = append(choices, i)
			}
		}
		if len(choices) == 0 {
			return 0
		}
		weight *= float64(len(choices))
		i := choices[r.IntN(len(choices))]
		m := left[pile][i]
		left[pile] = slices.Delete(left[pile], i, i+1)
		at = at.Play(m)
	}
	if at != end {
		return 0
	}
	return weight
}
