package solve_test

import (
	"errors"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"oxo"
	"oxo/solve"
)

// graph is a game as a list: who moves in each node, where its moves lead, and how it ends where it is over.
type graph struct {
	turn []oxo.Seat
	ends []oxo.Outcome
	to   [][]int
}

// at is a position: a node of a graph.
type at struct {
	*graph
	node int
}

func (p at) Turn() oxo.Seat       { return p.turn[p.node] }
func (p at) Outcome() oxo.Outcome { return p.ends[p.node] }
func (p at) Play(m oxo.Move) at   { return at{p.graph, p.to[p.node][m]} }
func (p at) Moves(buf []oxo.Move) []oxo.Move {
	for m := range p.to[p.node] {
		buf = append(buf, oxo.Move(m))
	}
	return buf
}

// asGame returns the game that begins at node 0.
func (g *graph) asGame(maxPlies int) *oxo.Game[at] {
	return &oxo.Game[at]{Spec: "graph", Start: at{g, 0}, MaxMoves: len(g.to), MaxPlies: maxPlies,
		Format: func(p at) string { return "node " + strconv.Itoa(p.node) },
		Code:   func(p at) uint64 { return uint64(p.node) },
		Decode: func(c uint64) (at, bool) { return at{g, int(c)}, c < uint64(len(g.to)) }}
}

// randomGraph returns one of up to 12 nodes. A side may move several times in succession, moves may lead to the same
// node, and ends are rarer in some graphs than in others. In one without circles moves lead to later nodes.
func randomGraph(r *rand.Rand, circles bool) *graph {
	n := 1 + r.IntN(12)
	g := &graph{make([]oxo.Seat, n), make([]oxo.Outcome, n), make([][]int, n)}
	over := 1 + r.IntN(6)
	for i := range n {
		g.turn[i] = oxo.Seat(r.IntN(2))
		if r.IntN(over+1) == 0 || i == n-1 {
			g.ends[i] = oxo.Outcome(1 + r.IntN(3))
			continue
		}
		for range 1 + r.IntN(4) {
			if circles {
				g.to[i] = append(g.to[i], r.IntN(n))
			} else {
				g.to[i] = append(g.to[i], i+1+r.IntN(n-i-1))
			}
		}
	}
	return g
}

// verdicts is the obvious twin of Solve, by definition: a position is won in k plies where it is won if play is broken
// off as a draw after k plies, and not after fewer; in a draw both delay, so that it lasts as long as the longest
// line through drawn positions, and for ever where there is one as long as there are nodes.
func (g *graph) verdicts() []solve.Verdict {
	n := len(g.to)
	list := make([]solve.Verdict, n)
	worth := make([]oxo.Outcome, n) // with play broken off after k plies
	for k := range n + 1 {
		next := make([]oxo.Outcome, n)
		for i := range n {
			switch {
			case g.ends[i] != oxo.Ongoing:
				next[i] = g.ends[i]
			case k == 0:
				next[i] = oxo.Drawn
			default:
				best := oxo.Loss
				for _, j := range g.to[i] {
					best = max(best, worth[j].Value(g.turn[i]))
				}
				next[i] = best.Outcome(g.turn[i])
			}
			if next[i] != oxo.Drawn && list[i].Outcome == oxo.Ongoing {
				list[i] = solve.Verdict{Outcome: next[i], Remoteness: k, Expected: float64(next[i].Value(oxo.First))}
			}
		}
		worth = next
	}
	lasts := make([]bool, n) // whether there is a line of k moves
	for i := range n {
		if worth[i] == oxo.Drawn {
			list[i].Outcome, lasts[i] = oxo.Drawn, true
		}
	}
	for k := 1; k <= n; k++ {
		next := make([]bool, n)
		for i := range n {
			for _, j := range g.to[i] {
				next[i] = next[i] || worth[i] == oxo.Drawn && lasts[j]
			}
			if next[i] {
				list[i].Remoteness = k
				if k == n {
					list[i].Remoteness = solve.Endless
				}
			}
		}
		lasts = next
	}
	return list
}

// TestGraphs compares the solution of random graphs, value and length of every position that can be reached and which
// of its moves are best, with the twin: those with circles, and those without by both methods.
func TestGraphs(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 11))
	count := map[string]int{}
	for range 4000 {
		circles := r.IntN(3) > 0
		g := randomGraph(r, circles)
		want := g.verdicts()
		games := []*oxo.Game[at]{g.asGame(0)}
		if !circles {
			games = append(games, g.asGame(len(g.to)))
		}
		for _, game := range games {
			s, err := solve.Solve(t.Context(), game, game.Start, solve.Settings{})
			if err != nil {
				t.Fatal(err)
			}
			for i, w := range want {
				v, ok := s.At(at{g, i})
				if !ok {
					continue // not to be reached
				}
				if v != w {
					t.Fatalf("node %d of %+v, MaxPlies %d: %+v, want %+v", i, *g, game.MaxPlies, v, w)
				}
				moves, _ := s.Moves(at{g, i})
				for _, m := range moves {
					j := want[g.to[i][m.Move]]
					longer := j.Remoteness + 1
					if j.Remoteness == solve.Endless {
						longer = solve.Endless
					}
					if best := j.Outcome == w.Outcome && longer == w.Remoteness; m.Best != best {
						t.Fatalf("node %d of %+v, move %d: best %v, want %v", i, *g, m.Move, m.Best, best)
					}
				}
				switch {
				case v.Remoteness == solve.Endless:
					count["endless"]++
				case v.Remoteness > 0:
					count[v.Outcome.String()]++
				}
			}
		}
	}
	for _, what := range []string{"endless", "draw", "first", "second"} {
		if count[what] < 1000 {
			t.Errorf("%d positions are %s", count[what], what)
		}
	}
}

// TestDrawOrCircle is the least case in which a drawn end counts: First may draw at once or go where Second wins or
// goes back.
func TestDrawOrCircle(t *testing.T) {
	g := &graph{turn: []oxo.Seat{oxo.First, oxo.Second, oxo.First, oxo.First},
		ends: []oxo.Outcome{0, 0, oxo.Drawn, oxo.SecondWins}, to: [][]int{{1, 2}, {0, 3}, nil, nil}}
	game := g.asGame(0)
	s, err := solve.Solve(t.Context(), game, game.Start, solve.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	if v, _ := s.At(game.Start); v != (solve.Verdict{Outcome: oxo.Drawn, Remoteness: 1}) {
		t.Errorf("%+v; want a draw in 1", v)
	}
}

// TestFaults: a game that breaks off without moves, or goes on beyond MaxPlies, is an error that says so, by each
// method and whatever looks at the whole game; so is one in which circles meet chance or payoffs.
func TestFaults(t *testing.T) {
	stuck := &graph{turn: make([]oxo.Seat, 3), ends: []oxo.Outcome{0, oxo.Drawn, 0}, to: [][]int{{1, 2}, nil, nil}}
	round := &graph{turn: make([]oxo.Seat, 3), ends: []oxo.Outcome{0, 0, oxo.Drawn}, to: [][]int{{1, 2}, {0}, nil}}
	for _, c := range []struct {
		g        *graph
		maxPlies int
		says     string
	}{
		{stuck, 0, `graph: the position "node 2" has no moves and is not over`},
		{stuck, 5, `graph: the position "node 2" has no moves and is not over`},
		{round, 5, "the game goes on beyond its MaxPlies, which are 5"},
		{round, 10_000_000, "it may last more than 16382 plies"},
	} {
		game := c.g.asGame(c.maxPlies)
		_, err := solve.Solve(t.Context(), game, game.Start, solve.Settings{})
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%+v: %v; want %q", *c.g, err, c.says)
		}
		solve.EstimatePositions(game, game.Start, 50, 1)
		if c.maxPlies != 5 {
			continue
		}
		_, tally := solve.TallyGames(t.Context(), game, 0)
		_, _, size := solve.EstimateTreeSize(game, 50, 1)
		census := solve.TakeCensus(t.Context(), game, 0)
		for _, err := range []error{tally, size, errors.New(census.Why)} {
			if err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%+v: %v; want %q", *c.g, err, c.says)
			}
		}
	}
	chance, pays := round.asGame(0), round.asGame(0)
	chance.Odds = func(at, oxo.Move) float64 { return 1 }
	pays.Payoff = func(at) float64 { return 0 }
	for _, game := range []*oxo.Game[at]{chance, pays} {
		if _, err := solve.Solve(t.Context(), game, game.Start, solve.Settings{}); !errors.Is(err, solve.ErrCircles) {
			t.Errorf("circles with chance or payoffs: %v", err)
		}
	}
}
