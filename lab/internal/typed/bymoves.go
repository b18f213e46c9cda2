package typed

import (
	"context"
	"errors"
	"fmt"
	"time"

	"oxo/board"
	"oxo/lab/internal/certify"
	"oxo/lab/internal/falling"
	"oxo/lab/internal/game"
	"oxo/prove"
	"oxo/prove/certificate"
	"oxo/prove/moves"
)

// provedByColumns reports whether a position is proved by moves that the solver of falling marks
// chooses: where that knows the game, and no work is to be kept or gone on from.
func (f proving[P]) provedByColumns(o game.ProveOptions) bool {
	return o.Checkpoint == nil && o.Resume == nil && !o.All && f.b.Falls()
}

// proveByMoves proves the value of a position, or a claim about it, by a strategy of moves alone. It
// serves Ultimate and its like, and games of columns, where pairings and threats say little. What was
// found is checked before it is reported. A claim that is refuted is no error: the result says that it is not
// so. Of questions that were not reached, the result says nothing.
func (f proving[P]) proveByMoves(ctx context.Context, g *moves.Provable[P], o game.ProveOptions) (*game.ProveResult,
	error) {
	root, at, err := f.ProofRoot(o)
	if err != nil {
		return nil, err
	}
	if o.Checkpoint != nil || o.Resume != nil {
		return nil, errors.New("proofs of games of nine boards keep no work to go on from")
	}
	// Without a claim there are no questions, and the value is looked for.
	asked, err := certify.QuestionsOfClaim(o.Claim, g.MaxPlies)
	if err != nil {
		return nil, err
	}
	p, err := g.Parse(at)
	if err != nil {
		return nil, err
	}
	began := time.Now()
	// The budget is for all questions together.
	mo := moves.Budget{Time: o.Time, Nodes: o.Nodes, Memory: o.Memory, All: o.All}
	if o.Progress != nil {
		mo.Progress = func(m moves.Progress) {
			o.Progress(prove.Progress{Question: m.Question.String(), Proof: prove.Number(m.Proof),
				Disproof: prove.Number(m.Disproof), Nodes: m.Nodes, Elapsed: time.Since(began), Memory: m.Memory})
		}
	}
	proof := &certificate.Proof{Game: root}
	var found *moves.Findings
	// Games of columns have positions of 64 bits and a solver of their own; nine boards have another type of
	// positions.
	if start, ok := any(p).(board.Pos64); ok {
		c := f.b.ColumnGame()
		proof.Perms = c.Perms
		found, err = falling.ProveBySolver(ctx, c, start, asked, mo)
	} else {
		found, err = moves.Prove(ctx, g, p, asked, mo)
	}
	if err != nil {
		return nil, err
	}
	r := &game.ProveResult{Game: f.b.Spec, Position: at, Value: "unknown", Proved: "nothing", Nodes: found.Nodes}
	// What stopped the search is told in words; only the answer no to a claim that was asked refutes it.
	if found.No != nil {
		r.Refuted = o.Claim != "" && errors.Is(found.No, moves.ErrNot)
		r.Proved = whyNothing(o.Claim, found.No)
	}
	if len(found.Claims) > 0 {
		// Claims that were shown are kept even where a later question was not answered.
		for _, c := range found.Claims {
			proof.Claims = append(proof.Claims,
				certificate.Claim{Seat: c.Seat, Wins: c.Wins, Plies: c.Plies, Moves: c.Moves})
		}
		if err := f.checkAndSetProof(ctx, r, root, proof, o); err != nil {
			return nil, err
		}
	}
	r.Seconds = time.Since(began).Seconds()
	return r, nil
}

// whyNothing says why nothing was proved, of the claim as it was asked.
func whyNothing(claim string, no error) string {
	for _, why := range []error{moves.ErrNot, moves.ErrLimits} {
		if claim != "" && errors.Is(no, why) {
			return fmt.Sprintf("nothing: %s: %v", claim, why)
		}
	}
	return fmt.Sprintf("nothing: %v", no)
}
