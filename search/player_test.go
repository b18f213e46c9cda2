package search_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"oxo"
	"oxo/board"
	"oxo/search"
	"oxo/search/mcts"
)

// TestPlayersDontLose lets perfect players of 3×3 play both sides against
// random moves.
func TestPlayersDontLose(t *testing.T) {
	g := mnk(t, 3, 3, 3)
	for _, c := range []struct {
		a       search.Algorithm
		o       boardOptions
		perMove time.Duration
	}{
		{search.Minimax, boardOptions{Decay: 0.9, Memory: search.Everything, TableBytes: 1 << 19}, 0},
		{search.AlphaBeta, boardOptions{Order: search.Killers}, 0},
		{search.AlphaBeta, boardOptions{Memory: search.Everything, TableBytes: 1 << 19, Order: search.Best},
			time.Minute},
		{search.MTDF, boardOptions{Memory: search.Everything, TableBytes: 1 << 19}, 0},
		{search.MCTS, boardOptions{Sampling: mcts.Sampling{Sims: 3000}}, 0},
		{search.PNS, boardOptions{}, 0},
		{search.DFPN, boardOptions{}, 0},
	} {
		player, err := search.NewPlayer(g, c.a, c.o, c.perMove, 1)
		if err != nil {
			t.Fatal(err)
		}
		r := rand.New(rand.NewPCG(1, 2))
		for game := range 20 {
			seat := oxo.Seat(game % 2)
			p := g.Start
			for p.Outcome() == oxo.Ongoing {
				m := oxo.NoMove
				if p.Turn() == seat {
					choice, err := player.Choose(context.Background(), p)
					if err != nil {
						t.Fatal(err)
					}
					if !choice.Scored || math.Abs(choice.Score) > 1 || choice.Nodes == 0 || choice.Depth == 0 {
						t.Errorf("%s: %+v", c.a, choice)
					}
					m = choice.Move
				} else {
					moves := p.Moves(nil)
					m = moves[r.IntN(len(moves))]
				}
				p = p.Play(m)
			}
			if p.Outcome().Value(seat) == oxo.Loss {
				t.Errorf("%s lost game %d: %s", c.a, game, g.Format(p))
			}
		}
	}
}

// TestPolicy checks that a fixed-depth player chooses by its policy: all best
// moves alike, no other.
func TestPolicy(t *testing.T) {
	g := mnk(t, 3, 3, 3)
	p, err := g.Parse("x../.o./..x o")
	if err != nil {
		t.Fatal(err)
	}
	moves := p.Moves(nil)
	for _, a := range []search.Algorithm{search.Minimax, search.AlphaBeta, search.PVS} {
		player, err := search.NewPlayer(g, a, boardOptions{}, 0, 3)
		if err != nil {
			t.Fatal(err)
		}
		w := make([]float64, len(moves))
		player.(oxo.Policy[board.Pos64]).Policy(p, moves, w)
		chosen := map[oxo.Move]float64{}
		const games = 1000
		for range games {
			choice, err := player.Choose(context.Background(), p)
			if err != nil {
				t.Fatal(err)
			}
			chosen[choice.Move] += 1.0 / games
		}
		for i, m := range moves {
			// The corners lose to a fork, the sides draw.
			draws := plain(g, p.Play(m), math.MaxInt, nil) == 0
			if draws != (w[i] == 0.25) || !draws && w[i] != 0 || math.Abs(chosen[m]-w[i]) > 0.05 {
				t.Errorf("%s: move %s has weight %v and was chosen with frequency %v", a, g.FormatMove(p, m), w[i],
					chosen[m])
			}
		}
	}
}

// TestTimedPlayer checks that a player with a clock moves when it runs out,
// and that only fixed-depth players tell a policy.
func TestTimedPlayer(t *testing.T) {
	g := mnk(t, 6, 6, 5)
	for _, a := range []search.Algorithm{search.AlphaBeta, search.MCTS} {
		player, err := search.NewPlayer(g, a, boardOptions{}, 10*time.Millisecond, 1)
		if err != nil {
			t.Fatal(err)
		}
		choice, err := player.Choose(context.Background(), g.Start)
		if err != nil || choice.Move == oxo.NoMove || choice.Exact {
			t.Errorf("%s: %+v, %v", a, choice, err)
		}
		if _, ok := player.(oxo.Policy[board.Pos64]); ok {
			t.Errorf("%s: a player with a clock tells a policy", a)
		}
	}
}

// TestScaledScore checks that scores of games with payoffs are told on the
// scale from -1 to 1.
func TestScaledScore(t *testing.T) {
	g := builtin(t, "chance")
	player, err := search.NewPlayer(g, search.Star1, treeOptions{}, 0, 1)
	if err != nil {
		t.Fatal(err)
	}
	choice, err := player.Choose(context.Background(), g.Start)
	if err != nil || choice.Score != 0.75 || !choice.Exact {
		t.Errorf("%+v, %v; want 1.5 of 2", choice, err)
	}
}
