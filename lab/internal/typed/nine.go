package typed

import (
	"context"
	"errors"
	"fmt"
	"time"

	"oxo/lab/internal/game"
	"oxo/lab/internal/nine"
	"oxo/prove"
	"oxo/prove/certificate"
	"oxo/prove/moves"
)

// proveNine proves the value of a position of a game of nine boards, or a claim about it.
func (f proving[P]) proveNine(ctx context.Context, g *nine.Game, o game.ProveOptions) (*game.ProveResult, error) {
	root, at, err := f.Root(o.Position)
	if err != nil {
		return nil, err
	}
	if o.Checkpoint != nil || o.Resume != nil {
		return nil, errors.New("proofs of games of nine boards keep no work to go on from")
	}
	asked, err := nine.Questions(o.Claim, g.MaxPlies)
	if err != nil {
		return nil, game.FaultOf("claim", err)
	}
	p, err := g.Parse(at)
	if err != nil {
		return nil, err
	}
	began := time.Now()
	mo := moves.Options{Time: o.Time, Nodes: o.Nodes, Memory: o.Memory, All: o.All}
	if o.Progress != nil {
		mo.Progress = func(m moves.Progress) {
			o.Progress(prove.Progress{Question: m.Question.String(), Proof: m.Proof, Disproof: m.Disproof,
				Nodes: m.Nodes, Elapsed: time.Since(began), Memory: m.Memory})
		}
	}
	found, err := moves.Prove(ctx, g, p, asked, mo)
	if err != nil {
		return nil, err
	}
	r := &game.ProveResult{Game: f.b.Spec, Position: at, Value: "unknown", Proved: "nothing", Nodes: found.Nodes}
	if found.No != nil {
		r.Proved = fmt.Sprintf("nothing: %v", found.No)
	}
	if len(found.Claims) > 0 {
		proof := &certificate.Proof{Game: root}
		for _, c := range found.Claims {
			proof.Claims = append(proof.Claims, nine.Claim(c))
		}
		if err := f.setProof(ctx, r, root, proof); err != nil {
			return nil, err
		}
	}
	r.Seconds = time.Since(began).Seconds()
	return r, nil
}
