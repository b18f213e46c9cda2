package game

import (
	"io"
	"time"

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
	Claim    string        // of races, nine boards or falling marks, what to prove; see [verify.ParseClaim]
	Workers  int           // searches side by side; 0 for one a core
	Progress func(prove.Progress)

	// Checkpoint, if set, keeps the work while it goes on and where it ends
	// unfinished; work found there is gone on with. Every is how often, 0 for a
	// minute.
	Checkpoint prove.Storage
	Every      time.Duration

	// Resume is the state that Progress could save. See [prove.Options].
	Resume io.Reader
}

// ProveResult is what was proved.
type ProveResult struct {
	Game       string  `json:"game"`
	Position   string  `json:"position"`
	Value      string  `json:"value" doc:"first, second, draw or unknown"`
	Proved     string  `json:"proved" doc:"what is proved, in words"`
	Refuted    bool    `json:"refuted,omitempty" doc:"the claim that was asked for is not so"`
	Holds      bool    `json:"holds,omitempty" doc:"the claim that was asked for is so, as is known, though nothing was proved"`
	Nodes      uint64  `json:"nodes"`
	Before     uint64  `json:"before,omitempty" doc:"of the nodes those that earlier runs searched, from whose checkpoint this one went on; seconds are of this run"`
	ProofNodes int     `json:"proof_nodes" doc:"positions in the proof"`
	Seconds    float64 `json:"seconds"`

	Proof *certificate.Proof `json:"-"` // nil where nothing was proved
}
