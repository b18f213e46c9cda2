package solve_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"oxo"
	"oxo/board"
	"oxo/games/cube"
	"oxo/games/grid"
	"oxo/games/plane"
	"oxo/games/race"
	"oxo/games/tree"
	"oxo/games/ultimate"
	"oxo/solve"
)

// worth is the obvious twin of Solve: it plays everything, remembers nothing.
func worth[P oxo.Position[P]](g *oxo.Game[P], p P) (o oxo.Outcome, remoteness int) {
	if o := p.Outcome(); o != oxo.Ongoing {
		return o, 0
	}
	mover := p.Turn()
	best, plies := oxo.Value(-2), 0
	for _, m := range p.Moves(nil) {
		o, n := worth(g, p.Play(m))
		v := o.Value(mover)
		if v > best || v == best && (v == oxo.Win && n+1 < plies || v != oxo.Win && n+1 > plies) {
			best, plies = v, n+1
		}
	}
	return best.Outcome(mover), plies
}

// expected is the same by expectation.
func expected[P oxo.Position[P]](g *oxo.Game[P], p P) float64 {
	if o := p.Outcome(); o != oxo.Ongoing {
		return float64(o.Value(oxo.First))
	}
	best, sum := math.NaN(), 0.0
	for _, m := range p.Moves(nil) {
		x := expected(g, p.Play(m))
		switch p.Turn() {
		case oxo.Chance:
			sum += g.Odds(p, m) * x
		case oxo.First:
			if !(best >= x) {
				best = x
			}
		default:
			if !(best <= x) {
				best = x
			}
		}
	}
	if p.Turn() == oxo.Chance {
		return sum
	}
	return best
}

func TestAgainstTwin(t *testing.T) {
	for _, r := range board.AllRules {
		g := ttt(t, r)
		start := g.Start
		if r.Place != board.Own { // a smaller tree
			start = start.Play(4).Play(0)
		}
		s, err := solve.Solve(context.Background(), g, start, solve.Settings{})
		if err != nil {
			t.Fatal(err)
		}
		v, _ := s.At(start)
		if o, n := worth(g, start); v.Outcome != o || v.Remoteness != n {
			t.Errorf("%s: %v in %d, played out %v in %d", g.Spec, v.Outcome, v.Remoteness, o, n)
		}
	}
}

// TestBestMoves compares which moves are best with what they lead to, played out,
// in random positions of 3×3 by all rules, and by expectation where marks slip.
func TestBestMoves(t *testing.T) {
	r := rand.New(rand.NewPCG(51, 52))
	slip := board.Normal
	slip.Slip = 0.25
	best, others := 0, 0
	for _, rules := range append(slices.Clone(board.AllRules), slip) {
		g := ttt(t, rules)
		s, err := solve.Solve(context.Background(), g, g.Start, solve.Settings{})
		if err != nil {
			t.Fatal(err)
		}
		least := 4
		if g.Odds != nil { // two plies a turn
			least = 8
		}
		for range 60 {
			p := g.Start
			for ply := 0; p.Outcome() == oxo.Ongoing; ply++ {
				moves := p.Moves(nil)
				if ply >= least && p.Turn() != oxo.Chance { // a tree that is soon played out
					list, ok := s.Moves(p)
					if !ok || len(list) != len(moves) {
						t.Fatalf("%s %s: %v", g.Spec, g.Format(p), list)
					}
					for i, right := range bestOf(g, p, moves) {
						if list[i].Move != moves[i] || list[i].Best != right {
							t.Fatalf("%s %s: %+v; that it is best is %v", g.Spec, g.Format(p), list[i], right)
						}
						if right {
							best++
						} else {
							others++
						}
					}
				}
				p = p.Play(moves[r.IntN(len(moves))])
			}
		}
	}
	if best < 1000 || others < 500 {
		t.Errorf("%d moves are best and %d are not", best, others)
	}
}

// bestOf is the obvious twin of what is best: it plays every move out.
func bestOf[P oxo.Position[P]](g *oxo.Game[P], p P, moves []oxo.Move) []bool {
	mover, list := p.Turn(), make([]bool, len(moves))
	if g.Odds != nil {
		values, most := make([]float64, len(moves)), math.Inf(-1)
		for i, m := range moves {
			values[i] = expected(g, p.Play(m))
			if mover == oxo.Second {
				values[i] = -values[i]
			}
			most = max(most, values[i])
		}
		for i, v := range values {
			list[i] = v > most-1e-9
		}
		return list
	}
	whole, plies := worth(g, p)
	for i, m := range moves {
		o, n := worth(g, p.Play(m))
		list[i] = o == whole && n+1 == plies
	}
	return list
}

// TestKnown solves games whose values are known.
func TestKnown(t *testing.T) {
	shape := func(m, n, k int, torus bool) *board.Board {
		b, err := grid.New(grid.Shape{Cols: m, Rows: n, Run: k, Torus: torus})
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	made := func(b *board.Board, err error) *board.Board {
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	for _, c := range []struct {
		name  string
		board *board.Board
		rules board.Rules
		want  oxo.Outcome
		plies int // 0 where it is not known
	}{
		{"3,3,3", shape(3, 3, 3, false), board.Normal, oxo.Drawn, 9},
		{"4,3,3", shape(4, 3, 3, false), board.Normal, oxo.FirstWins, 7},
		{"4,4,3", shape(4, 4, 3, false), board.Normal, oxo.FirstWins, 5},
		{"torus 3,3,3", shape(3, 3, 3, true), board.Normal, oxo.FirstWins, 0},
		{"torus 4,4,3", shape(4, 4, 3, true), board.Normal, oxo.FirstWins, 0},
		{"affine 2", made(plane.Affine(2)), board.Normal, oxo.FirstWins, 0},
		{"affine 3", made(plane.Affine(3)), board.Normal, oxo.FirstWins, 0},
		{"affine 4", made(plane.Affine(4)), board.Normal, oxo.FirstWins, 0},
		{"projective 2", made(plane.Projective(2)), board.Normal, oxo.FirstWins, 0},
		{"projective 3", made(plane.Projective(3)), board.Normal, oxo.Drawn, 13},
		{"2^3", made(cube.New(2, 3, false)), board.Normal, oxo.FirstWins, 3},
		{"3x3 maker", shape(3, 3, 3, false), board.Maker, oxo.FirstWins, 0},
		{"3x3 breaker", shape(3, 3, 3, false), board.Breaker, oxo.FirstWins, 0},
		{"3x3 misere", shape(3, 3, 3, false), board.Misere, oxo.Drawn, 0},
		{"3x3 wild", shape(3, 3, 3, false), board.Wild, oxo.FirstWins, 7},
		{"3x3 wild misere", shape(3, 3, 3, false), board.WildMisere, oxo.Drawn, 0},
		{"3x3 notakto", shape(3, 3, 3, false), board.Notakto, oxo.FirstWins, 0},
	} {
		g := board.Game64(c.name, c.name, c.board, c.rules)
		s, err := solve.Solve(context.Background(), g, g.Start, solve.Settings{})
		if err != nil {
			t.Fatal(err)
		}
		v, _ := s.At(g.Start)
		if v.Outcome != c.want || c.plies != 0 && v.Remoteness != c.plies {
			t.Errorf("%s: %v in %d plies, want %v in %d", c.name, v.Outcome, v.Remoteness, c.want, c.plies)
		}
	}
}

// TestSim solves the misère triangle game on the edges of K6: the second
// player wins, after all 15 edges are coloured at the latest.
func TestSim(t *testing.T) {
	edge := map[[2]int]int{}
	for i := range 6 {
		for j := i + 1; j < 6; j++ {
			edge[[2]int{i, j}] = len(edge)
		}
	}
	var triangles [][]int
	for i := range 6 {
		for j := i + 1; j < 6; j++ {
			for k := j + 1; k < 6; k++ {
				triangles = append(triangles, []int{edge[[2]int{i, j}], edge[[2]int{i, k}], edge[[2]int{j, k}]})
			}
		}
	}
	b, err := board.New(15, triangles)
	if err != nil {
		t.Fatal(err)
	}
	g := board.Game64("sim", "sim", b, board.Misere)
	if g.Symmetries.Int64() != 720 {
		t.Errorf("%v symmetries, want 720", g.Symmetries)
	}
	s, err := solve.Solve(context.Background(), g, g.Start, solve.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	if v, _ := s.At(g.Start); v.Outcome != oxo.SecondWins || v.Remoteness != 15 {
		t.Errorf("%v in %d plies, want second in 15", v.Outcome, v.Remoteness)
	}
}

// TestRace checks the textbook's values: First wins exactly on even rows.
func TestRace(t *testing.T) {
	for n := 3; n <= 15; n++ {
		g, err := race.New(n)
		if err != nil {
			t.Fatal(err)
		}
		s, err := solve.Solve(context.Background(), g, g.Start, solve.Settings{})
		if err != nil {
			t.Fatal(err)
		}
		want := oxo.SecondWins
		if n%2 == 0 {
			want = oxo.FirstWins
		}
		if v, _ := s.At(g.Start); v.Outcome != want {
			t.Errorf("race:%d is worth %v, want %v", n, v.Outcome, want)
		}
	}
	g, _ := race.New(4)
	s, _ := solve.Solve(context.Background(), g, g.Start, solve.Settings{})
	for position, want := range map[string]oxo.Outcome{
		"x..o x": oxo.FirstWins, ".x.o o": oxo.FirstWins, ".xo. x": oxo.FirstWins,
		"x.o. o": 0, "x.o. x": 0,
	} {
		p, err := g.Parse(position)
		if err != nil {
			continue // not to be reached
		}
		if v, ok := s.At(p); ok && want != 0 && v.Outcome != want {
			t.Errorf("%s is worth %v, want %v", position, v.Outcome, want)
		}
	}
}

// TestCountRace counts the positions of a game in which play can go in circles
// like a plain search through them.
func TestCountRace(t *testing.T) {
	for n := 3; n <= 8; n++ {
		g, err := race.New(n)
		if err != nil {
			t.Fatal(err)
		}
		want := solve.Census{Complete: true}
		seen := map[race.Pos]bool{g.Start: true}
		for todo := []race.Pos{g.Start}; len(todo) > 0; todo = todo[1:] {
			p := todo[0]
			want.Positions++
			switch p.Outcome() {
			case oxo.FirstWins:
				want.Terminal.First++
			case oxo.SecondWins:
				want.Terminal.Second++
			case oxo.Drawn:
				want.Terminal.Draw++
			}
			moves := p.Moves(nil)
			if len(moves) > 1 {
				want.Boxes[p.Turn()]++
			}
			for _, m := range moves {
				if q := p.Play(m); !seen[q] {
					seen[q] = true
					todo = append(todo, q)
				}
			}
		}
		got := solve.TakeCensus(t.Context(), g, 0)
		if got.Complete != want.Complete || got.Positions != want.Positions || got.Terminal != want.Terminal ||
			got.Boxes != want.Boxes || got.Games != nil || got.Plies != nil {
			t.Errorf("race:%d: %+v, want %+v", n, got, want)
		}
		if cut := solve.TakeCensus(t.Context(), g, 2); cut.Complete || cut.Why == "" {
			t.Errorf("race:%d, of which 2 positions may be counted: %+v", n, cut)
		}
	}
}

func TestExpectation(t *testing.T) {
	for name, want := range map[string]float64{"three-ply": 3, "chance": 1.5} {
		g, ok := tree.Builtin(name)
		if !ok {
			t.Fatal(name)
		}
		s, err := solve.Solve(context.Background(), g, g.Start, solve.Settings{})
		if err != nil {
			t.Fatal(err)
		}
		v, _ := s.At(g.Start)
		moves, _ := s.Moves(g.Start)
		if v.Expected != want || !moves[0].Best || moves[1].Best {
			t.Errorf("tree:%s is worth %v, want %v by the first move", name, v.Expected, want)
		}
	}
}

// TestSlip compares games with slips to a plain expectimax.
func TestSlip(t *testing.T) {
	r := board.Normal
	r.Slip = 0.3
	b, err := grid.New(grid.Shape{Cols: 3, Rows: 2, Run: 2})
	if err != nil {
		t.Fatal(err)
	}
	g := board.Game64("slip", "slip", b, r)
	s, err := solve.Solve(context.Background(), g, g.Start, solve.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	if v, _ := s.At(g.Start); math.Abs(v.Expected-expected(g, g.Start)) > 1e-12 {
		t.Errorf("expected %v, played out %v", v.Expected, expected(g, g.Start))
	}
}

func TestLimits(t *testing.T) {
	g := ttt(t, board.Normal)
	if _, err := solve.Solve(context.Background(), g, g.Start, solve.Settings{Limit: 100}); !errors.Is(err,
		solve.ErrTooLarge) {
		t.Errorf("a limit of 100 positions: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	big := board.Game64("444", "444", func() *board.Board {
		b, err := grid.New(grid.Shape{Cols: 4, Rows: 4, Run: 4})
		if err != nil {
			t.Fatal(err)
		}
		return b
	}(), board.Normal)
	if _, err := solve.Solve(ctx, big, big.Start, solve.Settings{}); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled solution: %v", err)
	}
}

func TestGuess(t *testing.T) {
	shape := func(m, n, k int) *board.Board {
		b, err := grid.New(grid.Shape{Cols: m, Rows: n, Run: k})
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	for _, c := range []struct {
		cols, rows, run int
		rules           board.Rules
		truth           float64
	}{
		{3, 3, 3, board.Normal, 5478},
		{3, 3, 3, board.Wild, 18753},
		{4, 3, 3, board.Normal, 111973},
		{4, 4, 4, board.Normal, 9722011},
		{4, 4, 3, board.Misere, 6036001},
		{5, 4, 4, board.Normal, 674794169},
		{4, 4, 3, board.Wild, 28999497},
		{5, 3, 3, board.Notakto, 19412},
		{4, 4, 3, board.Notakto, 34318},
		{5, 4, 3, board.Notakto, 385625},
		{5, 4, 4, board.Notakto, 914450},
		{7, 3, 3, board.Notakto, 727502},
	} {
		g := board.Game64("flat", "flat", shape(c.cols, c.rows, c.run), c.rules)
		for seed := range uint64(4) {
			if n := solve.EstimatePositions(g, g.Start, 50, seed); n < c.truth/1.6 || n > 1.6*c.truth {
				t.Errorf("%d×%d, %d in a row, %s is guessed at %g positions; there are %g", c.cols, c.rows, c.run,
					c.rules.Name, n, c.truth)
			}
		}
	}
	large := board.Game64("8×8", "8×8", shape(8, 8, 8), board.Normal)
	if n := solve.EstimatePositions(large, large.Start, 50, 1); n < 1e25 || n > 1e32 { // 3⁶⁴ is 3·10³⁰
		t.Errorf("8×8 is guessed at %g positions", n)
	}
	// Where marks fall, most orders of moves are not legal. The numbers of
	// positions are John Tromp's, and oxo count gives the same for the first
	// five; so it does the last two.
	for _, c := range []struct {
		cols, rows int
		rules      board.Rules
		truth      float64
	}{
		{4, 4, board.Normal, 161029},
		{4, 5, board.Normal, 1706255},
		{5, 4, board.Normal, 3945711},
		{8, 2, board.Normal, 1216721},
		{4, 6, board.Normal, 15835683},
		{5, 5, board.Normal, 69763700},
		{6, 4, board.Normal, 94910577},
		{7, 4, board.Normal, 2265792710},
		{6, 6, board.Normal, 69173028785},
		{7, 6, board.Normal, 4531985219092},
		{4, 4, board.Wild, 758495},
		{4, 4, board.Notakto, 388},
	} {
		b, err := grid.New(grid.Shape{Cols: c.cols, Rows: c.rows, Run: 4, Gravity: true})
		if err != nil {
			t.Fatal(err)
		}
		g := board.Game64("falling", "falling", b, c.rules)
		for seed := range uint64(4) {
			if n := solve.EstimatePositions(g, g.Start, 50, seed); n < c.truth/8 || n > 3*c.truth {
				t.Errorf("%d×%d with gravity %s is guessed at %g positions; there are %g", c.cols, c.rows, c.rules.Name,
					n, c.truth)
			}
		}
	}
	nine := ultimate.New(0)
	if n := solve.EstimatePositions(nine, nine.Start, 100, 1); n < 1e12 {
		t.Errorf("Ultimate is guessed at %g positions", n)
	}
}
