package threats

import (
	"context"
	"math/bits"
	"slices"
	"unsafe"

	"oxo"
	"oxo/board/bitset"
)

// Search looks for wins by continuous threats: every move of the side to move makes a line that needs one more square,
// so that every reply is forced, until a move makes two such lines, or a forced reply leaves one to complete.
//
// A search stopped by its limit finds nothing; what it does find is a win. It remembers refuted positions from one
// search to the next: a refutation without a cut holds for good.
type Search[S bitset.Squares, Q Lines] struct {
	G       *Geometry[S, Q]
	Mode    Mode
	Context context.Context // looked at now and then; nil for none
	Nodes   uint64          // visited since the start
	Refuted []uint64        // keys of positions without a win by threats, indexed by key
	Cut     bool            // the last search was stopped by its limit

	// Zone and Line are set when a search finds a win. Line is the winner's moves in order: but for the last one, each
	// forces the reply on the one square that would complete a line; the last completes a line or leaves two squares
	// that would. Zone holds the squares on which a reply, made before the first of them, could disturb the win: the
	// squares of the moves and of the forced replies, and at each of the winner's turns every free square of an enemy
	// line that needs two, since a mark there would threaten to complete that line. Where marks fall, it holds all
	// squares that may be played.
	Zone S
	Line []int

	charge  oxo.Charge // of states made on the budget of Context
	stop    uint64     // nodes at which the search under way gives up
	done    bool       // the context is
	states  states[S, Q]
	threats []threat // of all positions from the root to here
	partner []uint16 // for each square, the reply to a threat there, where stamp is now
	stamp   []uint32
	now     uint32
}

// Mode says which threats are tried, and in which order.
type Mode uint8

const (
	// Likely tries threats that are likely to lead on: that make another line of need two for the attacker, or take a
	// line of need one or two from the enemy. Any other mostly gives the enemy a mark. They come in the order of lines.
	Likely Mode = iota

	// Every tries all threats, in the order of lines.
	Every

	// Useful tries all threats that can lead on, in the order of squares, after moves that win at once.
	Useful
)

// threat is a move that makes a line of need one, and the forced reply.
type threat struct{ move, reply uint16 }

// Salt tells apart the keys of positions by the side to move.
var Salt = [2]uint64{0x9e3779b97f4a7c15, 0xc2b2ae3d27d4eb4f}

// thoroughSalt is that of searches that leave out nothing.
var thoroughSalt = [2]uint64{0x165667b19e3779f9, 0x27d4eb2f165667c5}

// states are positions on the way down a search, made when they are needed.
type states[S bitset.Squares, Q Lines] []*State[S, Q]

// at returns the state at a ply, whose memory is counted once.
func (l *states[S, Q]) at(ply int, c *oxo.Charge) *State[S, Q] {
	for ply >= len(*l) {
		s := new(State[S, Q])
		*l = append(*l, s)
		c.Grow(int64(unsafe.Sizeof(*s)))
	}
	return (*l)[ply]
}

// NewSearch returns a search that remembers 1<<logRefuted refuted positions.
func NewSearch[S bitset.Squares, Q Lines](g *Geometry[S, Q], logRefuted int) *Search[S, Q] {
	return &Search[S, Q]{
		G: g, Refuted: make([]uint64, 1<<logRefuted), Line: make([]int, 0, g.N),
		threats: make([]threat, 0, 4*g.N), partner: make([]uint16, g.N), stamp: make([]uint32, g.N),
	}
}

// setContext has what follows end with ctx, and charges the states that it makes to the budget of ctx.
func (t *Search[S, Q]) setContext(ctx context.Context) {
	if ctx != t.Context {
		t.Context, t.charge = ctx, oxo.NewCharge(ctx)
	}
}

// hashSalt returns what tells positions of a side and mode apart in the table.
func (t *Search[S, Q]) hashSalt(side int) uint64 {
	if t.Mode != Likely {
		return thoroughSalt[side]
	}
	return Salt[side]
}

// slot returns where the key of a refuted position is kept.
func (t *Search[S, Q]) slot(key uint64) *uint64 { return &t.Refuted[key&uint64(len(t.Refuted)-1)] }

// FindWin reports whether side, to move in p, wins at once or by continuous threats,
// looking at no more than maxNodes positions. On success t.Line and t.Zone tell how.
func (t *Search[S, Q]) FindWin(p *State[S, Q], side int, maxNodes uint64) bool {
	t.Line, t.Cut, t.done = t.Line[:0], false, false
	if one := t.G.Completions(p, side); !bitset.Empty(one) {
		sq := bitset.First(one)
		if t.Zone = bitset.Single[S](sq); t.G.Below != nil {
			t.Zone = t.G.LegalSquares(p)
		}
		t.Line = append(t.Line, sq)
		return true
	}
	if !t.hasFirstThreat(p, side) {
		return false
	}
	key := p.Hash ^ t.hashSalt(side)
	slot := t.slot(key)
	tired := (key + maxNodes) * 0x9E3779B97F4A7C15 // a key of this position with this limit
	given := t.slot(tired >> 40)
	if *slot == key || *given == tired {
		return false
	}
	t.stop = t.Nodes + maxNodes
	if t.searchWin(p, 0, side) {
		slices.Reverse(t.Line)
		if t.G.Below != nil {
			t.Zone = t.G.LegalSquares(p)
		}
		return true
	}
	switch {
	// What was looked at in full is refuted for good; what the limit ended is remembered with this limit alone, and
	// what the context ended not at all.
	case !t.Cut:
		*slot = key
	case !t.done:
		*given = tired
	}
	return false
}

// hasFirstThreat reports whether there can be a first threat.
func (t *Search[S, Q]) hasFirstThreat(p *State[S, Q], side int) bool {
	if t.G.Below != nil {
		return true
	}
	for i := t.G.nextCloseWord(p, side, 0); i < t.G.Words; i = t.G.nextCloseWord(p, side, i+1) {
		if _, two := t.G.LinesNeedingOneAndTwo(p, side, i); two != 0 {
			return true
		}
	}
	return false
}

// pollEvery is how many positions lie between looks at the context.
const pollEvery = 1024

// searchWin looks for a win for side in p, where side completes nothing at once.
// It appends the winner's moves to t.Line, last move first.
func (t *Search[S, Q]) searchWin(p *State[S, Q], ply, side int) bool {
	t.Nodes++
	if t.Nodes%pollEvery == 0 && t.Context != nil && t.Context.Err() != nil {
		t.stop, t.done = 0, true
	}
	must, more := t.G.Completion(p, side^1)
	if more {
		return false
	}
	first := len(t.threats)
	var won bool
	switch {
	case t.G.Below != nil:
		won = t.gatherFallingThreats(p, ply, side, must)
	case t.Mode == Useful:
		won = t.gatherThreatsBySquare(p, side, must)
	default:
		won = t.gatherThreats(p, side, must)
	}
	won = won || t.searchThreats(p, ply, side, first)
	t.threats = t.threats[:first]
	return won
}

// searchThreats searches on after each of the threats from that index on, in their order, and notes the win if there
// is one. A threat that does not win is remembered as refuted, but not one at which the limit was met.
func (t *Search[S, Q]) searchThreats(p *State[S, Q], ply, side, firstThreat int) (won bool) {
	g := t.G
	last := len(t.threats)
	if last == firstThreat {
		return false
	}
	if t.Nodes >= t.stop {
		t.Cut = true
		return false
	}
	for i := firstThreat; i < last; i++ {
		sq, reply := int(t.threats[i].move), int(t.threats[i].reply)
		key := p.Hash ^ g.Key[side][sq] ^ g.Key[side^1][reply] ^ t.hashSalt(side)
		slot := t.slot(key)
		if *slot == key || !t.isWorthTrying(p, side, sq) {
			continue
		}
		next := t.states.at(ply, &t.charge)
		*next = *p
		g.Play(next, side, sq)
		g.Play(next, side^1, reply)
		if t.winsAfterReply(next, ply, side) {
			t.Zone = bitset.Or(bitset.With(bitset.With(t.Zone, sq), reply), g.squaresOfLinesNeedingTwo(p, side^1))
			t.Line = append(t.Line, sq)
			return true
		}
		if t.Cut {
			return false
		}
		*slot = key
	}
	return false
}

// winsAfterReply reports whether side wins after a forced reply. Where marks fall, the reply
// may have made room for a mark that completes a line.
func (t *Search[S, Q]) winsAfterReply(p *State[S, Q], ply, side int) bool {
	if t.G.Below != nil {
		if sq, _ := t.G.Completion(p, side); sq >= 0 {
			t.Line = append(t.Line, sq)
			return true
		}
	}
	return t.searchWin(p, ply+1, side)
}

// gatherThreats appends side's threats to t.threats, those on must only where must is a square. If one of them leaves
// two squares to complete a line on, it notes the win and returns true.
func (t *Search[S, Q]) gatherThreats(p *State[S, Q], side, forcedSquare int) (forked bool) {
	g := t.G
	if t.now++; t.now == 0 {
		clear(t.stamp)
		t.now = 1
	}
	for i := g.nextCloseWord(p, side, 0); i < g.Words; i = g.nextCloseWord(p, side, i+1) {
		_, two := g.LinesNeedingOneAndTwo(p, side, i)
		for ; two != 0; two &= two - 1 {
			a, b := g.twoFreeSquaresOf(p, i<<6+bits.TrailingZeros64(two))
			for range 2 {
				switch {
				case forcedSquare >= 0 && a != forcedSquare:
				case t.stamp[a] != t.now:
					t.stamp[a], t.partner[a] = t.now, uint16(b)
					t.threats = append(t.threats, threat{uint16(a), uint16(b)})
				case int(t.partner[a]) != b:
					return t.recordFork(p, side, a, bitset.With(bitset.Single[S](b), int(t.partner[a])))
				}
				a, b = b, a
			}
		}
	}
	return false
}

// gatherThreatsBySquare is gatherThreats in the order of squares, wins first.
func (t *Search[S, Q]) gatherThreatsBySquare(p *State[S, Q], side, forcedSquare int) (forked bool) {
	g := t.G
	var once, twice S // the free squares of one line of need two, of several
	for i := g.nextCloseWord(p, side, 0); i < g.Words; i = g.nextCloseWord(p, side, i+1) {
		_, two := g.LinesNeedingOneAndTwo(p, side, i)
		for ; two != 0; two &= two - 1 {
			pair := bitset.And(g.Need[i<<6+bits.TrailingZeros64(two)], p.Free)
			a, b := bitset.First(pair), bitset.First(bitset.Rest(pair))
			t.partner[a], t.partner[b] = uint16(b), uint16(a)
			twice = bitset.Or(twice, bitset.And(once, pair))
			once = bitset.Or(once, pair)
		}
	}
	// Where the enemy needs one square of a line, only a threat on that square keeps it from the line.
	if forcedSquare >= 0 {
		only := bitset.Single[S](forcedSquare)
		once, twice = bitset.And(once, only), bitset.And(twice, only)
	}
	for ; !bitset.Empty(twice); twice = bitset.Rest(twice) {
		sq := bitset.First(twice)
		if ends := t.completingPartners(p, side, sq); !bitset.Empty(bitset.Rest(ends)) {
			return t.recordFork(p, side, sq, ends)
		}
	}
	for ; !bitset.Empty(once); once = bitset.Rest(once) {
		sq := bitset.First(once)
		t.threats = append(t.threats, threat{uint16(sq), t.partner[sq]})
	}
	return false
}

// recordFork notes a win by a mark on sq that leaves the squares of ends to complete a line on.
func (t *Search[S, Q]) recordFork(p *State[S, Q], side, sq int, ends S) bool {
	t.Zone = bitset.Or(bitset.With(ends, sq), t.G.squaresOfLinesNeedingTwo(p, side^1))
	t.Line = append(t.Line, sq)
	return true
}

// completingPartners returns the other squares of the lines of need two through sq.
func (t *Search[S, Q]) completingPartners(p *State[S, Q], side, sq int) S {
	var ends S
	for _, c := range t.G.cells[sq] {
		_, two := t.G.LinesNeedingOneAndTwo(p, side, c.word)
		for two &= c.lines; two != 0; two &= two - 1 {
			ends = bitset.Or(ends, t.G.Need[c.word<<6+bits.TrailingZeros64(two)])
		}
	}
	return bitset.Without(bitset.And(ends, p.Free), sq)
}

// gatherFallingThreats is gatherThreats where marks fall: a mark also threatens where it makes room for one that
// completes a line, and is none that makes such room for the enemy. It tries every square that may be played, as what a
// mark makes room for is not in the lines.
func (t *Search[S, Q]) gatherFallingThreats(p *State[S, Q], ply, side, forcedSquare int) (forked bool) {
	g := t.G
	next := t.states.at(ply, &t.charge)
	for left := g.LegalSquares(p); !bitset.Empty(left); left = bitset.Rest(left) {
		sq := bitset.First(left)
		if forcedSquare >= 0 && sq != forcedSquare {
			continue
		}
		*next = *p
		g.Play(next, side, sq)
		if enemy, _ := g.Completion(next, side^1); enemy >= 0 {
			continue
		}
		switch end, more := g.Completion(next, side); {
		case more:
			t.Line = append(t.Line, sq)
			return true
		case end >= 0:
			t.threats = append(t.threats, threat{uint16(sq), uint16(end)})
		}
	}
	return false
}

// isWorthTrying reports whether a threat on sq is worth trying. It can lead on where the mark
// is in a line of either side beside those that it leaves to complete.
func (t *Search[S, Q]) isWorthTrying(p *State[S, Q], side, sq int) bool {
	g := t.G
	if t.Mode == Every || g.Below != nil {
		return true
	}
	for _, c := range g.cells[sq] {
		if t.Mode == Useful {
			_, two := g.LinesNeedingOneAndTwo(p, side, c.word)
			if c.lines&^(g.DeadLines(p, side^1, c.word)&(g.DeadLines(p, side, c.word)|two)) != 0 {
				return true
			}
			continue
		}
		one, two := g.LinesNeedingOneAndTwo(p, side^1, c.word)
		if c.lines&(one|two|g.LinesNeeding(p, side, 3, c.word)) != 0 {
			return true
		}
	}
	return false
}

// WinningMoves returns the first moves of all the wins of side, to move in p, by continuous threats, each looked for in
// at most maxNodes positions, and whether none of these searches was cut.
func (t *Search[S, Q]) WinningMoves(p *State[S, Q], side int, maxNodes uint64) (moves S, complete bool) {
	g := t.G
	complete = true
	must, more := g.Completion(p, side^1)
	next := new(State[S, Q])
	for left := g.LegalSquares(p); !bitset.Empty(left); left = bitset.Rest(left) {
		sq := bitset.First(left)
		if bitset.Has(g.Completions(p, side), sq) {
			moves = bitset.With(moves, sq)
			continue
		}
		if more || must >= 0 && sq != must {
			continue
		}
		*next = *p
		g.Play(next, side, sq)
		end, two := g.Completion(next, side)
		if enemy, _ := g.Completion(next, side^1); enemy >= 0 || end < 0 {
			continue
		}
		if !two {
			g.Play(next, side^1, end)
			if !t.FindWin(next, side, maxNodes) {
				complete = complete && !t.Cut
				continue
			}
		}
		moves = bitset.With(moves, sq)
	}
	return moves, complete
}
