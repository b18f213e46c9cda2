package typed

import (
	"cmp"
	"context"
	"slices"
	"time"

	"oxo"
	"oxo/board"
	"oxo/lab/internal/game"
	"oxo/lab/internal/opened"
	"oxo/lab/internal/players"
	"oxo/prove"
	"oxo/prove/certificate"
)

// In how many positions a proof is looked for that a position is drawn, where tables of all positions would take
// long, and then that all its moves keep the draw; and, where it is known to be drawn, that a move keeps that, and that
// all do.
const (
	drawNodes    = 30_000
	planNodes    = 100_000
	keepsNodes   = 100_000
	keepAllNodes = 500_000
)

// findDrawProof reports whether short proofs show that the position is drawn and that every move keeps that, which
// q.drawn then says. It lacks nothing that tables of all positions would tell. It is asked while a plan is made, so
// it takes no context and is bounded by positions.
func (q *solveTask[P]) findDrawProof(b *opened.TypedGame[P]) bool {
	at, ok := any(q.p).(board.Positional)
	if !ok || at.Rules().Full != oxo.Drawn || b.Odds != nil || b.Loopy() {
		return false // only boards of which a full one is drawn come into question
	}
	// A draw takes two strategies: each side has one with which it does not lose.
	ctx := context.Background()
	found, err := players.FindCheckedProof(ctx, b, q.p, drawNodes)
	if err != nil || found == nil || !showsHeld(found, oxo.First) || !showsHeld(found, oxo.Second) {
		return false
	}
	r := &game.SolveResult{Game: b.Spec, Position: b.Format(q.p), Value: oxo.Drawn.String(),
		Remoteness: new(freeSquares(at)), Positions: found.Nodes}
	if err := addDrawKeepingMoves(ctx, b, q, r, planNodes); err != nil || r.Moves == nil {
		return false // the moves are not all settled
	}
	q.drawn = r
	return true
}

// showsHeld reports whether a proof shows that a side does not lose. A seat's claim is that it wins, or that
// it does not lose, so any claim of its will do.
func showsHeld(r *prove.Result, seat oxo.Seat) bool {
	return r.Proof != nil && slices.ContainsFunc(r.Proof.Claims,
		func(c certificate.Claim) bool { return c.Seat == seat })
}

// showsLost reports whether a proof shows that a side loses. That is a claim of the other side that it wins.
func showsLost(r *prove.Result, seat oxo.Seat) bool {
	return r.Proof != nil && slices.ContainsFunc(r.Proof.Claims,
		func(c certificate.Claim) bool { return c.Seat != seat && c.Wins })
}

// addDrawKeepingMoves looks for proofs of what the moves of a drawn position are worth, of one of each class, in so
// many positions in all. A drawn game lasts until the board is full, so all moves that keep the draw are best: where
// every move is settled they are the result's best moves, and where none loses the worth of each is told too; else they
// are moves that keep the value.
func addDrawKeepingMoves[P oxo.Position[P]](ctx context.Context, b *opened.TypedGame[P], q *solveTask[P],
	r *game.SolveResult, nodeBudget uint64) error {
	began := time.Now()
	mover := q.p.Turn()
	type worth struct{ draws, settled bool }
	// Moves into the same class are worth the same, so one proof does for all of them.
	known := map[P]worth{} // by class
	var keeps []string
	lost, unsettled := false, false
	for _, m := range q.p.Moves(nil) {
		next := q.p.Play(m)
		w, ok := known[b.Representative(next)]
		if out := next.Outcome(); out != oxo.Ongoing {
			w = worth{out == oxo.Drawn, true}
		} else if !ok && nodeBudget > 0 {
			found, err := players.FindCheckedProof(ctx, b, next, min(keepsNodes, nodeBudget))
			if err = cmp.Or(err, ctx.Err()); err != nil {
				return err
			}
			if found != nil {
				w = worth{showsHeld(found, mover), showsHeld(found, mover) || showsLost(found, mover)}
				nodeBudget -= min(nodeBudget, found.Nodes)
				r.Positions += found.Nodes
				q.reportSolveProgress(game.ByProof, began, r.Positions, 0, nil)
			}
		}
		known[b.Representative(next)] = w
		if w.draws {
			keeps = append(keeps, b.FormatMove(q.p, m))
		}
		lost, unsettled = lost || w.settled && !w.draws, unsettled || !w.settled
	}
	// A move that nobody has looked into may be as good as those that keep the draw, so the best ones are not
	// all known.
	if unsettled {
		r.Keeps = keeps
		return nil
	}
	r.Best = keeps
	for _, name := range keeps {
		if lost {
			break // how long the others last is not known
		}
		// The draw lasts until the board is full, whichever of these moves is made.
		after := *r.Remoteness - 1
		r.Moves = append(r.Moves, game.Worth{Move: name, Best: true, Value: r.Value, Remoteness: &after})
	}
	return nil
}
