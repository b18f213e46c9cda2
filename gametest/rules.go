package gametest

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"oxo"
)

// missing says what a game lacks without which none of it can be looked at, or "".
func missing[P oxo.Position[P]](g *oxo.Game[P]) string {
	switch {
	case g == nil:
		return "there is no game: it is nil"
	case g.Format == nil || g.Parse == nil || g.FormatMove == nil || g.ParseMove == nil:
		return "Format, Parse, FormatMove and ParseMove are needed"
	}
	return ""
}

// checkFacts: the game says everything it must say, and its start is not over.
func (k *kit[P]) checkFacts(t testing.TB) {
	g := k.g
	switch {
	case g.Spec == "" || g.Title == "":
		t.Fatalf("spec %q, title %q: both are needed", g.Spec, g.Title)
	case g.MaxMoves <= 0 || g.MaxPlies < 0:
		t.Fatalf("MaxMoves %d, MaxPlies %d", g.MaxMoves, g.MaxPlies)
	case missing(g) != "":
		t.Fatalf("%s", missing(g))
	case g.Symmetries == nil || g.Symmetries.Sign() <= 0:
		t.Fatalf("Symmetries is %v; the identity is always one", g.Symmetries)
	case (g.Code == nil) != (g.Decode == nil):
		t.Fatalf("Code and Decode go together")
	case g.Start.Outcome() != oxo.Ongoing:
		t.Fatalf("the start is already %v", g.Start.Outcome())
	}
}

// movesFault says what is wrong with the moves of p, or "": whether there are some exactly where play goes on, no
// more than MaxMoves, in ascending order and appended to what was there.
func (k *kit[P]) movesFault(p P) string {
	moves := p.Moves(nil)
	switch {
	case p.Outcome() > oxo.Drawn:
		return fmt.Sprintf("unknown outcome %v", p.Outcome())
	case p.Turn() > oxo.Chance:
		return fmt.Sprintf("unknown seat %v", p.Turn())
	case p.Outcome() == oxo.Ongoing && len(moves) == 0:
		return "going on without moves"
	case p.Outcome() != oxo.Ongoing && len(moves) > 0:
		return fmt.Sprintf("%v with moves %v", p.Outcome(), moves)
	case len(moves) > k.g.MaxMoves:
		return fmt.Sprintf("%d moves, MaxMoves is %d", len(moves), k.g.MaxMoves)
	case slices.Contains(moves, oxo.NoMove):
		return "NoMove among the moves"
	}
	for i := 1; i < len(moves); i++ {
		if moves[i-1] >= moves[i] {
			return fmt.Sprintf("moves %v are not ascending", moves)
		}
	}
	// What is in the buffer already must stay in front of the moves.
	head := []oxo.Move{5, 3}
	if got := p.Moves(head); !slices.Equal(got, append(slices.Clone(head), moves...)) {
		return fmt.Sprintf("moves %v appended to %v give %v", moves, head, got)
	}
	return ""
}

// checkMoves: moves are ascending, distinct, not too many, appended to what
// was there, and missing exactly in terminal positions.
func (k *kit[P]) checkMoves(t testing.TB) {
	for _, p := range k.sample {
		if fault := k.movesFault(p); fault != "" {
			t.Fatalf("%s: %s", k.g.Format(p), fault)
		}
	}
}

// checkPlay: playing changes nothing in the position played from, and gives
// the same answer each time.
func (k *kit[P]) checkPlay(t testing.TB) {
	for _, p := range k.sample {
		text, out, turn, moves := k.g.Format(p), p.Outcome(), p.Turn(), p.Moves(nil)
		var next []P
		for _, m := range moves {
			next = append(next, p.Play(m))
		}
		if k.g.Format(p) != text || p.Outcome() != out || p.Turn() != turn || !slices.Equal(p.Moves(nil), moves) {
			t.Fatalf("%s: playing its moves changed it into %s", text, k.g.Format(p))
		}
		// Each move is played a second time, after all the others.
		for i, m := range moves {
			if p.Play(m) != next[i] {
				t.Fatalf("%s: move %s leads to %s at first and then to %s", text, k.g.FormatMove(p, m),
					k.g.Format(next[i]), k.g.Format(p.Play(m)))
			}
		}
	}
}

// checkLength: games end within MaxPlies, and none comes back to a position. A game that takes longer was cut off one
// ply beyond that.
func (k *kit[P]) checkLength(t testing.TB) {
	for _, game := range k.games {
		met := map[P]bool{}
		for _, p := range game.at {
			if met[p] {
				t.Fatalf("a game comes back to %s: MaxPlies is %d, and has to be 0 where play can go in circles",
					k.g.Format(p), k.g.MaxPlies)
			}
			met[p] = true
		}
		if len(game.moves) > k.g.MaxPlies {
			t.Fatalf("a game of more than MaxPlies = %d plies reaches %s", k.g.MaxPlies,
				k.g.Format(game.at[k.g.MaxPlies]))
		}
	}
}

// checkChance: where chance moves, the odds are positive and sum to 1.
func (k *kit[P]) checkChance(t testing.TB) {
	for _, p := range k.sample {
		if p.Turn() != oxo.Chance || p.Outcome() != oxo.Ongoing {
			continue
		}
		if k.g.Odds == nil {
			t.Fatalf("%s: chance moves, but the game has no Odds", k.g.Format(p))
		}
		// Odds are those of all moves together, so they must exhaust what can happen.
		sum := 0.0
		for _, m := range p.Moves(nil) {
			odds := k.g.Odds(p, m)
			if !(odds > 0 && odds <= 1) {
				t.Fatalf("%s: odds of %s are %v", k.g.Format(p), k.g.FormatMove(p, m), odds)
			}
			sum += odds
		}
		if math.Abs(sum-1) > 1e-9 {
			t.Fatalf("%s: odds sum to %v", k.g.Format(p), sum)
		}
	}
}

// checkPayoff: payoffs keep within their bounds and agree with the outcome about who has won: a positive one is
// First's win, a negative one Second's, and 0 a draw.
func (k *kit[P]) checkPayoff(t testing.TB) {
	lo, hi := k.g.PayoffBounds()
	if !(lo <= hi) || math.IsInf(lo, 0) || math.IsInf(hi, 0) {
		t.Fatalf("payoffs from %v to %v", lo, hi)
	}
	for _, p := range k.sample {
		if p.Outcome() == oxo.Ongoing {
			continue
		}
		pay := k.g.Payoff(p)
		if !(lo <= pay && pay <= hi) {
			t.Fatalf("%s: payoff %v is not within [%v, %v]", k.g.Format(p), pay, lo, hi)
		}
		sign := 0.0
		if pay != 0 {
			sign = math.Copysign(1, pay)
		}
		if float64(p.Outcome().Value(oxo.First)) != sign {
			t.Fatalf("%s: payoff %v, but the outcome is %v", k.g.Format(p), pay, p.Outcome())
		}
	}
}

// checkFresh: what is kept up move by move is what a fresh start gives. A game that keeps nothing gives no function
// for it.
func (k *kit[P]) checkFresh(t testing.TB) {
	for _, p := range k.sample {
		if q := k.fresh(p); q != p {
			t.Fatalf("%s: made afresh it is %+v, after its moves %+v", k.g.Format(p), q, p)
		}
	}
}
