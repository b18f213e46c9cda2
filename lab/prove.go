package lab

import (
	"context"
	"errors"
	"fmt"
	"time"

	"oxo"
	"oxo/board"
	"oxo/prove"
)

// ProveOptions say what to prove and how far to go.
type ProveOptions struct {
	Position string
	Time     time.Duration // 0 for no limit
	Memory   int64         // bytes; 0 for 256 megabytes
	All      bool          // never leave out a move of the side that is to win
	Progress func(prove.Progress)
}

// ProveResult is what was proved.
type ProveResult struct {
	Game       string  `json:"game"`
	Position   string  `json:"position"`
	Value      string  `json:"value"`  // first, second, draw, or unknown
	Proved     string  `json:"proved"` // in words, where the value is unknown what is known
	Nodes      uint64  `json:"nodes"`
	ProofNodes int     `json:"proof_nodes"`
	Seconds    float64 `json:"seconds"`

	Proof *prove.Proof `json:"-"` // nil where nothing was proved
}

// Prove proves the value of a position of a positional game.
func (b *bound[P]) Prove(ctx context.Context, o ProveOptions) (*ProveResult, error) {
	p, err := parse(b.Game, o.Position)
	if err != nil {
		return nil, err
	}
	view, ok := any(p).(board.Positional)
	switch {
	case !ok:
		return nil, fmt.Errorf("proofs are of games with squares and winning sets; %s is none", b.Spec)
	case b.Odds != nil:
		return nil, errors.New("proofs are of games without chance")
	}
	x, os := view.Marks()
	begin := time.Now()
	r, err := prove.Prove(ctx, prove.Game{Spec: b.Spec, Board: view.Board(), Rules: view.Rules(), Marks: [2]board.Set{x, os}, Turn: p.Turn()},
		prove.Options{Time: o.Time, Memory: o.Memory, All: o.All, Progress: o.Progress})
	if err != nil {
		return nil, err
	}
	out := &ProveResult{Game: b.Spec, Position: b.Format(p), Value: r.Value.String(), Proved: r.String(), Nodes: r.Nodes,
		ProofNodes: r.ProofNodes, Seconds: time.Since(begin).Seconds(), Proof: r.Proof}
	if r.Value == oxo.Ongoing {
		out.Value = "unknown"
	}
	return out, nil
}
