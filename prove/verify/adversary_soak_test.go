//go:build soak

package verify_test

import "testing"

// TestTenMillion asks about ten million certificates.
func TestTenMillion(t *testing.T) {
	a := newAdversary(2)
	a.run(t, 10_000_000)
	t.Logf("%d accepted: %v", a.accepted, a.ways)
}
