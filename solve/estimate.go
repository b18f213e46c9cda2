package solve

import (
	"math/rand/v2"
	"slices"

	"oxo"
)

// guessStep is how many plies lie between the plies that EstimatePositions looks at.
// Orders are costly to estimate, and neighbouring plies differ little.
const guessStep = 4

// vast is so large a guess that it needs no refining.
// It is far beyond what any computer solves.
const vast = 1e30

// EstimatePositions estimates how many positions can be reached from p, to tell games that
// can be solved at once from hopeless ones without trying. Random games
// estimate how many sequences of k moves there are (Knuth, Mathematics of
// Computation 29, 1975), and playing the moves of one of them again in random
// order estimates how many of them lead to the same position; their ratio is
// the number of positions after k moves; to the end of a game lead the orders to the position before
// its last move, once for each of its moves that could have been the last. Where play can go in circles,
// and with chance, the guess is 0. It is good to an order of magnitude or so. A game that breaks off without moves, or
// goes on beyond MaxPlies, counts as over there.
func EstimatePositions[P oxo.Position[P]](g *oxo.Game[P], p P, samples int, seed uint64) float64 {
	if g.Loopy() || g.Odds != nil {
		return 0
	}
	r := rand.New(rand.NewPCG(seed, 0))
	total := 1.0
	var moves, played []oxo.Move
	for range samples {
		if total > vast {
			return total
		}
		sequences := 1.0
		at, before := p, p
		played = played[:0]
		for at.Outcome() == oxo.Ongoing && len(played) < g.MaxPlies {
			if moves = at.Moves(moves[:0]); len(moves) == 0 {
				break
			}
			before = at
			m := moves[r.IntN(len(moves))]
			sequences *= float64(len(moves))
			played = append(played, m)
			at = at.Play(m)
			if len(played)%guessStep == 0 && at.Outcome() == oxo.Ongoing {
				if sequences > vast*vast {
					return vast // or more: the orders of so many moves don't fit a float
				}
				// The guess for these plies stands for the guessStep around them.
				total += guessStep * sequences / estimateOrders(p, at, played, r) / float64(samples)
			}
		}
		if n := len(played); n > 0 {
			orders := estimateOrders(p, before, played[:n-1], r) * countPossibleLastMoves(p, at, played)
			total += sequences / orders / float64(samples)
		}
	}
	return total
}

// countPossibleLastMoves counts the moves played from p to end that could have been the last: exchanged with it, they
// lead to the same end and no game is over before.
func countPossibleLastMoves[P oxo.Position[P]](p, end P, played []oxo.Move) float64 {
	n, last := 0, len(played)-1
	for i := range played {
		played[i], played[last] = played[last], played[i]
		if movesLeadTo(p, end, played) {
			n++
		}
		played[i], played[last] = played[last], played[i]
	}
	return float64(n)
}

// movesLeadTo reports whether the moves are legal one after the other from p and lead to end.
func movesLeadTo[P oxo.Position[P]](p, end P, played []oxo.Move) bool {
	var moves []oxo.Move
	for _, m := range played {
		if p.Outcome() != oxo.Ongoing {
			return false
		}
		if moves = p.Moves(moves[:0]); !slices.Contains(moves, m) {
			return false
		}
		p = p.Play(m)
	}
	return p == end
}

// estimateOrders estimates in how many orders the moves played from p lead to end:
// with each seat keeping its own moves, and with all moves in one pool, where
// either seat may have made any of them. Orders are tried at random, or counted
// by estimateLegalOrders where most of them are not legal.
func estimateOrders[P oxo.Position[P]](p, end P, played []oxo.Move, r *rand.Rand) float64 {
	if someMovesInitiallyIllegal(p, played) {
		return max(1, estimateLegalOrders(p, end, played, r))
	}
	// The larger of the two means counts, as the pool holds only where seats place the same marks.
	const tries = 3
	best := 1.0
	for _, pooled := range []bool{false, true} {
		sum := 0.0
		for range tries {
			sum += randomOrderWeight(p, end, played, pooled, r)
		}
		best = max(best, sum/tries)
	}
	return best
}

// someMovesInitiallyIllegal reports whether some of the moves played from p were not legal at once, as where
// marks fall on others: hardly any random order of them is. Moves of a position are in ascending
// order, so that they can be looked up.
func someMovesInitiallyIllegal[P oxo.Position[P]](p P, played []oxo.Move) bool {
	moves := p.Moves(nil)
	return slices.ContainsFunc(played, func(m oxo.Move) bool {
		_, ok := slices.BinarySearch(moves, m)
		return !ok
	})
}

// threads is the most positions of a ply that estimateLegalOrders goes on from.
// The work of a ply grows with it.
const threads = 32

// positionOrders is a position on the way, and in how many orders of the moves it is
// come to.
type positionOrders[P any] struct {
	at     P
	orders float64
}

// estimateLegalOrders estimates in how many legal orders the moves played from p lead to
// end. It adds the orders up ply by ply, which is exact, and where a ply has
// too many positions it goes on from a sample of them.
func estimateLegalOrders[P oxo.Position[P]](p, end P, played []oxo.Move, r *rand.Rand) float64 {
	var pile [2][]oxo.Move
	at := p
	for _, m := range played {
		pile[at.Turn()] = append(pile[at.Turn()], m)
		at = at.Play(m)
	}
	// Where both seats place the same marks, either may have made any of the moves.
	if seatsCanSwapMoves(p, played) {
		pile = [2][]oxo.Move{played, played}
	}
	level := []positionOrders[P]{{p, 1}}
	var moves []oxo.Move
	index := map[P]int{}
	for range played {
		var next []positionOrders[P]
		clear(index)
		for _, s := range level {
			moves = s.at.Moves(moves[:0])
			for _, m := range moves {
				if !slices.Contains(pile[s.at.Turn()], m) {
					continue
				}
				q := s.at.Play(m)
				// Strands that meet in a position go on as one.
				i, ok := index[q]
				if !ok {
					i = len(next)
					index[q] = i
					next = append(next, positionOrders[P]{at: q})
				}
				next[i].orders += s.orders
			}
		}
		level = resamplePositions(next, r)
	}
	for _, s := range level {
		if s.at == end {
			return s.orders
		}
	}
	return 0
}

// seatsCanSwapMoves reports whether two moves in a row lead to the same position when the
// seats exchange them, as where both seats place the same marks.
func seatsCanSwapMoves[P oxo.Position[P]](p P, played []oxo.Move) bool {
	for i := range len(played) - 1 {
		now, then := played[i:i+1], played[i+1:i+2]
		if !someMovesInitiallyIllegal(p, then) && !someMovesInitiallyIllegal(p.Play(then[0]), now) &&
			p.Play(then[0]).Play(now[0]) == p.Play(now[0]).Play(then[0]) {
			return true
		}
		p = p.Play(now[0])
	}
	return false
}

// resamplePositions draws threads strands, each as likely as it has orders, so that a sum
// over them is on average the sum over all. It keeps what is few.
// It is systematic sampling: one random number places all draws, a step apart.
func resamplePositions[P any](all []positionOrders[P], r *rand.Rand) []positionOrders[P] {
	if len(all) <= threads {
		return all
	}
	sum := 0.0
	for _, s := range all {
		sum += s.orders
	}
	step := sum / threads
	var kept []positionOrders[P]
	next := step * r.Float64()
	sum = 0
	for _, s := range all {
		sum += s.orders
		drawn := 0.0
		for ; next < sum; next += step {
			drawn += step
		}
		if drawn > 0 {
			kept = append(kept, positionOrders[P]{s.at, drawn})
		}
	}
	return kept
}

// randomOrderWeight plays the moves in a random legal order, and returns the product of
// the numbers of choices it had, or 0 if it does not get to end.
func randomOrderWeight[P oxo.Position[P]](p, end P, played []oxo.Move, pooled bool, r *rand.Rand) float64 {
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
	var moves []oxo.Move
	var choices []int
	for range played {
		pile := at.Turn()
		if pooled {
			pile = 0
		}
		moves, choices = at.Moves(moves[:0]), choices[:0]
		for i, m := range left[pile] {
			if _, ok := slices.BinarySearch(moves, m); ok {
				choices = append(choices, i)
			}
		}
		if len(choices) == 0 {
			return 0
		}
		// An order is tried with the probability 1/weight, so that weight is what it counts for in
		// the mean.
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
