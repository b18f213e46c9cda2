package typed

import (
	"slices"
	"strings"
	"testing"
)

// TestThreats compares with what the eye sees, and has every win played out.
func TestThreats(t *testing.T) {
	for _, c := range []struct {
		game, position string
		moves          int // of the win; 0 for none
		sets           string
	}{
		{"ttt", ".../.../... x", 0, ""},
		{"ttt", "xx./oo./... x", 1, "a3–b3–c3"},
		{"ttt", "o.x/.../x.o x", 1, "a1–b2–c3"},
		{"ttt", "x../.o./... x", 0, ""}, // a draw
		{"ttt", "xo./.../... x", 5, "a2–b2–c2 and a3–b2–c1"},
		{"ttt", "x../.o./..x o", 0, ""},
		{"ttt", "xo./.x./..o x", 3, "a1–a2–a3 and a2–b2–c2"},
		{"mnk:15,15,5", "", 0, ""},
		{"mnk:15,15,5", strings.Repeat("...............", 1) + "/" + strings.Repeat(".............../", 5) + ".....xxx......./.............../......ooo....../" + strings.Repeat(".............../", 5) + "............... x", 3, ""},
		{"ttt+misere", "xx./oo./... x", 0, ""},
		{"ttt+slip=0.1", ".../.../... x", 0, ""},
		{"mnk:7,6,4+gravity", "", 0, ""},
	} {
		g, err := (&Lab{}).Game(c.game)
		if err != nil {
			t.Fatal(err)
		}
		r, err := g.Searching().Threats(c.position)
		if err != nil {
			t.Errorf("%s %s: %v", c.game, c.position, err)
			continue
		}
		slices.Sort(r.Sets)
		if len(r.Moves) != c.moves || r.Wins != (c.moves > 0) || c.sets != "" && strings.Join(r.Sets, " and ") != c.sets {
			t.Errorf("%s %s: %+v", c.game, c.position, r)
		}
		if !r.Wins {
			continue
		}
		s, err := g.NewSession(SessionOptions{First: Human, Second: Human, Position: c.position})
		if err != nil {
			t.Fatal(err)
		}
		winner := s.State().Turn
		for _, m := range r.Moves {
			if err := s.Move(m); err != nil {
				t.Fatalf("%s %s: %v: %v", c.game, c.position, r.Moves, err)
			}
		}
		if s.State().Result != winner {
			t.Errorf("%s %s: %v does not win", c.game, c.position, r.Moves)
		}
	}
	g, err := (&Lab{}).Game("meta")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := g.Searching().Threats(""); err == nil {
		t.Error("threats in a game without winning sets")
	}
}
