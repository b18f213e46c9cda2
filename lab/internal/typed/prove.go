package typed

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	"oxo/board"
	"oxo/lab/internal/certify"
	"oxo/lab/internal/circling"
	"oxo/lab/internal/falling"
	"oxo/lab/internal/game"
	"oxo/lab/internal/opened"
	"oxo/prove"
	"oxo/prove/certificate"
	"oxo/prove/moves"
)

// ProofRoot returns the position as the prover reads it, and its text. Claims within a number of plies are for games
// proved by moves.
func (f proving[P]) ProofRoot(o game.ProveOptions) (root certificate.Setup, text string, err error) {
	if by := f.b.ProvableByMoves(); opened.IsRace(f.b) {
		_, err = certify.QuestionsOfClaim(o.Claim, 0)
	} else if o.Claim != "" && by == nil {
		var within int
		if within, err = certify.ClaimPlies(o.Claim); err == nil && within > 0 {
			err = fmt.Errorf("claim %q: of %s it is proved who wins, and not how soon: claims within a number of "+
				"plies are for games of nine boards and those with gravity, and for races", o.Claim, f.b.Spec)
		}
	} else if o.Claim != "" && f.b.Board != nil && !f.provedByColumns(o) {
		err = fmt.Errorf("claim %q: where marks fall, claims do not go with --all or --checkpoint: leave those out, "+
			"or the claim, and the value is proved", o.Claim)
	} else if o.Claim != "" {
		_, err = certify.QuestionsOfClaim(o.Claim, by.MaxPlies)
	}
	if err != nil {
		return root, "", game.FaultOf("claim", err)
	}
	g, err := f.b.ProvableSetup(o.Position)
	if err != nil {
		return g, "", err
	}
	text, err = f.b.SetupText(certify.ToCheckerSetup(&g))
	return g, text, err
}

// Prove proves the value of a position of a positional game. Games of columns are proved by their
// solver unless work is to be kept; those of nine boards by moves; races by retrograde analysis; all others by proof
// numbers with threats.
func (f proving[P]) Prove(ctx context.Context, o game.ProveOptions) (*game.ProveResult, error) {
	if f.b.Board == nil || f.provedByColumns(o) && f.b.ProvableByMoves() != nil {
		return f.proveByMoves(ctx, o)
	}
	g, at, err := f.ProofRoot(o)
	if err != nil {
		return nil, err
	}
	o.Workers = cmp.Or(o.Workers, runtime.NumCPU())
	begin := time.Now()
	r, err := prove.Prove(ctx, g, prove.Options{Time: o.Time, Nodes: o.Nodes, Memory: o.Memory, All: o.All,
		Workers: o.Workers, Disk: f.b.Lab.Scratch,
		Progress: o.Progress, Checkpoint: o.Checkpoint, Every: o.Every, Resume: o.Resume})
	if err != nil {
		return nil, err
	}
	result := &game.ProveResult{Game: f.b.Spec, Position: at, Value: "unknown", Proved: "nothing", Nodes: r.Nodes,
		Before: r.Before}
	if r.Proof != nil {
		if err := f.checkAndSetProof(ctx, result, g, r.Proof, o); err != nil {
			return nil, err
		}
	}
	if o.Claim != "" {
		_, result.Refuted = certify.WeighClaimByValue(o.Claim, result.Value)
	}
	result.Seconds = time.Since(begin).Seconds()
	return result, nil
}

// CheckForeignProof is the result of a proof whose certificate, if there is one, somebody has
// found elsewhere. What is told of it counts for nothing but the nodes: the result is what the
// certificate shows. That a claim, empty for none, is false is taken as told unless the certificate shows the claim.
func (f proving[P]) CheckForeignProof(ctx context.Context, g certificate.Setup, told *game.ProveResult, claim string,
	certificateFile []byte) (*game.ProveResult, error) {
	at, err := f.b.SetupText(certify.ToCheckerSetup(&g))
	if err != nil {
		return nil, err
	}
	r := &game.ProveResult{Game: f.b.Spec, Position: at, Value: "unknown", Proved: "nothing", Nodes: told.Nodes,
		Refuted: claim != "" && told.Refuted}
	if len(certificateFile) == 0 {
		return r, nil
	}
	v, err := certify.CheckForeign(ctx, f.b.Erased, g, certificateFile)
	if err != nil {
		return nil, err
	}
	r.Value, r.ProofNodes, r.Proved = v.Value, v.Nodes, v.ProvedText()
	if claim == "" {
		return r, nil
	}
	holds, refuted := certify.WeighClaimByValue(claim, r.Value)
	if told.Refuted && !holds { // of a win within so many plies the value is not enough
		if holds, err = certify.ForeignShows(ctx, f.b.Erased, g, certificateFile, claim); err != nil {
			return nil, err
		}
	}
	r.Refuted = refuted || told.Refuted && !holds
	return r, nil
}

// Checked has the checker look at a proof of g that was just found, so that what is
// wrong is never reported.
func (f proving[P]) Checked(ctx context.Context, g certificate.Setup, p *certificate.Proof) error {
	_, err := certify.CheckOwn(ctx, f.b.Erased, g, p, certify.Limits{})
	return err
}

// checkAndSetProof has a proof of g that was just found checked in the memory and on the cores that were to find it,
// and puts it into a result with what its certificate shows.
func (f proving[P]) checkAndSetProof(ctx context.Context, r *game.ProveResult, g certificate.Setup,
	p *certificate.Proof, o game.ProveOptions) error {
	// As much memory again is garbage.
	limits := certify.Limits{Memory: o.Memory / 2, Workers: cmp.Or(o.Workers, runtime.NumCPU()),
		Disk: f.b.Lab.Scratch}
	if limits.Disk == nil {
		limits.Memory = 0
	}
	v, err := certify.CheckOwn(ctx, f.b.Erased, g, p, limits)
	if err == nil {
		r.Proof, r.Value, r.ProofNodes, r.Proved = p, v.Value, v.Nodes, v.ProvedText()
	}
	return err
}

// provedByColumns reports whether a position is proved by moves that the solver of falling marks
// chooses: where that knows the game, and no work is to be kept or gone on from.
func (f proving[P]) provedByColumns(o game.ProveOptions) bool {
	return o.Checkpoint == nil && o.Resume == nil && !o.All && f.b.Falls()
}

// proveByMoves proves the value of a position, or a claim about it, by a strategy of moves alone. It
// serves Ultimate and its like, games of columns, where pairings and threats say little, and races. What was
// found is checked before it is reported. A claim that is refuted is no error: the result says that it is not
// so. Of questions that were not reached, the result says nothing.
func (f proving[P]) proveByMoves(ctx context.Context, o game.ProveOptions) (*game.ProveResult, error) {
	root, at, err := f.ProofRoot(o)
	if err != nil {
		return nil, err
	}
	if o.Checkpoint != nil || o.Resume != nil {
		return nil, errors.New("proofs of games of nine boards keep no work to go on from, nor do those of races")
	}
	// Without a claim there are no questions, and the value is looked for.
	asked, err := certify.QuestionsOfClaim(o.Claim, f.b.MaxPlies)
	if err != nil {
		return nil, err
	}
	p, err := f.b.Game.Parse(at)
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
	found, perms, err := f.findByMoves(ctx, p, asked, mo)
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
		proof := &certificate.Proof{Game: root, Perms: perms}
		// Claims that were shown are kept even where a later question was not answered.
		for _, c := range found.Claims {
			proof.Claims = append(proof.Claims, certificate.Claim{Seat: c.Seat, Wins: c.Wins, Plies: c.Plies,
				Moves: c.Moves, Ranks: c.Ranks})
		}
		if err := f.checkAndSetProof(ctx, r, root, proof, o); err != nil {
			return nil, err
		}
	}
	r.Seconds = time.Since(began).Seconds()
	return r, nil
}

// findByMoves looks for strategies of plain moves, and returns the permutations that their forms go by. Games of
// columns have positions of 64 bits and a solver of their own, races and nine boards other types of positions.
func (f proving[P]) findByMoves(ctx context.Context, p P, asked []moves.Question,
	o moves.Budget) (found *moves.Findings, perms [][]uint8, err error) {
	if start, ok := any(p).(board.Pos64); ok {
		c := f.b.ColumnGame()
		found, err = falling.ProveBySolver(ctx, c, start, asked, o)
		return found, c.Perms, err
	}
	if opened.IsRace(f.b) {
		found, err = circling.Prove(ctx, f.b.Game, p, asked, o)
		return found, nil, err
	}
	found, err = moves.Prove(ctx, f.b.ProvableByMoves(), p, asked, o)
	return found, nil, err
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
