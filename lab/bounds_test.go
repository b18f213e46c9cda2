package lab_test

import (
	"context"
	"math/big"
	"strings"
	"testing"

	"oxo/lab"
	"oxo/search"
)

// TestBoundsHoldSequential compares the bounds with the truth, for the games of the
// catalogue and all options on small boards.
func TestBoundsHoldSequential(t *testing.T) {
	var l lab.Lab
	var specs []string
	for _, k := range l.ListKinds() {
		if k.Solved && k.Example != "" && !strings.HasPrefix(k.Example, "file:") {
			specs = append(specs, k.Example)
		}
	}
	for _, board := range []string{"ttt", "mnk:4,2,3+gravity"} {
		for _, option := range []string{"", "+misere", "+maker", "+breaker", "+avoider", "+enforcer", "+wild",
			"+wild+misere", "+notakto", "+order", "+chaos"} {
			specs = append(specs, board+option, board+option+"+slip=0.1")
		}
	}
	counted := 0
	for _, spec := range specs {
		g, err := l.Game(spec)
		if err != nil {
			t.Fatal(err)
		}
		if !g.Info().Positional {
			continue
		}
		r, err := g.Solving().SearchTreeBounds(context.Background(), 15_000)
		if err != nil {
			t.Fatal(err)
		}
		if r.Games == nil {
			continue
		}
		counted++
		positions := new(big.Int).SetUint64(*r.Positions)
		byPly := new(big.Int)
		for _, n := range r.StatesByPly {
			byPly.Add(byPly, n)
		}
		if r.Games.Cmp(r.GamesBound) > 0 || r.Nodes.Cmp(r.NodesBound) > 0 || positions.Cmp(r.StatesBound) > 0 ||
			positions.Cmp(byPly) > 0 ||
			r.StatesAlter != nil && positions.Cmp(r.StatesAlter) > 0 {
			t.Errorf("%s: %d games of at most %d, %d nodes of at most %d, %d positions of at most %d, %d by ply, %v "+
				"alternating",
				spec, r.Games, r.GamesBound, r.Nodes, r.NodesBound, positions, r.StatesBound, byPly, r.StatesAlter)
		}
	}
	if counted < 44 {
		t.Errorf("%d games are small enough to count", counted)
	}
}

// TestMostPositions compares what is told of games that are too large to count with the truth: of small games of every
// kind, of the plies of games on nine boards that can be counted, and of a large grid with the formula.
func TestMostPositions(t *testing.T) {
	var l lab.Lab
	compared := 0
	for _, spec := range []string{"ttt", "mnk:4,3,3", "mnk:4,3,3+gravity", "mnk:3,3,3+exact", "torus:3,3,3", "cube:2,3",
		"animal:el,3,3", "plane:affine,2", "plane:projective,2", "ttt+misere", "ttt+maker", "ttt+enforcer", "ttt+wild",
		"ttt+wild+misere", "ttt+notakto", "ttt+chaos", "mnk:3,2,3+slip=0.1", "mnk:3,2,3+wild+slip=0.1", "race:4",
		"tree:three-ply"} {
		g, err := l.Game(spec)
		if err != nil {
			t.Fatal(err)
		}
		all, part := g.Solving().TakeCensus(t.Context(), 0), g.Solving().TakeCensus(t.Context(), 1)
		switch {
		case all.Positions == nil || all.MostPositions != nil || all.MostGames != nil:
			t.Errorf("%s, counted: %v positions of %v", spec, all.Positions, all.MostPositions)
		case part.Positions != nil || !g.Info().Positional:
			if part.MostPositions != nil {
				t.Errorf("%s: at most %v positions", spec, part.MostPositions)
			}
		case part.MostPositions.Cmp(new(big.Int).SetUint64(*all.Positions)) < 0 || part.MostGames.Cmp(all.Games) < 0:
			t.Errorf("%s: %d positions of at most %d, %d games of at most %d", spec, *all.Positions, part.MostPositions,
				all.Games, part.MostGames)
		default:
			compared++
		}
	}
	if compared < 15 {
		t.Errorf("%d games were compared", compared)
	}
	for spec, c := range map[string]struct{ squares, ways int64 }{"ultimate": {81, 10}, "ultimate+most": {81, 10},
		"meta": {81, 10}, "ultimate+open": {81, 10 << 9}, "mnk:19,19,5": {361, 1}, "mnk:20,20,5+gravity": {400, 1}} {
		g, err := l.Game(spec)
		if err != nil {
			t.Fatal(err)
		}
		marked := search.GameSizeBounds(int(c.squares), search.Placing{})
		r := g.Solving().TakeCensus(t.Context(), 2_000)
		if len(r.ByPly) < 2 || r.MostPositions.Cmp(new(big.Int).Mul(marked.Positions, big.NewInt(c.ways))) != 0 ||
			r.MostGames.Cmp(new(big.Int).MulRange(1, c.squares)) != 0 {
			t.Errorf("%s: %d plies, at most %v positions and %v games", spec, len(r.ByPly), r.MostPositions,
				r.MostGames)
		}
		for ply, p := range r.ByPly {
			if most := new(big.Int).Mul(marked.ByPly[ply], big.NewInt(c.ways)); most.Cmp(new(big.Int).SetUint64(
				p.Positions)) < 0 {
				t.Errorf("%s: %d positions after %d plies, of at most %v", spec, p.Positions, ply, most)
			}
		}
	}
}

// TestBoundsMet plays where only a full row wins: there the bounds are the truth.
func TestBoundsMet(t *testing.T) {
	var l lab.Lab
	for _, c := range []struct{ option, games, nodes, states string }{
		{"", "N!", "Σ N!/(N−i)!", "3^N"},
		{"+notakto", "N!", "Σ N!/(N−i)!", "2^N"},
		{"+wild", "N!·2^N", "Σ N!/(N−i)!·2^i", "3^N"},
		{"+slip=0.1", "(N!)²", "Σ (N!/(N−i)!)²·(1+N−i)", "3^N + N·3^(N−1)"},
		{"+notakto+slip=0.1", "(N!)²", "Σ (N!/(N−i)!)²·(1+N−i)", "2^N + N·2^(N−1)"},
		{"+wild+slip=0.1", "(N!)²·2^N", "Σ (N!/(N−i)!)²·2^i·(1+2(N−i))", "3^N + 2N·3^(N−1)"},
	} {
		g, err := l.Game("mnk:4,1,4" + c.option)
		if err != nil {
			t.Fatal(err)
		}
		r, err := g.Solving().SearchTreeBounds(context.Background(), 0)
		if err != nil {
			t.Fatal(err)
		}
		byPly := new(big.Int)
		for _, n := range r.StatesByPly {
			byPly.Add(byPly, n)
		}
		if r.Games.Cmp(r.GamesBound) != 0 || r.Nodes.Cmp(r.NodesBound) != 0 ||
			byPly.Cmp(new(big.Int).SetUint64(*r.Positions)) != 0 {
			t.Errorf("%s: %d games of at most %d, %d nodes of at most %d, %d positions of at most %d",
				g.Info().Spec, r.Games, r.GamesBound, r.Nodes, r.NodesBound, *r.Positions, byPly)
		}
		if alternates := c.option == "" || c.option == "+slip=0.1"; alternates != (r.StatesAlter != nil) ||
			!alternates && byPly.Cmp(r.StatesBound) != 0 {
			t.Errorf("%s: %d states by ply, %v alternating, %d in all", g.Info().Spec, byPly, r.StatesAlter,
				r.StatesBound)
		}
		if alternates := c.option == "" || c.option == "+slip=0.1"; alternates != (r.FullBoards != nil) ||
			alternates && r.FullBoards.Int64() != 6 ||
			(c.option == "") != (r.BelowFirst != nil) || c.option == "" && r.BelowFirst.Int64() != 1+3+3*2+3*2*1 {
			t.Errorf("%s: %v full boards, %v nodes below one first move", g.Info().Spec, r.FullBoards, r.BelowFirst)
		}
		if r.GamesFormula != c.games || r.NodesFormula != c.nodes || r.StatesFormula != c.states {
			t.Errorf("%s: %s, %s, %s", g.Info().Spec, r.GamesFormula, r.NodesFormula, r.StatesFormula)
		}
	}
}

// TestNoWinningSets: where there are none, only a full board ends a game.
func TestNoWinningSets(t *testing.T) {
	l := lab.Lab{ReadFile: func(string) ([]byte, error) { return []byte(`{"squares": 9, "winning": []}`), nil }}
	g, err := l.Game("file:nine.json")
	if err != nil {
		t.Fatal(err)
	}
	r, err := g.Solving().SearchTreeBounds(t.Context(), 10_000)
	if err != nil {
		t.Fatal(err)
	}
	c := g.Solving().TakeCensus(t.Context(), 10_000)
	if r.Games.Int64() != 362_880 || r.Nodes.Int64() != 986_410 || r.Nodes.Cmp(r.NodesBound) != 0 ||
		c.Terminal.Draw != 126 || r.FullBoards.Int64() != 126 || *r.Positions != 6_046 {
		t.Errorf("%v games, %v nodes of %v, %d drawn boards of %v, %d positions", r.Games, r.Nodes, r.NodesBound,
			c.Terminal.Draw, r.FullBoards, *r.Positions)
	}
	s, err := g.Solving().Solve(t.Context(), lab.SolveOptions{})
	if err != nil || s.Value != "draw" || *s.Remoteness != 9 || len(s.Best) != 9 {
		t.Errorf("solved: %+v, %v", s, err)
	}
}

// TestCountStopped: a census that somebody stops says so, and keeps what it has.
func TestCountStopped(t *testing.T) {
	var l lab.Lab
	g, err := l.Game("mnk:5,5,4")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if r := g.Solving().TakeCensus(ctx, 10_000); r.Reason != "stopped at ply 0" || r.Estimate == nil ||
		r.Symmetries == nil {
		t.Errorf("%q, %v", r.Reason, r.Estimate)
	}
}
