package moves_test

import (
	"context"
	"errors"
	"math/bits"
	"math/rand/v2"
	"testing"

	"oxo"
	"oxo/games/meta"
	"oxo/games/ultimate"
	"oxo/prove/moves"
)

// plainly returns what moves need of a game of nine boards, with forms that know no symmetry, so
// that nothing rests on how a certificate writes positions.
func plainly(g *oxo.Game[ultimate.Pos]) *moves.Provable[ultimate.Pos] {
	return &moves.Provable[ultimate.Pos]{
		Game:  g,
		Form:  func(p ultimate.Pos) (string, int) { return g.Format(p), 0 },
		Turn:  func(_ int, m oxo.Move) oxo.Move { return m },
		Needs: func(p ultimate.Pos, seat oxo.Seat) int { return min(1, g.MinMovesToWin(p, seat)) },
		Gains: func(p, q ultimate.Pos) bool { return p.Owned(p.Turn()) != q.Owned(p.Turn()) },
		Played: func(p ultimate.Pos) (n int) {
			for b := range 9 {
				n += bits.OnesCount(uint(p.Cells(oxo.First, b))) + bits.OnesCount(uint(p.Cells(oxo.Second, b)))
			}
			return n
		},
	}
}

// exact returns who wins p and in how many plies at best, by looking at everything.
func exact(p ultimate.Pos, known map[ultimate.Pos][2]int) (value, plies int) {
	if out := p.Outcome(); out != oxo.Ongoing {
		return int(out.Value(p.Turn())), 0
	}
	if v, ok := known[p]; ok {
		return v[0], v[1]
	}
	value = -2
	for _, m := range p.Moves(nil) {
		v, n := exact(p.Play(m), known)
		v, n = -v, n+1
		if v > value || v == value && (v > 0 && n < plies || v <= 0 && n > plies) {
			value, plies = v, n
		}
	}
	known[p] = [2]int{value, plies}
	return value, plies
}

// ending returns a random position with few squares left.
func ending(g *oxo.Game[ultimate.Pos], r *rand.Rand, left int) (ultimate.Pos, bool) {
	p := g.Start
	for ply := 0; p.Outcome() == oxo.Ongoing; ply++ {
		free := 0
		for b := range 9 {
			for c := range 9 {
				if p.Closed()>>b&1 == 0 && (p.Cells(0, b)|p.Cells(1, b))>>c&1 == 0 {
					free++
				}
			}
		}
		if free <= left {
			return p, true
		}
		m := p.Moves(nil)
		p = p.Play(m[r.IntN(len(m))])
	}
	return p, false
}

var games = []*oxo.Game[ultimate.Pos]{ultimate.New(0), ultimate.New(ultimate.Open), ultimate.New(ultimate.Most),
	ultimate.New(ultimate.Most | ultimate.Open), meta.New()}

// TestEndings compares the values of endings, and how soon they are won, with exact search.
func TestEndings(t *testing.T) {
	for _, game := range games {
		g := plainly(game)
		r := rand.New(rand.NewPCG(5, 6))
		seen := map[int]int{}
		for range 40 {
			p, ok := ending(game, r, 13)
			if !ok {
				continue
			}
			value, plies := exact(p, map[ultimate.Pos][2]int{})
			seen[value]++
			winner := p.Turn()
			if value < 0 {
				winner = winner.Other()
			}
			found, err := moves.Prove(t.Context(), g, p, nil, moves.Budget{Memory: 8 << 20})
			if err != nil || found.No != nil {
				t.Fatal(err, found)
			}
			c := found.Claims[0]
			if value == 0 != (len(found.Claims) == 2) ||
				value != 0 && (!c.Wins || c.Seat != winner || c.Longest != plies) {
				t.Fatalf("%s, %s: %v, not %d in %d plies", game.Spec, game.Format(p), c, value, plies)
			}
			if value == 0 {
				continue
			}
			bounds(t, g, p, winner, plies)
		}
		if seen[1] == 0 || seen[-1] == 0 {
			t.Errorf("%s: endings %v", game.Spec, seen)
		}
	}
}

// bounds asks about wins in as many plies as it takes, in fewer, and about none in fewer.
func bounds(t *testing.T, g *moves.Provable[ultimate.Pos], p ultimate.Pos, winner oxo.Seat, plies int) {
	t.Helper()
	for _, c := range []struct {
		q  moves.Question
		no bool
	}{
		{moves.Question{Seat: winner, Wins: true, Plies: plies}, false},
		{moves.Question{Seat: winner, Wins: true, Plies: plies - 1}, true},
		{moves.Question{Seat: winner.Other(), Plies: plies - 1}, false},
		{moves.Question{Seat: winner.Other(), Plies: plies}, true},
	} {
		if c.q.Plies == 0 {
			continue
		}
		r, err := moves.Prove(t.Context(), g, p, []moves.Question{c.q}, moves.Budget{Memory: 8 << 20})
		if err != nil || c.no != errors.Is(r.No, moves.ErrNot) || c.no != (len(r.Claims) == 0) {
			t.Fatalf("%s, %s, %v: %v, %+v", g.Spec, g.Format(p), c.q, err, r)
		}
	}
}

// TestLimits ends searches by their limits, without an answer and without a strategy.
func TestLimits(t *testing.T) {
	g := plainly(games[0])
	r, err := moves.Prove(t.Context(), g, g.Start, nil, moves.Budget{Nodes: 2000, Memory: 1 << 20})
	if err != nil || r.No == nil || len(r.Claims) != 0 || r.Nodes < 2000 || r.Nodes > 3000 {
		t.Errorf("%v, %+v", err, r)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if r, err := moves.Prove(ctx, g, g.Start, nil, moves.Budget{}); err != nil || r.No == nil {
		t.Errorf("%v, %+v", err, r)
	}
	none := []moves.Question{{Seat: oxo.First, Wins: true}}
	if _, err := moves.Prove(t.Context(), g, g.Start, none, moves.Budget{}); err == nil {
		t.Error("a question about no plies is answered")
	}
	over := g.Start
	for over.Outcome() == oxo.Ongoing {
		over = over.Play(over.Moves(nil)[0])
	}
	if _, err := moves.Prove(t.Context(), g, over, nil, moves.Budget{}); err == nil {
		t.Error("a game that is over is proved")
	}
}

// TestFollow refuses strategies that don't keep what they claim.
func TestFollow(t *testing.T) {
	g := plainly(games[1])
	first := func(p ultimate.Pos, _ string, _ int) (oxo.Move, bool, error) { return p.Moves(nil)[0], false, nil }
	q := moves.Question{Seat: oxo.First, Wins: true, Plies: 5}
	if _, err := g.Follow(g.Start, q, first); !errors.Is(err, moves.ErrBroken) {
		t.Errorf("a win within 5 plies: %v", err)
	}
	none := func(ultimate.Pos, string, int) (oxo.Move, bool, error) { return 80 + 1, true, nil }
	if _, err := g.Follow(g.Start, q, none); !errors.Is(err, moves.ErrBroken) {
		t.Errorf("a move off the board: %v", err)
	}
	q = moves.Question{Seat: oxo.Second, Plies: 3}
	f, err := g.Follow(g.Start, q, first)
	if err != nil || len(f.Moves) != 81 || f.Longest != 0 {
		t.Errorf("no win within 3 plies: %v, %+v", err, f)
	}
}
