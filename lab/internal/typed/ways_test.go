package typed

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"oxo"
	"oxo/lab/internal/game"
	"oxo/solve"
)

// someGames are small games of all kinds and options.
var someGames = []string{"ttt", "ttt+misere", "ttt+maker", "ttt+breaker", "ttt+avoider", "ttt+enforcer", "ttt+wild",
	"ttt+misere+wild", "ttt+notakto",
	"ttt+order", "ttt+chaos", "ttt+gravity", "mnk:4,3,3+gravity+misere", "mnk:4,3,3+gravity+maker", "mnk:4,3,2+exact",
	"mnk:3,3,2+gravity+exact",
	"mnk:4,3,3", "mnk:4,3,3+misere", "cube:3,2+gravity", "torus:3,3,3", "animal:el,3,3", "plane:affine,3", "race:5"}

// TestWays compares every way that fits with the enumeration of all positions, from
// random positions of many games: value, plies to the end and best moves.
func TestWays(t *testing.T) {
	t.Parallel()
	methods := map[string]int{}
	r := rand.New(rand.NewPCG(1, 1))
	for _, spec := range someGames {
		g, err := (&game.Lab{Kinds: BuiltInKinds()}).Game(spec)
		if err != nil {
			t.Fatal(err)
		}
		for range 12 {
			at := randomPosition(t, g, r)
			all := game.ByTable
			if g.Info().Loopy {
				all = game.ByRetrograde
			}
			want, err := g.Solving().Solve(context.Background(), game.SolveOptions{Position: at, Method: all})
			if err != nil {
				t.Fatal(err)
			}
			for _, method := range []string{"", game.ByDrop, game.ByDeepening, game.ByProof} {
				got, err := g.Solving().Solve(context.Background(), game.SolveOptions{Position: at, Method: method})
				if method != "" && errors.Is(err, solve.ErrTooLarge) { // it does not fit, or found nothing
					continue
				}
				if err != nil {
					t.Fatalf("%s %s by %s: %v", spec, at, method, err)
				}
				methods[got.Method]++
				sameValue(t, spec+" "+at+" by "+got.Method, got, want)
			}
		}
	}
	for _, name := range []string{game.ByTable, game.ByRetrograde, game.ByDrop, game.ByDeepening, game.ByProof} {
		if methods[name] < 12 {
			t.Errorf("%s: compared %d times", name, methods[name])
		}
	}
}

// sameValue compares what a way has found with the truth.
func sameValue(t *testing.T, at string, got, want *game.SolveResult) {
	t.Helper()
	if got.Value != want.Value {
		t.Errorf("%s: %s, not %s", at, got.Value, want.Value)
	}
	switch {
	case got.Remoteness == nil && got.Value == oxo.Drawn.String() && got.Method == game.ByDeepening:
		if got.Best != nil { // nobody wins, and that is all that was looked for
			t.Errorf("%s: best %v", at, got.Best)
		}
		return
	case got.Remoteness == nil && got.Bounds != nil:
		if got.Best != nil || *want.Remoteness < got.Bounds[0] || *want.Remoteness > got.Bounds[1] {
			t.Errorf("%s: in %v, best %v, not %d", at, got.Bounds, got.Best, *want.Remoteness)
		}
	case (got.Remoteness == nil) != (want.Remoteness == nil) || got.Remoteness != nil &&
		*got.Remoteness != *want.Remoteness:
		t.Errorf("%s: %v plies, not %v", at, got.Remoteness, want.Remoteness)
	case got.Best != nil && !slices.Equal(got.Best, want.Best):
		t.Errorf("%s: best %v, not %v", at, got.Best, want.Best)
	}
	if got.Value == oxo.Drawn.String() && got.Method == game.ByProof {
		for _, m := range got.Keeps {
			if !slices.Contains(want.Best, m) {
				t.Errorf("%s: %s keeps a draw, best are %v", at, m, want.Best)
			}
		}
		for i, m := range got.Moves {
			if w := want.Moves[i]; m.Move != w.Move || m.Value != w.Value || *m.Remoteness != *w.Remoteness {
				t.Errorf("%s: %v, not %v", at, m, w)
			}
		}
	}
}

// randomPosition plays a few random moves.
func randomPosition(t *testing.T, g game.Game, r *rand.Rand) string {
	t.Helper()
	s, err := g.NewSession(game.SessionOptions{First: game.Human, Second: game.Human})
	if err != nil {
		t.Fatal(err)
	}
	for range r.IntN(6) {
		if moves := s.State().Moves; len(moves) > 0 {
			if err := s.Move(moves[r.IntN(len(moves))]); err != nil {
				t.Fatal(err)
			}
		}
	}
	return s.State().Position
}

// TestChoice sees which way is chosen for what, and what is refused before it starts.
func TestChoice(t *testing.T) {
	for _, c := range []struct {
		spec, position, want string
		o                    game.SolveOptions
	}{
		{"ttt", "", game.ByTable, game.SolveOptions{}},
		{"mnk:4,4,4", "", game.ByTiers, game.SolveOptions{Parts: true}},
		{"mnk:4,4,4", "", game.ByTable, game.SolveOptions{}},
		{"mnk:5,4,4", "", game.ByProof, game.SolveOptions{Parts: true}},
		{"mnk:5,4,4+misere", "", game.ByTiers, game.SolveOptions{Parts: true}},
		{"mnk:5,4,4", "", game.ByTiers, game.SolveOptions{Parts: true, Strong: true}},
		{"mnk:5,4,4", "", game.ByProof, game.SolveOptions{}},
		{"mnk:7,7,5", "", game.ByProof, game.SolveOptions{Parts: true}},
		{"race:7", "", game.ByRetrograde, game.SolveOptions{}},
		{"mnk:7,6,4+gravity", "", game.ByDrop, game.SolveOptions{}},
		{"mnk:4,4,3+slip=0.2", "", game.ByTable, game.SolveOptions{}},
		{"tree:chance", "", game.ByTable, game.SolveOptions{}},
		{"mnk:15,15,5", "............../" + strings.Repeat(".", 15), "position", game.SolveOptions{}},
		{"mnk:15,15,5", "", "too many positions", game.SolveOptions{}},
		{"mnk:15,15,5", strings.Repeat(strings.Repeat(".", 15)+"/", 14) + "xxx.ooo........ x", game.ByProof,
			game.SolveOptions{}},
		{"ultimate", "", "too many positions", game.SolveOptions{}},
		{"meta", "", "too many positions", game.SolveOptions{}},
		{"mnk:5,5,4+slip=0.1", "", "too many positions", game.SolveOptions{}},
		{"mnk:6,6,4", "", "too many positions", game.SolveOptions{Strong: true, Parts: true}},
		{"mnk:4,3,3", "", "too many positions", game.SolveOptions{Strong: true, Memory: 1 << 10}},
		{"ttt", "x../.../... o", "from the start of the game", game.SolveOptions{Strong: true}},
	} {
		g, err := (&game.Lab{Kinds: BuiltInKinds()}).Game(c.spec)
		if err != nil {
			t.Fatal(err)
		}
		c.o.Position = c.position
		plan, err := g.Solving().Plan(c.o)
		if err != nil && !strings.Contains(err.Error(), c.want) || err == nil && plan.Method != c.want {
			t.Errorf("%s %s %+v: %+v %v, not %s", c.spec, c.position, c.o, plan, err, c.want)
		}
	}
}

// TestDrawnMoves sees that every move of drawn boards is known to keep the draw, where tables of all
// positions would take long or there is no room for them.
func TestDrawnMoves(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		spec, position string
		plies, best    int
	}{
		{"mnk:5,5,5", "", 25, 25}, {"mnk:5,5,4", "", 25, 25}, {"mnk:6,4,4", "", 24, 24}, {"mnk:8,8,8", "", 64, 64},
		{"mnk:6,6,5", "x...../....../....../....../....../...... o", 35, 35},
	} {
		g := aGame(t, c.spec)
		r, err := g.Solving().Solve(t.Context(), game.SolveOptions{Position: c.position, Parts: true})
		if err != nil || r.Method != game.ByProof || r.Value != "draw" || *r.Remoteness != c.plies ||
			len(r.Best) != c.best || len(r.Moves) != c.best || *r.Moves[0].Remoteness != c.plies-1 || r.Keeps != nil {
			t.Errorf("%s %s: %+v %v", c.spec, c.position, r, err)
		}
	}
	// The side that is to move must stop a row of four; no other move draws.
	g := aGame(t, "mnk:6,6,5")
	r, err := g.Solving().Solve(t.Context(), game.SolveOptions{Method: game.ByProof,
		Position: "oxxxx./....../....../..oo../....../.o...x o"})
	if err != nil || r.Value != "draw" || !slices.Equal(r.Best, []string{"f6"}) || r.Moves != nil {
		t.Errorf("%+v %v", r, err)
	}
}

// TestLostKeeps sees that of a lost position, of which it is not known how long it lasts, no moves are
// named: every move loses.
func TestLostKeeps(t *testing.T) {
	t.Parallel()
	r, err := aGame(t, "mnk:5,5,4+breaker").Solving().Solve(t.Context(),
		game.SolveOptions{Position: "...../...../..x../...../..... o"})
	if err != nil || r.Value != "first" || r.Best != nil || r.Keeps != nil {
		t.Errorf("%+v %v", r, err)
	}
}

// TestJudgedAfterDeepening: what deepening finds no win in is decided by the judge's searches where a bounded effort is
// enough, and else refused with the names of what is exact.
func TestJudgedAfterDeepening(t *testing.T) {
	t.Parallel()
	g := aGame(t, "ultimate")
	r, err := g.Solving().Solve(t.Context(), game.SolveOptions{Position: "oxo...x../...xxxoo./x.x..x..x/.o.oo.oox/" +
		"..x..xox./xo.ox..../x.o....ox/x..ox..oo/.o.oxo... x 4"})
	if err != nil || r.Value != "second" || r.Method != game.ByProof || r.Keeps != nil {
		t.Errorf("%+v %v", r, err)
	}
	empty := strings.Repeat("........./", 4)
	_, err = g.Solving().Solve(t.Context(), game.SolveOptions{Position: empty + "....x..../" +
		strings.TrimSuffix(empty, "/") + " o 5"})
	if !errors.Is(err, solve.ErrTooLarge) || !strings.Contains(err.Error(), "oxo prove and oxo search") {
		t.Error(err)
	}
}

// TestNearWin sees that a win in three plies takes few positions, however large the board.
func TestNearWin(t *testing.T) {
	rows := strings.Repeat(strings.Repeat(".", 15)+"/", 7)
	g, err := (&game.Lab{Kinds: BuiltInKinds()}).Game("mnk:15,15,5")
	if err != nil {
		t.Fatal(err)
	}
	r, err := g.Solving().Solve(context.Background(),
		game.SolveOptions{Position: rows + ".....xxx......./" + rows[16:] + "ooo............ x"})
	if err != nil {
		t.Fatal(err)
	}
	if r.Value != "first" || *r.Remoteness != 3 || r.Positions > 100_000 ||
		!slices.Equal(r.Best, []string{"e8", "i8"}) {
		t.Errorf("%+v", r)
	}
}

// TestProofGoesOn stops a proof and goes on with it.
func TestProofGoesOn(t *testing.T) {
	t.Parallel()
	g, err := (&game.Lab{Kinds: BuiltInKinds()}).Game("mnk:5,5,4")
	if err != nil {
		t.Fatal(err)
	}
	whole, err := g.Solving().Solve(context.Background(), game.SolveOptions{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	var state bytes.Buffer
	_, err = g.Solving().Solve(ctx, game.SolveOptions{Keep: func(g game.Going, save func(io.Writer) error) {
		if g.Method != game.ByProof || save == nil {
			return
		}
		stop()
		state.Reset()
		if err := save(&state); err != nil {
			t.Error(err)
		}
	}})
	if !errors.Is(err, context.Canceled) || state.Len() == 0 {
		t.Fatalf("%d bytes, %v", state.Len(), err)
	}
	rest, err := g.Solving().Solve(context.Background(), game.SolveOptions{Resume: &state})
	if err != nil || rest.Value != whole.Value || rest.Positions != whole.Positions {
		t.Errorf("%+v, not %+v: %v", rest, whole, err)
	}
	if _, err := g.Solving().Solve(context.Background(),
		game.SolveOptions{Resume: strings.NewReader("junk")}); err == nil {
		t.Error("gone on from junk")
	}
}

// TestWholeTable: where what is below a later position does not fit the memory but the whole game does, as it has more
// symmetries, the whole game is solved, and says of the position what more memory says.
func TestWholeTable(t *testing.T) {
	g := aGame(t, "ttt+slip=0.1")
	position := ".../.../x.. o"
	want, err := g.Solving().Solve(t.Context(), game.SolveOptions{Position: position})
	if err != nil {
		t.Fatal(err)
	}
	got, err := g.Solving().Solve(t.Context(), game.SolveOptions{Position: position, Memory: 256 << 10})
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(*got.Expected-*want.Expected) > 1e-12 || len(got.Moves) != len(want.Moves) ||
		!slices.Equal(got.Best, want.Best) || got.Classes == want.Classes {
		t.Errorf("%+v, with more memory %+v", got, want)
	}
}

// TestNineBoardsWinBounded: of a win on nine boards whose length is not found it is said where it lies, by what
// deepening has ruled out and by what a proof shows.
func TestNineBoardsWinBounded(t *testing.T) {
	g := aGame(t, "ultimate")
	r, err := g.Solving().Solve(t.Context(), game.SolveOptions{Position: ".......ox/.x...x..x/ooo.xx.xx/o..xoo..o/" +
		"o......../.x..x...o/x...o.x.o/x...o.xx./.o..oox.o x -"})
	if err != nil || r.Value != "first" || r.Bounds == nil {
		t.Fatalf("%+v, %v", r, err)
	}
	if b := *r.Bounds; b[0] < 5 || b[0] > 15 || b[1] != 15 {
		t.Errorf("bounds %v, and oxo prove shows a win within 15 plies", b)
	}
}
