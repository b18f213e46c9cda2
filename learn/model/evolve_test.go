package model

import (
	"testing"

	"oxo/learn/space"
)

// TestEvolveSeats: in a generation each individual plays as often on either
// seat, against others and against its own kind.
func TestEvolveSeats(t *testing.T) {
	a := ttt(t)
	for _, alone := range []bool{false, true} {
		l := built(t, a.Space, "evolve:size=4,rounds=6")
		v := l.Memory.(*evolve)
		games := map[*float64][2]int{}
		for game := range 4 * 6 {
			own := &v.population[v.game/v.games][0]
			trace := &Trace{Nodes: []space.Node{a.Start}, Learner: [2]bool{alone, alone}}
			trace.Learner[game%2] = true
			seats := trace.Learner
			if alone && v.game > 0 { // a rival sits on one seat
				seats[v.game%2] = false
			}
			n := games[own]
			for seat := range n {
				if seats[seat] && &v.playing[seat][0] == own {
					n[seat]++
				}
			}
			games[own] = n
			l.Critic.LearnGame(trace, l.Generalizer)
		}
		for _, n := range games {
			if min(n[0], n[1]) < 3 || len(games) != 4 {
				t.Errorf("against its own kind %v: an individual of %d played %d games first and %d second", alone,
					len(games), n[0], n[1])
			}
		}
	}
}
