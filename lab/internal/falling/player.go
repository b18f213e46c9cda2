package falling

import (
	"context"
	"math/rand/v2"
	"slices"

	"oxo"
	"oxo/solve"
)

// solverPlayer plays the best moves by value and distance, found by search, each with the
// same probability; where it keeps, all moves that keep the value.
type solverPlayer[P oxo.Position[P]] struct {
	solvers *Solvers
	random  *rand.Rand
	keeps   bool
}

// NewPlayer returns a player of the best moves by value and distance, each with the same
// probability; or of all that keep the value.
func NewPlayer[P oxo.Position[P]](s *Solvers, keeps bool, r *rand.Rand) oxo.Player[P] {
	return &solverPlayer[P]{s, r, keeps}
}

// Choose searches as long as it needs. The error is that of a context that was done before.
func (f *solverPlayer[P]) Choose(ctx context.Context, p P) (oxo.Choice, error) {
	v, list, nodes, err := f.solvers.SolveWithMoves(ctx, p)
	if err != nil {
		return oxo.Choice{}, err
	}
	list = slices.DeleteFunc(list, func(o solve.Option) bool { return !o.Best && !(f.keeps && o.Outcome == v.Outcome) })
	c := oxo.Choice{Move: list[f.random.IntN(len(list))].Move, Nodes: nodes, Scored: true, Exact: true}
	c.Score = float64(v.Outcome.Value(p.Turn()))
	return c, nil
}
