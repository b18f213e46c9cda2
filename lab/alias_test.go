package lab

import "testing"

// TestBlanksInSpecs: where a link's query has made the + of a spec a blank, the game is the same; names keep theirs.
func TestBlanksInSpecs(t *testing.T) {
	for typed, spec := range map[string]string{
		"ttt misere":             "mnk:3,3,3+misere",
		"mnk:4,3,3 wild misere":  "mnk:4,3,3+wild+misere",
		"connect4 misere":        "mnk:7,6,4+misere+gravity",
		"ultimate open":          "ultimate+open",
		"Connect Four":           "mnk:7,6,4+gravity",
		" Ultimate tic-tac-toe ": "ultimate",
	} {
		g, err := new(Lab).Game(typed)
		if err != nil {
			t.Errorf("%q: %v", typed, err)
		} else if got := g.Info().Spec; got != spec {
			t.Errorf("%q opens %s, not %s", typed, got, spec)
		}
	}
	for _, typed := range []string{"nosuch thing", "file:no such.json", "mnk:4,4,4 nosuch"} {
		if g, err := new(Lab).Game(typed); err == nil {
			t.Errorf("%q opens %s", typed, g.Info().Spec)
		}
	}
}
