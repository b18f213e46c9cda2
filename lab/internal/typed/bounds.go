package typed

import (
	"context"
	"math/big"
	"time"

	"oxo/board"
	"oxo/lab/internal/game"
	"oxo/search"
)

// SearchTreeBounds works out the bounds, and the true counts as far as ctx allows. It refuses games that are not
// played on squares with winning sets. The textbook's machine carries out 2·10⁹ instructions a second
// and takes 100·N of them for a node. The limit of classes a ply is that of [solving.TakeCensus]; true counts
// that can't be had within it are nil in the result, while the bounds follow from the board's size alone.
func (f solving[P]) SearchTreeBounds(ctx context.Context, maxClassesPerPly int) (*game.BoundsResult, error) {
	if f.b.Board == nil {
		return nil, f.b.NoBoardError("bounds")
	}
	begin := time.Now()
	// Which marks may go on a square, and whether they slip to another, decides how many ways a square can be taken.
	rules := any(f.b.Start).(board.Positional).Rules()
	placing := search.Placing{Either: rules.Place == board.Either, Same: rules.Place == board.Cross,
		Slips: f.b.Odds != nil}
	c := search.GameSizeBounds(f.b.Board.N, placing)
	r := &game.BoundsResult{Game: f.b.Spec, Squares: c.Squares, GamesBound: c.Games, NodesBound: c.Nodes,
		FactorialSum: c.FactorialSum,
		StatesBound:  c.States, StatesByPly: c.ByPly, GamesFormula: c.GamesFormula, NodesFormula: c.NodesFormula,
		StatesFormula: c.StatesFormula}
	// Only where each side places its own mark does the ply tell how many marks each of them has.
	if rules.Place == board.Own {
		r.StatesAlter, r.FullBoards = c.Positions, c.ByPly[len(c.ByPly)-1]
		if !placing.Slips {
			// In the bound all first moves have equally many nodes, so one has an N-th of all but the root.
			below := new(big.Int).Sub(c.Nodes, big.NewInt(1))
			r.BelowFirst = below.Div(below, big.NewInt(int64(c.Squares)))
		}
	}
	ns, err := measureNodeNanos(ctx)
	if err != nil {
		return nil, err
	}
	r.NsPerNode = ns
	largest := func(perNode func(n int) float64) game.Largest {
		return game.Largest{Second: search.LargestSearchable(placing, 1, perNode),
			Minute: search.LargestSearchable(placing, 60, perNode),
			Hour:   search.LargestSearchable(placing, 3600, perNode)}
	}
	r.Textbook = largest(func(n int) float64 { return 100 * float64(n) / 2e9 })
	r.Measured = largest(func(int) float64 { return ns / 1e9 })
	// The true counts come last, as they may take all of the time that is left.
	count := f.TakeCensus(ctx, maxClassesPerPly)
	r.Games, r.Nodes, r.Positions, r.Classes = count.Games, count.Nodes, count.Positions, count.Classes
	r.Seconds = time.Since(begin).Seconds()
	return r, nil
}

// measureNodeNanos measures the time that plain minimax takes for a node of 3×3, in
// nanoseconds. The whole tree is searched, of 549,946 nodes, which are enough for the clock.
func measureNodeNanos(ctx context.Context) (nanos float64, err error) {
	g, err := (&game.Lab{Kinds: BuiltInKinds()}).Game("ttt")
	if err != nil {
		return 0, err
	}
	r, err := g.Searching().Search(ctx, game.SearchOptions{Algorithm: string(search.Minimax)})
	if err != nil {
		return 0, err
	}
	return r.Seconds * 1e9 / float64(r.Nodes), nil
}
