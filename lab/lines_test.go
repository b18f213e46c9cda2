package lab_test

import (
	"context"
	"strings"
	"testing"

	"oxo/lab"
)

// TestAlphaBetaByLines opens the search by lines where it suits and the
// textbook's elsewhere, and has each play a legal game.
func TestAlphaBetaByLines(t *testing.T) {
	var l lab.Lab
	for _, c := range []struct{ game, player, refusal string }{
		{"mnk:9,9,5", "alphabeta:nodes=300", ""},
		{"mnk:9,9,5+exact", "alphabeta:depth=2,without=table+zone", ""},
		{"mnk:9,9,5", "alphabeta:nodes=300,plain=yes", ""},
		{"mnk:9,9,5+misere", "alphabeta:depth=1", ""},
		{"mnk:9,9,5+gravity", "alphabeta:depth=1", ""},
		{"mnk:20,20,5", "alphabeta:nodes=300", ""},
		{"mnk:18,18,4+gravity", "mcts:sims=20", ""},
		{"cube:4,3", "alphabeta:nodes=300", ""},
		{"ttt", "alphabeta:depth=9,plain=no", ""},
		{"ttt", "alphabeta:depth=9,without=table", "only the search by lines"},
		{"mnk:9,9,5", "alphabeta:plain=yes", "needs a limit"},
		{"mnk:9,9,5", "alphabeta:time=1s,plain=perhaps", "yes or no"},
		{"mnk:9,9,5", "alphabeta:nodes=0", "at least 1"},
		{"mnk:9,9,5", "alphabeta:depth=2,without=luck", `no part "luck"`},
		{"mnk:20,20,5", "heuristic", "at most 256 squares"},
	} {
		g, err := l.Game(c.game)
		if err != nil {
			t.Fatal(err)
		}
		s, err := g.NewSession(lab.SessionOptions{First: c.player, Second: "random", Seed: 1})
		if c.refusal != "" {
			if err == nil || !strings.Contains(err.Error(), c.refusal) {
				t.Errorf("%s on %s: %v, want %q", c.player, c.game, err, c.refusal)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s on %s: %v", c.player, c.game, err)
			continue
		}
		for !s.Over() {
			if _, err := s.Step(context.Background()); err != nil {
				t.Errorf("%s on %s: %v", c.player, c.game, err)
				break
			}
		}
	}
}

// TestWideBoard opens boards of more than 256 squares and asks for what they do
// not have.
func TestWideBoard(t *testing.T) {
	var l lab.Lab
	g, err := l.Game("mnk:20,20,5")
	if err != nil {
		t.Fatal(err)
	}
	info := g.Info()
	if len(info.Squares) != 400 || info.Squares[399].Name != "t1" || len(info.Lines) != 2*16*20+2*16*16 ||
		info.Symmetries != "8" {
		t.Errorf("%d squares, %d lines, %s symmetries", len(info.Squares), len(info.Lines), info.Symmetries)
	}
	if _, err := g.Proving(); err == nil || !strings.Contains(err.Error(), "at most 256 squares; mnk:20,20,5 has 400") {
		t.Errorf("a proof: %v", err)
	}
	if _, err := g.Solving().SearchTreeBounds(context.Background(), 1); err == nil {
		t.Error("bounds of 400 squares")
	}
	for _, spec := range []string{"mnk:30,30,5", "torus:20,20,5", "mnk:100000000000,100000000000,5", "mnk:300,1,5"} {
		if _, err := l.Game(spec); err == nil {
			t.Errorf("%s is opened", spec)
		}
	}
	for _, position := range []string{g.Info().Start, "xxxxx" + strings.TrimPrefix(g.Info().Start, ".....")} {
		_, err := g.Parse(position)
		if ok := position == g.Info().Start; ok != (err == nil) {
			t.Errorf("%s: %v", position, err)
		}
	}
}
