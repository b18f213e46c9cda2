package typed

import (
	"context"
	"maps"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"oxo"
	"oxo/judge"
	"oxo/lab/internal/game"
	"oxo/search"
	"oxo/solve"
)

// everyKind are games of every kind with each option, most of them too large to solve.
var everyKind = []string{
	"ttt", "mnk:4,4,4+misere", "mnk:5,5,4", "mnk:6,6,4", "mnk:7,7,5", "mnk:9,9,5", "mnk:15,15,5", "mnk:15,15,5+exact",
	"mnk:20,20,5",
	"mnk:5,5,4+maker", "mnk:5,5,4+breaker", "mnk:5,5,3+avoider", "mnk:5,5,3+enforcer", "mnk:4,4,3+wild",
	"mnk:4,4,4+wild+misere",
	"mnk:4,4,3+notakto", "mnk:5,5,4+order", "mnk:5,5,4+chaos", "mnk:7,6,4+gravity", "mnk:5,4,4+gravity+misere",
	"mnk:4,4,3+slip=0.1",
	"torus:5,5,4", "cube:3,3", "qubic", "cube:4,3+gravity", "animal:elly,5,5", "animal:skinny,6,6+maker",
	"plane:affine,4",
	"plane:projective,3", "meta", "ultimate", "ultimate+most", "ultimate+open", "race:5", "tree:three-ply",
	"tree:chance", "file:sim.json+misere", "file:columns.json",
}

// everyFile holds the files of games of everyKind: Sim, whose squares are the edges between six points and whose sets
// the triangles, and three columns of 4, 5 and 3 squares with sets across them.
var everyFile = map[string]string{
	"sim.json": `{"name": "Sim", "squares": 15, "winning": [[1,2,6],[1,3,7],[1,4,8],[1,5,9],[2,3,10],[2,4,11],[2,5,12],
		[3,4,13],[3,5,14],[4,5,15],[6,7,10],[6,8,11],[6,9,12],[7,8,13],[7,9,14],[8,9,15],[10,11,13],[10,12,14],
		[11,12,15],[13,14,15]]}`,
	"columns.json": `{"squares": 12, "below": [0,1,2,3, 0,5,6,7,8, 0,10,11],
		"winning": [[1,5,10],[2,6,11],[3,7,12],[1,6,12],[3,6,10],[6,7,8],[4,8,12],[2,3,4],[4,9]]}`,
}

// openKind opens a game of everyKind.
func openKind(t *testing.T, spec string) game.Game {
	g, err := files(everyFile).Game(spec)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// askKinds asks about so many random positions of every kind, with so many nodes: there
// is always an answer, no source fails, and what is certain is true as far as the solver
// or alpha-beta can tell.
func askKinds(t *testing.T, positions int, nodes uint64) {
	for _, spec := range everyKind {
		g := openKind(t, spec)
		t.Run(spec, func(t *testing.T) {
			n := g.(interface {
				askMany(t *testing.T, positions int, nodes uint64) asked
			}).askMany(t, positions, nodes)
			t.Logf("| `%s` | %d | %d | %d | %d of %d |", spec, n.positions, n.known, n.compared, n.openMoves, n.moves)
		})
	}
}

// asked counts what was asked about, and what came of it.
type asked struct {
	positions, known int // all, and those whose worth was known
	moves, openMoves int // all, and those whose worth was not known
	compared         int // positions compared with the truth
}

func (f typedGame[P]) askMany(t *testing.T, positions int, nodes uint64) (n asked) {
	b := f.b
	r := rand.New(rand.NewPCG(7, nodes))
	for n.positions < positions {
		n.positions++
		p := wanderedTo(b.Game, r)
		j, err := f.Judging().Judge(t.Context(), game.JudgeOptions{Position: b.Format(p), Nodes: nodes}, nil)
		if err != nil {
			t.Fatalf("%s: %v", b.Format(p), err)
		}
		over := p.Outcome() != oxo.Ongoing
		if len(j.LeftOut) > 0 || !j.Done || len(j.Moves) != len(p.Moves(nil)) {
			t.Errorf("%s: %d moves, left out %v", j.Position, len(j.Moves), j.LeftOut)
		}
		if j.Hint == "" && !over && p.Turn() != oxo.Chance || j.Standing == "" || j.Which == "" || j.Why == "" {
			t.Errorf("%s: hint %q, %q, %q, %q", j.Position, j.Hint, j.Standing, j.Which, j.Why)
		}
		if j.Lo == j.Hi {
			n.known++
		}
		for _, m := range j.Moves {
			n.moves++
			checkSaid(t, b.Words.With(judge.Words()), m)
			if m.Lo < m.Hi {
				n.openMoves++
			}
			if b.Odds != nil && strings.Contains(m.Text+j.Why, "%") {
				t.Errorf("%s: what is certain is in payoffs, %q", j.Position, m.Text+" "+j.Why)
			}
			if m.Text == "" || m.Short == "" || m.Source == "" &&
				(m.Value != "" || m.Best && !slices.ContainsFunc(j.Moves,
					func(o game.JudgedMove) bool { return !o.Best })) {
				t.Errorf("%s: %+v", j.Position, m)
			}
		}
		for _, text := range []string{j.Standing, j.Which, j.Why} {
			if strings.ContainsAny(text, "{}") {
				t.Errorf("%s: %q", j.Position, text)
			}
		}
		if twice := saidTwice(j.Why); twice != "" {
			t.Errorf("%s: it says %q twice: %s", j.Position, twice, j.Why)
		}
		checkSaid(t, b.Words.With(judge.Words()), j)
		if sure := b.Words.With(judge.Words()).Say(judge.WithoutEstimates(j.Said["standing"])...); j.Sure != sure {
			t.Errorf("%s: %q is certain, want %q", j.Position, j.Sure, sure)
		}
		checkBelowHint(t, p.Turn(), j)
		checkAsGood(t, j)
		f.checkSoon(t, p, j)
		if !over {
			n.compared += f.compare(t, p, j)
		}
	}
	return n
}

// saidTwice returns a sentence of a text, or what follows the colon of one, that another has too; of
// sentences about what "it" does, another of the same move.
func saidTwice(text string) string {
	said := map[string]bool{}
	for s := range strings.SplitSeq(strings.TrimSuffix(text, "."), ". ") {
		if !strings.HasPrefix(s, "It ") {
			maps.DeleteFunc(said, func(s string, _ bool) bool { return strings.HasPrefix(s, "It ") })
		}
		_, reason, _ := strings.Cut(s, ": ")
		if strings.HasPrefix(s, "As good: ") {
			continue // the moves of a line may be as good
		}
		if said[s] || reason != "" && said[reason] {
			return s
		}
		said[s], said[reason] = true, true
	}
	return ""
}

// checkBelowHint: no other move looks better than the hint, by what is estimated of it or by what is sure.
func checkBelowHint(t *testing.T, turn oxo.Seat, j *game.Judged) {
	i := slices.IndexFunc(j.Moves, func(m game.JudgedMove) bool { return m.Move == j.Hint })
	if i < 0 {
		return
	}
	hint := &j.Moves[i]
	most := turn.Score(hint.Lo)
	if hint.Estimate != nil {
		most = turn.Score(*hint.Estimate)
	}
	for _, m := range j.Moves {
		switch least := min(turn.Score(m.Lo), turn.Score(m.Hi)); {
		case m.Estimate != nil && hint.Lo < hint.Hi && hint.Estimate == nil:
			t.Errorf("%s: %s is estimated, the hint %s is not", j.Position, m.Move, j.Hint)
		case m.Estimate != nil && turn.Score(*m.Estimate) > most+1e-9, hint.Estimate != nil && least > most+1e-9:
			t.Errorf("%s: %s %q, but the hint %s %q", j.Position, m.Move, m.Text, j.Hint, hint.Text)
		}
	}
}

// checkAsGood: where it is known how long play lasts, the best moves last as long if that is known of any, and no move
// of which it is not known is called as good.
func checkAsGood(t *testing.T, j *game.Judged) {
	open, long := 0, 0
	for _, m := range j.Moves {
		switch {
		case !m.Best || j.Plies == nil:
		case m.Plies == nil:
			open++
		case *m.Plies+1 == *j.Plies:
			long++
		default:
			t.Errorf("%s: %s is best in %d plies of %d", j.Position, m.Move, *m.Plies+1, *j.Plies)
		}
	}
	if open > 0 && (long > 0 || strings.Contains(j.Why, "As good")) {
		t.Errorf("%s: %d moves of %d that are best last as long, %s", j.Position, long, open+long, j.Why)
	}
}

// checkSoon: what wins by threats in so many plies after a move wins in as many where all is played, and no sooner.
func (f typedGame[P]) checkSoon(t *testing.T, p P, j *game.Judged) {
	left := 200_000_000 // nodes of a game tree, about
	for _, m := range j.Moves {
		if m.Source != judge.Threats || m.Plies == nil {
			continue
		}
		n := len(j.Moves)
		if left -= int(math.Pow(float64(n), float64(*m.Plies))); left < 0 {
			return
		}
		move, err := f.b.ParseMove(p, m.Move)
		if err != nil {
			t.Fatal(err)
		}
		winner := oxo.WinFor(p.Turn())
		if p.Turn().Score(m.Lo) < 0 {
			winner = oxo.WinFor(p.Turn().Other())
		}
		q := p.Play(move)
		if n := *m.Plies; !endsWithin(q, winner, n) || endsWithin(q, winner, n-1) {
			t.Errorf("%s: %s %q, which is not so", j.Position, m.Move, m.Text)
		}
	}
}

// endsWithin reports whether the game can be made to end so within so many plies from p.
func endsWithin[P oxo.Position[P]](p P, how oxo.Outcome, plies int) bool {
	if p.Outcome() != oxo.Ongoing || plies == 0 {
		return p.Outcome() == how
	}
	wants := oxo.WinFor(p.Turn()) == how
	for _, m := range p.Moves(nil) {
		if endsWithin(p.Play(m), how, plies-1) == wants {
			return wants
		}
	}
	return !wants
}

// mostCompared is how many positions are enumerated or searched for the truth.
const mostCompared = 200_000

// truthFrom returns what finds the worth of p and of what follows it, as far as enumeration or
// alpha-beta soon does; nil where neither is for the game.
func (f typedGame[P]) truthFrom(t *testing.T, p P) func(P) (float64, bool) {
	b := f.b
	if s, err := b.SolveFrom(t.Context(), p, solve.Settings{Limit: mostCompared}); err == nil {
		return func(p P) (float64, bool) {
			v, ok := s.At(p)
			return v.Expected, ok
		}
	}
	if b.Odds != nil || b.Loopy() {
		return nil
	}
	return func(p P) (float64, bool) {
		r, err := search.Search(context.Background(), b.Game, p, search.AlphaBeta,
			search.Options[P]{Memory: search.Everything, Order: search.Best, MaxNodes: mostCompared / 10})
		return r.Value, err == nil && r.Exact()
	}
}

// compare compares what is certain of p with the truth, where that is soon found.
func (f typedGame[P]) compare(t *testing.T, p P, j *game.Judged) int {
	b := f.b
	truth := f.truthFrom(t, p)
	if truth == nil {
		return 0
	}
	v, ok := truth(p)
	if !ok {
		return 0
	}
	if v < j.Lo-1e-9 || v > j.Hi+1e-9 {
		t.Errorf("%s: [%g, %g] by %s, but it is worth %g", j.Position, j.Lo, j.Hi, j.Source, v)
	}
	for _, m := range j.Moves {
		move, err := b.ParseMove(p, m.Move)
		if err != nil {
			t.Errorf("%s: %v", j.Position, err)
			continue
		}
		after, ok := truth(p.Play(move))
		if !ok {
			continue
		}
		if after < m.Lo-1e-9 || after > m.Hi+1e-9 {
			t.Errorf("%s %s: [%g, %g] by %s, but it is worth %g", j.Position, m.Move, m.Lo, m.Hi, m.Source, after)
		}
		if worse := p.Turn().Score(after) < p.Turn().Score(v)-1e-9; p.Turn() != oxo.Chance &&
			(m.Best && worse || m.Gives && !worse) {
			t.Errorf("%s %s: best %v, gives %v, worth %g of %g", j.Position, m.Move, m.Best, m.Gives, after, v)
		}
	}
	return 1
}

// TestJudgeKinds: hint, values and why answer in every kind of game, and what they say is so.
func TestJudgeKinds(t *testing.T) {
	t.Parallel()
	askKinds(t, 4, 1500)
}

// TestJudgeForNothing: so they do where nothing may be searched.
func TestJudgeForNothing(t *testing.T) {
	t.Parallel()
	askKinds(t, 3, 0)
}

// TestJudgeWords: what is said of each kind of knowledge.
func TestJudgeWords(t *testing.T) {
	for _, c := range []struct{ spec, moves, which, why string }{
		{"ttt", "", "All moves are equally good; b2 is one.",
			"It is a draw. All moves are equally good; b2 is one. All that can follow was solved."},
		{"ttt", "a1 b1 b2 c1", "A best move is c3.",
			"X wins in 1 move. A best move is c3. It completes a1–b2–c3. b3 draws."},
		{"ttt", "a1 c3 b2 c2", "c1 must be played: every other move loses at once.",
			"c1 stops O, who could win there at once. c1 makes 2 threats at once: a1–b1–c1 and a3–b2–c1. Only one " +
				"can be stopped. X wins in 3 moves, both sides counted."},
		{"ttt", "b2 b3", "A best move is a3.", "As good: c3, a2, c2, a1, c1. b1 draws."},
		{"race:3", "", "2 is the only move.", "O wins in 2 moves, both sides counted."},
		{"tree:three-ply", "", "A best move is 1.", "It is worth 3 to Max."},
		{"tree:chance", "", "A best move is", "It is worth"},
		{"mnk:6,6,4", "", " wins, how soon is not known.", "Winning too: "},
		{"mnk:20,1,3", "", "The search prefers",
			"; the open sets of X that hold no pair count so little together that O"},
		{"mnk:15,15,5", "h8 a1 i8 a3 j8 a5", "A best move is",
			"X wins in 3 moves, both sides counted. A best move is g8. By two threats at once: "},
		{"mnk:7,6,4+gravity", "a1 b1 a2 b2 a3", "a4", "a4 ends the game."},
		{"mnk:7,6,4+gravity", "a1 d1", "Every move loses; none holds out longer than d2.",
			"O wins in 38 moves, both sides counted."},
		{"animal:elly,5,5", "a1 d3 c3 d4", "Every move loses, and all of them hold out equally long; d5 is one.",
			"O wins in 4 moves, both sides counted."},
		{"ultimate", "", "The search prefers", "Who wins is not known for certain. About "},
		{"ttt+slip=0.2", "", "A best move is b2.", "It is worth"},
		{"tree:max-unit", "", "A best move is 1.", "It is worth 1 to Max. A best move is 1. The game ends there."},
		{"ultimate+open", "e5", "Every move loses, how soon is not known",
			"X wins within 42 moves, both sides counted."},
		{"mnk:4,4,4+maker", "", "Every move loses",
			"Breaker wins. A proof was found and checked: where each open set of Maker"},
		{"mnk:6,6,5", "", "The search prefers", "It is a draw. A proof was found and checked. The search"},
		{"mnk:20,20,5", "", "The search prefers", "X does not lose. By strategy stealing: "},
		{"tree:three-ply", "3", "A best move is 3.", "1 is worth 14 to Max."},
	} {
		j := judgeText(t, c.spec, c.moves, game.JudgeOptions{Nodes: 20_000})
		if !strings.Contains(j.Which, c.which) || !strings.Contains(j.Why, c.why) {
			t.Errorf("%s %s: %q, %q", c.spec, c.moves, j.Which, j.Why)
		}
		if j.Source == judge.Solution && len(j.Line) > 0 && j.Line[0] != j.Hint {
			t.Errorf("%s %s: %s is the hint, and best play %v", c.spec, c.moves, j.Hint, j.Line)
		}
	}
}

// TestExchangedMarks: where either mark may be placed, the same is known and estimated of two moves that differ by the
// mark alone, on an empty board.
func TestExchangedMarks(t *testing.T) {
	for _, spec := range []string{"mnk:5,5,4+order", "mnk:6,6,5+chaos", "mnk:5,5,4+wild"} {
		j := judgeText(t, spec, "", game.JudgeOptions{Nodes: 5_000})
		known := map[string]game.Known{}
		for _, m := range j.Moves {
			m.Known.Line = nil
			_, square, _ := strings.Cut(m.Move, "@")
			if k, ok := known[square]; ok && !reflect.DeepEqual(k, m.Known) {
				t.Errorf("%s: %s %+v, and with the other mark %+v", spec, m.Move, m.Known, k)
			}
			known[square] = m.Known
		}
		if 2*len(known) != len(j.Moves) {
			t.Errorf("%s: %d moves on %d squares", spec, len(j.Moves), len(known))
		}
	}
}
