package typed

import (
	"context"
	"errors"
	"fmt"
	"time"

	"oxo"
	"oxo/lab/internal/certify"
	"oxo/lab/internal/game"
	"oxo/prove/certificate"
	"oxo/prove/moves"
	"oxo/solve"
)

// proveByRanks proves the value of a position of a race, or a claim about it. Retrograde analysis says who wins, and
// how soon; the certificate has a move that keeps what is claimed, and of a win the plies that are left as its rank.
func (f proving[P]) proveByRanks(ctx context.Context, o game.ProveOptions) (*game.ProveResult, error) {
	root, at, err := f.ProofRoot(o)
	if err != nil {
		return nil, err
	}
	if o.Checkpoint != nil || o.Resume != nil {
		return nil, errors.New("proofs of races keep no work to go on from")
	}
	asked, err := certify.QuestionsOfClaim(o.Claim, 0)
	if err != nil {
		return nil, err
	}
	p, err := f.b.Parse(at)
	switch {
	case err != nil:
		return nil, err
	case p.Outcome() != oxo.Ongoing:
		return nil, fmt.Errorf("prove %s: the game is over", f.b.Spec)
	}
	began := time.Now()
	limited, cancel := oxo.WithTimeLimit(ctx, o.Time)
	defer cancel()
	proof, r := &certificate.Proof{Game: root}, &game.ProveResult{Game: f.b.Spec, Position: at}
	s, no := solve.Solve(limited, f.b.Game, p, solve.Settings{Limit: int(o.Nodes)})
	switch {
	case no == nil:
		r.Nodes = s.Positions()
		if no, err = addRankedClaims(f.b.Game, s, p, asked, proof); err != nil {
			return nil, err
		}
	case errors.Is(no, solve.ErrTooLarge), limited.Err() != nil:
		r.Nodes, no = o.Nodes, moves.ErrLimits
	default:
		return nil, no
	}
	return r, f.reportMoveProof(ctx, r, proof, no, o, began)
}

// addRankedClaims adds to a proof about p the claims that answer questions with yes, up to the first that is not so,
// which no says; asked none, those that show the value.
func addRankedClaims[P oxo.Position[P]](g *oxo.Game[P], s *solve.Solution[P], p P, asked []moves.Question,
	proof *certificate.Proof) (no, err error) {
	v, _ := s.At(p)
	if len(asked) == 0 {
		asked = []moves.Question{{Seat: oxo.First}, {Seat: oxo.Second}}
		for seat := range asked {
			if v.Outcome == oxo.WinFor(oxo.Seat(seat)) {
				asked = []moves.Question{{Seat: oxo.Seat(seat), Wins: true}}
				break
			}
		}
	}
	for _, q := range asked {
		wins, loses := v.Outcome == oxo.WinFor(q.Seat), v.Outcome == oxo.WinFor(q.Seat.Other())
		switch {
		case q.Wins && wins && (q.Plies == 0 || v.Remoteness <= q.Plies), !q.Wins && !loses:
		case !q.Wins && q.Plies > 0 && v.Remoteness > q.Plies:
			return fmt.Errorf("%v: it is so, as %v wins in %d plies and no sooner, but proofs of races say who never "+
				"loses, and not for how long", q, q.Seat.Other(), v.Remoteness), nil
		case q.Plies == 0:
			return moves.ErrNot, nil
		default:
			return fmt.Errorf("%v: %w", q, moves.ErrNot), nil
		}
		of, err := moves.FollowRanked(g, p, q.Seat, q.Wins, bestMoves(s))
		if err != nil {
			return nil, err
		}
		proof.Claims = append(proof.Claims,
			certificate.Claim{Seat: q.Seat, Wins: q.Wins, Plies: of.Longest, Moves: of.Moves, Ranks: of.Ranks})
	}
	return nil, nil
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
