package player

import (
	"oxo"
	"oxo/solve"
)

// Perfect plays from a strong solution. It takes a win the quickest way and
// delays a loss as long as it can; among equally good moves it prefers those
// after which the opponent has the most ways to throw value away, and draws
// among the rest.
type Perfect[P oxo.Position[P]] struct {
	Solution *solve.Solution[P]
}

// Policy spreads over the moves of equal merit. In a position that the
// solution does not hold it is uniform.
func (f Perfect[P]) Policy(p P, moves []oxo.Move, w []float64) {
	options, ok := f.Solution.Moves(p)
	if !ok {
		Random[P]{}.Policy(p, moves, w)
		return
	}
	chosen := make([]bool, len(moves))
	most := -1
	for i, o := range options {
		if !o.Best {
			continue
		}
		n := f.mistakes(p.Play(o.Move))
		if n > most {
			most = n
			clear(chosen)
		}
		chosen[i] = n == most
	}
	spread(chosen, w)
}

// mistakes counts the moves in p that are worth less than p is.
func (f Perfect[P]) mistakes(p P) int {
	whole, ok := f.Solution.At(p)
	if !ok || p.Turn() == oxo.Chance {
		return 0
	}
	options, _ := f.Solution.Moves(p)
	n := 0
	for _, o := range options {
		if o.Outcome != whole.Outcome || o.Expected != whole.Expected && !o.Best {
			n++
		}
	}
	return n
}
