package prove

import "math/bits"

// slower searches for wins by threats one level slower than [threats]: beside
// moves that force their reply, moves after which the enemy, if he passed, would
// lose to continuous threats. (In five in a row: open threes beside fours.)
// Such a move is one of the second order in the lambda search of Thomsen (Lambda
// search in game trees, 2000).
//
// A slow threat is a move that makes a line which needs two more, so that the
// enemy must reply in the zone of the win that he would lose to; every reply
// there is tried. Nothing is known about lines but what they need, so this holds
// on any board. A search that its limits stop finds nothing; what it finds is
// a win.
type slower[S squares, Q lineWords] struct {
	g       *geometry[S, Q]
	fast    *threats[S, Q]
	refuted []uint64 // keys of positions without such a win, indexed by key
	nodes   uint64   // visited since the start, with those of fast
	stop    uint64   // nodes at which the search under way gives up
	cut     bool     // it did, or a search of fast did
	shallow bool     // a position was left because of the depth

	move int // the first move of the win that was found
}

const (
	deepest   = 8    // slow threats and threats before them, one after the other
	fastLimit = 1000 // positions in one search for continuous threats
)

func newSlower[S squares, Q lineWords](g *geometry[S, Q], fast *threats[S, Q], logSize int) *slower[S, Q] {
	return &slower[S, Q]{g: g, fast: fast, refuted: make([]uint64, 1<<logSize)}
}

// win reports whether side, to move in p, wins by continuous threats and slow
// ones, looking at no more than limit positions. On success t.move is its
// move. It looks for a win with few slow threats first.
func (t *slower[S, Q]) win(p *state[S, Q], side, limit int) bool {
	t.stop, t.cut = t.nodes+uint64(limit), false
	for depth := 1; depth <= deepest; depth++ {
		t.shallow = false
		if t.search(p, side, depth) {
			return true
		}
		if t.cut || !t.shallow {
			return false
		}
	}
	return false
}

// quick looks for a win by continuous threats, and counts what that takes.
func (t *slower[S, Q]) quick(p *state[S, Q], side int) bool {
	if t.nodes >= t.stop {
		t.cut = true
		return false
	}
	before := t.fast.nodes
	won := t.fast.win(p, side, int(min(fastLimit, t.stop-t.nodes)))
	t.nodes += t.fast.nodes - before + 1
	t.cut = t.cut || !won && t.fast.cut
	return won
}

// search looks for a win for side, to move in p, with so many slow threats, and
// threats before them, one after the other.
func (t *slower[S, Q]) search(p *state[S, Q], side, depth int) bool {
	g := t.g
	if t.quick(p, side) {
		t.move = t.fast.line[0]
		return true
	}
	enemy := g.completions(p, side^1)
	if !empty(enemy) && !empty(rest(enemy)) {
		return false
	}
	if depth == 0 {
		t.shallow = true
		return false
	}
	key := p.hash ^ t.fast.salt[side] ^ uint64(depth)*0x9e3779b97f4a7c15
	slot := &t.refuted[key&uint64(len(t.refuted)-1)]
	if *slot == key {
		t.shallow = true // for all that is known
		return false
	}
	if !empty(enemy) {
		// The reply is forced, so that it costs no depth.
		if t.slow(p, side, first(enemy), depth) {
			return true
		}
	} else {
		for _, todo := range t.makers(p, side) {
			for ; !empty(todo); todo = rest(todo) {
				if t.slow(p, side, first(todo), depth-1) {
					return true
				}
			}
		}
	}
	if !t.cut {
		*slot = key
	}
	return false
}

// makers returns the free squares on which side makes a line that needs two more
// or one more: those that make four such lines or more, those that make two or
// three, and the others.
func (t *slower[S, Q]) makers(p *state[S, Q], side int) [3]S {
	g := t.g
	var one, two, four S // of the number of lines, in binary; more than four count as four
	for i := range g.words {
		_, lines := g.near(p, side, i)
		for lines |= g.needing(p, side, 3, i); lines != 0; lines &= lines - 1 {
			carry := g.need[i<<6+bits.TrailingZeros64(lines)]
			one, carry = xor(one, carry), and(one, carry)
			two, carry = xor(two, carry), and(two, carry)
			four = or(four, carry)
		}
	}
	four = and(four, p.free)
	two = minus(and(two, p.free), four)
	return [3]S{four, two, minus(minus(and(one, p.free), four), two)}
}

// slow reports whether side wins by a move that is a threat of either speed,
// with so many more of them. On success t.move is the move.
func (t *slower[S, Q]) slow(p *state[S, Q], side, sq, depth int) bool {
	g, q := t.g, *p
	if g.play(&q, side, sq); !empty(g.completions(&q, side^1)) {
		return false
	}
	if ends := g.completions(&q, side); !empty(ends) {
		// Of two a continuous threat would have been found.
		g.play(&q, side^1, first(ends))
		if !t.search(&q, side, depth) {
			return false
		}
		t.move = sq
		return true
	}
	if !t.quick(&q, side) {
		return false
	}
	zone := and(t.fast.zone, q.free)
	if t.quick(&q, side^1) || t.cut {
		return false
	}
	var left S
	for todo := zone; !empty(todo); {
		reply := first(todo)
		todo = rest(todo)
		r := q
		g.play(&r, side^1, reply)
		if !t.quick(&r, side) {
			left = with(left, reply)
		} else if g.bar == nil { // else the reply may bar the enemy from lines
			todo, left = and(todo, t.fast.zone), and(left, t.fast.zone)
		}
	}
	for ; !empty(left); left = rest(left) {
		r := q
		g.play(&r, side^1, first(left))
		if !t.search(&r, side, depth) {
			return false
		}
	}
	t.move = sq
	return true
}
