package player

import (
	"slices"
	"sync"

	"oxo"
	"oxo/solve"
)

// Solution is a strong solution as players read it: what positions are worth,
// and their moves in ascending order. Both say false for a position that it
// does not hold. It may be used by several goroutines at once.
type Solution[P oxo.Position[P]] interface {
	At(p P) (solve.Verdict, bool)
	Moves(p P) ([]solve.Option, bool)
}

// Perfect plays from a strong solution. It takes a win the quickest way and
// delays a loss as long as it can; among equally good moves it prefers those
// after which the opponent has the most ways to throw value away, and draws
// among the rest.
// It may be used by several goroutines at once.
type Perfect[P oxo.Position[P]] struct {
	Solution Solution[P]

	lock sync.RWMutex
	memo map[P][]float64 // what was worked out before
}

// memoLimit is how many positions a perfect player remembers its choice in.
// What is remembered stays; positions beyond these are worked out each time.
const memoLimit = 1 << 16

// Policy spreads over the moves of equal merit. In a position that the
// solution does not hold it is uniform.
func (f *Perfect[P]) Policy(p P, moves []oxo.Move, probs []float64) {
	f.lock.RLock()
	known, ok := f.memo[p]
	f.lock.RUnlock()
	if ok {
		copy(probs, known)
		return
	}
	f.spreadOverBestByOpponentMistakes(p, moves, probs)
	f.lock.Lock()
	defer f.lock.Unlock()
	if f.memo == nil {
		f.memo = make(map[P][]float64)
	}
	if len(f.memo) < memoLimit {
		f.memo[p] = slices.Clone(probs)
	}
}

// spreadOverBestByOpponentMistakes gives the same probability to those of the best moves that leave the other side the
// most mistakes to make.
// It asks the solution once for p and once after each best move, so that it costs about a move list a best move.
func (f *Perfect[P]) spreadOverBestByOpponentMistakes(p P, moves []oxo.Move, probs []float64) {
	options, ok := f.Solution.Moves(p)
	if !ok {
		Random[P]{}.Policy(p, moves, probs)
		return
	}
	chosen := make([]bool, len(moves))
	most := -1
	for i, o := range options {
		if !o.Best {
			continue
		}
		n := f.countWorseningMoves(p.Play(o.Move))
		if n > most {
			most = n
			clear(chosen)
		}
		chosen[i] = n == most
	}
	spreadEvenly(chosen, probs)
}

// countWorseningMoves counts the moves in p that are worth less than p is.
// Where chance is to act nobody can go wrong, and where the solution does not know p nothing is counted.
func (f *Perfect[P]) countWorseningMoves(p P) int {
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

// Optimal plays every move that keeps the value of the position with equal
// probability, however long it takes: a kinder opponent than Perfect.
type Optimal[P oxo.Position[P]] struct {
	Solution Solution[P]
}

// Policy spreads over the moves that keep the value. In a position that the
// solution does not hold it is uniform.
func (f Optimal[P]) Policy(p P, moves []oxo.Move, probs []float64) {
	whole, ok := f.Solution.At(p)
	options, known := f.Solution.Moves(p)
	if !ok || !known {
		Random[P]{}.Policy(p, moves, probs)
		return
	}
	chosen := make([]bool, len(moves))
	for i, o := range options {
		chosen[i] = o.Best || o.Outcome == whole.Outcome && o.Expected == whole.Expected
	}
	spreadEvenly(chosen, probs)
}
