package verify

import (
	"math/rand/v2"
	"testing"

	"oxo/board"
)

// ownsFirst returns by looking at all games who owns a set first, 0 the seat, 1 the opponent or 2
// nobody, where both play for the best and the seat would rather nobody did than the
// opponent. mover says who is to move.
func ownsFirst(lines []board.Line, p position, mover int) int {
	if p.free.Empty() {
		return 2
	}
	best := 1 - mover
	for sq := range p.free.All() {
		q := position{p.own, p.opp, p.free.Without(sq)}
		marks := &q.own
		if mover == 1 {
			marks = &q.opp
		}
		*marks = marks.With(sq)
		value := mover
		if !ownsAny(lines, *marks) {
			value = ownsFirst(lines, q, 1-mover)
		}
		if value == mover {
			return mover
		}
		if value == 2 {
			best = 2
		}
	}
	return best
}

func ownsAny(lines []board.Line, marks board.Set) bool {
	for _, line := range lines {
		if marks.Holds(line.Need) {
			return true
		}
	}
	return false
}

// anyPosition draws a position of n squares, some of them out of play.
func anyPosition(r *rand.Rand, n int) (p position) {
	for sq := range n {
		switch r.IntN(6) {
		case 0:
			p.own = p.own.With(sq)
		case 1:
			p.opp = p.opp.With(sq)
		case 2: // out of play
		default:
			p.free = p.free.With(sq)
		}
	}
	return p
}

// TestWorse holds the theorem of zones against all play: in the worst of two positions the seat,
// to move, does no better than in each, as long as the opponent owns no set in it.
func TestWorse(t *testing.T) {
	r := rand.New(rand.NewPCG(32, 6))
	const n = 7
	better := [3]int{2, 0, 1} // of the seat's values: a win, a loss, neither
	different, values := 0, [3]int{}
	for range 40_000 {
		var lines []board.Line
		for range 2 + r.IntN(5) {
			lines = append(lines, board.Line{Need: board.SetOf(r.Perm(n)[:1+r.IntN(4)]...)})
		}
		p, q := anyPosition(r, n), anyPosition(r, n)
		w := p.worstOfBoth(q)
		if ownsAny(lines, p.own) || ownsAny(lines, p.opp) || ownsAny(lines, q.own) || ownsAny(lines, q.opp) ||
			ownsAny(lines, w.opp) {
			continue
		}
		value := ownsFirst(lines, w, 0)
		values[value]++
		for _, x := range []position{p, q} {
			got := ownsFirst(lines, x, 0)
			if better[got] < better[value] {
				t.Fatalf("%v: %v is worth %d, and %v, the worst of it and another, %d", lines, x, got, w, value)
			}
			if got != value {
				different++
			}
		}
	}
	if different < 100 || values[0] < 100 || values[1] < 100 || values[2] < 100 {
		t.Errorf("%d differ, values %v: too few to tell", different, values)
	}
}
