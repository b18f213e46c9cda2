package search_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"oxo"
	"oxo/board"
	"oxo/search"
	"oxo/search/mcts"
)

// TestContempt lets an evaluation say that moves to the left half of the board
// surely draw and that the others are a little worse for the side to move, but
// not drawn: with contempt either side goes right, without it left.
func TestContempt(t *testing.T) {
	g := mnk(t, 6, 6, 6)
	second := g.Start.Play(14)
	for _, p := range []board.Pos64{g.Start, second} {
		side := 1.0
		if p.Turn() == oxo.Second {
			side = -1
		}
		all := func(_ board.Pos64, moves []oxo.Move, after []board.Pos64, draw float64, values []float32) {
			for i, m := range moves {
				values[i] = float32(draw)
				if after[i].Turn() != p.Turn() && m%6 >= 3 || after[i].Turn() == p.Turn() {
					values[i] = float32(-0.1 * side)
				}
			}
		}
		for _, contempt := range []float64{0, 0.3, -0.3} {
			o := boardOptions{Eval: centred(g), EvalAll: all, Sampling: mcts.Sampling{Sims: 30, Contempt: contempt}}
			r := find(t, g, p, search.MCTS, o)
			if right := r.Move%6 >= 3; right != (contempt > 0) {
				t.Errorf("%v to move, contempt %v: column %d", p.Turn(), contempt, r.Move%6)
			}
		}
	}
}

// TestContemptProofsSequential checks that contempt changes nothing in what is proven,
// with an evaluation and with random games, nor what a proven value is said to
// be.
func TestContemptProofsSequential(t *testing.T) {
	g := mnk(t, 3, 3, 3)
	r := rand.New(rand.NewPCG(15, 16))
	draws := 0
	for i := range 30 {
		contempt := []float64{0.5, -0.5, 0.9}[i%3]
		trees := &mcts.Trees[board.Pos64]{}
		for p := g.Start; p.Outcome() == oxo.Ongoing; {
			o := boardOptions{Trees: trees, Sampling: mcts.Sampling{Sims: 600, Seed: r.Uint64(), Contempt: contempt}}
			if i%2 == 0 {
				o.Eval = centred(g)
			}
			got, want := find(t, g, p, search.MCTS, o), plain(g, p, math.MaxInt, nil)
			if want < got.Proven.Lo || want > got.Proven.Hi || got.Exact() && got.Value != want {
				t.Fatalf("contempt %v, %s: value %v, proven %v, but it is %v", contempt, g.Format(p), got.Value,
					got.Proven, want)
			}
			if got.Exact() && want == 0 {
				draws++
			}
			moves := p.Moves(nil)
			p = p.Play(moves[r.IntN(len(moves))])
		}
	}
	if draws < 20 {
		t.Errorf("only %d draws were proven", draws)
	}
}

// TestContemptKept checks that a tree grown with one side's contempt is not kept
// for the other side, but is for the same one.
func TestContemptKept(t *testing.T) {
	g := mnk(t, 5, 5, 5)
	visits := func(trees *mcts.Trees[board.Pos64], p board.Pos64) (sum uint64) {
		o := boardOptions{Eval: centred(g), Trees: trees, Lines: 25, Sampling: mcts.Sampling{Sims: 500, Contempt: 0.2}}
		for _, l := range find(t, g, p, search.MCTS, o).Lines {
			sum += l.Visits
		}
		return sum
	}
	trees := &mcts.Trees[board.Pos64]{}
	visits(trees, g.Start)
	if n := visits(trees, g.Start); n <= 500 {
		t.Errorf("%d visits of the same position searched twice: nothing was kept", n)
	}
	if n := visits(trees, g.Start.Play(12)); n != 499 {
		t.Errorf("%d visits from the other side, want 499: the first simulation makes the moves", n)
	}
}

func TestContemptRefusals(t *testing.T) {
	g := mnk(t, 3, 3, 3)
	for _, contempt := range []float64{1, -1, math.NaN(), math.Inf(1)} {
		o := boardOptions{Sampling: mcts.Sampling{Contempt: contempt}}
		if _, err := search.Search(t.Context(), g, g.Start, search.MCTS, o); err == nil {
			t.Errorf("contempt %v is accepted", contempt)
		}
	}
	o := boardOptions{Sampling: mcts.Sampling{Contempt: 0.1}}
	if _, err := search.Search(t.Context(), g, g.Start, search.AlphaBeta, o); err == nil {
		t.Error("alphabeta takes contempt")
	}
	chance, _ := randomGame(rand.New(rand.NewPCG(1, 1)), 3, true)
	if _, err := search.Search(t.Context(), chance, chance.Start, search.MCTS,
		treeOptions{Sampling: mcts.Sampling{Contempt: 0.1}}); err == nil {
		t.Error("a game of payoffs and chance takes contempt")
	}
}
