package typed

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"oxo"
	"oxo/judge"
	"oxo/lab/internal/game"
	"oxo/lab/internal/opened"
	"oxo/lab/internal/players"
	"oxo/solve"
)

// TestJudgeSolvesWhatFollows: in time, what can follow a position is solved where the whole game is too large
// for that.
func TestJudgeSolvesWhatFollows(t *testing.T) {
	for _, c := range []struct{ spec, position string }{
		{"mnk:4,4,3+slip=0.1", "o..o/..xx/x.../...o x"},
		{"mnk:5,5,4+slip=0.1", "oo.xo/oxxx./ooo../xxo.o/.xxx. x"},
	} {
		g := aGame(t, c.spec)
		j, err := g.Judging().Judge(t.Context(), game.JudgeOptions{Position: c.position, Time: 10 * time.Second}, nil)
		if err != nil || j.Lo != j.Hi || j.Source != judge.Solution {
			t.Errorf("%s: [%g, %g] by %s, %v", c.position, j.Lo, j.Hi, j.Source, err)
		}
	}
}

// TestJudgeByTiers: what is solved by tiers while somebody waits is as a solution by enumeration has it,
// from the start on and after moves, where it costs nothing any more.
func TestJudgeByTiers(t *testing.T) {
	t.Parallel()
	for _, spec := range []string{"mnk:4,4,3+misere+exact", "mnk:4,4,4+misere", "torus:4,4,4", "mnk:4,4,4+wild",
		"mnk:4,4,3+order"} {
		g := aGame(t, spec)
		t.Run(spec, func(t *testing.T) { g.(interface{ checkByTiers(t *testing.T) }).checkByTiers(t) })
	}
}

// checkByTiers is TestJudgeByTiers of a game.
func (f typedGame[P]) checkByTiers(t *testing.T) {
	b := f.b
	j, _ := players.GameJudge(b)
	for range 1000 {
		if _, err := j.Ask(t.Context(), b.Start, judge.Budget{Time: 300 * time.Millisecond}, nil, nil); err != nil {
			t.Fatal(err)
		}
		if opened.SolvedWholeByTiers(b) != nil {
			break
		}
	}
	truth, err := solve.Solve(t.Context(), b.Game, b.Start, solve.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 50 {
		p := b.Start
		if i > 0 {
			p = wanderedTo(b.Game, r)
		}
		a, err := j.Ask(t.Context(), p, judge.Budget{}, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		moves, _ := truth.Moves(p)
		if len(moves) != len(a.Moves) {
			t.Fatalf("%s: %d moves, want %d", b.Format(p), len(a.Moves), len(moves))
		}
		for k, m := range moves {
			got, want := a.Moves[k], m.Verdict
			if !got.Proven() || got.Lo != float64(want.Outcome.Value(oxo.First)) || got.Plies != want.Remoteness {
				t.Errorf("%s: after %s the judge says %+v, enumeration %+v", b.Format(p), b.FormatMove(p, m.Move),
					got, want)
			}
		}
	}
}

// TestJudgeTimesWhatIsKnown: where only who wins is known of every move, how long they last is looked for still.
func TestJudgeTimesWhatIsKnown(t *testing.T) {
	g := aGame(t, "mnk:6,3,3+misere")
	at := positionAfter(t, g, "", "f2 b3 b1 a3 c1 f1 b2")
	for _, o := range []game.JudgeOptions{
		{Position: at, Time: 20 * time.Millisecond},
		{Position: positionAfter(t, g, at, "f3"), Time: 20 * time.Second},
	} {
		j, err := g.Judging().Judge(t.Context(), o, nil)
		if err != nil {
			t.Fatal(err)
		}
		if o.Time < time.Second {
			continue
		}
		for _, m := range j.Moves {
			if m.Plies == nil {
				t.Errorf("how long %s lasts is not known: %s", m.Move, j.Which)
			}
		}
		if j.Hint != "a2" {
			t.Errorf("the hint is %s, and a2 lasts longest", j.Hint)
		}
	}
}

// TestJudgeProvesMoves: once it is known what a position is worth, the moves are proved one by one.
func TestJudgeProvesMoves(t *testing.T) {
	g := aGame(t, "mnk:8,8,8")
	for range 20 { // what was proved is kept
		j, err := g.Judging().Judge(t.Context(), game.JudgeOptions{Time: 5 * time.Second}, nil)
		if err != nil {
			t.Fatal(err)
		}
		drawn, corners := 0, map[[2]float64]bool{}
		for _, m := range j.Moves {
			if m.Lo == 0 && m.Hi == 0 {
				drawn++
			}
			if slices.Contains([]string{"a1", "a8", "h1", "h8"}, m.Move) {
				corners[[2]float64{m.Lo, m.Hi}] = true
			}
		}
		if len(corners) > 1 {
			t.Errorf("of the corners, which are alike, different things are known: %v", corners)
		}
		if drawn == 64 {
			return
		}
	}
	t.Error("not every move was proved to be a draw")
}

// TestJudgeSolvesFewMoves: near the end of a game of nine boards, with many squares that nobody can mark any more, the
// hint is as a solution has it, and how long play lasts is told.
func TestJudgeSolvesFewMoves(t *testing.T) {
	const at = "ooxx..o.o/.xoxo.xxo/xx.x...xx/xxoo.xxxo/oo.xxx.xo/xooxoo..x/o...ooxox/o..xoxo.o/oxoo.oxx. o -"
	g := aGame(t, "meta")
	truth, err := g.Solving().Solve(t.Context(), game.SolveOptions{Position: at})
	if err != nil {
		t.Fatal(err)
	}
	j, err := g.Judging().Judge(t.Context(), game.JudgeOptions{Position: at, Time: 20 * time.Second}, nil)
	if err != nil || j.Plies == nil || *j.Plies != *truth.Remoteness || !slices.Contains(truth.Best, j.Hint) {
		t.Errorf("%+v %v, not %+v", j, err, truth)
	}
}

// TestHintOfNothingKnown: of moves of which the same is known, or nothing, the hint is what a search prefers, else what
// promises most; moves that are images of one another have the same estimate.
func TestHintOfNothingKnown(t *testing.T) {
	hint := func(spec, position string, o game.JudgeOptions) *game.Judged {
		o.Position = position
		j, err := aGame(t, spec).Judging().Judge(t.Context(), o, nil)
		if err != nil {
			t.Fatal(err)
		}
		return j
	}
	for _, c := range []struct{ spec, want string }{{"mnk:15,15,5", "h8"}, {"mnk:5,5,4+misere", "c5"},
		{"mnk:7,7,4", "d4"}} {
		j := hint(c.spec, "", game.JudgeOptions{})
		if sign := strings.Contains(c.spec, "misere"); !sign && j.Hint != c.want || sign && j.Hint == "c3" {
			t.Errorf("%s: %s for nothing", c.spec, j.Hint)
		}
	}
	// X has two open threes; O can only put off the end, in the row or at its ends.
	lost := hint("mnk:9,9,5", strings.Repeat("........./", 3)+"...x...../...xxx.../...x...../.o......./o...o..../"+
		"o........ o", game.JudgeOptions{Time: 2 * time.Second})
	if lost.Hint == "a9" {
		t.Errorf("lost: %s, %s", lost.Hint, lost.Why)
	}
	j := hint("mnk:9,9,5", "", game.JudgeOptions{Nodes: 20_000})
	estimates := map[string]float64{}
	for _, m := range j.Moves {
		if m.Estimate != nil {
			estimates[m.Move] = *m.Estimate
		}
	}
	if len(estimates) < 60 || estimates["a1"] != estimates["i9"] || estimates["d4"] != estimates["f6"] ||
		estimates["b4"] != estimates["f8"] {
		t.Errorf("images differ: %v", estimates)
	}
}
