//go:build soak

package solve_test

import "testing"

// TestLargeCases solves the cases that TestCases leaves out.
func TestLargeCases(t *testing.T) {
	for _, c := range readCases(t) {
		if c.Positions > publicLimit {
			t.Run(c.ID, func(t *testing.T) { checkCase(t, c) })
		}
	}
}
