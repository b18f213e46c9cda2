package falling

import (
	"context"
	"errors"
	"fmt"

	"oxo"
	"oxo/board"
	"oxo/drop"
	"oxo/prove/columns"
	"oxo/prove/moves"
)

// ProveBySolver is [moves.Prove] of a game of columns, by its solver: without questions that says who wins.
// The solver answers each question, and the strategy takes moves of which it says that they keep the
// answer. Findings.No says why nothing was proved: the answer is no, or a limit came first.
func ProveBySolver(ctx context.Context, c *columns.ColumnGame, p board.Pos64, asked []moves.Question, o moves.Budget) (
	*moves.Findings, error) {
	if p.Outcome() != oxo.Ongoing {
		return nil, fmt.Errorf("prove %s: the game is over", c.Spec)
	}
	ctx, cancel := oxo.WithTimeLimit(ctx, o.Time)
	defer cancel()
	var question moves.Question
	do := drop.SolverOptions{Bytes: int(o.Memory), Nodes: o.Nodes}
	if o.Progress != nil {
		do.Progress = func(nodes uint64) {
			o.Progress(moves.Progress{Question: question, Nodes: nodes, Memory: uint64(o.Memory)})
		}
	}
	solver, err := drop.New(p.Board(), p.Rules(), do)
	if err != nil {
		return nil, err
	}
	r := &moves.Findings{}
	whole := func(seat oxo.Seat, wins bool) moves.Question {
		return moves.Question{Seat: seat, Wins: wins, Plies: c.MaxPlies}
	}
	if len(asked) == 0 {
		var v oxo.Value
		v, err = solver.Value(ctx, p)
		if asked = []moves.Question{whole(oxo.First, false), whole(oxo.Second, false)}; v != 0 {
			seat := p.Turn()
			if v < 0 {
				seat = seat.Other()
			}
			asked = []moves.Question{whole(seat, true)}
		}
	}
	for _, q := range asked {
		if err != nil {
			break
		}
		question = q
		var f *moves.Followed
		if f, err = c.FindStrategy(ctx, p, q, keepsClaimBySolver(solver)); err == nil {
			r.Claims = append(r.Claims, q.Claim(f))
		}
	}
	r.Nodes = solver.Nodes()
	switch {
	case errors.Is(err, moves.ErrNot), errors.Is(err, moves.ErrBroken):
		r.No = fmt.Errorf("%v: %w", question, moves.ErrNot)
	case errors.Is(err, drop.ErrLimit), ctx.Err() != nil:
		r.No = moves.ErrLimits
	case err != nil:
		return nil, err
	}
	return r, nil
}

// keepsClaimBySolver answers from a solver whether a question's answer is yes. left is how many plies are
// left of the question's bound. Where they reach to a full board the value alone answers, which is
// quicker than asking for wins within so many plies.
func keepsClaimBySolver(s *drop.Solver) columns.Keeps {
	return func(ctx context.Context, p board.Pos64, q moves.Question, left int) (bool, error) {
		x, o := p.Marks()
		if free := p.Board().N - x.Len() - o.Len(); left >= free {
			v, err := s.Value(ctx, p)
			return q.Wins && v < 0 || !q.Wins && v <= 0, err
		}
		winner := q.Seat
		if !q.Wins {
			winner = q.Seat.Other()
		}
		wins, err := s.WinsWithin(ctx, p, winner, left)
		return wins == q.Wins, err
	}
}
