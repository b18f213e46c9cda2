//go:build soak

package store

import "testing"

func TestKilledHundredsOfTimes(t *testing.T) {
	dir := t.TempDir()
	for range 400 {
		kill(t, dir)
	}
}

// TestFlippedBitsAtLength flips 2,000 bits, each in a copy of its own.
func TestFlippedBitsAtLength(t *testing.T) { flipBits(t, 2000) }

func TestFailingDiskAtLength(t *testing.T) { failEverywhere(t, 60) }
