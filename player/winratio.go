package player

import (
	"fmt"
	"slices"
	"strings"

	"oxo"
	"oxo/solve"
)

// WinRatio plays to the position below which the largest share of games is won
// by it, all games counted alike; among equals the one with the larger share
// of draws, then the smaller share of losses. It is the "deterministic" player
// of Danenberg's notes: it never loses 3×3 as First, and as Second it loses
// every game against perfect play.
//
// Order, where it is not empty, is what to go by instead, one after the other
// where moves are alike. The notes' program goes by losses alone: what it works out
// of wins and draws is thrown away, and of equal moves it takes the last square.
type WinRatio[P oxo.Position[P]] struct {
	Tallies *solve.Tallies[P]
	Order   []Tally
}

// Tally is something to go by among the games below a move.
type Tally string

// Tallies to go by: shares of all games, and numbers of games.
const (
	WonShare   Tally = "won"     // the greatest share won
	DrawnShare Tally = "drawn"   // the greatest share drawn
	Decided    Tally = "decided" // the greatest share won of those that are not drawn
	Wins       Tally = "wins"    // the most won
	Draws      Tally = "draws"   // the most drawn
	Losses     Tally = "losses"  // the fewest lost
	Last       Tally = "last"    // the last square
)

// ParseTallyOrder reads tallies joined with +.
// A name may come twice; the second time it decides nothing.
func ParseTallyOrder(text string) ([]Tally, error) {
	known := []Tally{WonShare, DrawnShare, Decided, Wins, Draws, Losses, Last}
	var order []Tally
	for name := range strings.SplitSeq(text, "+") {
		if !slices.Contains(known, Tally(name)) {
			return nil, fmt.Errorf("order %q: it is some of %s, joined with +", name,
				strings.Trim(fmt.Sprint(known), "[]"))
		}
		order = append(order, Tally(name))
	}
	return order, nil
}

// Policy spreads over the moves of equal merit.
func (f WinRatio[P]) Policy(p P, moves []oxo.Move, probs []float64) {
	order := f.Order
	if len(order) == 0 {
		order = []Tally{WonShare, DrawnShare}
	}
	chosen := make([]bool, len(moves))
	var best []float64
	for i, m := range moves {
		merit := f.meritsOf(order, p.Play(m), p.Turn(), m)
		switch c := slices.Compare(merit, best); {
		case i == 0 || c > 0:
			clear(chosen)
			best = merit
			chosen[i] = true
		case c == 0:
			chosen[i] = true
		}
	}
	spreadEvenly(chosen, probs)
}

// meritsOf returns what the seat goes by of the games below p, to which m led.
// More is better in each place, so that losses are negative; shares of no games are 0.
func (f WinRatio[P]) meritsOf(order []Tally, p P, seat oxo.Seat, m oxo.Move) []float64 {
	t := f.Tallies.At(p)
	won, lost := t.First, t.Second
	if seat == oxo.Second {
		won, lost = lost, won
	}
	share := func(part, whole float64) float64 {
		if whole == 0 {
			return 0
		}
		return part / whole
	}
	total := won + lost + t.Draw
	merit := make([]float64, len(order))
	for i, by := range order {
		switch by {
		case WonShare:
			merit[i] = share(won, total)
		case DrawnShare:
			merit[i] = share(t.Draw, total)
		case Decided:
			merit[i] = share(won, won+lost)
		case Wins:
			merit[i] = won
		case Draws:
			merit[i] = t.Draw
		case Losses:
			merit[i] = -lost
		case Last:
			merit[i] = float64(m)
		}
	}
	return merit
}
