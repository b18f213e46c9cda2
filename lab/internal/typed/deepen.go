package typed

import (
	"context"
	"time"

	"oxo"
	"oxo/board"
	"oxo/lab/internal/game"
	"oxo/lab/internal/opened"
	"oxo/solve"
)

// How many positions a search for a near win looks at before the value is looked for
// otherwise, and to find the distance of a win that is known.
const (
	nearNodes = 4_000_000
	farNodes  = 40_000_000
	nearBytes = 64 << 20 // of the table
)

// estimateDeepening says what a search for a near win takes. It costs so little that the plan has it
// before other ways; the estimate of 0 seconds says so.
func estimateDeepening[P oxo.Position[P]](b *opened.TypedGame[P], q *solveTask[P]) (e game.Estimate, err error) {
	switch {
	case b.Odds != nil || b.Payoff != nil || b.Loopy():
		return e, unsuited("it is for games of wins and draws without chance and circles")
	case q.Strong:
		return e, unsuited("a search does not tell all positions")
	case q.p.Outcome() != oxo.Ongoing:
		return e, unsuited("the game is over")
	}
	seconds := 0.0
	return game.Estimate{Seconds: &seconds, Bytes: min(nearBytes, q.Memory)}, nil
}

// solveByDeepening looks for a near win. It looks at up to nearNodes positions for a win of either side.
func solveByDeepening[P oxo.Position[P]](ctx context.Context, b *opened.TypedGame[P],
	q *solveTask[P]) (*game.SolveResult, error) {
	return searchNearWin(ctx, b, q, nearNodes, [2]bool{true, true})
}

// searchNearWin looks for a win of one of some seats, beyond what is known already. What earlier calls
// have ruled out is kept in q.outlook, so that a second call goes on from there. The result is nil
// where no win was found within the nodes. The error is that of ctx, or of a game that can't be searched so.
// The seats are those whose wins are looked for, First's at 0.
func searchNearWin[P oxo.Position[P]](ctx context.Context, b *opened.TypedGame[P], q *solveTask[P], nodes uint64,
	seats [2]bool) (*game.SolveResult, error) {
	began := time.Now()
	o := solve.DeepenOptions[P]{Nodes: nodes, Bytes: int(min(nearBytes, q.Memory)), Only: seats, After: q.outlook,
		MinMovesToWin: winDistanceFunc[P]()}
	o.Progress = func(_ int, n uint64) { q.reportSolveProgress(game.ByDeepening, began, n, 0, nil) }
	var err error
	q.outlook, err = solve.FindForcedWin(ctx, b.Game, q.p, o)
	// What was ruled out stays in q.outlook: the bounds of a later proof are made from it.
	if err != nil || !q.outlook.Found {
		return nil, err
	}
	r := describeSolution(b, q.p, q.outlook.Verdict, q.outlook.Moves, began)
	r.Positions = q.outlook.Nodes
	return r, nil
}

// winDistanceFunc returns how far a seat is from a win, nil where nobody knows but the game. It is the number of
// squares that the seat lacks at the least to own a set, by which the search for a near win prunes; 0 says nothing.
func winDistanceFunc[P oxo.Position[P]]() func(P, oxo.Seat) int {
	if f, ok := any(board.Pos64.MinMovesToWin).(func(P, oxo.Seat) int); ok {
		return f
	}
	f, _ := any(board.Pos256.MinMovesToWin).(func(P, oxo.Seat) int)
	return f
}
