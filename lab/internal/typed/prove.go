package typed

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"time"

	"oxo/board"
	"oxo/games/ultimate"
	"oxo/lab/internal/nine"
	"oxo/prove"
	"oxo/prove/certificate"
)

// ProveOptions say what to prove and how far to go.
type ProveOptions struct {
	Position string
	Time     time.Duration // 0 for no limit
	Nodes    uint64        // positions to search, 0 for no limit
	Memory   int64         // bytes; 0 for 256 megabytes
	All      bool          // never leave out a move of the side that is to win
	Claim    string        // of a game of nine boards, what to prove; see [verify.ParseClaim]
	Workers  int           // searches side by side; 0 for one a core
	Progress func(prove.Progress)

	// Checkpoint, if set, keeps the work while it goes on and where it ends
	// unfinished; work found there is gone on with. Every is how often, 0 for a
	// minute.
	Checkpoint prove.Storage
	Every      time.Duration

	// Resume is the state that Progress could save; Grace is how long the
	// search goes on to come to where it can. See [prove.Options].
	Resume io.Reader
	Grace  time.Duration
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

	Proof *certificate.Proof `json:"-"` // nil where nothing was proved
}

// provableGame returns a position as a game to prove, or why it can't be proved.
func (b *openedGame[P]) provableGame(position string) (certificate.Game, error) {
	p, err := parse(b.Game, position)
	if err != nil {
		return certificate.Game{}, fault("position", err)
	}
	if n, ok := any(p).(ultimate.Pos); ok {
		return certificate.Game{Spec: b.Spec, Nine: nine.Position(n), Turn: p.Turn()}, nil
	}
	view, ok := any(p).(board.Positional)
	switch {
	case !ok:
		return certificate.Game{}, b.noBoardError("proofs")
	case b.Odds != nil:
		return certificate.Game{}, errors.New("proofs are of games without chance")
	}
	first, second := view.Marks()
	g := certificate.Game{Spec: b.Spec, Board: view.Board(), Rules: view.Rules(), Marks: [2]board.Set{first, second},
		Turn: p.Turn()}
	return g, g.Check()
}

// Root returns the position as the prover reads it, and its text.
func (f proving[P]) Root(position string) (certificate.Game, string, error) {
	g, err := f.b.provableGame(position)
	if err != nil {
		return g, "", err
	}
	text, err := f.b.placed(toCheckerGame(&g))
	return g, text, err
}

// Place writes the position with these marks of First and Second.
func (f proving[P]) Place(marks [2]board.Set) (string, error) { return place(f.b, marks) }

// Prove proves the value of a position of a positional game.
func (f proving[P]) Prove(ctx context.Context, o ProveOptions) (*ProveResult, error) {
	if g := f.b.nineBoards(); g != nil {
		return f.proveNine(ctx, g, o)
	}
	if o.Claim != "" {
		return nil, fault("claim", fmt.Errorf("claim %q: claims are for games of nine boards; of others the value "+
			"is proved", o.Claim))
	}
	g, at, err := f.Root(o.Position)
	if err != nil {
		return nil, err
	}
	if o.Workers == 0 {
		o.Workers = runtime.NumCPU()
	}
	begin := time.Now()
	r, err := prove.Prove(ctx, g, prove.Options{Time: o.Time, Nodes: o.Nodes, Memory: o.Memory, All: o.All,
		Workers:  o.Workers,
		Progress: o.Progress, Checkpoint: o.Checkpoint, Every: o.Every, Resume: o.Resume, Grace: o.Grace})
	if err != nil {
		return nil, err
	}
	result := &ProveResult{Game: f.b.Spec, Position: at, Value: "unknown", Proved: "nothing", Nodes: r.Nodes}
	if r.Proof != nil {
		if err := f.setProof(ctx, result, g, r.Proof); err != nil {
			return nil, err
		}
	}
	result.Seconds = time.Since(begin).Seconds()
	return result, nil
}

// Believed is the result of a proof whose certificate, if there is one, somebody has
// found elsewhere after so many positions. What it says of itself counts for nothing: the
// result is what the certificate shows.
func (f proving[P]) Believed(ctx context.Context, g certificate.Game, nodes uint64, file []byte) (*ProveResult, error) {
	at, err := f.b.placed(toCheckerGame(&g))
	if err != nil {
		return nil, err
	}
	r := &ProveResult{Game: f.b.Spec, Position: at, Value: "unknown", Proved: "nothing", Nodes: nodes}
	if len(file) == 0 {
		return r, nil
	}
	v, err := Shown(ctx, f.b.erased, g, file)
	if err != nil {
		return nil, err
	}
	r.Value, r.ProofNodes, r.Proved = v.Value, v.Nodes, v.Proved()
	return r, nil
}

// Checked has the checker look at a proof of g that was just found, so that what is
// wrong is never reported.
func (f proving[P]) Checked(ctx context.Context, g certificate.Game, p *certificate.Proof) error {
	_, err := Checked(ctx, f.b.erased, g, p)
	return err
}

// setProof has a proof of g that was just found checked, and puts it into a result with what
// its certificate shows.
func (f proving[P]) setProof(ctx context.Context, r *ProveResult, g certificate.Game, p *certificate.Proof) error {
	v, err := Checked(ctx, f.b.erased, g, p)
	if err == nil {
		r.Proof, r.Value, r.ProofNodes, r.Proved = p, v.Value, v.Nodes, v.Proved()
	}
	return err
}
