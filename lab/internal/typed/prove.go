package typed

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"time"

	"oxo/lab/internal/certify"
	"oxo/lab/internal/game"
	"oxo/prove"
	"oxo/prove/certificate"
)

// ProofRoot returns the position as the prover reads it, and its text. Claims are for games proved by moves.
func (f proving[P]) ProofRoot(o game.ProveOptions) (root certificate.Setup, text string, err error) {
	if by := f.b.ProvableByMoves(); o.Claim != "" && by == nil {
		err = fmt.Errorf("claim %q: claims are for games of nine boards and those with gravity; of others the value "+
			"is proved", o.Claim)
	} else if o.Claim != "" && f.b.Board != nil && !f.provedByColumns(o) {
		err = fmt.Errorf("claim %q: where marks fall, claims do not go with --all or --checkpoint", o.Claim)
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
// solver unless work is to be kept; those of nine boards by moves; all others by proof numbers with threats.
func (f proving[P]) Prove(ctx context.Context, o game.ProveOptions) (*game.ProveResult, error) {
	if by := f.b.ProvableByMoves(); by != nil && (f.b.Board == nil || f.provedByColumns(o)) {
		return f.proveByMoves(ctx, by, o)
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
	result.Seconds = time.Since(begin).Seconds()
	return result, nil
}

// CheckForeignProof is the result of a proof whose certificate, if there is one, somebody has
// found elsewhere after so many positions. What it says of itself counts for nothing: the
// result is what the certificate shows.
func (f proving[P]) CheckForeignProof(ctx context.Context, g certificate.Setup, nodes uint64,
	certificateFile []byte) (*game.ProveResult, error) {
	at, err := f.b.SetupText(certify.ToCheckerSetup(&g))
	if err != nil {
		return nil, err
	}
	r := &game.ProveResult{Game: f.b.Spec, Position: at, Value: "unknown", Proved: "nothing", Nodes: nodes}
	if len(certificateFile) == 0 {
		return r, nil
	}
	v, err := certify.CheckForeign(ctx, f.b.Erased, g, certificateFile)
	if err != nil {
		return nil, err
	}
	r.Value, r.ProofNodes, r.Proved = v.Value, v.Nodes, v.ProvedText()
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
