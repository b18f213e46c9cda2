package gametest

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"oxo"
)

// checkCode: a position's code gives the position back, and a number that is no position's code is refused. Numbers
// are drawn from all of 64 bits, from small ones, and one bit away from codes.
// A game whose codes fill 64 bits can decode any number; then its code must be that number.
func (k *kit[P]) checkCode(t testing.TB) {
	decode := func(code uint64) (P, bool) {
		defer reportPanic(t, "Decode", fmt.Sprint(code))
		return k.g.Decode(code)
	}
	r := rand.NewPCG(3, 1963)
	for _, p := range k.sample {
		code := k.g.Code(p)
		if q, ok := decode(code); !ok || q != p {
			t.Fatalf("%s: code %d is decoded to %+v, %v", k.g.Format(p), code, q, ok)
		}
		// A number that is taken for a position must be that position's code.
		for _, other := range []uint64{r.Uint64(), r.Uint64() >> below(r, 64), code ^ 1<<below(r, 64)} {
			if q, ok := decode(other); ok && k.g.Code(q) != other {
				t.Fatalf("number %d is decoded to %s, whose code is %d", other, k.g.Format(q), k.g.Code(q))
			}
		}
	}
}

// checkPerft: the perft kernel counts what playing all moves counts.
func (k *kit[P]) checkPerft(t testing.TB) {
	// compare goes deeper until playing all moves would count more than limit sequences.
	compare := func(p P, limit uint64) {
		for depth := range 12 {
			want, ok := perft(p, depth, limit, nil)
			if !ok {
				return
			}
			if got := k.g.Perft(p, depth); got != want {
				t.Fatalf("%s: perft %d is %d, by playing all moves %d", k.g.Format(p), depth, got, want)
			}
		}
	}
	// The start is worth more work than any other position.
	compare(k.g.Start, 50_000)
	for _, p := range k.some(300) {
		compare(p, 2000)
	}
}

// checkAlphaBeta: the alpha-beta kernel finds the same worth as the textbook's, with as
// many nodes, whatever the window, and leaves to others what has moves of chance.
func (k *kit[P]) checkAlphaBeta(t testing.TB) {
	r := rand.NewPCG(7, 1963)
	for _, p := range k.some(300) {
		if p.Outcome() != oxo.Ongoing {
			continue
		}
		// Worths are −1, 0 and 1: windows lie anywhere among them, and up to one beyond.
		for range 4 {
			alpha := below(r, 4) - 2
			beta := alpha + 1 + below(r, 2-alpha)
			got, nodes, ok := k.g.AlphaBeta(p, alpha, beta)
			if !ok {
				break
			}
			// The kernel and its slow twin must cut at the same places, so their nodes are compared too.
			want, count, known := alphaBeta(p, alpha, beta)
			if !known {
				t.Fatalf("%s: the alpha-beta kernel takes a position with moves of chance", k.g.Format(p))
			}
			if got != want || nodes != count {
				t.Fatalf("%s: within (%d, %d) alpha-beta is worth %d with %d nodes, move by move %d with %d",
					k.g.Format(p), alpha, beta, got, nodes, want, count)
			}
		}
	}
}

// checkMinimax: the minimax kernel finds the worth of every node's best child, with as many nodes as there are.
// Where the kernel says that it could take long the position is left out.
func (k *kit[P]) checkMinimax(t testing.TB) {
	for _, p := range k.some(60) {
		got, nodes, ok := k.g.Minimax(p)
		if !ok {
			continue
		}
		if want, count, known := minimax(p); !known || got != want || nodes != count {
			t.Fatalf("%s: minimax is worth %d with %d nodes, move by move %d with %d", k.g.Format(p), got, nodes, want,
				count)
		}
	}
}

// minimax returns what a position is worth to First under best play, and how many nodes there are, itself included;
// false where there is chance. It visits every node and keeps nothing, so it is for small trees.
func minimax[P oxo.Position[P]](p P) (worth int, nodes uint64, ok bool) {
	if out := p.Outcome(); out != oxo.Ongoing {
		return int(out.Value(oxo.First)), 1, true
	}
	turn := p.Turn()
	best := -2
	nodes = 1
	for _, m := range p.Moves(nil) {
		v, n, ok := minimax(p.Play(m))
		if !ok || turn == oxo.Chance {
			return 0, 0, false
		}
		best = max(best, v*int(turn.Sign()))
		nodes += n
	}
	return best * int(turn.Sign()), nodes, true
}

// tally counts outcomes, or has their odds: Ongoing, which is none of a finished game, FirstWins, SecondWins,
// Drawn.
// Its index is an outcome.
type tally [4]float64

// far is a value of chi-square with two degrees of freedom that chance
// exceeds once in three million tries.
// That is e^(−15).
const far = 30

// checkPlayout: the playout kernel ends each game the way uniformly random
// moves do. Near the end of a game that is compared with exact odds, else with
// as many generic playouts. Seeds are fixed, so the answer is always the same.
func (k *kit[P]) checkPlayout(t testing.TB) {
	for i, p := range append([]P{k.g.Start}, k.some(60)...) {
		r := rand.NewPCG(uint64(i), 1963)
		games := k.playouts()
		// Exact odds are a better test than another sample, where they are to be had.
		odds, exact := k.odds(p, 2000)
		// Generic playouts from far away take long: a few such positions will do.
		if !exact && i > 6 {
			continue
		}
		var got, want tally
		for range games {
			out := k.g.Playout(p, r)
			if out == oxo.Ongoing || out > oxo.Drawn {
				t.Fatalf("%s: a playout ends %v", k.g.Format(p), out)
			}
			got[out]++
		}
		if exact {
			for out := range want {
				want[out] = odds[out] * float64(games)
			}
		} else {
			for range games {
				want[Playout(k.g, p, r)]++
			}
		}
		if x := distance(got, want, exact); x > far {
			t.Fatalf("%s: %d playouts end first, second, drawn %v, want about %v (chi-square %.0f, exact odds: %v)",
				k.g.Format(p), games, got[1:], want[1:], x, exact)
		}
	}
}

// playouts returns how many playouts a position is worth: fewer where they
// are long and wide.
// They are 300 to 4,000; between these, playouts times plies times moves come to 20 million.
func (k *kit[P]) playouts() int {
	plies := k.g.MaxPlies
	if k.g.Loopy() {
		plies = maxLoopyPlies
	}
	return min(max(20_000_000/(plies*k.g.MaxMoves), 300), 4000)
}

// distance returns the chi-square distance of counts from expected ones or, where those are no truth but another
// sample of the same size, from theirs. Outcomes that are expected less than five times are left out, as chi-square
// means little there, unless there are far too many of them.
func distance(got, want tally, exact bool) float64 {
	x := 0.0
	for out := range got {
		diff, variance := got[out]-want[out], want[out]
		if !exact {
			// The difference of two samples varies as both do.
			variance += got[out]
		}
		switch {
		case variance >= 5:
			x += diff * diff / variance
		case variance == 0 && diff != 0 || diff > far:
			return 1e9 // what cannot or hardly ever be
		}
	}
	return x
}

// odds returns the probabilities of the outcomes under random play from p, or false where more than limit positions
// would have to be looked at. Each position is looked at once, whatever leads there.
func (k *kit[P]) odds(p P, limit int) (tally, bool) {
	if k.g.Loopy() {
		return tally{}, false
	}
	known := map[P]tally{}
	var walk func(p P) bool
	walk = func(p P) bool {
		if _, ok := known[p]; ok {
			return true
		}
		if len(known) >= limit {
			return false
		}
		var sum tally
		if out := p.Outcome(); out != oxo.Ongoing {
			sum[out] = 1
			known[p] = sum
			return true
		}
		moves := p.Moves(nil)
		for _, m := range moves {
			q := p.Play(m)
			if !walk(q) {
				return false
			}
			// Seats play all moves alike, chance by its odds.
			weight := 1 / float64(len(moves))
			if p.Turn() == oxo.Chance {
				weight = k.g.Odds(p, m)
			}
			for out, x := range known[q] {
				sum[out] += weight * x
			}
		}
		known[p] = sum
		return true
	}
	ok := walk(p)
	return known[p], ok
}
