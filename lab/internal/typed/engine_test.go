package typed

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"oxo"
	"oxo/board"
	"oxo/engine"
	"oxo/lab/internal/game"
	"oxo/lab/internal/opened"
	"oxo/lab/internal/players"
	"oxo/lines"
	"oxo/player"
	"oxo/solve"
)

// firstFree is a guest that plays the first free square of ttt, and counts how
// often it is told that it is over.
type firstFree struct {
	taken  map[string]bool
	closed int
}

func (g *firstFree) Choose(_ context.Context, since []string, _, _ time.Duration) (string, time.Duration, error) {
	for _, m := range since {
		g.taken[m] = true
	}
	for m := range strings.FieldsSeq("a3 b3 c3 a2 b2 c2 a1 b1 c1") {
		if !g.taken[m] {
			g.taken[m] = true
			return m, 0, nil
		}
	}
	return "", 0, nil
}

func (g *firstFree) End([]string, string, string, string) {}

func (g *firstFree) Close() error { g.closed++; return nil }

func aGame(t *testing.T, spec string) game.Game {
	t.Helper()
	g, err := (&game.Lab{Kinds: BuiltInKinds()}).Game(spec)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// TestEngineKeepsItsTime: a game that takes seconds to solve is played within
// the limit all the same, and whoever asks can have the move at once.
func TestEngineKeepsItsTime(t *testing.T) {
	g := aGame(t, "mnk:4,4,3+wild")
	for _, limit := range []time.Duration{0, 100 * time.Millisecond} {
		solving, giveUp := context.WithCancel(t.Context())
		e, err := g.Contesting().NewEngine(solving, "")
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), limit)
		begin := time.Now()
		r, err := e.Think(ctx, "", engine.Limit{}, nil)
		if took := time.Since(begin); err != nil || r.Move == "" || took > limit+2*time.Second {
			t.Errorf("within %v: %q, %v after %v", limit, r.Move, err, took)
		}
		cancel()
		giveUp()
	}
}

// TestEngineSolvesAside: where the game is large, what solves it ends with its
// context.
func TestEngineSolvesAside(t *testing.T) {
	small, large := aGame(t, "mnk:4,3,3"), aGame(t, "mnk:4,4,3+wild")
	synctest.Test(t, func(t *testing.T) { // which fails where something goes on
		ctx, cancel := context.WithCancel(t.Context())
		e, err := small.Contesting().NewEngine(ctx, "")
		if err != nil {
			t.Fatal(err)
		}
		// o has two in a row
		r, err := e.Think(ctx, "x.../..x./oo.. x", engine.Limit{}, nil)
		if err != nil || r.Move != "c1" {
			t.Errorf("%q, %v", r.Move, err)
		}
		if e, err = large.Contesting().NewEngine(ctx, ""); err != nil {
			t.Fatal(err)
		}
		time.AfterFunc(0, cancel)
		if r, err := e.Think(ctx, "", engine.Limit{}, nil); err != nil || r.Move == "" {
			t.Errorf("%q, %v", r.Move, err)
		}
	})
}

// TestEngineLimits: a depth is looked ahead and a number of positions visited, or
// games simulated, whichever search is the stronger one in the game.
func TestEngineLimits(t *testing.T) {
	for _, spec := range []string{"mnk:15,15,5", "mnk:6,6,5", "mnk:6,6,5+order", "mnk:7,6,4+gravity",
		"mnk:20,20,5+gravity", "ultimate", "meta"} {
		e, err := aGame(t, spec).Contesting().NewEngine(t.Context(), "")
		if err != nil {
			t.Fatal(err)
		}
		if r, err := e.Think(t.Context(), "", engine.Limit{Depth: 2}, nil); err != nil || r.Depth < 1 || r.Depth > 2 ||
			r.Move == "" {
			t.Errorf("%s, 2 plies: %+v, %v", spec, r, err)
		}
		if r, err := e.Think(t.Context(), "", engine.Limit{Nodes: 300}, nil); err != nil || r.Nodes < 1 ||
			r.Nodes > 301 || r.Move == "" {
			t.Errorf("%s, 300 positions: %+v, %v", spec, r, err)
		}
	}
}

// TestEngineLimitsOfPlayers: a named player is held to a depth and to a number of
// positions too, and says so where it can't be.
func TestEngineLimitsOfPlayers(t *testing.T) {
	const neither, depth, nodes, both = 0, 1, 2, 3
	for _, c := range []struct {
		game, player string
		holds        int
	}{
		{"mnk:6,6,5", "minimax:depth=4", both},
		{"mnk:6,6,5", "alphabeta:depth=6", both},
		{"mnk:6,6,5", "alphabeta", both},
		{"mnk:15,15,5", "alphabeta:time=10h", both},
		{"mnk:15,15,5", "level:5", nodes},
		{"mnk:15,15,5", "level:4", nodes},
		{"ultimate", "mcts", nodes},
		{"ultimate", "mcts:sims=100000", nodes},
		{"ultimate", "level:4", nodes},
		{"meta", "static:depth=5", both},
	} {
		e, err := aGame(t, c.game).Contesting().NewEngine(t.Context(), c.player)
		if err != nil {
			t.Fatal(err)
		}
		// more than any level needs to look at every move
		r, err := e.Think(t.Context(), "", engine.Limit{Nodes: 300}, nil)
		slips := c.player == "level:4" // without a look at any position
		if err != nil || r.Nodes < 1 && !slips || r.Nodes > 310 || r.Move == "" {
			t.Errorf("%s on %s, 300 positions: %+v, %v", c.player, c.game, r, err)
		}
		r, err = e.Think(t.Context(), "", engine.Limit{Depth: 2}, nil)
		switch {
		case c.holds&depth == 0 && (err == nil || !strings.Contains(err.Error(), "no depth")):
			t.Errorf("%s on %s, 2 plies: %+v, %v", c.player, c.game, r, err)
		case c.holds&depth != 0 && (err != nil || r.Depth < 1 || r.Depth > 2 || r.Move == ""):
			t.Errorf("%s on %s, 2 plies: %+v, %v", c.player, c.game, r, err)
		}
	}
	// What looks at the position alone is held to anything.
	e, err := aGame(t, "ttt").Contesting().NewEngine(t.Context(), "heuristic")
	if err != nil {
		t.Fatal(err)
	}
	if r, err := e.Think(t.Context(), "", engine.Limit{Depth: 1, Nodes: 1}, nil); err != nil || r.Move == "" {
		t.Errorf("%+v, %v", r, err)
	}
}

// searchOnly chooses the last move, when its context is done.
type searchOnly[P oxo.Position[P]] struct{}

func (searchOnly[P]) Choose(ctx context.Context, p P) (oxo.Choice, error) {
	<-ctx.Done()
	moves := p.Moves(nil)
	return oxo.Choice{Move: moves[len(moves)-1]}, nil
}

// TestThinker: the move is the search's where the position is not solved, or
// not in the solution.
func TestThinker(t *testing.T) {
	b := aGame(t, "ttt").(typedGame[board.Pos64]).b
	win, err := b.Game.Parse("xx./oo./... x")
	if err != nil {
		t.Fatal(err)
	}
	solution, err := b.SolveFrom(t.Context(), win, solve.Settings{Limit: opened.AtOnce})
	if err != nil {
		t.Fatal(err)
	}
	choose := func(a *backgroundSolution[board.Pos64], p board.Pos64) string {
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		c, err := (&solveOrSearchPlayer[board.Pos64]{a, searchOnly[board.Pos64]{},
			rand.New(rand.NewPCG(1, 1))}).Choose(ctx, p)
		if err != nil {
			t.Fatal(err)
		}
		return b.FormatMove(p, c.Move)
	}
	a := &backgroundSolution[board.Pos64]{done: make(chan struct{})}
	if got := choose(a, win); got != "c1" {
		t.Errorf("before it is solved: %s", got)
	}
	a.perfect = &player.Perfect[board.Pos64]{Solution: solution}
	time.AfterFunc(time.Millisecond, func() { close(a.done) })
	if got := choose(a, win); got != "c3" {
		t.Errorf("solved: %s", got)
	}
	if got := choose(a, b.Start); got != "c1" {
		t.Errorf("not in the solution: %s", got)
	}
	a = &backgroundSolution[board.Pos64]{done: a.done}
	if got := choose(a, win); got != "c1" {
		t.Errorf("too large to solve: %s", got)
	}
}

// TestEnginePlayers: programs that can't be played with are refused when their
// spec is opened.
func TestEnginePlayers(t *testing.T) {
	here, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		game, command string
		elsewhere     bool
		want          string // part of the error; empty for none
	}{
		{"ttt", here, false, ""},
		{"ttt", "./none", false, "no such file"},
		{"ttt", "./engine_test.go", false, "permission denied"},
		{"ttt", "./none", true, ""},
		{"ultimate+most", "codingame:" + here, false, ""},
		{"ttt", "codingame:" + here, false, ""},
		{"mnk:4,4,4+wild", "codingame:" + here, false, "no square"},
		{"qubic", "codingame:" + here, false, "no square"},
		{"race:5", "codingame:" + here, false, "codingame protocol is for Ultimate"},
		{"ttt+slip=0.1", "codingame:" + here, false, "chance"},
		{"mnk:5,5,5", "gomocup:" + here, false, ""},
		{"mnk:9,6,5+exact", "gomocup:" + here, false, ""},
		{"mnk:20,20,5", "gomocup:" + here, false, ""},
		{"mnk:9,9,4", "gomocup:" + here, false, "five in a row"},
		{"mnk:7,7,5+gravity", "gomocup:" + here, false, "five in a row"},
		{"torus:7,7,5", "gomocup:" + here, false, "five in a row"},
		{"torus:5,5,5", "gomocup:" + here, false, "five in a row"},
		{"animal:l5,6,6", "gomocup:" + here, false, "five in a row"},
		{"animal:i5,6,6", "gomocup:" + here, false, "five in a row"}, // without diagonals
	} {
		g, err := (&game.Lab{Kinds: BuiltInKinds(), Commands: true, Elsewhere: c.elsewhere}).Game(c.game)
		if err != nil {
			t.Fatal(err)
		}
		_, err = g.Contesting().NewContest(game.ContestOptions{Players: []string{"engine:" + c.command, "random"},
			Games: 2})
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s in %s: error %v, want %q", c.command, c.game, err, c.want)
		}
	}
}

// TestEngineStartStops: a program that is starting is not waited for when all
// ends.
func TestEngineStartStops(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	g, err := (&game.Lab{Kinds: BuiltInKinds(), Commands: true, Ending: ctx}).Game("ttt")
	if err != nil {
		t.Fatal(err)
	}
	time.AfterFunc(50*time.Millisecond, cancel)
	begin := time.Now()
	_, err = g.NewSession(game.SessionOptions{First: "engine:sleep 1000", Second: "random"})
	if took := time.Since(begin); !errors.Is(err, context.Canceled) || took > 5*time.Second {
		t.Errorf("%v after %v", err, took)
	}
}

// TestHostQuizEnds: when the game is over, or the program has gone, the player
// against it, which may be another program, is ended too.
func TestHostQuizEnds(t *testing.T) {
	for _, leaves := range []bool{false, true} {
		own := &firstFree{taken: map[string]bool{}}
		l := &game.Lab{Kinds: BuiltInKinds(), Invite: func(_ context.Context, _ string, g game.GuestGame) (game.Guest,
			error) {
			own.taken["b2"] = true // the position has it
			return own, nil
		}}
		g, err := l.Game("ttt")
		if err != nil {
			t.Fatal(err)
		}
		ours, theirs := net.Pipe()
		go func() {
			defer theirs.Close()
			moves := strings.Fields("1,1 2,0 0,2 2,2 1,0 0,1 1,2 2,1")
			for in := bufio.NewScanner(theirs); in.Scan(); {
				switch {
				case in.Text() == "X 3x3":
					fmt.Fprintln(theirs, "hello")
				case in.Text() != "move":
				case len(moves) == 0 || leaves && len(moves) < 7:
					return
				default:
					fmt.Fprintln(theirs, moves[0])
					moves = moves[1:]
				}
			}
		}()
		r, err := g.Contesting().HostQuiz(t.Context(), [2]game.QuizGuest{arrived(ours), nil}, "bot:own", "welcome")
		if leaves != (err != nil) {
			t.Errorf("the program leaves: %v; record %+v, error %v", leaves, r, err)
		}
		if own.closed != 1 {
			t.Errorf("the program leaves: %v; the player against it was closed %d times, want once", leaves, own.closed)
		}
	}
}

// TestSearchIsThePlayer: on a large board the search alphabeta chooses what the
// player of that name does, after as many positions.
func TestSearchIsThePlayer(t *testing.T) {
	const position = "......./......./...x.../...o.../....x../......./....... o"
	g := aGame(t, "mnk:7,7,5")
	b := g.(typedGame[board.Pos64]).b
	p, err := b.Game.Parse(position)
	if err != nil {
		t.Fatal(err)
	}
	for _, limit := range []string{"depth=3", "nodes=2000"} {
		m, err := players.OpenPlayer(b, "alphabeta:"+limit)
		if err != nil {
			t.Fatal(err)
		}
		seed := rand.New(rand.NewPCG(7, 7)).Uint64() // as the player draws it
		one, err := players.NewLinesPlayer(b, lines.PlayerOptions{Depth: map[string]int{"depth=3": 3}[limit],
			Nodes: map[string]uint64{"nodes=2000": 2000}[limit]}, seed)
		if err != nil {
			t.Fatal(err)
		}
		want, err := one.Choose(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		player, err := m(rand.New(rand.NewPCG(7, 7)))
		if err != nil {
			t.Fatal(err)
		}
		if c, err := player.Choose(t.Context(), p); err != nil || c.Nodes != want.Nodes || c.Score != want.Score {
			t.Errorf("the player: %+v, %v; the search by lines %+v", c, err, want)
		}
		o := game.SearchOptions{Position: position, Algorithm: "alphabeta", Seed: seed}
		if limit == "depth=3" {
			o.Depth = 3
		} else {
			o.MaxNodes = 2000
		}
		r, err := g.Searching().Search(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		value := *r.Value
		if r.Nodes != want.Nodes || value != -want.Score || r.Move != b.FormatMove(p, want.Move) ||
			r.Exact != want.Exact {
			t.Errorf("%s: the search has %+v, value %v; the player %+v", limit, r, value, want)
		}
		o.Algorithm, o.Seed = "alphabeta:plain=yes", 0
		if plain, err := g.Searching().Search(t.Context(), o); err != nil ||
			limit == "depth=3" && plain.Nodes == r.Nodes {
			t.Errorf("%s: the textbook's: %+v, %v", limit, plain, err)
		}
	}
}

// TestExamWithoutPolicy: a player that goes by more than the position has no exact
// exam, and a sampled one tells of the games that were played when it was stopped.
func TestExamWithoutPolicy(t *testing.T) {
	f := aGame(t, "ttt").Learning()
	if _, err := f.ExamPlayer(t.Context(), "mcts:sims=10"); !errors.Is(err, game.ErrNoPolicy) {
		t.Errorf("an exact exam of mcts: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	tell := func(done, of int) {
		if done == 12 {
			cancel()
		}
		if of != 30 {
			t.Errorf("%d of %d games", done, of)
		}
	}
	e, err := f.ExamBySampleOrMatches(ctx, "mcts:sims=10", game.SampleOptions{Games: 10, Openings: 4, Seed: 1,
		Tell: tell})
	if !errors.Is(err, context.Canceled) || len(e.Vs) != 2 || e.Played < 12 || e.Played >= e.Of ||
		e.Of != 30 {
		t.Errorf("stopped after 12 games: %+v, %v", e, err)
	}
}

// TestExamBySolver: where marks fall a sampled exam is of positions that the solver judges:
// who plays by it makes no mistake, who plays at random does.
func TestExamBySolver(t *testing.T) {
	f := aGame(t, "mnk:6,6,4+gravity").Learning()
	for player, kept := range map[string][2]float64{"optimal": {1, 1}, "random": {.1, .7}} {
		asked := 0
		e, err := f.ExamBySampleOrMatches(t.Context(), player, game.SampleOptions{Positions: 40, Seed: 2,
			Tell: func(int, int) { asked++ }})
		if err != nil {
			t.Fatal(err)
		}
		s := e.Solved
		if s == nil || s.Positions.Kept < kept[0] || s.Positions.Kept > kept[1] ||
			s.Positions.Of != asked || asked < 40 {
			t.Errorf("%s: %+v, asked for %d", player, s, asked)
		}
	}
}
