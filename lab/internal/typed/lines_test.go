package typed

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"oxo"
	"oxo/judge"
	"oxo/lab/internal/game"
	"oxo/lab/internal/players"
)

// TestJudgeLines: in every kind of game, a line that shows a certain win is of legal moves and ends with that
// win, or is said to go on.
func TestJudgeLines(t *testing.T) {
	t.Parallel()
	whole := 0
	for _, spec := range everyKind {
		g := openKind(t, spec)
		whole += g.(interface{ winningLines(t *testing.T) int }).winningLines(t)
	}
	if whole < 1000 {
		t.Errorf("only %d lines go to the end", whole)
	}
}

// winningLines looks at the lines of positions of a random game, and of their moves.
func (f typedGame[P]) winningLines(t *testing.T) (whole int) {
	if f.b.Odds != nil || f.b.Payoff != nil {
		return 0
	}
	r := rand.New(rand.NewPCG(30, 3))
	j, v := players.GameJudge(f.b)
	for p := f.b.Start; p.Outcome() == oxo.Ongoing; {
		a, err := j.Ask(t.Context(), p, judge.Budget{Nodes: 1500}, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		whole += f.checkLine(t, p, &a.Known, v.Say(v.ExplainWorth(p, a)...))
		for i := range a.Moves {
			o := &a.Moves[i]
			whole += f.checkLine(t, p.Play(o.Move), &o.Known, v.Say(v.ExplainMove(p, a, i)[0]))
		}
		for range 3 {
			if moves := p.Moves(nil); len(moves) > 0 && p.Outcome() == oxo.Ongoing {
				p = p.Play(moves[r.IntN(len(moves))])
			}
		}
	}
	return whole
}

// checkLine plays the line of a win in p, about which a text is said, and returns 1 where it goes to the end.
func (f typedGame[P]) checkLine(t *testing.T, p P, k *judge.Known, text string) int {
	t.Helper()
	if !k.Proven() || k.Lo == 0 || len(k.Line) == 0 {
		return 0
	}
	_, v := players.GameJudge(f.b)
	at := f.b.Format(p)
	names := strings.Join(v.LineNames(p, k.Line), ", ")
	for _, m := range k.Line {
		if p.Outcome() != oxo.Ongoing || !slices.Contains(p.Moves(nil), m) {
			t.Fatalf("%s %s: %s by %s is not legal", f.b.Spec, at, names, k.Source)
		}
		p = p.Play(m)
	}
	switch {
	case p.Outcome() == oxo.Ongoing && strings.Contains(text, ": "+names+"."):
		t.Errorf("%s %s: play goes on after the line of %q", f.b.Spec, at, text)
	case p.Outcome() != oxo.Ongoing && f.b.PayoffToFirst(p) != k.Lo:
		t.Errorf("%s %s: %s by %s ends with %v", f.b.Spec, at, names, k.Source, p.Outcome())
	case p.Outcome() != oxo.Ongoing:
		return 1
	}
	return 0
}

// TestLineGoesOn: a line is said to go on after which the game does.
func TestLineGoesOn(t *testing.T) {
	g := aGame(t, "ttt").(interface {
		lineOf(t *testing.T, moves string) string
	})
	for moves, want := range map[string]string{
		"a1 b1":          "X wins. By threats and the answers to them: a1, b1 and so on.",
		"a1 b1 a2":       "X wins. By threats and the answers to them: a1, b1, a2 and so on.",
		"a1 b1 a2 b2 a3": "X wins. By threats and the answers to them: a1, b1, a2, b2, a3.",
		"a1":             "X wins. By threats that were followed to the end.",
	} {
		if got := g.lineOf(t, moves); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// lineOf says that the start is won by threats with this line.
func (f typedGame[P]) lineOf(t *testing.T, moves string) string {
	k := judge.Known{Interval: oxo.Exactly(1), Source: judge.Threats}
	p := f.b.Start
	for _, name := range strings.Fields(moves) {
		m, err := f.b.ParseMove(p, name)
		if err != nil {
			t.Fatal(err)
		}
		k.Line, p = append(k.Line, m), p.Play(m)
	}
	_, v := players.GameJudge(f.b)
	return v.Say(v.ExplainWorth(f.b.Start, &judge.Answer{Known: k, Turn: f.b.Start.Turn()})...)
}

// TestReviewLooksForBetter: where a mistake is certain and only the position's value was known before it, a
// move that keeps it is looked for; where none is found the review says so.
func TestReviewLooksForBetter(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		game, moves, better string // empty where nobody finds it
		ply                 int
	}{
		{"mnk:7,6,4+gravity", "a1 d1 e1 f1 a2 e2 d2 f2 f3 a3 d3 b1 c1 e3 g1 b2 c2 d4 d5 d6 e4 c3", "e3", 10},
		{"mnk:7,6,4+gravity", "f1 b1 c1 d1 g1 e1 a1 e2 f2 b2 b3 c2 b4", "", 9},
		{"mnk:6,5,4+gravity", "a1 b1 b2 b3 a2 f1 a3 f2", "", 5},
		{"animal:Tippy,6,6", "f6 c3 d2 a2 e5 f4 c1 e4 c2 c4", "b2", 1},
	} {
		r := reviewed(t, c.game, c.moves, game.JudgeOptions{Nodes: 20_000})
		j := r.Moves[c.ply-1]
		named := strings.Contains(j.Why, "Better: "+strings.Join(j.Better, ", "))
		open := strings.HasSuffix(j.Why, "Which move would have kept it is not known.")
		if !j.Gave || !j.Certain || named == open || open != (len(j.Better) == 0) ||
			!slices.Contains(append(j.Better, ""), c.better) {
			t.Errorf("%s: %+v", c.game, j)
		}
	}
}
