package typed

import (
	"testing"

	"oxo/lab/internal/game"
)

// TestPerfectFromLaterPosition: of a game that is too large to solve, perfect and optimal play from a position of which
// all that follows can be solved, in a session and from the openings of a match; from its start they don't.
func TestPerfectFromLaterPosition(t *testing.T) {
	g := aGame(t, "torus:5,5,4")
	const won = "xoxox/xo.../ox.../...../..... o" // by First in 2 plies, whatever Second does
	for _, spec := range []string{"perfect", "optimal"} {
		if _, err := g.NewSession(game.SessionOptions{First: spec, Second: "random"}); err == nil {
			t.Errorf("%s plays from the start", spec)
		}
		s, err := g.NewSession(game.SessionOptions{First: spec, Second: spec, Position: won, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		plies := 0
		for ; !s.Over(); plies++ {
			if _, err := s.Step(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if r := s.State().Result; r != "first" || spec == "perfect" && plies != 2 {
			t.Errorf("%s: %s after %d plies, want first, perfect after 2", spec, r, plies)
		}
		o := game.ContestOptions{Players: []string{spec, "random"}, Games: 2, OpeningList: won}
		if _, err := g.Contesting().NewContest(o); err != nil {
			t.Errorf("%s from an opening: %v", spec, err)
		}
		o.OpeningList = ""
		if _, err := g.Contesting().NewContest(o); err == nil {
			t.Errorf("%s plays a match from the start", spec)
		}
	}
	if whole, err := g.Judging().PreparePlayer(t.Context(), "perfect", won); whole || err != nil {
		t.Errorf("whole %v, %v", whole, err)
	}
}
