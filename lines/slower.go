package lines

// slower searches for wins by threats one level slower than [fours]: beside
// moves that force their reply, moves that make a line of rest 2 after which the
// enemy, if he passed, would lose to continuous threats. (In five in a row: open
// threes beside fours.) The enemy must reply in the zone of the win that he would
// lose to, and every reply there is tried. Such a move is a threat of the
// second order in the lambda search of Thomsen (Lambda search in game trees, 2000).
//
// What it finds is a win; a search that its limits stop finds nothing.
type slower struct {
	p       *state
	fast    *fours
	refuted []uint64 // keys of positions in which nothing was found, indexed by key
	nodes   uint64   // visited since the start: searches of fast, and what they visited
	stop    uint64   // nodes at which the search under way gives up
	cut     bool     // it did
	shallow bool     // a position was left because of the depth
	squares []uint16 // of all nodes from the root to here
	move    int      // the first move of the win that was found
}

const (
	slowDepth = 6    // slow threats and threats before them, one after the other
	fastLimit = 1000 // positions in one search for continuous threats
)

func newSlower(p *state, fast *fours, logSize int) *slower {
	return &slower{p: p, fast: fast, refuted: make([]uint64, 1<<logSize), squares: make([]uint16, 0, 64*p.n)}
}

// win reports whether side, to move, wins by continuous threats and slow ones,
// looking at no more than limit positions. On success t.move is its move. It
// looks for a win with few slow threats first.
func (t *slower) win(side int, limit uint64) bool {
	t.stop, t.cut = t.nodes+limit, false
	for depth := 1; depth <= slowDepth; depth++ {
		t.shallow = false
		if t.search(side, depth) {
			return true
		}
		if t.cut || !t.shallow {
			return false
		}
	}
	return false
}

// quick looks for a win by continuous threats, and counts what that takes.
func (t *slower) quick(side int) bool {
	if t.nodes >= t.stop {
		t.cut = true
		return false
	}
	before := t.fast.nodes
	won := t.fast.win(side, min(fastLimit, t.stop-t.nodes))
	t.nodes += t.fast.nodes - before + 1
	return won
}

// search looks for a win for side, to move, with so many slow threats, and
// threats before them, one after the other.
func (t *slower) search(side, depth int) bool {
	p := t.p
	if t.quick(side) {
		t.move = t.fast.line[len(t.fast.line)-1]
		return true
	}
	must, more := p.completion(side ^ 1)
	if more {
		return false
	}
	if depth == 0 {
		t.shallow = true
		return false
	}
	key := p.hash ^ t.fast.salt(side) ^ uint64(depth)*0x9e3779b97f4a7c15
	slot := &t.refuted[key&uint64(len(t.refuted)-1)]
	if *slot == key {
		t.shallow = true // for all that is known
		return false
	}
	if must >= 0 {
		// The reply is forced, so that it costs no depth.
		if t.slow(side, must, depth) {
			return true
		}
	} else {
		first := len(t.squares)
		t.makers(side)
		for i := first; i < len(t.squares); i++ {
			if t.slow(side, int(t.squares[i]), depth-1) {
				t.squares = t.squares[:first]
				return true
			}
		}
		t.squares = t.squares[:first]
	}
	if !t.cut {
		*slot = key
	}
	return false
}

// makers appends to t.squares the empty squares on which side makes a line of
// rest 1 or 2, those that mean most to both sides first.
func (t *slower) makers(side int) {
	p := t.p
	first := len(t.squares)
	var seen set
	for l := range p.lines {
		if rest := p.rest(side, l); rest == 2 || rest == 3 {
			for _, s := range p.of(l) {
				if p.mark[s] == empty && !seen.has(int(s)) {
					seen.add(int(s))
					t.squares = append(t.squares, s)
				}
			}
		}
	}
	list := t.squares[first:]
	for i := 1; i < len(list); i++ {
		for j := i; j > 0 && t.promise(list[j]) > t.promise(list[j-1]); j-- {
			list[j], list[j-1] = list[j-1], list[j]
		}
	}
}

// promise is what square s meant to both sides where the search began.
func (t *slower) promise(s uint16) int32 { return t.p.view[0][s] + t.p.view[1][s] }

// slow reports whether side wins by a move that is a threat of either speed,
// with so many more of them. On success t.move is the move.
func (t *slower) slow(side, s, depth int) bool {
	p := t.p
	p.put(side, s)
	won := t.threatens(side, depth)
	p.take(side, s)
	if won {
		t.move = s
	}
	return won
}

// threatens reports whether side, who has just moved, made a threat that wins
// against every reply, with so many more of them.
func (t *slower) threatens(side, depth int) bool {
	p := t.p
	if p.count[side^1][1] > 0 {
		return false
	}
	if end, _ := p.completion(side); end >= 0 {
		// Of two a continuous threat would have been found.
		return t.beats(side, end, depth)
	}
	if !t.quick(side) {
		return false
	}
	todo := t.fast.zone
	if t.quick(side^1) || t.cut {
		return false
	}
	// Replies that lose to continuous threats, and those outside the zones of
	// these, are not tried further. With bars such a zone holds for its own reply
	// only, which may bar the enemy from lines.
	var left set
	for s := range p.n {
		if !todo.has(s) || p.mark[s] != empty {
			continue
		}
		p.put(side^1, s)
		lost := t.quick(side)
		p.take(side^1, s)
		switch {
		case !lost:
			left.add(s)
		case !p.geometry.barred:
			todo.keep(&t.fast.zone)
			left.keep(&t.fast.zone)
		}
	}
	for s := range p.n {
		if left.has(s) && !t.beats(side, s, depth) {
			return false
		}
	}
	return !t.cut
}

// beats reports whether side wins after the enemy's reply.
func (t *slower) beats(side, reply, depth int) bool {
	t.p.put(side^1, reply)
	won := t.search(side, depth)
	t.p.take(side^1, reply)
	return won
}
