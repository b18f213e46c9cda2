package prove_test

import (
	"context"
	"testing"

	"oxo/prove"
)

// BenchmarkProve proves games with one worker; nodes are positions searched, proof those of
// the certificate.
func BenchmarkProve(b *testing.B) {
	for _, spec := range []string{"mnk:8,5,4", "mnk:5,5,4", "mnk:7,7,5", "mnk:4,9,4", "qubic"} {
		b.Run(spec, func(b *testing.B) {
			g := game(b, spec)
			for b.Loop() {
				r, err := prove.Prove(context.Background(), g, prove.Options{})
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(r.Nodes), "nodes")
				b.ReportMetric(float64(r.ProofNodes), "proof")
			}
		})
	}
}
