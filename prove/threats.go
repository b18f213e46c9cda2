package prove

import "math/bits"

// threats searches for wins by continuous threats: every move of the side to
// move makes a line that needs one more square, so that every reply is forced,
// until a move makes two such lines, or a forced reply leaves one to complete.
//
// A search stopped by its limit finds nothing; what it does find is a win. It
// remembers refuted positions from one search to the next: a refutation
// without a cut holds for good.
type threats[S squares, Q lineWords] struct {
	g       *geometry[S, Q]
	stack   []state[S, Q]
	refuted []uint64 // keys of positions without a threat win, indexed by key
	salt    [2]uint64
	nodes   uint64 // visited since the start
	stop    uint64 // nodes at which the search under way gives up
	cut     bool   // it did

	// zone and line are set when a search finds a win. line is the winner's
	// moves in order: but for the last one, each forces the reply on the one
	// square that would complete a line; the last completes a line or leaves
	// two squares that would.
	zone S
	line []int
}

func newThreats[S squares, Q lineWords](g *geometry[S, Q], logSize int) *threats[S, Q] {
	return &threats[S, Q]{
		g:       g,
		stack:   make([]state[S, Q], g.n/2+2),
		refuted: make([]uint64, 1<<logSize),
		salt:    [2]uint64{0x9e3779b97f4a7c15, 0xc2b2ae3d27d4eb4f},
		line:    make([]int, 0, g.n),
	}
}

// win reports whether side, to move in p, wins by continuous threats, looking
// at no more than limit positions. On success t.line is the winner's moves and
// t.zone the squares on which a reply, made before the first of them, could
// disturb it: the squares of the moves and of the forced replies, and at each
// of the winner's turns every free square of an enemy line that needs two,
// since a mark there would threaten to complete that line.
func (t *threats[S, Q]) win(p *state[S, Q], side int, limit int) bool {
	g := t.g
	t.line = t.line[:0]
	if one := g.completions(p, side); !empty(one) {
		sq := first(one)
		t.zone = single[S](sq)
		t.line = append(t.line, sq)
		return true
	}
	t.stack[0] = *p
	t.stop = t.nodes + uint64(limit)
	t.cut = false
	key := p.hash ^ t.salt[side]
	slot := &t.refuted[key&uint64(len(t.refuted)-1)]
	if *slot == key {
		return false
	}
	if !t.search(0, side) {
		if !t.cut {
			*slot = key
		}
		return false
	}
	for i, j := 0, len(t.line)-1; i < j; i, j = i+1, j-1 {
		t.line[i], t.line[j] = t.line[j], t.line[i]
	}
	return true
}

// search looks for a win for side in stack[depth], where side completes
// nothing at once. It appends the winner's moves to t.line, last move first.
func (t *threats[S, Q]) search(depth, side int) bool {
	g, p := t.g, &t.stack[depth]
	t.nodes++

	allowed := p.free
	if enemy := g.completions(p, side^1); !empty(enemy) {
		if !empty(rest(enemy)) {
			return false
		}
		allowed = enemy
	}

	// Squares in at least one open two, and in at least two of them.
	var once, twice S
	var twos Q
	for i := range g.words {
		_, two := g.near(p, side, i)
		twos[i] = two
		for ; two != 0; two &= two - 1 {
			pair := and(g.need[i<<6+bits.TrailingZeros64(two)], p.free)
			twice = or(twice, and(once, pair))
			once = or(once, pair)
		}
	}
	for fork := and(twice, allowed); !empty(fork); fork = rest(fork) {
		sq := first(fork)
		if ends := t.partners(p, &twos, sq); !empty(rest(ends)) {
			t.zone = or(with(ends, sq), g.openTwos(p, side^1))
			t.line = append(t.line, sq)
			return true
		}
	}
	todo := and(once, allowed)
	if empty(todo) {
		return false
	}
	if t.nodes >= t.stop {
		t.cut = true
		return false
	}
	for ; !empty(todo); todo = rest(todo) {
		sq := first(todo)
		reply := first(t.partners(p, &twos, sq))
		key := p.hash ^ g.key[side][sq] ^ g.key[side^1][reply] ^ t.salt[side]
		slot := &t.refuted[key&uint64(len(t.refuted)-1)]
		if *slot == key || !t.useful(p, &twos, side, sq) {
			continue
		}
		next := &t.stack[depth+1]
		*next = *p
		g.play(next, side, sq)
		g.play(next, side^1, reply)
		if t.search(depth+1, side) {
			t.zone = or(with(with(t.zone, sq), reply), g.openTwos(p, side^1))
			t.line = append(t.line, sq)
			return true
		}
		if t.cut {
			return false
		}
		*slot = key
	}
	return false
}

// partners returns the other squares of the open twos that contain sq.
func (t *threats[S, Q]) partners(p *state[S, Q], twos *Q, sq int) S {
	g := t.g
	var s S
	for i, lines := range g.through[sq*g.words : (sq+1)*g.words] {
		for two := lines & (*twos)[i]; two != 0; two &= two - 1 {
			s = or(s, g.need[i<<6+bits.TrailingZeros64(two)])
		}
	}
	return without(and(s, p.free), sq)
}

// useful reports whether a threat on sq can lead on: the mark must be in a
// line of either side beside the open twos. Any other threat only gives the
// enemy a mark.
func (t *threats[S, Q]) useful(p *state[S, Q], twos *Q, side, sq int) bool {
	g := t.g
	for i, lines := range g.through[sq*g.words : (sq+1)*g.words] {
		if lines&^(p.lines[side^1][i]&(p.lines[side][i]|(*twos)[i])) != 0 {
			return true
		}
	}
	return false
}
