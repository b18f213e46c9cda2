//go:build soak

package reproduce

import (
	"math"
	"testing"
)

// TestSlowFigures checks the exact figures of the items that take longer.
func TestSlowFigures(t *testing.T) { check(t, slow, math.Inf(1)) }
