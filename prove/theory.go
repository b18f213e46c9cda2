package prove

import (
	"slices"

	"oxo"
	"oxo/board"
	"oxo/prove/certificate"
)

// mirrorSymmetry returns a symmetry for a side that answers every mark with its image,
// in games where completing a line loses: an involution that commutes with all
// the symmetries in use, so that it serves the images of a position as well.
// First may have one fixed square, which he takes at the start; Second has
// none. It returns nil where the game or its symmetries give no such answer.
func mirrorSymmetry(g *certificate.Setup, seat oxo.Seat, perms [][]uint8) []uint8 {
	r := &g.Rules
	if g.Shared() || !r.Tested[0] || !r.Tested[1] || g.CompletionWins(oxo.First) || g.CompletionWins(oxo.Second) ||
		g.Board.Below != nil || !g.Marks[0].Empty() || !g.Marks[1].Empty() || g.Turn != oxo.First {
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
		if found == fixed && !slices.ContainsFunc(perms, func(other []uint8) bool {
			return !permutationsCommute(perm, other)
		}) {
			return perm
		}
	}
	return nil
}

// permutationsCommute reports whether two permutations can be carried out in either order.
func permutationsCommute(a, b []uint8) bool {
	for i := range a {
		if a[b[i]] != b[a[i]] {
			return false
		}
	}
	return true
}

// mirrorClaim returns the claim that seat does not lose because it answers
// every mark with its image, at the start of the game or after a mark on the one
// square that is its own image. It reports false where no symmetry gives such
// answers.
func mirrorClaim(g *certificate.Setup, seat oxo.Seat, perms *permutationList) (certificate.Claim, bool) {
	other := seat.Other()
	if r := &g.Rules; g.Shared() || !r.Tested[other] || g.CompletionWins(other) || g.CompletionWins(seat) ||
		r.Full == oxo.WinFor(other) {
		return certificate.Claim{}, false
	}
	playable := g.Board.Playable(g.Board.Squares().Minus(g.Marks[0].Or(g.Marks[1])))
	for _, perm := range certificate.Automorphisms(g.Board) {
		marks, n := g.Marks, certificate.Node{Kind: certificate.Wait, End: certificate.Mirrored}
		if g.Turn == seat {
			n.Kind = certificate.Move
			fixed := func(to uint8) bool { return playable.Has(int(to)) && int(perm[to]) == int(to) }
			if n.Square = slices.IndexFunc(perm, fixed); n.Square < 0 {
				continue
			}
			n.Square = int(perm[n.Square])
			marks[seat] = marks[seat].With(n.Square)
		}
		if isMirrorSymmetry(g, perm, marks[seat], marks[other]) {
			n.Perm = perms.numberOrAdd(perm)
			return certificate.Claim{Seat: seat, Nodes: certificate.NodesOf(n)}, true
		}
	}
	return certificate.Claim{}, false
}

// isMirrorSymmetry reports whether perm is its own inverse, carries the marks of one
// side to those of the other but for own marks that it keeps in place, and keeps
// every line through one of these, which must hold more. Then who answers each
// mark of opp with its image never completes a line first: the image of a line
// that he completes would be the other side's since its last mark.
func isMirrorSymmetry(g *certificate.Setup, perm []uint8, own, opp board.Set) bool {
	var fixed board.Set
	for i, j := range perm {
		if int(perm[j]) != i {
			return false
		}
		switch {
		case int(j) != i:
			if own.Has(i) != opp.Has(int(j)) {
				return false
			}
		case !own.Has(i):
			return false
		default:
			fixed = fixed.With(i)
		}
	}
	for _, line := range g.Board.Lines {
		if !line.Need.Meets(fixed) {
			continue
		}
		if fixed.Holds(line.Need) {
			return false
		}
		for i := range line.Need.All() {
			if !line.Need.Has(int(perm[i])) {
				return false
			}
		}
	}
	return true
}

// canStealStrategy reports whether strategy stealing shows that the side to move does
// not lose: the board is empty, both sides want the same, and an extra mark
// never hurts (Hales and Jewett 1963, after Nash).
func canStealStrategy(g *certificate.Setup) bool {
	return g.Monotone() && g.CompletionWins(oxo.First) && g.CompletionWins(oxo.Second) && g.Rules.Full == oxo.Drawn &&
		g.Marks[0].Empty() && g.Marks[1].Empty()
}
