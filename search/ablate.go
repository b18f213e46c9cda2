package search

import (
	"context"
	"time"

	"oxo"
)

// Ablation says which combinations to measure: all of Algorithms × Memories ×
// Symmetries × Orders that have a meaning on the game. Base holds what they
// have in common: depth, evaluation, early stop, node limit of each row, table
// size, memory level.
type Ablation[P oxo.Position[P]] struct {
	Algorithms []Algorithm
	Memories   []Memory
	Symmetries []Symmetry
	Orders     []Order
	Base       Options[P]

	// Now is the clock that the rows are timed by, such as time.Now; nil
	// leaves them untimed.
	Now func() time.Time

	// Begin is told of each row before it is searched, if not nil, and which it is of how many.
	Begin func(row AblationRow, at, of int)
}

// AblationRow is what one combination cost.
type AblationRow struct {
	Algorithm Algorithm
	Memory    Memory
	Symmetry  Symmetry
	Order     Order

	Nodes    uint64
	Stored   int
	Value    float64 // worth to First
	Duration time.Duration

	// Ratio is Nodes over those of plain minimax, or expectiminimax where the
	// game has chance; 0 where either did not finish.
	Ratio float64

	// Complete is false where a limit ended the search: then Nodes is only
	// how far it got, and Value means nothing.
	Complete bool
}

// AllCombinations returns the combinations of the depth-first algorithms that
// suit g: those for chance where it has chance, else the others; all memories
// but one level; all symmetries that it has; all orders.
func AllCombinations[P oxo.Position[P]](g *oxo.Game[P]) Ablation[P] {
	a := Ablation[P]{
		Algorithms: []Algorithm{Minimax, AlphaBeta, PVS, MTDF},
		Memories:   []Memory{NoMemory, Everything},
		Symmetries: []Symmetry{NoSymmetry},
		Orders:     []Order{Natural, Killers, Best},
	}
	if g.Odds != nil {
		a.Algorithms = []Algorithm{Expectiminimax, Star1, Star2}
	}
	if g.Canonical != nil {
		a.Symmetries = append(a.Symmetries, FirstMove, AllMoves)
	}
	return a
}

// Ablate searches p with every combination and returns a row for each, and how many there are: once ctx is done, those
// that were not begun have none. The order of moves is left Natural for algorithms that look at all moves, unless
// they stop early, and Best is left out where there is no memory and no
// iteration to know a best move from. A combination that is refused is
// returned as an error. All rows use one table, so that its making is not
// counted.
func Ablate[P oxo.Position[P]](ctx context.Context, g *oxo.Game[P], p P, a Ablation[P]) (rows []AblationRow, of int,
	err error) {
	a.Base.Table = newTableFor(g, &a.Base)
	list := a.listCombinations()
	begin := func(row AblationRow, at int) {
		if a.Begin != nil {
			a.Begin(row, at, len(list))
		}
	}
	start := AblationRow{Algorithm: baselineAlgorithm(g)}
	begin(start, 1)
	plain, err := a.measureCombination(ctx, g, p, start)
	if err != nil {
		return nil, 0, err
	}
	for i, row := range list {
		switch {
		case row == start:
			row = plain
		case ctx.Err() != nil:
			continue
		default:
			begin(row, i+1)
			if row, err = a.measureCombination(ctx, g, p, row); err != nil {
				return nil, 0, err
			}
		}
		if row.Complete && plain.Complete {
			row.Ratio = float64(row.Nodes) / float64(plain.Nodes)
		}
		rows = append(rows, row)
	}
	return rows, len(list), nil
}

// listCombinations returns a row without counts for each combination that has a meaning.
func (a *Ablation[P]) listCombinations() (list []AblationRow) {
	for _, algorithm := range a.Algorithms {
		for _, memory := range a.Memories {
			for _, symmetry := range a.Symmetries {
				for _, order := range a.Orders {
					row := AblationRow{Algorithm: algorithm, Memory: memory, Symmetry: symmetry, Order: order}
					if a.moveOrderMatters(row) {
						list = append(list, row)
					}
				}
			}
		}
	}
	return list
}

// baselineAlgorithm returns the algorithm that the others are compared with.
func baselineAlgorithm[P oxo.Position[P]](g *oxo.Game[P]) Algorithm {
	if g.Odds != nil {
		return Expectiminimax
	}
	return Minimax
}

// moveOrderMatters reports whether a row's move order can make a difference.
func (a *Ablation[P]) moveOrderMatters(row AblationRow) bool {
	exhaustive := row.Algorithm == Minimax || row.Algorithm == Negamax || row.Algorithm == Expectiminimax
	switch {
	case row.Order != Natural && exhaustive && !a.Base.Stop:
		return false
	case row.Order == Best && row.Memory == NoMemory && !a.Base.Deepen:
		return false
	}
	return true
}

// measureCombination measures one combination.
func (a *Ablation[P]) measureCombination(ctx context.Context, g *oxo.Game[P], p P,
	row AblationRow) (AblationRow, error) {
	o := a.Base
	o.Memory, o.Symmetry, o.Order = row.Memory, row.Symmetry, row.Order
	o.Trace, o.Leaves, o.Progress = nil, false, nil
	o.Table.Clear()
	now := a.Now
	if now == nil {
		now = func() time.Time { return time.Time{} }
	}
	start := now()
	r, err := Search(ctx, g, p, row.Algorithm, o)
	row.Duration = now().Sub(start)
	row.Nodes, row.Stored, row.Value, row.Complete = r.Nodes, r.Stored, r.Value, r.Complete
	return row, err
}
