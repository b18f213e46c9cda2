package typed

import (
	"context"
	"math/big"
	"time"

	"oxo/board"
	"oxo/search"
)

// BoundsResult sets the bounds on a game's size that follow from its number of
// squares and from how marks are placed beside its true counts.
type BoundsResult struct {
	Game          string     `json:"game"`
	Squares       int        `json:"squares"`
	GamesBound    *big.Int   `json:"games_bound"`
	NodesBound    *big.Int   `json:"nodes_bound"`
	FactorialSum  *big.Int   `json:"factorial_sum"` // Σ i!, often printed for the bound, which it is not
	StatesBound   *big.Int   `json:"states_bound"`
	StatesByPly   []*big.Int `json:"states_by_ply"`
	StatesAlter   *big.Int   `json:"states_alternating"` // X having half the marks, rounded up; null where sides don't place their own
	FullBoards    *big.Int   `json:"full_boards"`        // the states of a full board with alternating marks: C(N, ⌈N/2⌉); null likewise
	BelowFirst    *big.Int   `json:"below_first"`        // the bound on the nodes below one first move; null where that is not the whole's less one over N
	GamesFormula  string     `json:"games_formula"`      // of the bounds above
	NodesFormula  string     `json:"nodes_formula"`
	StatesFormula string     `json:"states_formula"`

	Games     *big.Int `json:"games"` // the true counts; null where they can't be had in time
	Nodes     *big.Int `json:"nodes"`
	Positions *uint64  `json:"positions"`
	Classes   *uint64  `json:"classes"`
	Textbook  Largest  `json:"largest_by_textbook"` // 100·N instructions a node, 2·10⁹ a second
	Measured  Largest  `json:"largest_as_measured"`
	NsPerNode float64  `json:"ns_per_node"` // of minimax on 3×3, as measured now
	Seconds   float64  `json:"seconds"`
}

// Largest is the most squares that can be searched to the end in a second, a
// minute and an hour.
type Largest struct {
	Second int `json:"second"`
	Minute int `json:"minute"`
	Hour   int `json:"hour"`
}

// Bounds works out the bounds, and the true counts as far as ctx allows. It
// refuses games that are not played on squares with winning sets.
func (f solving[P]) Bounds(ctx context.Context, limit int) (*BoundsResult, error) {
	if f.b.board == nil {
		return nil, f.b.noBoardError("bounds")
	}
	begin := time.Now()
	rules := any(f.b.Start).(board.Positional).Rules()
	placing := search.Placing{Either: rules.Place == board.Either, Same: rules.Place == board.Cross,
		Slips: f.b.Odds != nil}
	c := search.NodeBounds(f.b.board.N, placing)
	r := &BoundsResult{Game: f.b.Spec, Squares: c.Squares, GamesBound: c.Games, NodesBound: c.Nodes,
		FactorialSum: c.FactorialSum,
		StatesBound:  c.States, StatesByPly: c.ByPly, GamesFormula: c.GamesFormula, NodesFormula: c.NodesFormula,
		StatesFormula: c.StatesFormula}
	if rules.Place == board.Own {
		r.StatesAlter, r.FullBoards = c.Positions, c.ByPly[len(c.ByPly)-1]
		if !placing.Slips {
			below := new(big.Int).Sub(c.Nodes, big.NewInt(1))
			r.BelowFirst = below.Div(below, big.NewInt(int64(c.Squares)))
		}
	}
	ns, err := measureNodeNanos(ctx)
	if err != nil {
		return nil, err
	}
	r.NsPerNode = ns
	times := [3]float64{1, 60, 3600}
	for i, to := range []*int{&r.Textbook.Second, &r.Textbook.Minute, &r.Textbook.Hour} {
		*to = search.LargestByInstructions(placing, times[i], 100, 2e9)
	}
	for i, to := range []*int{&r.Measured.Second, &r.Measured.Minute, &r.Measured.Hour} {
		*to = search.LargestByNode(placing, times[i], ns/1e9)
	}
	count := f.Count(ctx, limit)
	r.Games, r.Nodes, r.Positions, r.Classes = count.Games, count.Nodes, count.Positions, count.Classes
	r.Seconds = time.Since(begin).Seconds()
	return r, nil
}

// measureNodeNanos measures the time that plain minimax takes for a node of 3×3, in
// nanoseconds.
func measureNodeNanos(ctx context.Context) (float64, error) {
	g, err := (&Lab{Kinds: BuiltIn()}).Game("ttt")
	if err != nil {
		return 0, err
	}
	r, err := g.Searching().Search(ctx, SearchOptions{Algorithm: string(search.Minimax)})
	if err != nil {
		return 0, err
	}
	return r.Seconds * 1e9 / float64(r.Nodes), nil
}
