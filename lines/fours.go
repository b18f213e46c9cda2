package lines

import "math/bits"

// fours searches for wins by continuous threats of completion: every move of
// the attacker makes a line of rest 1, so that the reply is forced, until a
// move makes two with different last squares. (In five in a row: continuous
// fours.) What it finds is a win; a search that its limit stops finds nothing.
//
// It remembers refuted positions from search to search: a refutation without
// a cut holds for good.
type fours struct {
	p        *state
	refuted  []uint64 // keys of positions without such a win, indexed by key
	nodes    uint64   // visited since the start
	thorough bool     // all threats are tried, not only those likely to lead on
	stop     uint64   // nodes at which the search under way gives up
	cut      bool     // it did
	threats  []threat // of all nodes from the root to here
	partner  []int32  // for each square, the reply to a threat there; see gather
	stamp    []uint32
	now      uint32

	// zone and line are set when a search finds a win. line is the attacker's
	// moves, last first. zone holds the squares on which a reply, made before
	// the first of them, could disturb it: those of the moves and of the
	// forced replies, and at each of the attacker's turns the empty squares of
	// the enemy's lines of rest 2, since a mark there would threaten to
	// complete one.
	zone set
	line []int
}

// threat is a move that makes a line of rest 1, and the forced reply.
type threat struct{ move, reply uint16 }

// salts tell apart the keys of attackers, and of thorough searches.
var salts = [2][2]uint64{{0x9e3779b97f4a7c15, 0xc2b2ae3d27d4eb4f}, {0x165667b19e3779f9, 0x27d4eb2f165667c5}}

func (f *fours) salt(side int) uint64 {
	if f.thorough {
		return salts[1][side]
	}
	return salts[0][side]
}

func newFours(p *state, logSize int) *fours {
	return &fours{
		p: p, refuted: make([]uint64, 1<<logSize),
		partner: make([]int32, p.n), stamp: make([]uint32, p.n),
		line: make([]int, 0, p.n), threats: make([]threat, 0, 4*p.n),
	}
}

// win reports whether side, to move, wins at once or by continuous threats,
// looking at no more than limit positions.
func (f *fours) win(side int, limit uint64) bool {
	p := f.p
	f.line = f.line[:0]
	if s, _ := p.completion(side); s >= 0 {
		f.zone = set{}
		f.zone.add(s)
		f.line = append(f.line, s)
		return true
	}
	if p.count[side][2] == 0 {
		return false
	}
	key := p.hash ^ f.salt(side)
	slot := &f.refuted[key&uint64(len(f.refuted)-1)]
	tired := (key + limit) * 0x9E3779B97F4A7C15
	given := &f.refuted[tired>>40&uint64(len(f.refuted)-1)]
	if *slot == key || *given == tired {
		return false
	}
	f.stop, f.cut = f.nodes+limit, false
	if f.search(side) {
		return true
	}
	if f.cut {
		*given = tired
	} else {
		*slot = key
	}
	return false
}

// search looks for a win for side, who completes nothing at once.
func (f *fours) search(side int) bool {
	p := f.p
	f.nodes++
	must, more := p.completion(side ^ 1)
	if more || p.count[side][2] == 0 {
		return false
	}
	first := len(f.threats)
	won := f.gather(side, must) || f.try(side, first)
	f.threats = f.threats[:first]
	return won
}

// try searches on after each of the threats from index first.
func (f *fours) try(side, first int) bool {
	p := f.p
	last := len(f.threats)
	if last == first {
		return false
	}
	if f.nodes >= f.stop {
		f.cut = true
		return false
	}
	for i := first; i < last; i++ {
		s, reply := int(f.threats[i].move), int(f.threats[i].reply)
		if !f.thorough && !p.leads(side, s) {
			continue
		}
		key := p.hash ^ p.key[side][s] ^ p.key[side^1][reply] ^ f.salt(side)
		slot := &f.refuted[key&uint64(len(f.refuted)-1)]
		if *slot == key {
			continue
		}
		p.put(side, s)
		p.put(side^1, reply)
		won := f.search(side)
		p.take(side^1, reply)
		p.take(side, s)
		if won {
			f.zone.add(s)
			f.zone.add(reply)
			p.addTwos(&f.zone, side^1)
			f.line = append(f.line, s)
			return true
		}
		if f.cut {
			return false
		}
		*slot = key
	}
	return false
}

// gather appends side's threats to f.threats, those on must only where must is
// a square. If one of them leaves two squares to complete a line on, it notes
// the win and returns true.
func (f *fours) gather(side, must int) bool {
	p := f.p
	if f.now++; f.now == 0 {
		clear(f.stamp)
		f.now = 1
	}
	for k, w := range p.close[side][2] {
		for ; w != 0; w &= w - 1 {
			a, b := p.lastTwo(k<<6 | bits.TrailingZeros64(w))
			for range 2 {
				if must < 0 || a == must {
					if f.stamp[a] != f.now {
						f.stamp[a], f.partner[a] = f.now, int32(b)
						f.threats = append(f.threats, threat{uint16(a), uint16(b)})
					} else if c := int(f.partner[a]); c != b {
						f.zone = set{}
						f.zone.add(a)
						f.zone.add(b)
						f.zone.add(c)
						p.addTwos(&f.zone, side^1)
						f.line = append(f.line, a)
						return true
					}
				}
				a, b = b, a
			}
		}
	}
	return false
}

// leads reports whether a threat on s is likely to lead on: it makes another
// line of rest 2 for the attacker, or takes a line of rest 1 or 2 from the enemy.
// Any other threat mostly gives the enemy a mark.
func (p *state) leads(side, s int) bool {
	own, other := p.own[side], p.own[side^1]
	for _, l := range p.through[p.throughAt[s]:p.throughAt[s+1]] {
		length := int(p.length[l])
		if other[l] == 0 && length-int(own[l]) == 3 && p.barred[side][l] == 0 ||
			own[l] == 0 && length-int(other[l]) <= 2 && p.barred[side^1][l] == 0 {
			return true
		}
	}
	return false
}
