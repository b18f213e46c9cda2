package lab

import "testing"

// TestWellKnown: kinds say which of their games' puzzles are among the daily ones.
func TestWellKnown(t *testing.T) {
	for spec, want := range map[string]bool{
		"mnk:5,4,4": true, "mnk:5,4,4+gravity": true, "mnk:5,4,4+misere": false, "mnk:15,15,5": true,
		"cube:4,3": true, "cube:3,3+misere": false, "ultimate": true, "meta": false, "torus:4,4,4": false,
	} {
		if got := wellKnown(spec); got != want {
			t.Errorf("%s is well known: %v", spec, got)
		}
	}
	games := map[string]bool{}
	for _, z := range dailies() {
		games[z.Game] = true
	}
	if len(games) < 15 {
		t.Errorf("daily puzzles are of %d games", len(games))
	}
}
