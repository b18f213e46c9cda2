package board

import "oxo"

// MinMovesToWin is what [oxo.Game.MinMovesToWin] asks: how many squares a seat lacks at least to
// own a set of which the opponent has none. It is 0, which says nothing, where the
// seat may win otherwise than by owning a set.
func (p Pos64) MinMovesToWin(seat oxo.Seat) int {
	least, asks := p.t.rules.minMovesWithoutSets(seat)
	if !asks {
		return least
	}
	own, other := p.x, p.o
	if seat == oxo.Second {
		own, other = other, own
	}
	for i := range p.t.board.Lines {
		if need := p.t.board.Lines[i].Need.A; need&other == 0 {
			least = min(least, Set{A: need &^ own}.Len())
		}
	}
	return least
}

// MinMovesToWin is MinMovesToWin of [Pos64].
func (p Pos256) MinMovesToWin(seat oxo.Seat) int {
	least, asks := p.t.rules.minMovesWithoutSets(seat)
	if !asks {
		return least
	}
	own, other := p.x, p.o
	if seat == oxo.Second {
		own, other = other, own
	}
	for i := range p.t.board.Lines {
		if need := p.t.board.Lines[i].Need; !need.Meets(other) {
			least = min(least, need.Minus(own).Len())
		}
	}
	return least
}

// minMovesWithoutSets returns MinMovesToWin of a seat that has no set left, and whether it depends
// on the sets that are left.
func (r *Rules) minMovesWithoutSets(seat oxo.Seat) (moves int, dependsOnSets bool) {
	win, other := oxo.WinFor(seat), seat.Other()
	switch {
	case r.Place != Own || r.Full == win || r.Tested[other] && r.Done[other] == win:
		return 0, false
	case !r.Tested[seat] || r.Done[seat] != win:
		return oxo.Never, false
	}
	return oxo.Never, true
}
