package typed

import (
	"bytes"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"oxo"
	"oxo/board"
	"oxo/judge"
	"oxo/lab/internal/game"
	"oxo/lab/internal/players"
	"oxo/solve"
)

// judgedKinds are small games of every kind and rule, whose positions can be enumerated.
var judgedKinds = []string{
	"ttt", "mnk:4,3,3", "mnk:4,4,3+exact", "mnk:4,4,4", "ttt+misere", "ttt+maker", "ttt+breaker", "ttt+avoider",
	"ttt+enforcer",
	"ttt+wild", "ttt+wild+misere", "ttt+notakto", "ttt+order", "ttt+chaos", "ttt+slip=0.2", "mnk:4,4,3+gravity",
	"mnk:4,4,4+gravity",
	"mnk:4,4,3+gravity+misere", "torus:3,3,3", "cube:2,3", "animal:tic,3,3", "plane:affine,3", "race:4",
	"tree:three-ply", "tree:chance",
}

// TestJudgeSources compares each source alone, and all together, with the solved game: no
// interval may leave the truth out, whoever says so.
func TestJudgeSources(t *testing.T) {
	for _, spec := range judgedKinds {
		g, err := (&game.Lab{Kinds: BuiltInKinds()}).Game(spec)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(spec, func(t *testing.T) { g.(interface{ checkJudge(t *testing.T) }).checkJudge(t) })
	}
}

// checkJudge is TestJudgeSources of a game.
func (f typedGame[P]) checkJudge(t *testing.T) {
	b := f.b
	all, _ := players.GameJudge(b)
	judges := []*judge.Judge[P]{all}
	for _, s := range all.Sources {
		judges = append(judges, &judge.Judge[P]{Game: b.Game, Sources: []judge.Source[P]{s}})
	}
	// Threats are told of where it is known which moves end the game; rest has all that are not the solution.
	var threats, rest []judge.Source[P]
	for _, s := range all.Sources {
		if s.Name == judge.End || s.Name == judge.Threats {
			threats = append(threats, s)
		}
		if s.Name != judge.Solution {
			rest = append(rest, s)
		}
	}
	judges = append(judges, &judge.Judge[P]{Game: b.Game, Sources: threats},
		&judge.Judge[P]{Game: b.Game, Sources: rest})
	truth, err := solve.Solve(t.Context(), b.Game, b.Start, solve.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	worth := func(p P) float64 {
		v, ok := truth.At(p)
		if !ok {
			t.Fatalf("%s is not solved", b.Format(p))
		}
		return v.Expected
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 6 {
		p := wanderedTo(b.Game, r)
		for k, j := range judges {
			a, err := j.Ask(t.Context(), p, judge.Budget{Nodes: 4000}, nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, l := range a.LeftOut {
				if k > 0 && k < len(judges)-1 {
					continue
				}
				t.Errorf("%s: judge %d: %s is left out: %v", b.Format(p), k, l.Source, l.Err)
			}
			holds(t, b.Format(p), &a.Known, worth(p))
			ends := k == 0 || k >= len(judges)-2
			if ends {
				lasts(t, b.Format(p), &a.Known, truth, p)
			}
			for _, o := range a.Moves {
				where := b.Format(p) + " " + b.FormatMove(p, o.Move)
				holds(t, where, &o.Known, worth(p.Play(o.Move)))
				if ends {
					lasts(t, where, &o.Known, truth, p.Play(o.Move))
				}
			}
			if (k == 0 || k == len(judges)-1) && a.Hint < 0 && p.Turn() != oxo.Chance && !a.Over {
				t.Errorf("%s: no hint", b.Format(p))
			}
			f.sayings(t, p, a, worth)
		}
	}
}

// holds checks one interval against the truth, and that what is certain has a source.
func holds(t *testing.T, where string, k *judge.Known, truth float64) {
	t.Helper()
	if truth < k.Lo-1e-9 || truth > k.Hi+1e-9 {
		t.Errorf("%s: %v by %s, but it is worth %v", where, k.Interval, k.Source, truth)
	}
	if e := k.Estimate; e.Searched > 0 && !k.Holds(e.Value) {
		t.Errorf("%s: the estimate %v is outside %v", where, e.Value, k.Interval)
	}
}

// lasts checks how long play is said to last against the truth.
func lasts[P oxo.Position[P]](t *testing.T, where string, k *judge.Known, truth judge.StrongSolution[P], p P) {
	t.Helper()
	v, _ := truth.At(p)
	if k.Timed && k.Plies != v.Remoteness || k.Within > 0 && k.Within < v.Remoteness {
		t.Errorf("%s: %d plies (%v), within %d by %s, but it lasts %d", where, k.Plies, k.Timed, k.Within, k.Source,
			v.Remoteness)
	}
}

// sayings checks that every certain word has a source, and that best and lost moves are so.
func (f typedGame[P]) sayings(t *testing.T, p P, a *judge.Answer, worth func(P) float64) {
	b := f.b
	_, v := players.GameJudge(b)
	for _, text := range []string{judge.Say(v.ExplainWorth(p, a)...), judge.Say(v.NameHint(p, a)),
		judge.Say(v.ExplainHint(p, a)...)} {
		if text == "" || strings.ContainsAny(text, "{}") || strings.Contains(text, "%!") {
			t.Errorf("%s: it says %q", b.Format(p), text)
		}
	}
	if a.Over || p.Turn() == oxo.Chance {
		return
	}
	best := worth(p)
	for i, o := range a.Moves {
		v := worth(p.Play(o.Move))
		if a.Keeps(i) && p.Turn().Score(v) < p.Turn().Score(best)-1e-9 || a.GivesAway(i) &&
			p.Turn().Score(v) >= p.Turn().Score(best)-1e-9 {
			t.Errorf("%s %s: keeps %v, gives away %v; it is worth %v of %v", b.Format(p), b.FormatMove(p, o.Move),
				a.Keeps(i), a.GivesAway(i), v, best)
		}
		if o.Source == "" && (o.Lo != a.Bounds().Lo || o.Hi != a.Bounds().Hi) {
			t.Errorf("%s %s: %v by nobody", b.Format(p), b.FormatMove(p, o.Move), o.Interval)
		}
	}
}

// wanderedTo plays some random moves from the start.
func wanderedTo[P oxo.Position[P]](g *oxo.Game[P], r *rand.Rand) P {
	p := g.Start
	for range r.IntN(max(g.MaxPlies, 6)) {
		moves := p.Moves(nil)
		if len(moves) == 0 {
			break
		}
		next := p.Play(moves[r.IntN(len(moves))])
		if next.Outcome() != oxo.Ongoing && r.IntN(4) > 0 {
			break
		}
		p = next
	}
	return p
}

// judgeText asks about the position after some moves.
func judgeText(t *testing.T, spec, moves string, o game.JudgeOptions) *game.Judged {
	t.Helper()
	g := aGame(t, spec)
	o.Position = positionAfter(t, g, o.Position, moves)
	j, err := g.Judging().Judge(t.Context(), o, nil)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// positionAfter is the position after moves from another, the start where it is empty.
func positionAfter(t *testing.T, g game.Game, from, moves string) string {
	t.Helper()
	s, err := g.NewSession(game.SessionOptions{First: game.Human, Second: game.Human, Position: from})
	if err != nil {
		t.Fatal(err)
	}
	for m := range strings.FieldsSeq(moves) {
		if err := s.Move(m); err != nil {
			t.Fatal(err)
		}
	}
	return s.State().Position
}

// TestJudgeKnown: what is known anywhere in the house is said here.
func TestJudgeKnown(t *testing.T) {
	for _, c := range []struct{ spec, moves, value, source, hint string }{
		{"mnk:6,6,4", "", "first", judge.Certificate, ""},
		{"mnk:7,7,5", "", "draw", judge.Certificate, ""},
		{"animal:tippy,3,3", "", "first", "", ""},
		{"mnk:7,6,4+gravity", "a1 b1 a2 b2 a3", "second", "falling", "a4"}, // by the book
		{"mnk:7,6,4+gravity", "d1 d2 a1 b1 a2 b2 a3", "second", "falling", "a4"},
		{"mnk:7,6,4+gravity", "d1 d2 d3 d4 a1 b1 a2 b2 a3", "first", "falling", "a4"}, // by a bit of the book
		{"mnk:15,15,5", "h8 a1 i8 a2 j8 a3", "first", "", ""},
		{"ultimate+open", "", "first", judge.Certificate, "e5"},
		{"ultimate+open", "e5 f6", "first", judge.Certificate, ""},
	} {
		j := judgeText(t, c.spec, c.moves, game.JudgeOptions{Nodes: 40_000})
		if j.Value != c.value || c.source != "" && j.Source != c.source || c.hint != "" && j.Hint != c.hint {
			t.Errorf("%s %s: %+v; hint %s", c.spec, c.moves, j.Known, j.Hint)
		}
	}
}

// TestJudgeKeptProofs: proofs that the lab is given are believed where the checker does.
func TestJudgeKeptProofs(t *testing.T) {
	var file bytes.Buffer
	g, err := (&game.Lab{Kinds: BuiltInKinds()}).Game("animal:fatty,4,4")
	if err != nil {
		t.Fatal(err)
	}
	proving, err := g.Proving()
	if err != nil {
		t.Fatal(err)
	}
	r, err := proving.Prove(t.Context(), game.ProveOptions{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Proof.WriteTo(&file); err != nil {
		t.Fatal(err)
	}
	broken := slices.Clone(file.Bytes())
	broken[len(broken)/2] ^= 1
	for _, holds := range []bool{true, false} {
		kept := file.Bytes()
		if !holds {
			kept = broken
		}
		l := &game.Lab{Kinds: BuiltInKinds(), Proofs: func(string) [][]byte { return [][]byte{kept} }}
		if g, err = l.Game("animal:fatty,4,4"); err != nil {
			t.Fatal(err)
		}
		j, err := g.Judging().Judge(t.Context(), game.JudgeOptions{Nodes: 10}, nil)
		if err != nil || holds && j.Value != r.Value || holds != (j.Source == judge.Certificate) || len(j.LeftOut) > 0 {
			t.Errorf("the proof holds %v: %+v, left out %v, %v", holds, j.Known, j.LeftOut, err)
		}
	}
}

// TestJudgeLosingMoves: moves of Connect Four that lose at once are lost, not "about 0 %".
func TestJudgeLosingMoves(t *testing.T) {
	j := judgeText(t, "mnk:7,6,4+gravity", "a1 b1 a2 b2 a3", game.JudgeOptions{})
	for _, m := range j.Moves {
		if lost := m.Move != "a4"; lost != (m.Value == "first") || lost && m.Text != "loses in 2" {
			t.Errorf("%s: %+v", m.Move, m)
		}
	}
	if j.Hint != "a4" || j.Which != "a4 may be best" && !strings.Contains(j.Which, "a4") {
		t.Errorf("hint %s: %s", j.Hint, j.Which)
	}
}

// TestJudgeLostHint: where every move loses, the hint and the best moves are none of those that are shown to lose
// soonest, where others may last longer; and a move that wins later than another is not called best.
func TestJudgeLostHint(t *testing.T) {
	for _, c := range []struct{ spec, moves, hints string }{
		{"torus:5,5,4", "e5 e2 c5", "a5 b5 d5"},
		{"torus:5,5,4", "a5 b1 d2", "b4 c3 e1"},
		{"mnk:5,5,4+maker", "c5 b3 e2 c1 b5 a2 c4", "d3"},
		{"animal:knobby,5,5", "b1 c4 e3 c5", "b4"},
		{"mnk:6,6,4+order", "x@f5 o@e3 o@d1 x@c4 x@f3", ""},
		{"qubic", "d3a b3a c3a c2b b2d b1a a3d c2d d1c d1d d3b a3b b1c b4b a4d c4a", "d3d"},
	} {
		j := judgeText(t, c.spec, c.moves, game.JudgeOptions{Nodes: 100_000})
		longest := 0 // plies at most after a move that keeps the worth
		for _, m := range j.Moves {
			longest = max(longest, pliesAtMost(&m))
		}
		won := j.Value == j.Turn
		for _, m := range j.Moves {
			short := !won && pliesAtMost(&m) < longest || won && m.Plies != nil && j.Within > 0 && *m.Plies >= j.Within
			if (m.Best || m.Move == j.Hint) && short {
				t.Errorf("%s %s: %s is best %v, the hint is %s: %s", c.spec, c.moves, m.Move, m.Best, j.Hint, m.Text)
			}
		}
		if j.Value == "" || c.hints != "" && !slices.Contains(strings.Fields(c.hints), j.Hint) {
			t.Errorf("%s %s: %s, hint %s, want one of %s", c.spec, c.moves, j.Standing, j.Hint, c.hints)
		}
		if j.Plies == nil && strings.Contains(j.Why, "As good") {
			t.Errorf("%s %s: %s", c.spec, c.moves, j.Why)
		}
	}
}

// pliesAtMost is how long play lasts at most after a move.
func pliesAtMost(m *game.JudgedMove) int {
	switch {
	case m.Plies != nil:
		return *m.Plies
	case m.Within > 0:
		return m.Within
	}
	return math.MaxInt
}

// TestJudgeNothing: a budget of nothing gives what is free, at once, and a context that is
// done ends the work.
func TestJudgeNothing(t *testing.T) {
	j := judgeText(t, "mnk:15,15,5", "h8", game.JudgeOptions{})
	if j.Hint == "" || j.Certain || j.Value != "" || j.Estimate != nil ||
		j.Standing != "Who wins is not known for certain." {
		t.Errorf("%+v", j)
	}
	g, err := (&game.Lab{Kinds: BuiltInKinds()}).Game("mnk:15,15,5")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer stop()
	if _, err := g.Judging().Judge(ctx, game.JudgeOptions{Time: time.Hour}, nil); !errors.Is(err,
		context.DeadlineExceeded) {
		t.Errorf("it ended with %v", err)
	}
}

// TestJudgeSame: the same question in positions has the same answer, whatever was asked
// before.
func TestJudgeSame(t *testing.T) {
	for _, spec := range []string{"ultimate", "mnk:9,9,5", "qubic"} {
		g, err := (&game.Lab{Kinds: BuiltInKinds()}).Game(spec)
		if err != nil {
			t.Fatal(err)
		}
		var first *game.Judged
		for range 2 {
			j, err := g.Judging().Judge(t.Context(), game.JudgeOptions{Nodes: 3000}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if first == nil {
				first = j
			}
			if j.Hint != first.Hint || j.Why != first.Why || len(j.Moves) != len(first.Moves) {
				t.Errorf("%s: %s, then %s", spec, first.Why, j.Why)
			}
		}
	}
}

// TestJudgeStreams: each answer knows at least as much as the one before, and the first
// comes before anything was searched.
func TestJudgeStreams(t *testing.T) {
	g, err := (&game.Lab{Kinds: BuiltInKinds()}).Game("mnk:6,6,4")
	if err != nil {
		t.Fatal(err)
	}
	var list []*game.Judged
	if _, err := g.Judging().Judge(t.Context(), game.JudgeOptions{Nodes: 20_000},
		func(j *game.Judged) { list = append(list, j) }); err != nil {
		t.Fatal(err)
	}
	if len(list) < 3 || list[0].Hint == "" || !list[len(list)-1].Done {
		t.Fatalf("%d answers", len(list))
	}
	for i := 1; i < len(list); i++ {
		if list[i].Lo < list[i-1].Lo || list[i].Hi > list[i-1].Hi {
			t.Errorf("answer %d knows less: %+v after %+v", i, list[i].Known, list[i-1].Known)
		}
	}
}

// TestJudgeContradiction: a source that contradicts what is known is left out and named.
func TestJudgeContradiction(t *testing.T) {
	g, err := (&game.Lab{Kinds: BuiltInKinds()}).Game("ttt")
	if err != nil {
		t.Fatal(err)
	}
	g.(interface{ checkLiar(t *testing.T) }).checkLiar(t)
}

func (f typedGame[P]) checkLiar(t *testing.T) {
	b := f.b
	all, _ := players.GameJudge(b)
	liar := judge.Source[P]{Name: "liar", Share: .1, Ask: func(_ context.Context, q *judge.Query[P]) (bool, error) {
		q.TellPosition(judge.Known{Interval: oxo.Exactly(1)})
		return true, nil
	}}
	fails := judge.Source[P]{Name: "fails", Share: .1,
		Ask: func(context.Context, *judge.Query[P]) (bool, error) { return false, errors.New("broken") }}
	j := &judge.Judge[P]{Game: b.Game, Sources: []judge.Source[P]{fails}}
	for _, s := range all.Sources {
		if s.Name == judge.Solution && s.Share > 0 {
			j.Sources = append(j.Sources, s, liar)
			break
		}
	}
	liarFirst := slices.Clone(j.Sources)
	slices.Reverse(liarFirst)
	a, err := j.Ask(t.Context(), b.Start, judge.Budget{Nodes: 100_000}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if a.Lo != 0 || a.Hi != 0 || len(a.LeftOut) != 1 || a.LeftOut[0].Source != "fails" {
		t.Errorf("%v, left out %v", a.Interval, a.LeftOut)
	}
	j.Sources = liarFirst
	a, err = j.Ask(t.Context(), b.Start, judge.Budget{Nodes: 100_000}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(a.LeftOut) != 2 || a.LeftOut[0].Source != judge.Solution ||
		!strings.Contains(a.LeftOut[0].Err.Error(), "liar") {
		t.Errorf("%v, left out %v", a.Interval, a.LeftOut)
	}
}

// TestJudgeSets names the winning sets through a square.
func TestJudgeSets(t *testing.T) {
	g, err := (&game.Lab{Kinds: BuiltInKinds()}).Game("ttt")
	if err != nil {
		t.Fatal(err)
	}
	list, err := g.Judging().SetsThrough("x../.o./... x", "b2")
	if err != nil || len(list) != 4 {
		t.Fatalf("%v, %v", list, err)
	}
	open := 0
	for _, s := range list {
		if s.Open {
			open++
		}
	}
	if open != 3 {
		t.Errorf("%d of %+v are open", open, list)
	}
	// Breaker's marks close a set, and make none.
	if list, err = aGame(t, "ttt+breaker").Judging().SetsThrough("xox/oxo/xo. x", "b2"); err != nil || len(list) != 4 ||
		slices.ContainsFunc(list, func(s game.SetThrough) bool { return s.Open }) {
		t.Errorf("%+v, %v", list, err)
	}
	if _, err := g.Judging().SetsThrough("", "z9"); err == nil || !strings.Contains(err.Error(), `"z9"`) {
		t.Errorf("%v", err)
	}
}

// TestJudgeFewNodes: a budget of a few positions is one for every source, never none: proof numbers
// that look at no more than so many settle nothing on sixteen squares.
func TestJudgeFewNodes(t *testing.T) {
	for _, nodes := range []uint64{1, 2, 3, 10} {
		j := judgeText(t, "animal:fatty,4,4", "", game.JudgeOptions{Nodes: nodes})
		if j.Source == judge.Numbers || slices.ContainsFunc(j.Moves, func(m game.JudgedMove) bool {
			return m.Source == judge.Numbers
		}) {
			t.Errorf("%d positions: %+v", nodes, j.Known)
		}
	}
}

// TestJudgeTimesEnds: in time, what is soon solved is, so that how long play lasts is known, although simulated games
// would prove who wins first.
func TestJudgeTimesEnds(t *testing.T) {
	for _, c := range []struct{ spec, position, standing string }{
		{"mnk:4,4,4+wild+misere", "oo.o/xxx./xxxo/oxxx x",
			"First wins in 2 moves, both sides counted. All that can follow was solved."},
		{"mnk:5,5,4+chaos", "xoo.o/x..xx/xxoo./oo.xx/xxo.. x",
			"Order wins in 4 moves, both sides counted. All that can follow was solved."},
	} {
		g, err := (&game.Lab{Kinds: BuiltInKinds()}).Game(c.spec)
		if err != nil {
			t.Fatal(err)
		}
		j, err := g.Judging().Judge(t.Context(), game.JudgeOptions{Position: c.position, Time: 10 * time.Second}, nil)
		if err != nil || j.Standing != c.standing {
			t.Errorf("%s: %q, %v", c.position, j.Standing, err)
		}
	}
}

// TestJudgeStaysSure: what a proof shows of a position is known still when the other side has moved, however little
// time there is then, and so is a move that keeps it.
func TestJudgeStaysSure(t *testing.T) {
	for _, c := range []struct {
		spec, moves string
		lo, hi      float64
	}{
		{"cube:3,3+misere", "b2b a1a", 0, 1}, {"mnk:6,6,4+misere", "a1", -1, 0}, {"cube:5,2+misere", "c3 a1", 0, 1},
	} {
		g := aGame(t, c.spec)
		ask := func(moves string, d time.Duration) *game.Judged {
			o := game.JudgeOptions{Position: positionAfter(t, g, "", moves), Time: d}
			j, err := g.Judging().Judge(t.Context(), o, nil)
			if err != nil || j.Lo < c.lo || j.Hi > c.hi {
				t.Errorf("%s after %s: %v to %v, %v", c.spec, moves, j.Lo, j.Hi, err)
			}
			return j
		}
		ask(c.moves[:max(0, strings.LastIndex(c.moves, " "))], time.Second)
		ask(c.moves, time.Millisecond)
		j := ask(c.moves, 2*time.Second)
		for _, m := range j.Moves {
			if m.Move == j.Hint && (m.Lo < c.lo || m.Hi > c.hi || !strings.Contains(j.Which, "keeps what is known")) {
				t.Errorf("%s after %s: %s, which is known to be worth %v to %v", c.spec, c.moves, j.Which, m.Lo, m.Hi)
			}
		}
	}
}

// TestCompletedSetsMarks: what names the completed sets reads each square once, however many sets there are, as it is
// asked after each of a position's moves.
func TestCompletedSetsMarks(t *testing.T) {
	b := aGame(t, "cube:2,8").(typedGame[board.Pos256]).b
	read, mark := 0, b.Mark
	b.Mark = func(p board.Pos256, square int) int {
		read++
		return mark(p, square)
	}
	p := b.Start
	for _, m := range []oxo.Move{0, 1, 2} {
		p = p.Play(m)
	}
	if sets := b.CompletedSets(p); !slices.Equal(sets, []string{"1–3"}) || read > len(b.View.Squares) {
		t.Errorf("%q; %d marks read of %d squares", sets, read, len(b.View.Squares))
	}
}
