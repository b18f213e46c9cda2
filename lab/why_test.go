package lab_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"oxo"
	"oxo/arena"
	"oxo/lab"
)

// TestReviewInWordsSequential checks what is said of a mistake against threats seen on
// the board.
func TestReviewInWordsSequential(t *testing.T) {
	for _, c := range []struct {
		game, moves string
		ply         int
		want        string
	}{
		{"ttt", "a3 b3", 2, "the other side now wins in 5 plies, beginning with a2"},
		{"ttt", "b2 a1 a3 b3", 4, "it lets the other side win at once: a3–b2–c1"},
		{"ttt", "a1 b2 c3 a3", 4, "it lets the other side make 2 threats at once with c1: c1–c2–c3 and a1–b1–c1; only one can be stopped"},
		{"ttt+misere", "b2 a3 c1", 3, ""},
		{"mnk:9,9,5", "e5 b8 e4 c8 e3 d8 i1", 7, "it lets the other side make 2 threats at once"},
		{"mnk:15,15,5", "h11 e5 i12 d6 g12 f6 o15", 7, "the other side now wins by threats, beginning with e6"},
	} {
		g, err := (&lab.Lab{}).Game(c.game)
		if err != nil {
			t.Fatal(err)
		}
		s := &arena.Sheet{Record: oxo.Record{Game: c.game, Moves: strings.Fields(c.moves), Result: "*"}}
		list, err := g.Records().Review(t.Context(), s, time.Millisecond)
		if err != nil {
			t.Fatalf("%s: %v", c.game, err)
		}
		j := list[c.ply-1]
		if c.want == "" && j.Why != "" || !strings.Contains(j.Why, c.want) || c.want != "" && (!j.Gave || !j.Exact) {
			t.Errorf("%s %s: %+v, want %q", c.game, c.moves, j, c.want)
		}
	}
}

// TestReviewByChance judges a game with chance: its moves give nothing away,
// a player's may, in numbers.
func TestReviewByChance(t *testing.T) {
	g, err := (&lab.Lab{}).Game("ttt+slip=0.2")
	if err != nil {
		t.Fatal(err)
	}
	list, err := g.Records().Review(t.Context(), &arena.Sheet{Record: oxo.Record{Game: "ttt+slip=0.2", Moves: []string{"a1", "a1", "b2", "c3"}, Result: "*"}}, time.Millisecond)
	if err != nil {
		t.Fatal(err)
	}
	worth, err := g.Solving().Solve(t.Context(), lab.SolveOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if j := list[0]; !j.Gave || !j.Exact || j.Before != fmt.Sprintf("%.4g", *worth.Expected) || len(j.Better) != 1 || j.Better[0] != "b2" {
		t.Errorf("a corner first: %+v", j)
	}
	for _, j := range list {
		if j.Turn == "chance" && j.Gave {
			t.Errorf("chance gave value away: %+v", j)
		}
	}
}
