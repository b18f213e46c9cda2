package circling_test

import (
	"errors"
	"strings"
	"testing"

	"oxo"
	"oxo/games/race"
	"oxo/lab/internal/circling"
	"oxo/prove/moves"
	"oxo/solve"
)

// TestRanks: from every position of races of up to eight squares the side that wins has a strategy whose ranks are the
// plies that are left, and fall by two at least after each reply; nobody else has any.
func TestRanks(t *testing.T) {
	for n := race.MinSquares; n <= 8; n++ {
		g, err := race.New(n)
		if err != nil {
			t.Fatal(err)
		}
		s, err := solve.Solve(t.Context(), g, g.Start, solve.Settings{})
		if err != nil {
			t.Fatal(err)
		}
		for code := range uint64(2 * n * n) {
			p, ok := g.Decode(code)
			if !ok || p.Outcome() != oxo.Ongoing {
				continue
			}
			v, _ := s.At(p)
			found, err := circling.Prove(t.Context(), g, p, nil, moves.Budget{})
			if err != nil || found.No != nil || len(found.Claims) != 1 {
				t.Fatalf("%s: %+v, %v", g.Format(p), found, err)
			}
			c := found.Claims[0]
			if !c.Wins || v.Outcome != oxo.WinFor(c.Seat) || c.Plies != v.Remoteness || len(c.Ranks) != len(c.Moves) {
				t.Errorf("%s: %v, where it is %+v", g.Format(p), c.Question, v)
			}
			fall(t, g, p, c)
			for _, q := range []moves.Question{{Seat: c.Seat, Wins: true, Plies: v.Remoteness - 1},
				{Seat: c.Seat.Other(), Wins: true}, {Seat: c.Seat.Other()},
				{Seat: c.Seat.Other(), Plies: v.Remoteness}} {
				no, err := circling.Prove(t.Context(), g, p, []moves.Question{q}, moves.Budget{})
				if q.Wins && q.Seat == c.Seat && q.Plies == 0 {
					continue // no plies are left open
				}
				if err != nil || !errors.Is(no.No, moves.ErrNot) || len(no.Claims) > 0 {
					t.Errorf("%s, %v: %+v, %v", g.Format(p), q, no, err)
				}
			}
			yes, err := circling.Prove(t.Context(), g, p, []moves.Question{{Seat: c.Seat}}, moves.Budget{})
			if err != nil || yes.No != nil || len(yes.Claims) != 1 || yes.Claims[0].Wins || yes.Claims[0].Ranks != nil {
				t.Errorf("%s: %+v, %v", g.Format(p), yes, err)
			}
		}
	}
}

// fall looks at the ranks of a strategy that wins.
func fall(t *testing.T, g *oxo.Game[race.Pos], root race.Pos, c moves.Claim) {
	t.Helper()
	ranks, at := map[race.Pos]int{}, 0
	played := map[race.Pos]race.Pos{}
	again, err := moves.FollowRanked(g, root, c.Question, func(p race.Pos) (m oxo.Move, rank int, err error) {
		ranks[p], m = c.Ranks[at], oxo.Move(c.Moves[at])
		played[p] = p.Play(m)
		at++
		return m, ranks[p], nil
	})
	if err != nil || at != len(c.Moves) || again.Longest != c.Plies {
		t.Fatalf("%s: %d of %d moves, %v", g.Format(root), at, len(c.Moves), err)
	}
	for p, q := range played {
		for _, m := range q.Moves(nil) {
			if after := ranks[q.Play(m)]; after < 1 || after > ranks[p]-2 {
				t.Errorf("%s has rank %d, and after %s it is %d", g.Format(p), ranks[p], g.FormatMove(q, m), after)
			}
		}
	}
}

// TestLimits: a limit comes first, and what can't be shown is not called false.
func TestLimits(t *testing.T) {
	g, err := race.New(9)
	if err != nil {
		t.Fatal(err)
	}
	if r, err := circling.Prove(t.Context(), g, g.Start, nil, moves.Budget{Nodes: 5}); err != nil ||
		r.No != moves.ErrLimits {
		t.Errorf("%+v, %v", r, err)
	}
	r, err := circling.Prove(t.Context(), g, g.Start, []moves.Question{{Seat: oxo.First, Plies: 15}}, moves.Budget{})
	if err != nil || r.No == nil || errors.Is(r.No, moves.ErrNot) ||
		!strings.Contains(r.No.Error(), "second>15: it is so, as second wins in 16 plies") {
		t.Errorf("%+v, %v", r, err)
	}
	if p, err := g.Parse("(9,5) o"); err != nil {
		t.Error(err)
	} else if _, err := circling.Prove(t.Context(), g, p, nil, moves.Budget{}); err == nil {
		t.Error("a game that is over is proved")
	}
}
