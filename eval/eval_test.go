package eval_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"oxo"
	"oxo/board"
	"oxo/eval"
	"oxo/games/grid"
	"oxo/games/meta"
	"oxo/games/race"
	"oxo/games/ultimate"
	"oxo/player"
)

func gridGame(t *testing.T, s grid.Shape, r board.Rules) *oxo.Game[board.Pos64] {
	t.Helper()
	b, err := grid.New(s)
	if err != nil {
		t.Fatal(err)
	}
	return board.Game64("grid", "", b, r)
}

var threes = grid.Shape{Cols: 3, Rows: 3, Run: 3}

// named returns the evaluation of g of that name.
func named[P oxo.Position[P]](t *testing.T, g *oxo.Game[P], name string) func(P) float64 {
	t.Helper()
	for _, e := range eval.EvaluationsFor(g) {
		if e.Name == name {
			return e.Judge
		}
	}
	t.Fatalf("no evaluation %q", name)
	return nil
}

// TestKnown checks estimates worked out by hand.
func TestKnown(t *testing.T) {
	squashed := func(score, half float64) float64 { return score / (math.Abs(score) + half) }
	for _, c := range []struct {
		name, position string
		rules          board.Rules
		want           float64
	}{
		{"open", ".../.../... x", board.Normal, 0},
		{"open", "o../.x./... x", board.Normal, (5 - 4) / 9.0},
		{"open", "x../.../... o", board.Normal, (8 - 5) / 9.0},
		{"open", "x../.../... o", board.Misere, (5 - 8) / 9.0},
		{"open", "x../.../... o", board.Maker, 8 / 9.0},
		{"open", "x../.../... o", board.Breaker, -5 / 9.0},
		{"open", "x../.../... o", board.Avoider, -8 / 9.0},
		{"rows", ".../.../... x", board.Normal, squashed(8, 1000)},
		{"rows", ".../.x./... o", board.Normal, squashed(4*10+4, 1000)},
		{"rows", "xx./.o./... o", board.Normal, squashed(100+10-3*(10+10)+2, 1000)},
		{"rows", "xx./.../..o o", board.Normal, squashed(100+10+10-3*(10+10)+2, 1000)},
		{"features", ".../.x./... o", board.Normal, squashed(0.4, 10)},
		{"features", "xx./.o./... o", board.Normal, squashed(4+0.5-0.4, 10)},
		{"features", "x../.o./..x o", board.Normal, squashed(2*3+0.6-0.4, 10)},
	} {
		g := gridGame(t, threes, c.rules)
		p, err := g.Parse(c.position)
		if err != nil {
			t.Fatal(err)
		}
		if got := named(t, g, c.name)(p); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s of %s %s: %v, want %v", c.name, c.position, c.rules.Name, got, c.want)
		}
	}
}

// TestExactRows checks that a square which would make a row too long closes
// the set for who owns it.
func TestExactRows(t *testing.T) {
	g := gridGame(t, grid.Shape{Cols: 4, Rows: 1, Run: 3, Exact: true}, board.Normal)
	p, err := g.Parse("x..o x")
	if err != nil {
		t.Fatal(err)
	}
	// X may own 1–3 but not 2–4, O the other way round.
	if got := named(t, g, "open")(p); got != 0 {
		t.Errorf("%v, want 0", got)
	}
	if p, err = g.Parse("x... o"); err != nil {
		t.Fatal(err)
	}
	// X may own 1–3; O may own 2–4.
	if got := named(t, g, "open")(p); got != 0 {
		t.Errorf("%v, want 0", got)
	}
}

// checkGame plays random games and checks, at every position, that estimates
// lie between the bounds, that symmetric positions get the same, and that
// nothing is allocated.
func checkGame[P oxo.Position[P]](t *testing.T, g *oxo.Game[P], want int) {
	t.Helper()
	list := eval.EvaluationsFor(g)
	if len(list) != want {
		t.Errorf("%s has %d evaluations, want %d", g.Spec, len(list), want)
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 30 {
		for p := g.Start; p.Outcome() == oxo.Ongoing; {
			for _, e := range list {
				v, class := e.Judge(p), e.Judge(g.Representative(p))
				if !(v > -1 && v < 1) || math.Abs(v-class) > 1e-12 {
					t.Fatalf("%s of %s: %v, and %v of its class", e.Name, g.Format(p), v, class)
				}
			}
			moves := p.Moves(nil)
			p = p.Play(moves[r.IntN(len(moves))])
		}
	}
	for _, e := range list {
		if n := testing.AllocsPerRun(10, func() { e.Judge(g.Start) }); n != 0 {
			t.Errorf("%s allocates %v times", e.Name, n)
		}
	}
}

func TestEveryGame(t *testing.T) {
	for _, rules := range board.AllRules {
		want := 3
		if rules.Place != board.Own {
			want = 0
		}
		checkGame(t, gridGame(t, threes, rules), want)
		checkGame(t, gridGame(t, grid.Shape{Cols: 5, Rows: 4, Run: 4}, rules), want)
	}
	slippery := board.Normal
	slippery.Slip = 0.2
	checkGame(t, gridGame(t, threes, slippery), 3)
	wide, err := grid.New(grid.Shape{Cols: 10, Rows: 10, Run: 5})
	if err != nil {
		t.Fatal(err)
	}
	checkGame(t, board.Game256("wide", "", wide, board.Normal), 3)
	checkGame(t, meta.New(), 3)
	checkGame(t, ultimate.New(0), 4)
	jumping, err := race.New(4)
	if err != nil {
		t.Fatal(err)
	}
	if list := eval.EvaluationsFor(jumping); list != nil {
		t.Errorf("a game without squares has %d evaluations", len(list))
	}
}

// TestSidesAlike plays games again with the two sides' moves exchanged in
// pairs, so that X's marks and O's are the other way round.
func TestSidesAlike(t *testing.T) {
	g := gridGame(t, grid.Shape{Cols: 4, Rows: 4, Run: 4}, board.Normal)
	r := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		order := r.Perm(16)[:8]
		p, q := g.Start, g.Start
		for i, square := range order {
			p = p.Play(oxo.Move(square))
			q = q.Play(oxo.Move(order[i^1]))
		}
		if p.Outcome() != oxo.Ongoing || q.Outcome() != oxo.Ongoing {
			continue
		}
		for _, name := range []string{"open", "features"} {
			if v, w := named(t, g, name)(p), named(t, g, name)(q); math.Abs(v+w) > 1e-12 {
				t.Errorf("%s: %v for %s, %v for %s", name, v, g.Format(p), w, g.Format(q))
			}
		}
	}
}

// TestWeger compares the two sets of weights with the features themselves.
func TestWeger(t *testing.T) {
	g := meta.New()
	r := rand.New(rand.NewPCG(5, 6))
	for range 20 {
		for p := g.Start; p.Outcome() == oxo.Ongoing; {
			phi := meta.Features(p, oxo.First)
			u := 3*float64(phi[0]) + float64(phi[1]) + float64(phi[2]+phi[3]+phi[4]+phi[5])/2
			if got, want := named(t, g, "weger")(p), u/(math.Abs(u)+10); math.Abs(got-want) > 1e-12 {
				t.Fatalf("%s: %v, want %v", g.Format(p), got, want)
			}
			moves := p.Moves(nil)
			p = p.Play(moves[r.IntN(len(moves))])
		}
	}
}

// TestScores checks, along random games, that the points of an estimate are those that
// became it: whole where they are counted, and in the order of the estimates.
func TestScores(t *testing.T) {
	g := gridGame(t, grid.Shape{Cols: 5, Rows: 5, Run: 4}, board.Normal)
	half := map[string]float64{"rows": 1000, "features": 10}
	r := rand.New(rand.NewPCG(7, 8))
	for range 50 {
		for p := g.Start; p.Outcome() == oxo.Ongoing; {
			for _, e := range eval.EvaluationsFor(g) {
				v := e.Judge(p)
				score := e.Score(v)
				again := score / (math.Abs(score) + half[e.Name])
				if e.Name == "open" {
					again = score / float64(len(g.Start.Board().Lines)+1)
				}
				if math.Abs(again-v) > 1e-9 || e.Name != "features" && score != math.Trunc(score) {
					t.Fatalf("%s of %s: %v, a score of %v", e.Name, g.Format(p), v, score)
				}
			}
			moves := p.Moves(nil)
			p = p.Play(moves[r.IntN(len(moves))])
		}
	}
}

// TestRowsPlayer checks, in every position of 3×3, that the player of the row scores makes
// the moves that the evaluation has best one ply ahead.
func TestRowsPlayer(t *testing.T) {
	g := gridGame(t, threes, board.Normal)
	judge := named(t, g, "rows")
	seen := map[board.Pos64]bool{}
	var visit func(p board.Pos64)
	visit = func(p board.Pos64) {
		if seen[p] || p.Outcome() != oxo.Ongoing {
			return
		}
		seen[p] = true
		moves := p.Moves(nil)
		worths, shares := make([]float64, len(moves)), make([]float64, len(moves))
		player.Rows[board.Pos64]{}.Policy(p, moves, shares)
		for i, m := range moves {
			next := p.Play(m)
			if worths[i] = judge(next); next.Outcome() != oxo.Ongoing {
				worths[i] = float64(next.Outcome().Value(oxo.First))
			}
			worths[i] *= p.Turn().Sign()
			visit(next)
		}
		for i := range moves {
			if best := slices.Max(worths); (math.Abs(worths[i]-best) < 1e-9) != (shares[i] > 0) {
				t.Errorf("%s: %v has %v, best %v, share %v", g.Format(p), g.FormatMove(p, moves[i]), worths[i], best,
					shares[i])
			}
		}
	}
	visit(g.Start)
	if len(seen) != 4520 {
		t.Errorf("%d positions, want 4,520", len(seen))
	}
}
