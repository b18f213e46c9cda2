package gametest

import (
	"slices"
	"testing"

	"oxo"
)

// checkWinsNow: the kernel finds a winning move where playing all moves finds
// one, and nowhere else.
func (k *kit[P]) checkWinsNow(t testing.TB) {
	for _, p := range k.sample {
		if got, want := k.g.WinsNow(p), winsNow(p); got != want {
			t.Fatalf("%s: WinsNow is %v, by playing all moves %v", k.g.Format(p), got, want)
		}
	}
}

// checkMinMovesToWin: who won had no more moves of its own to make than it made, in
// every position of the games and, near the end of a game, in the shortest way
// to win there is.
func (k *kit[P]) checkMinMovesToWin(t testing.TB) {
	check := func(p P, seat oxo.Seat, moves int) {
		if got := k.g.MinMovesToWin(p, seat); got > moves {
			t.Fatalf("%s: the outlook of %v is %d moves, but it can win with %d", k.g.Format(p), seat, got, moves)
		}
	}
	// Who won a game did so with as many moves as were left to it, which a bound can't exceed.
	for _, game := range k.games {
		out := game.at[len(game.at)-1].Outcome()
		for seat := oxo.First; seat <= oxo.Second; seat++ {
			moves := 0
			// From the end back, count the winner's own moves that were still to come.
			for i := len(game.moves) - 1; i >= 0 && out == oxo.WinFor(seat); i-- {
				if game.at[i].Turn() == seat {
					moves++
				}
				check(game.at[i], seat, moves)
			}
		}
	}
	for _, p := range k.sample {
		for seat := oxo.First; seat <= oxo.Second && p.Outcome() == oxo.Ongoing; seat++ {
			if moves, ok := k.shortest(p, seat, 1000); ok {
				check(p, seat, moves)
			}
		}
	}
}

// shortest returns with how many moves of its own seat wins from p if both sides want it to, [oxo.Never] where it
// can't, or false where more than limit positions would have to be looked at. A bound on what seat needs against
// any opponent can't be higher.
func (k *kit[P]) shortest(p P, seat oxo.Seat, limit int) (int, bool) {
	if k.g.Loopy() {
		return 0, false
	}
	known := map[P]int{}
	var walk func(p P) (int, bool)
	walk = func(p P) (int, bool) {
		if n, ok := known[p]; ok {
			return n, true
		}
		if len(known) >= limit {
			return 0, false
		}
		least := oxo.Never
		switch out := p.Outcome(); {
		case out == oxo.WinFor(seat):
			least = 0
		case out == oxo.Ongoing:
			known[p] = least // for the limit's sake
			for _, m := range p.Moves(nil) {
				n, ok := walk(p.Play(m))
				if !ok {
					return 0, false
				}
				if p.Turn() == seat {
					n++
				}
				least = min(least, n)
			}
		}
		known[p] = least
		return least, true
	}
	return walk(p)
}

// winsNow reports whether p is ongoing and the seat to move, no matter of
// chance, has a move that wins at once, by playing every move.
func winsNow[P oxo.Position[P]](p P) bool {
	return p.Outcome() == oxo.Ongoing && p.Turn() != oxo.Chance && slices.ContainsFunc(p.Moves(nil),
		func(m oxo.Move) bool { return p.Play(m).Outcome() == oxo.WinFor(p.Turn()) })
}
