package typed

import (
	"context"
	"math/big"
	"time"

	"oxo/board"
	"oxo/lab/internal/game"
	"oxo/search"
)

// Bounds works out the bounds, and the true counts as far as ctx allows. It refuses games that are not
// played on squares with winning sets. The textbook's machine carries out 2·10⁹ instructions a second
// and takes 100·N of them for a node.
func (f solving[P]) Bounds(ctx context.Context, limit int) (*game.BoundsResult, error) {
	if f.b.Board == nil {
		return nil, f.b.NoBoardError("bounds")
	}
	begin := time.Now()
	rules := any(f.b.Start).(board.Positional).Rules()
	placing := search.Placing{Either: rules.Place == board.Either, Same: rules.Place == board.Cross,
		Slips: f.b.Odds != nil}
	c := search.NodeBounds(f.b.Board.N, placing)
	r := &game.BoundsResult{Game: f.b.Spec, Squares: c.Squares, GamesBound: c.Games, NodesBound: c.Nodes,
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
	g, err := (&game.Lab{Kinds: BuiltIn()}).Game("ttt")
	if err != nil {
		return 0, err
	}
	r, err := g.Searching().Search(ctx, game.SearchOptions{Algorithm: string(search.Minimax)})
	if err != nil {
		return 0, err
	}
	return r.Seconds * 1e9 / float64(r.Nodes), nil
}
