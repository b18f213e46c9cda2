package lab_test

import (
	"testing"

	"oxo/lab"
)

// TestBenchSequential: the fixed workload searches as many nodes as it did, each of its
// searches more than a few. A change of the search is named where this figure changes.
func TestBenchSequential(t *testing.T) {
	const fingerprint = 4_422_438
	r, err := lab.RunBench(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if r.Nodes != fingerprint {
		t.Errorf("%d nodes, want %d", r.Nodes, fingerprint)
	}
	for _, p := range r.Parts {
		if p.Nodes < 1000 && p.Game != "tree:chance" {
			t.Errorf("%s on %s searches %d nodes, which measures nothing", p.Algorithm, p.Game, p.Nodes)
		}
	}
}
