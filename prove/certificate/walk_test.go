package certificate_test

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"oxo"
	"oxo/board"
	"oxo/games/grid"
	"oxo/prove/certificate"
)

// TestWalkSequential plays proofs against random replies: a strategy that wins always
// wins, and one that does not lose never does.
func TestWalkSequential(t *testing.T) {
	for _, c := range []struct {
		shape grid.Shape
		rules board.Rules
		seat  oxo.Seat
		wins  bool
	}{
		{grid.Shape{Cols: 4, Rows: 4, Run: 3}, board.Normal, oxo.First, true},
		{grid.Shape{Cols: 6, Rows: 6, Run: 4}, board.Normal, oxo.First, true},
		{grid.Shape{Cols: 4, Rows: 4, Run: 4}, board.Normal, oxo.Second, false},
		{grid.Shape{Cols: 6, Rows: 6, Run: 5}, board.Normal, oxo.Second, false},
		{grid.Shape{Cols: 3, Rows: 3, Run: 3}, board.Maker, oxo.First, true},
		{grid.Shape{Cols: 3, Rows: 3, Run: 3}, board.Normal, oxo.Second, false},
		{grid.Shape{Cols: 3, Rows: 3, Run: 3}, board.Misere, oxo.Second, false},
		{grid.Shape{Cols: 3, Rows: 3, Run: 3}, board.Misere, oxo.First, false},
		{grid.Shape{Cols: 5, Rows: 5, Run: 4}, board.Normal, oxo.Second, false},
		{grid.Shape{Cols: 5, Rows: 5, Run: 4}, board.Maker, oxo.First, true},
		{grid.Shape{Cols: 7, Rows: 6, Run: 5}, board.Normal, oxo.Second, false},
		{grid.Shape{Cols: 4, Rows: 4, Run: 4}, board.Misere, oxo.Second, false},
		{grid.Shape{Cols: 3, Rows: 3, Run: 3}, board.Wild, oxo.First, true},
		{grid.Shape{Cols: 3, Rows: 3, Run: 3}, board.WildMisere, oxo.Second, false},
		{grid.Shape{Cols: 3, Rows: 3, Run: 3}, board.WildMisere, oxo.First, false},
		{grid.Shape{Cols: 3, Rows: 3, Run: 3}, board.Notakto, oxo.First, true},
		{grid.Shape{Cols: 3, Rows: 3, Run: 3}, board.Order, oxo.First, true},
		{grid.Shape{Cols: 4, Rows: 3, Run: 3, Gravity: true}, board.Normal, oxo.First, true},
		{grid.Shape{Cols: 4, Rows: 4, Run: 3, Exact: true}, board.Normal, oxo.First, true},
	} {
		proof := found(t, c.shape, c.rules)
		w, err := certificate.NewWalker(proof, c.seat)
		if err != nil {
			t.Fatal(err)
		}
		if w.Wins() != c.wins {
			t.Errorf("%v: the strategy wins: %v", c.shape, w.Wins())
		}
		random := rand.New(rand.NewPCG(1, 2))
		g := board.Game64("g", "g", proof.Game.Board, c.rules)
		for range 200 {
			p := g.Start
			for p.Outcome() == oxo.Ongoing {
				marks := [2]board.Set{}
				marks[0], marks[1] = p.Marks()
				if p.Turn() != c.seat {
					moves := p.Moves(nil)
					p = p.Play(moves[random.IntN(len(moves))])
					continue
				}
				move, why, err := w.NextMove(marks)
				if err != nil || why == "" || !slices.Contains(p.Moves(nil), move) {
					t.Fatalf("%v: %s: move %d, %q, %v", c.shape, g.Format(p), move, why, err)
				}
				p = p.Play(move)
			}
			if v := p.Outcome().Value(c.seat); v == oxo.Loss || c.wins && v != oxo.Win {
				t.Fatalf("%v: the strategy ends in %s, %v", c.shape, g.Format(p), p.Outcome())
			}
		}
	}
	if _, err := certificate.NewWalker(&certificate.Proof{}, oxo.First); err == nil {
		t.Error("a walker of an empty proof was made")
	}
}

// TestWalkWithoutPermutations: a certificate that holds need not list the
// identity, nor list it first.
func TestWalkWithoutPermutations(t *testing.T) {
	b, err := board.New(4, [][]int{{0, 1}, {2, 3}})
	if err != nil {
		t.Fatal(err)
	}
	for _, perms := range [][][]uint8{nil, {{2, 3, 0, 1}}} {
		p := &certificate.Proof{Game: certificate.Setup{Board: b, Rules: board.Normal}, Perms: perms,
			Claims: []certificate.Claim{{
				Seat: oxo.Second,
				Nodes: certificate.NodesOf(certificate.Node{Kind: certificate.Wait, End: certificate.Pairing,
					Pairs: [][2]uint8{{0, 1}, {2, 3}}}),
			}}}
		var file bytes.Buffer
		if _, err := p.WriteTo(&file); err != nil {
			t.Fatal(err)
		}
		if r := check(t, file.Bytes()); !r.OK {
			t.Fatalf("permutations %v: the certificate does not hold: %s", perms, r.Reason)
		}
		if p, err = certificate.Read(bytes.NewReader(file.Bytes()), int64(file.Len()), nil); err != nil {
			t.Fatal(err)
		}
		w, err := certificate.NewWalker(p, oxo.Second)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.PlayReply(2); err != nil {
			t.Fatal(err)
		}
		if move, _, err := w.PlayMove(); err != nil || move != 3 {
			t.Errorf("permutations %v: it answers square 2 with %d, %v; want 3", perms, move, err)
		}
	}
}

// TestSettled says by what the start of a game settles it: 4×4 by 10 lines of 1/16 each and 3 more of these through one
// square; 3×3 needs replies.
func TestSettled(t *testing.T) {
	for _, c := range []struct {
		shape     grid.Shape
		potential float64
		ok        bool
	}{
		{grid.Shape{Cols: 4, Rows: 4, Run: 4}, 13. / 16, true},
		{grid.Shape{Cols: 3, Rows: 3, Run: 3}, 0, false},
	} {
		w, err := certificate.NewWalker(found(t, c.shape, board.Normal), oxo.Second)
		if err != nil {
			t.Fatal(err)
		}
		if pairs, potential, ok := w.Settled(); pairs != 0 || potential != c.potential || ok != c.ok {
			t.Errorf("%v: %d pairs, potential %v, settled %v", c.shape, pairs, potential, ok)
		}
	}
}
