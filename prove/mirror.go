package prove

import (
	"slices"

	"oxo"
)

// mirror returns a symmetry for a side that answers every mark with its image,
// in games where completing a line loses: an involution that commutes with all
// the symmetries in use, so that it serves the images of a position as well.
// First may have one fixed square, which he takes at the start; Second has
// none. It returns nil where the game or its symmetries give no such answer.
func (g *Game) mirror(seat oxo.Seat, perms [][]uint8) []uint8 {
	r := &g.Rules
	if g.shared() || !r.Tested[0] || !r.Tested[1] || g.good(oxo.First) || g.good(oxo.Second) || g.Board.Below != nil ||
		!g.Marks[0].Empty() || !g.Marks[1].Empty() || g.Turn != oxo.First {
		return nil
	}
	fixed := 0
	if seat == oxo.First {
		fixed = 1
	}
	for _, perm := range perms {
		found := 0
		for i, j := range perm {
			switch {
			case int(j) == i:
				found++
			case int(perm[j]) != i:
				found = -len(perm)
			}
		}
		if found == fixed && !slices.ContainsFunc(perms, func(other []uint8) bool { return !commute(perm, other) }) {
			return perm
		}
	}
	return nil
}

func commute(a, b []uint8) bool {
	for i := range a {
		if a[b[i]] != b[a[i]] {
			return false
		}
	}
	return true
}

// answers returns the square with which the attacker, to move in p, keeps to
// the mirror: the fixed one at the start, else the image of the defender's last
// mark.
func (s *search[S, Q]) answers(p *state[S, Q]) S {
	var open S
	for left := p.free; !empty(left); left = rest(left) {
		sq := first(left)
		if image := int(s.mirror[sq]); image == sq || has(p.marks[defender], image) {
			open = with(open, sq)
		}
	}
	return open
}
