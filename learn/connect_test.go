package learn

import (
	"math/rand/v2"
	"testing"

	"oxo"
	"oxo/board"
	"oxo/drop"
	"oxo/games/grid"
	"oxo/learn/space"
)

// exercise is a position in which some move gives value away, and which moves keep it.
type exercise struct {
	position board.Pos64
	keeps    []bool
	quiet    bool // no move ends the game
}

// connectFour returns the game.
func connectFour(t testing.TB) *oxo.Game[board.Pos64] {
	t.Helper()
	b, err := grid.New(grid.Shape{Cols: 7, Rows: 6, Run: 4, Gravity: true})
	if err != nil {
		t.Fatal(err)
	}
	return board.Game64("mnk:7,6,4+gravity", "Connect Four", b, board.Normal)
}

// exercises returns n or a few more, each with at least so many marks, of games in which three
// moves of four keep the value, the others are random, judged by the exact solver.
func exercises(t testing.TB, g *oxo.Game[board.Pos64], n, marks int, seed uint64) (list []exercise) {
	t.Helper()
	solver, err := drop.New(g.Start.Board(), board.Normal, drop.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(seed, 5))
	for len(list) < n {
		p := g.Start
		for ply := 0; p.Outcome() == oxo.Ongoing; ply++ {
			moves := p.Moves(nil)
			if ply >= marks {
				x := exercise{position: p, quiet: true}
				var values []oxo.Value
				best := oxo.Loss
				for _, m := range moves {
					after := p.Play(m)
					v, err := solver.Value(t.Context(), after)
					if err != nil {
						t.Fatal(err)
					}
					if v = -v; after.Outcome() != oxo.Ongoing {
						v, x.quiet = after.Outcome().Value(p.Turn()), false
					}
					values, best = append(values, v), max(best, v)
				}
				var good []oxo.Move
				for e, v := range values {
					x.keeps = append(x.keeps, v == best)
					if v == best {
						good = append(good, moves[e])
					}
				}
				if len(good) < len(moves) {
					list = append(list, x)
				}
				if r.IntN(4) > 0 {
					moves = good
				}
			}
			p = p.Play(moves[r.IntN(len(moves))])
		}
	}
	return list
}

// keeping returns the shares of exercises, and of quiet ones, in which the learner keeps
// the value.
func keeping(t testing.TB, a *space.Graph[board.Pos64], l *Trainer, list []exercise) (all, quiet float64) {
	t.Helper()
	var kept, of [2]float64
	for _, x := range list {
		n, err := a.Node(x.position)
		if err != nil {
			t.Fatal(err)
		}
		w := make([]float64, len(x.keeps))
		l.Performance.Hypothesis.Odds(n, w)
		for e, keeps := range x.keeps {
			for k := range kept {
				if k == 0 || x.quiet {
					of[k] += w[e]
					if keeps {
						kept[k] += w[e]
					}
				}
			}
		}
	}
	return kept[0] / of[0], kept[1] / of[1]
}

// TestConnectLearned is a short form of TestConnectFour: some games of a sum over tuples
// bring it to keep the value more often than before, near the end of the game.
func TestConnectLearned(t *testing.T) {
	g := connectFour(t)
	list := exercises(t, g, 150, 18, 1)
	a := space.Explore(g)
	l, err := New(a.Space, spec(t, "ntuple:tuples=lines"), Plan{Against: Itself, Start: "empty+6"}, nil, 1)
	if err != nil {
		t.Fatal(err)
	}
	before, _ := keeping(t, a, l, list)
	run(t, l, 5000)
	after, _ := keeping(t, a, l, list)
	t.Logf("%.3f, %.3f", before, after)
	if after < before+0.05 {
		t.Errorf("it keeps the value in %.3f of the positions, untaught in %.3f", after, before)
	}
}

// squaresNet is the net over nine raw squares.
const squaresNet = "net:tuples=squares,eta=3,layers=32/16,target=search"

// TestSquaresLearned is a short form of TestSquaresSeeds.
func TestSquaresLearned(t *testing.T) {
	a := ttt(t)
	endsWell(t, a, examiner(t, a), squaresNet, Itself, 24_000, 0)
}
