//go:build soak

package typed

import (
	"testing"
)

// TestCarriedPuzzlesSoak checks all of the collection.
func TestCarriedPuzzlesSoak(t *testing.T) { carriedSample(t, 1, 3_000_000) }
