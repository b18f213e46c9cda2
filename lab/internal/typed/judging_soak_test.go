//go:build soak

package typed

import (
	"testing"
)

// TestJudgeKindsSoak is TestJudgeKinds of 300 positions of every kind.
func TestJudgeKindsSoak(t *testing.T) { askKinds(t, 300, 3000) }
