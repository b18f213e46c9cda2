package lab

import (
	"strings"
	"testing"

	"oxo/puzzle"
)

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

// TestTriedKeepsTheAnswer: what is said of a wrong move does not name the reply on the square of the answer, as that
// were the answer.
func TestTriedKeepsTheAnswer(t *testing.T) {
	list := CarriedPuzzles("", puzzle.Block)
	var l Lab
	for i := 0; i < len(list); i += len(list) / 40 {
		z := &list[i]
		g, err := l.Game(z.Game)
		if err != nil {
			t.Fatal(err)
		}
		s, err := g.Parse(z.Position)
		if err != nil {
			t.Fatal(err)
		}
		wrong := s.Moves[0]
		if wrong == z.Answer {
			wrong = s.Moves[1]
		}
		tried, err := TryPuzzle(t.Context(), g, z, wrong)
		if err != nil {
			t.Fatal(err)
		}
		if said, _ := strings.CutPrefix(tried.Says, "Not "+wrong+"."); namesFirst(said, s.Moves, z.Answer) {
			t.Errorf("%s, %s: %q gives away %s", z.Game, z.Position, tried.Says, z.Answer)
		}
	}
}
