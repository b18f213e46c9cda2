//go:build soak

package typed

import (
	"flag"
	"testing"
)

var askedAbout = flag.Int("asked", 300, "positions of every kind that the judge is asked about")

// TestJudgeKindsSoak is TestJudgeKinds of 300 positions of every kind.
func TestJudgeKindsSoak(t *testing.T) { askKinds(t, *askedAbout, 3000) }

// TestJudgeForNothingSoak is TestJudgeForNothing of 300 positions of every kind.
func TestJudgeForNothingSoak(t *testing.T) { askKinds(t, *askedAbout, 0) }
