package prove

import (
	"bytes"
	"testing"

	"oxo"
	"oxo/board"
	"oxo/games/grid"
	"oxo/prove/certificate"
	"oxo/prove/verify"
)

// TestForgetsSequential: where few of the positions that are written down can be known, some are written again,
// and the proof holds.
func TestForgetsSequential(t *testing.T) {
	b, err := grid.New(grid.Shape{Cols: 7, Rows: 7, Run: 5})
	if err != nil {
		t.Fatal(err)
	}
	var nodes [2]int
	for k, share := range []int64{knownShare, 80_000} {
		defer func(was int64) { knownShare = was }(knownShare)
		knownShare = share
		r, err := Prove(t.Context(), certificate.Setup{Spec: "mnk:7,7,5", Board: b, Rules: board.Normal},
			Options{Memory: 256 << 20})
		if err != nil || r.Value != oxo.Drawn {
			t.Fatalf("%+v, %v", r, err)
		}
		var file bytes.Buffer
		if _, err := r.Proof.WriteTo(&file); err != nil {
			t.Fatal(err)
		}
		v, err := verify.Check(t.Context(), bytes.NewReader(file.Bytes()), int64(file.Len()), verify.Question{},
			verify.Limits{})
		if err != nil || v.Value != "draw" {
			t.Errorf("%+v, %v", v, err)
		}
		nodes[k] = r.ProofNodes
	}
	if nodes[1] <= nodes[0] || nodes[1] > 2*nodes[0] {
		t.Errorf("%d positions, %d where few are known", nodes[0], nodes[1])
	}
}
