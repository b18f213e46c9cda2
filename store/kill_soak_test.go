//go:build soak

package store

import "testing"

func TestKilledHundredsOfTimes(t *testing.T) {
	dir := t.TempDir()
	for range 400 {
		kill(t, dir)
	}
}
