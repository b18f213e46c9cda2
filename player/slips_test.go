package player_test

import (
	"math"
	"strings"
	"testing"

	"oxo"
	"oxo/player"
	"oxo/solve"
)

// squares returns the squares that a policy may take, in reading order.
func squares(t *testing.T, g *oxo.Game[pos], f oxo.Policy[pos], position string) string {
	t.Helper()
	p, err := g.Parse(position)
	if err != nil {
		t.Fatal(err)
	}
	moves := p.Moves(nil)
	w := make([]float64, len(moves))
	f.Policy(p, moves, w)
	var list []string
	for i, m := range moves {
		if w[i] > 0 {
			list = append(list, g.FormatMove(p, m))
		}
	}
	return strings.Join(list, " ")
}

// TestSlips: each slip of the notes' heuristic shows in a position made for it, and
// nowhere where the rule before it decides.
func TestSlips(t *testing.T) {
	g := mnk(t, 3, 3, 3)
	for _, c := range []struct{ slips, position, mended, slipped string }{
		{"seat", "x../ox./... o", "c1", "c1"}, // it takes to win what it must block
		{"seat", "xx./oo./..x o", "c2", "c3"}, // and blocks where it could win
		{"fork", "x../.o./..x o", "b3 a2 c2 b1", "c3 a1"},
		{"edge", ".../.x./... o", "a3 c3 a1 c1", "b3 a2 c2 b1"},
	} {
		slips, err := player.ParseHeuristicFlaws(c.slips)
		if err != nil {
			t.Fatal(err)
		}
		mended := squares(t, g, player.Heuristic[pos]{}, c.position)
		slipped := squares(t, g, player.Heuristic[pos]{Flaws: slips}, c.position)
		if mended != c.mended {
			t.Errorf("%s: without slips %s, want %s", c.position, mended, c.mended)
		}
		if slipped != c.slipped {
			t.Errorf("%s with slip %s: %s, want %s", c.position, c.slips, slipped, c.slipped)
		}
	}
	if _, err := player.ParseHeuristicFlaws("fork+x"); err == nil || !strings.Contains(err.Error(), `"x"`) {
		t.Errorf("an unknown slip: %v", err)
	}
}

// TestSlipsExactly: what the naive block of a fork costs against a random player is
// known from a computation of its own; the player without slips is unbeatable.
func TestSlipsExactly(t *testing.T) {
	g := mnk(t, 3, 3, 3)
	for _, c := range []struct {
		slips  string
		second float64 // share of games won as Second against random
	}{{"fork", 0.853}, {"corner", 0.883}, {"gap", 0.883}} {
		slips, err := player.ParseHeuristicFlaws(c.slips)
		if err != nil {
			t.Fatal(err)
		}
		got := play(g, player.Random[pos]{}, player.Heuristic[pos]{Flaws: slips})
		if math.Abs(got[1]-c.second) > 0.0006 {
			t.Errorf("slip %s: Second wins %.4f, want %.3f", c.slips, got[1], c.second)
		}
	}
}

// TestOrders: the usual order is that of the shares won and drawn, and each tally
// alone takes the moves that are best by it.
func TestOrders(t *testing.T) {
	g := mnk(t, 3, 3, 3)
	tallies, err := solve.TallyGames(t.Context(), g, 10000)
	if err != nil {
		t.Fatal(err)
	}
	p, err := g.Parse("x../.o./..x o")
	if err != nil {
		t.Fatal(err)
	}
	moves := p.Moves(nil)
	for _, c := range []struct {
		order string
		merit func(e solve.Ends, m oxo.Move) float64 // to Second
	}{
		{"won", func(e solve.Ends, _ oxo.Move) float64 { return e.Second / (e.First + e.Second + e.Draw) }},
		{"drawn", func(e solve.Ends, _ oxo.Move) float64 { return e.Draw / (e.First + e.Second + e.Draw) }},
		{"decided", func(e solve.Ends, _ oxo.Move) float64 { return e.Second / (e.First + e.Second) }},
		{"wins", func(e solve.Ends, _ oxo.Move) float64 { return e.Second }},
		{"draws", func(e solve.Ends, _ oxo.Move) float64 { return e.Draw }},
		{"losses", func(e solve.Ends, _ oxo.Move) float64 { return -e.First }},
		{"last", func(_ solve.Ends, m oxo.Move) float64 { return float64(m) }},
	} {
		order, err := player.ParseTallyOrder(c.order)
		if err != nil {
			t.Fatal(err)
		}
		best := math.Inf(-1)
		for _, m := range moves {
			best = max(best, c.merit(tallies.At(p.Play(m)), m))
		}
		w := make([]float64, len(moves))
		player.WinRatio[pos]{Tallies: tallies, Order: order}.Policy(p, moves, w)
		for i, m := range moves {
			if (w[i] > 0) != (c.merit(tallies.At(p.Play(m)), m) == best) {
				t.Errorf("order %s: move %v has weight %v", c.order, m, w[i])
			}
		}
	}
	usual := player.WinRatio[pos]{Tallies: tallies}
	spelled := player.WinRatio[pos]{Tallies: tallies, Order: []player.Tally{player.WonShare, player.DrawnShare}}
	if a, b := squares(t, g, usual, ".../.../... x"), squares(t, g, spelled, ".../.../... x"); a != b || a != "b2" {
		t.Errorf("the usual order opens with %s, spelled out with %s", a, b)
	}
	if _, err := player.ParseTallyOrder("won+x"); err == nil || !strings.Contains(err.Error(), `"x"`) {
		t.Errorf("an unknown tally: %v", err)
	}
}
