package cmd

import (
	"testing"

	"oxo/lab"
)

// TestSplits: nine boards have no parts, and games without squares no proofs.
func TestSplits(t *testing.T) {
	for spec, want := range map[string]bool{"ttt": true, "mnk:4,4,4+gravity": true, "ultimate+open": false,
		"race:5": false} {
		g, err := (&lab.Lab{}).Game(spec)
		if err != nil {
			t.Fatal(err)
		}
		if canSplitProof(g) != want {
			t.Errorf("%s: %v", spec, !want)
		}
	}
}
