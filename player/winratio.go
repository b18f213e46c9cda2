package player

import (
	"oxo"
	"oxo/solve"
)

// WinRatio plays to the position below which the largest share of games is won
// by it, all games counted alike; among equals the one with the larger share
// of draws, then the smaller share of losses. It is the "deterministic" player
// of Danenberg's notes: it never loses 3×3 as First, and as Second it loses
// every game against perfect play.
type WinRatio[P oxo.Position[P]] struct {
	Tallies *solve.Tallies[P]
}

// Policy spreads over the moves of equal merit.
func (f WinRatio[P]) Policy(p P, moves []oxo.Move, w []float64) {
	chosen := make([]bool, len(moves))
	var best [2]float64
	for i, m := range moves {
		merit := f.merit(p.Play(m), p.Turn())
		switch c := compare(merit, best); {
		case i == 0 || c > 0:
			clear(chosen)
			best = merit
			chosen[i] = true
		case c == 0:
			chosen[i] = true
		}
	}
	spread(chosen, w)
}

// merit returns the shares of games below p that the seat wins and that are
// drawn; the rest is lost.
func (f WinRatio[P]) merit(p P, seat oxo.Seat) [2]float64 {
	t := f.Tallies.At(p)
	won, lost := t.First, t.Second
	if seat == oxo.Second {
		won, lost = lost, won
	}
	total := won + lost + t.Draw
	if total == 0 {
		return [2]float64{}
	}
	return [2]float64{won / total, t.Draw / total}
}

func compare(a, b [2]float64) int {
	for i := range a {
		switch {
		case a[i] > b[i]:
			return 1
		case a[i] < b[i]:
			return -1
		}
	}
	return 0
}
