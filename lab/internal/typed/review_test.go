package typed

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"oxo"
	"oxo/judge"
	"oxo/lab/internal/game"
	"oxo/lab/internal/players"
)

func reviewed(t *testing.T, spec, moves string, o game.JudgeOptions) *game.Review {
	t.Helper()
	g, err := (&game.Lab{Kinds: BuiltInKinds()}).Game(spec)
	if err != nil {
		t.Fatal(err)
	}
	r, err := g.Judging().ReviewGame(t.Context(), oxo.Record{Game: spec, Moves: strings.Fields(moves),
		Result: "*"}, o, nil)
	if err != nil {
		t.Fatalf("%s %s: %v", spec, moves, err)
	}
	return r
}

// TestReviewInWords checks what is said of a mistake against threats seen on
// the board.
func TestReviewInWords(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		game, moves string
		ply         int
		gave        bool // for certain
		want        string
	}{
		{"ttt", "a3 b3", 2, true, "It turned a draw into a loss. X could then win in 5 moves, both sides " +
			"counted, beginning with a2. " +
			"Better: b2."},
		{"ttt", "b2 a1 a3 b3", 4, true, "X could then win at once with c1: a3–b2–c1. Better: c1."},
		{"ttt", "a1 b2 c3 a3", 4, true, "X could then make 2 threats at once with c1: "},
		{"ttt", "a1 b2 c3 b1", 4, false, ""},
		{"ttt", "a1 b1 a2 a3 c3", 5, true, "Better: b2; play could go b2, b3, c3."},
		{"ttt+misere", "b2 a3 c1", 3, false, ""},
		{"mnk:9,9,5", "e5 b8 e4 c8 e3 d8 i1", 7, true, "O could then make 2 threats at once with"},
		{"mnk:15,15,5", "h11 e5 i12 d6 g12 f6 o15", 7, true, "O could then win"},
		{"mnk:7,6,4+gravity", "a1 b1 a2 b2 a3 b3", 6, true,
			"It turned a win into a loss. X could then win at once with a4"},
		{"mnk:8,8,4+gravity", "a1 b1 a2 b2 a3 b3", 6, false,
			"This loses for certain; whether the position was lost already is not known. " +
				"X could then win at once with a4: a1–a2–a3–a4. Not known to lose: a4."},
		{"ttt", "b2 a3 c3 b1 a2", 5, false, "It still wins, but a1 would win at once."},
		{"ttt", "a3 b1 c3 c2 b2 b3 a2", 7, false, "It still wins, but a1 or c1 would win at once."},
		{"mnk:5,4,4+gravity", "a1 b1 a2 b2 a3 b3", 6, true, "X could then win at once with a4"},
		// Breaker's sets are no threats, nor are squares that can't be played yet.
		{"mnk:4,3,3+breaker", "b3 a3 a2 b1 c3", 5, true,
			"Maker could then make 3 threats at once with c1: a3–b2–c1 and a1–b1–c1 and b1–c1–d1."},
		{"mnk:4,4,3+maker", "d2 b3 c1 d3 d4 c2 a4 c3 c4 b2 a1 a2 d1 b1 a3", 15, true,
			"Breaker could then win at once with b4. Better"},
		{"mnk:4,4,3+gravity", "a1 a2 b1 b2 a3 c1 c2 b3 a4 d1", 10, true,
			"X could then win in 3 moves, both sides counted, beginning with b4."},
		// All moves that keep the win are better, not only the soonest one.
		{"mnk:4,4,4", "c3 a3 a1 a2 c1 b3 c2 d1 d2", 9, true, "Better: c4, d4, b2."},
	} {
		r := reviewed(t, c.game, c.moves, game.JudgeOptions{Nodes: 20_000})
		j := r.Moves[c.ply-1]
		if c.want == "" && j.Why != "" || !strings.Contains(j.Why, c.want) || c.gave != (j.Gave && j.Certain) {
			t.Errorf("%s %s: %+v, want %q", c.game, c.moves, j, c.want)
		}
	}
}

// TestReviewOfWinningMoves: a move that wins is never called a mistake, however a search
// misjudges the position before it.
func TestReviewOfWinningMoves(t *testing.T) {
	for _, moves := range []string{"h8 a1 i8 a3 j8 a5 k8", "h8 a1 i8 a3 j8", "h8 a1 i9 c1 j10 e2 k11",
		"g7 a1 h8 a15 g8 o1 h7 o15 g9"} {
		r := reviewed(t, "mnk:15,15,5", moves, game.JudgeOptions{Nodes: 3000})
		if j := r.Moves[len(r.Moves)-1]; j.Gave || j.After.Value == "second" || strings.Contains(j.Why, "give") {
			t.Errorf("%s: %+v", moves, j)
		}
	}
}

// TestReviewOfOpening: the first move of Connect Four that loses is found at once, by the
// book; where nothing is known, nobody says that no move gave anything away.
func TestReviewOfOpening(t *testing.T) {
	for _, nodes := range []uint64{0, 2000} {
		r := reviewed(t, "mnk:7,6,4+gravity", "a1", game.JudgeOptions{Nodes: nodes})
		if j := r.Moves[0]; !j.Certain || !j.Gave || len(j.Better) != 1 || j.Better[0] != "d1" {
			t.Errorf("%+v; %s", j, r.Summary)
		}
		r = reviewed(t, "mnk:7,7,4+gravity", "a1", game.JudgeOptions{Nodes: nodes})
		if j := r.Moves[0]; j.Certain || r.Summary != "Of no move is it certain whether it gave something away." {
			t.Errorf("%+v; %s", j, r.Summary)
		}
	}
}

// TestReviewByChance judges a game with chance: its moves give nothing away, a player's
// may, in numbers.
func TestReviewByChance(t *testing.T) {
	g, err := (&game.Lab{Kinds: BuiltInKinds()}).Game("ttt+slip=0.2")
	if err != nil {
		t.Fatal(err)
	}
	r := reviewed(t, "ttt+slip=0.2", "a1 a1 b2 c3", game.JudgeOptions{Nodes: 1_000_000})
	worth, err := g.Solving().Solve(t.Context(), game.SolveOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if j := r.Moves[0]; !j.Gave || !j.Certain || fmt.Sprintf("%.9g", j.Before.Lo) != fmt.Sprintf("%.9g",
		*worth.Expected) || len(j.Better) != 1 || j.Better[0] != "b2" {
		t.Errorf("a corner first: %+v", j)
	}
	for _, j := range r.Moves {
		if j.Turn == "chance" && j.Gave {
			t.Errorf("chance gave value away: %+v", j)
		}
	}
	r = reviewed(t, "mnk:5,5,4+slip=0.2", "a1 a1 b2 b2", game.JudgeOptions{Nodes: 10})
	if r.Summary != "Of no move is it certain whether it gave something away." {
		t.Errorf("of two moves of players and two of chance: %s", r.Summary)
	}
}

// TestReviewMissedWin: where a win was certain that a move is not known to keep, the review says so with its
// line, and the line can be played.
func TestReviewMissedWin(t *testing.T) {
	t.Parallel()
	r := reviewed(t, "mnk:15,15,5", "h8 h9 g9 i7 g7 g8 f6 i9 e5 d4 f8 f7", game.JudgeOptions{Nodes: 20_000})
	j := r.Moves[11]
	if !j.Missed || j.Gave || j.Certain || len(j.Line) < 3 || !slices.Contains(j.Better, j.Line[0]) ||
		!strings.HasPrefix(j.Why, "O had a certain win: "+strings.Join(j.Line, ", ")+".") {
		t.Fatalf("%+v", j)
	}
	after := reviewed(t, "mnk:15,15,5", "h8 h9 g9 i7 g7 g8 f6 i9 e5 d4 f8 "+strings.Join(j.Line[:len(j.Line)-1], " "),
		game.JudgeOptions{Nodes: 20_000})
	for _, k := range after.Moves[11:] {
		if k.After.Value != "second" {
			t.Errorf("%s of the line: %+v", k.Move, k)
		}
	}
	for _, k := range r.Moves {
		if k.Missed != (k.Ply == 12) || !k.Gave && !k.Missed && len(k.Line)+len(k.Better) > 0 {
			t.Errorf("%+v", k)
		}
	}
}

// TestReviewEnds: a review that is called off is none.
func TestReviewEnds(t *testing.T) {
	g, err := (&game.Lab{Kinds: BuiltInKinds()}).Game("mnk:9,9,5")
	if err != nil {
		t.Fatal(err)
	}
	off, stop := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer stop()
	r, err := g.Judging().ReviewGame(off, oxo.Record{Game: "mnk:9,9,5", Moves: []string{"e5", "b8", "e4"}, Result: "*"},
		game.JudgeOptions{Time: time.Hour}, nil)
	if !errors.Is(err, context.DeadlineExceeded) || r != nil {
		t.Errorf("%+v, %v", r, err)
	}
}

// TestReviewNothing: the start of a game without moves is judged like any position.
func TestReviewNothing(t *testing.T) {
	r := reviewed(t, "mnk:4,3,3", "", game.JudgeOptions{Nodes: 20_000})
	if r.Start.Lo != 1 || r.Start.Hi != 1 || !strings.HasPrefix(r.Says, "X wins") {
		t.Errorf("the start is worth [%g, %g], %q", r.Start.Lo, r.Start.Hi, r.Says)
	}
}

// TestCarriedLine: what is known of a move as the game went on to its end is said of the whole line, and not of one
// move that ends it.
func TestCarriedLine(t *testing.T) {
	g, err := (&game.Lab{Kinds: BuiltInKinds()}).Game("ttt")
	if err != nil {
		t.Fatal(err)
	}
	g.(interface{ sayCarried(t *testing.T) }).sayCarried(t)
}

func (f typedGame[P]) sayCarried(t *testing.T) {
	_, v := players.GameJudge(f.b)
	p, line := f.b.Start, []oxo.Move{}
	for _, text := range []string{"a1", "a2", "b1", "b2", "c1"} {
		m, err := f.b.ParseMove(p, text)
		if err != nil {
			t.Fatal(err)
		}
		line, p = append(line, m), p.Play(m)
	}
	for _, source := range []string{judge.End, judge.Reply} {
		a := &judge.Answer{Known: judge.Known{Interval: oxo.Exactly(1), Source: source, Line: line}}
		want := "X wins. What follows was looked at to the end: a1, a2, b1, b2, c1."
		if said := v.Say(v.ExplainWorth(f.b.Start, a)...); said != want {
			t.Errorf("by %s: %q, want %q", source, said, want)
		}
	}
}
