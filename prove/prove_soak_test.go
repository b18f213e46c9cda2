//go:build soak

package prove_test

import (
	"testing"

	"oxo/prove"
)

// TestAllCases proves all public cases in which each side places its own mark.
func TestAllCases(t *testing.T) {
	cases(t, 282, func(string, int) bool { return true })
}

// TestHighLadder proves what takes seconds or minutes: see docs/proofs.md.
func TestHighLadder(t *testing.T) {
	climb(t, []rung{
		{"cube:4,3", "first"}, {"mnk:7,7,5", "draw"}, {"mnk:8,6,5", "draw"}, {"mnk:6,4,4", "draw"}, {"mnk:7,4,4", "draw"},
		{"mnk:8,4,4", "draw"}, {"mnk:9,4,4", "first"}, {"mnk:15,15,4", "first"}, {"mnk:10,10,4", "first"}, {"mnk:4,8,4+maker", "first"},
		{"cube:4,3+maker", "first"}, {"affine:5", "draw"}, {"mnk:4,4,4+misere", "draw"}, {"cube:3,3+misere", "first"},
		{"animal:n5,5,5", "first"}, {"animal:y5,6,6", "first"}, {"animal:y5,5,5", "draw"}, {"animal:skinny,7,7", "first"},
		{"animal:l5,7,7", "first"}, {"animal:skinny,6,6", "draw"}, {"animal:l5,6,6", "draw"},
	}, prove.Options{})
}

// TestUnrestricted proves 4×4×4 with all moves of the first player.
func TestUnrestricted(t *testing.T) {
	climb(t, []rung{{"cube:4,3", "first"}}, prove.Options{All: true})
}

// TestTwoWorkers proves 4×4×4 with two searches at once.
func TestTwoWorkers(t *testing.T) {
	climb(t, []rung{{"cube:4,3", "first"}, {"mnk:7,7,5", "draw"}}, prove.Options{Workers: 2})
}
