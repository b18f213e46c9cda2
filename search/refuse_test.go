package search_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"oxo"
	"oxo/board"
	"oxo/games/race"
	"oxo/search"
	"oxo/search/mcts"
)

// refused returns what Search and NewPlayer say to a request.
func refused[P oxo.Position[P]](t *testing.T, g *oxo.Game[P], a search.Algorithm, o search.Options[P]) string {
	t.Helper()
	_, err := search.Search(context.Background(), g, g.Start, a, o)
	if err == nil {
		return "nothing"
	}
	if _, again := search.NewPlayer(g, a, o, 0, 1); again == nil {
		t.Errorf("%s: refused by Search (%v) but not by NewPlayer", a, err)
	}
	return err.Error()
}

func TestRefusals(t *testing.T) {
	type options = boardOptions
	g := mnk(t, 3, 3, 3)
	for _, c := range []struct {
		a    search.Algorithm
		o    options
		want string
	}{
		{"alphabetta", options{}, `no algorithm "alphabetta"; there are minimax, negamax`},
		{search.Minimax, options{Depth: -1}, "depth -1: it must be 1 or more"},
		{search.Minimax, options{Lines: -2}, "-2 best moves"},
		{search.Minimax, options{Decay: 1.5}, "decay 1.5"},
		{search.Minimax, options{Decay: 0.5, Stop: true}, "never the best possible"},
		{search.AlphaBeta, options{Decay: 0.5}, "only the values of minimax and negamax decay"},
		{search.Minimax, options{Memory: search.OneLevel, Level: -1}, "memory level -1"},
		{search.Minimax, options{TableBytes: -1}, "a table of -1 bytes"},
		{search.Star1, options{Bounds: &oxo.Interval{Lo: 1, Hi: -1}}, "bounds [1, -1]"},
		{search.MCTS, options{Depth: 3}, "it takes no depth"},
		{search.PNS, options{Memory: search.Everything}, "it takes no memory of positions"},
		{search.PNS, options{Trace: &search.Tracer[board.Pos64]{}}, "no tree to trace"},
		{search.DFPN, options{Depth: 3}, "it takes no depth"},
		{search.DFPN, options{Trace: &search.Tracer[board.Pos64]{}}, "no tree to trace"},
		{search.MCTS, options{Sampling: mcts.Sampling{Sims: -1}}, "-1 simulations"},
		{search.MCTS, options{Sampling: mcts.Sampling{Workers: -1}}, "-1 workers"},
		{search.MCTS, options{Sampling: mcts.Sampling{RAVE: -1}}, "RAVE -1"},
	} {
		if got := refused(t, g, c.a, c.o); !strings.Contains(got, c.want) {
			t.Errorf("%s: says %q, want %q", c.a, got, c.want)
		}
	}
	if _, err := search.NewPlayer(g, search.Minimax, options{}, -time.Second, 1); err == nil {
		t.Error("a player took less than no time")
	}
}

func TestRefusesChance(t *testing.T) {
	g := builtin(t, "chance")
	for _, a := range search.Algorithms {
		got := refused(t, g, a, treeOptions{})
		if want := "the game has chance nodes; use expectiminimax, star1, star2 or " +
			"mcts"; a.HandlesChance() != (got == "nothing") || !a.HandlesChance() && !strings.Contains(got, want) {
			t.Errorf("%s says %q", a, got)
		}
	}
	if _, err := search.SearchLoopAware(context.Background(), g, g.Start, treeOptions{}); err == nil {
		t.Error("loop-aware minimax took a game with chance")
	}
	if got := refused(t, builtin(t, "three-ply"), search.PNS, treeOptions{}); !strings.Contains(got,
		"this game has payoffs") {
		t.Errorf("pns with payoffs says %q", got)
	}
}

func TestRefusesLoops(t *testing.T) {
	type options = search.Options[race.Pos]
	g := raceGame(t, 5)
	for _, a := range search.Algorithms {
		got := refused(t, g, a, options{})
		if a == search.MCTS {
			if got != "nothing" {
				t.Errorf("mcts says %q", got)
			}
			continue
		}
		if !strings.Contains(got, "play can go in circles") {
			t.Errorf("%s says %q", a, got)
		}
		if a == search.PNS || a == search.DFPN {
			continue
		}
		if r := find(t, g, g.Start, a, options{Depth: 12}); r.Value != -1 || !r.Exact() {
			t.Errorf("%s to depth 12: %+v, want a loss", a, r)
		}
		if r := find(t, g, g.Start, a, options{Deepen: true, MaxNodes: 100_000}); r.Value != -1 || !r.Exact() {
			t.Errorf("%s with a node limit: %+v, want a loss", a, r)
		}
	}
}

// TestLeafOutsideBounds checks that bounds which do not hold are found out.
func TestLeafOutsideBounds(t *testing.T) {
	g := builtin(t, "three-ply")
	_, err := search.Search(context.Background(), g, g.Start, search.AlphaBeta,
		treeOptions{Bounds: &oxo.Interval{Lo: 0, Hi: 10}})
	if err == nil || !strings.Contains(err.Error(), "a leaf is worth 12, outside the bounds [0, 10]") {
		t.Errorf("%v", err)
	}
}

// TestTooManyLeaves checks that the leaves of a large tree are not listed.
func TestTooManyLeaves(t *testing.T) {
	g := mnk(t, 4, 4, 4)
	_, err := search.Search(context.Background(), g, g.Start, search.AlphaBeta, boardOptions{Depth: 6, Leaves: true})
	if err == nil || !strings.Contains(err.Error(), "too many to list") {
		t.Errorf("%v", err)
	}
}

// TestTerminal checks that a position that is over has a value and no move.
func TestTerminal(t *testing.T) {
	g := mnk(t, 3, 3, 3)
	p, err := g.Parse("xxx/oo./... o")
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range search.Algorithms {
		r := find(t, g, p, a, boardOptions{})
		if r.Value != 1 || r.Score != -1 || r.Move != oxo.NoMove || !r.Exact() || !r.Complete || r.Nodes != 1 {
			t.Errorf("%s: %+v", a, r)
		}
		player, err := search.NewPlayer(g, a, boardOptions{}, 0, 1)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := player.Choose(context.Background(), p); err == nil {
			t.Errorf("%s: a player chose a move in a game that is over", a)
		}
	}
}

var _ oxo.Policy[board.Pos64] = (*search.Lookahead[board.Pos64])(nil)
