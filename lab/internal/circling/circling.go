// Package circling proves games in which play can go in circles, by retrograde analysis: strategies that win have ranks
// that fall, and those that do not lose may go round for ever.
package circling

import (
	"context"
	"errors"
	"fmt"

	"oxo"
	"oxo/prove/moves"
	"oxo/solve"
)

// Prove is [moves.Prove] of a game in which play can go in circles: without questions that says who wins, and within
// how few plies. Of a question the plies are 0 where it is about the whole game.
func Prove[P oxo.Position[P]](ctx context.Context, g *oxo.Game[P], p P, asked []moves.Question,
	o moves.Budget) (*moves.Findings, error) {
	if p.Outcome() != oxo.Ongoing {
		return nil, fmt.Errorf("prove %s: the game is over", g.Spec)
	}
	ctx, cancel := oxo.WithTimeLimit(ctx, o.Time)
	defer cancel()
	s, err := solve.Solve(ctx, g, p, solve.Settings{Limit: int(min(o.Nodes, 1<<40))})
	switch {
	case errors.Is(err, solve.ErrTooLarge):
		return &moves.Findings{Nodes: o.Nodes, No: moves.ErrLimits}, nil
	case ctx.Err() != nil:
		return &moves.Findings{No: moves.ErrLimits}, nil
	case err != nil:
		return nil, err
	}
	v, _ := s.At(p)
	if len(asked) == 0 {
		asked = questionsOfValue(v)
	}
	r := &moves.Findings{Nodes: s.Positions()}
	for _, q := range asked {
		if r.No = whyNot(q, v); r.No != nil {
			break
		}
		if !q.Wins {
			q.Plies = 0
		}
		f, err := moves.FollowRanked(g, p, q, bestMoves(s))
		if err != nil {
			return nil, err
		}
		r.Claims = append(r.Claims, q.Claim(f))
	}
	return r, nil
}

// questionsOfValue asks what shows a value: that who wins does, or in a draw that neither side loses.
func questionsOfValue(v solve.Verdict) []moves.Question {
	for _, seat := range []oxo.Seat{oxo.First, oxo.Second} {
		if v.Outcome == oxo.WinFor(seat) {
			return []moves.Question{{Seat: seat, Wins: true}}
		}
	}
	return []moves.Question{{Seat: oxo.First}, {Seat: oxo.Second}}
}

// whyNot returns why no strategy answers a question with yes where a position is worth v, or nil.
func whyNot(q moves.Question, v solve.Verdict) error {
	wins, loses := v.Outcome == oxo.WinFor(q.Seat), v.Outcome == oxo.WinFor(q.Seat.Other())
	switch {
	case q.Wins && wins && (q.Plies == 0 || v.Remoteness <= q.Plies), !q.Wins && !loses:
		return nil
	case !q.Wins && q.Plies > 0 && v.Remoteness > q.Plies:
		return fmt.Errorf("%v: it is so, as %v wins in %d plies and no sooner, but proofs of races say who never "+
			"loses, and not for how long", q, q.Seat.Other(), v.Remoteness)
	}
	return moves.ErrNot
}

// bestMoves chooses a best move of each position, whose rank is how long the game lasts from there.
func bestMoves[P oxo.Position[P]](s *solve.Solution[P]) func(p P) (m oxo.Move, rank int, err error) {
	return func(p P) (oxo.Move, int, error) {
		v, _ := s.At(p)
		options, _ := s.Moves(p)
		for _, o := range options {
			if o.Best {
				return o.Move, v.Remoteness, nil
			}
		}
		return 0, 0, moves.ErrNoAnswer
	}
}
