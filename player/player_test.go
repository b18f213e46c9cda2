package player_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"oxo"
	"oxo/board"
	"oxo/games/grid"
	"oxo/player"
	"oxo/solve"
)

type pos = board.Pos64

func mnk(t *testing.T, m, n, k int) *oxo.Game[pos] {
	t.Helper()
	b, err := grid.New(grid.Shape{Cols: m, Rows: n, Run: k})
	if err != nil {
		t.Fatal(err)
	}
	return board.Game64("g", "g", b, board.Normal)
}

func solved(t *testing.T, g *oxo.Game[pos]) *solve.Solution[pos] {
	t.Helper()
	s, err := solve.Solve(context.Background(), g, g.Start, solve.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// play returns the exact probabilities that First wins, that Second wins, and
// of a draw, when the two policies meet.
func play(g *oxo.Game[pos], first, second oxo.Policy[pos]) [3]float64 {
	memo := map[pos][3]float64{}
	var visit func(p pos) [3]float64
	visit = func(p pos) (sum [3]float64) {
		if o := p.Outcome(); o != oxo.Ongoing {
			sum[o-oxo.FirstWins] = 1
			return sum
		}
		if s, ok := memo[p]; ok {
			return s
		}
		moves := p.Moves(nil)
		w := make([]float64, len(moves))
		[2]oxo.Policy[pos]{first, second}[p.Turn()].Policy(p, moves, w)
		total := 0.0
		for i, m := range moves {
			total += w[i]
			if w[i] > 0 {
				for k, x := range visit(p.Play(m)) {
					sum[k] += w[i] * x
				}
			}
		}
		if math.Abs(total-1) > 1e-12 {
			panic("probabilities don't sum to 1")
		}
		memo[p] = sum
		return sum
	}
	return visit(g.Start)
}

// loses reports whether some play of the opponent beats the policy in the
// given seat.
func loses(g *oxo.Game[pos], f oxo.Policy[pos], seat oxo.Seat) bool {
	memo := map[pos]bool{}
	var visit func(p pos) bool
	visit = func(p pos) bool {
		if o := p.Outcome(); o != oxo.Ongoing {
			return o == oxo.WinFor(seat.Other())
		}
		if lost, ok := memo[p]; ok {
			return lost
		}
		moves := p.Moves(nil)
		w := make([]float64, len(moves))
		if p.Turn() == seat {
			f.Policy(p, moves, w)
		}
		lost := false
		for i, m := range moves {
			if p.Turn() != seat || w[i] > 0 {
				lost = lost || visit(p.Play(m))
			}
		}
		memo[p] = lost
		return lost
	}
	return visit(g.Start)
}

func near(a, b [3]float64, by float64) bool {
	for i := range a {
		if math.Abs(a[i]-b[i]) > by {
			return false
		}
	}
	return true
}

func TestAgainstRandom(t *testing.T) {
	g := mnk(t, 3, 3, 3)
	random := player.Random[pos]{}
	heuristic := player.Heuristic[pos]{}
	if got, want := play(g, random, random), ([3]float64{737. / 1260, 121. / 420, 8. / 63}); !near(got, want, 1e-12) {
		t.Errorf("random against random %v, want %v", got, want)
	}
	got := play(g, random, heuristic)
	t.Logf("random against heuristic %.4f", got)
	if want := [3]float64{0, .883, .117}; !near(got, want, .0005) {
		t.Errorf("random against heuristic %.4f, want %v", got, want)
	}
	got = play(g, heuristic, random)
	t.Logf("heuristic against random %.4f", got)
	if got[1] != 0 || math.Abs(got[0]-.972) > .0005 {
		t.Errorf("heuristic against random %.4f, want .972 won and none lost", got)
	}
	for _, seat := range []oxo.Seat{oxo.First, oxo.Second} {
		if loses(g, heuristic, seat) {
			t.Errorf("the heuristic as %v can be beaten", seat)
		}
	}
}

func TestWinRatio(t *testing.T) {
	g := mnk(t, 3, 3, 3)
	tallies, err := solve.TallyGames(context.Background(), g, 0)
	if err != nil {
		t.Fatal(err)
	}
	if e := tallies.At(g.Start); e != (solve.Ends{First: 131184, Second: 77904, Draw: 46080}) {
		t.Errorf("games below the start: %+v", e)
	}
	ratio := player.WinRatio[pos]{Tallies: tallies}
	perfect := &player.Perfect[pos]{Solution: solved(t, g)}
	if loses(g, ratio, oxo.First) {
		t.Error("the win-ratio player can be beaten as First")
	}
	if got := play(g, perfect, ratio); got != [3]float64{1, 0, 0} {
		t.Errorf("perfect against the win-ratio player %v, want it to win every game", got)
	}
}

func TestPerfect(t *testing.T) {
	for _, g := range []*oxo.Game[pos]{mnk(t, 3, 3, 3), mnk(t, 4, 3, 3)} {
		s := solved(t, g)
		perfect := &player.Perfect[pos]{Solution: s}
		v, _ := s.At(g.Start)
		for _, seat := range []oxo.Seat{oxo.First, oxo.Second} {
			if (v.Outcome == oxo.Drawn || v.Outcome == oxo.WinFor(seat)) && loses(g, perfect, seat) {
				t.Errorf("perfect play as %v can be beaten", seat)
			}
		}
		got := play(g, perfect, perfect)
		if got[v.Outcome-oxo.FirstWins] < 1-1e-12 {
			t.Errorf("perfect against itself %v, want %v", got, v.Outcome)
		}
	}
}

// TestPerfectTakesWins looks at positions in which the ways to win differ.
func TestPerfectTakesWins(t *testing.T) {
	g := mnk(t, 3, 3, 3)
	perfect := &player.Perfect[pos]{Solution: solved(t, g)}
	for _, c := range []struct{ position, move string }{
		{"xx./oo./... x", "c3"}, // wins now rather than blocks
		{"x.x/oo./... x", "b3"}, // the same
		{"xx./o../... o", "c3"}, // blocks
		{"x../.o./..x o", ""},   // any side, so that nothing is lost
	} {
		p, err := g.Parse(c.position)
		if err != nil {
			t.Fatal(err)
		}
		choice, err := player.NewSamplingPlayer(perfect, rand.New(rand.NewPCG(1, 1))).Choose(
			context.Background(), p)
		if err != nil {
			t.Fatal(err)
		}
		got := g.FormatMove(p, choice.Move)
		if c.move != "" && got != c.move {
			t.Errorf("%s: plays %s, want %s", c.position, got, c.move)
		}
		if corner := got[0] != 'b' && got[1] != '2'; c.move == "" && corner {
			t.Errorf("%s: plays corner %s and loses", c.position, got)
		}
	}
}

func TestRows(t *testing.T) {
	g := mnk(t, 4, 4, 4)
	for _, c := range []struct{ position, move string }{
		{"xxx./ooo./..../.... x", "d4"}, // wins
		{"xx../ooo./x.../.... x", "d3"}, // blocks
	} {
		p, err := g.Parse(c.position)
		if err != nil {
			t.Fatal(err)
		}
		choice, _ := player.NewSamplingPlayer(player.Rows[pos]{}, rand.New(rand.NewPCG(1, 1))).Choose(
			context.Background(), p)
		if got := g.FormatMove(p, choice.Move); got != c.move {
			t.Errorf("%s: plays %s, want %s", c.position, got, c.move)
		}
	}
}

// TestLegal plays every player on boards of several sizes.
func TestLegal(t *testing.T) {
	for _, g := range []*oxo.Game[pos]{mnk(t, 3, 3, 3), mnk(t, 5, 5, 4), mnk(t, 6, 4, 3), mnk(t, 8, 8, 5)} {
		for _, f := range []oxo.Policy[pos]{player.Random[pos]{}, player.Heuristic[pos]{}, player.Rows[pos]{}} {
			one := player.NewSamplingPlayer(f, rand.New(rand.NewPCG(1, 2)))
			p := g.Start
			for p.Outcome() == oxo.Ongoing {
				c, err := one.Choose(context.Background(), p)
				if err != nil {
					t.Fatal(err)
				}
				if _, err := g.ParseMove(p, g.FormatMove(p, c.Move)); err != nil {
					t.Fatal(err)
				}
				p = p.Play(c.Move)
			}
			if _, err := one.Choose(context.Background(), p); err == nil {
				t.Error("a move was chosen in a finished game")
			}
		}
	}
}
