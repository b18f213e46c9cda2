package threats

import (
	"cmp"
	"math/bits"
	"slices"

	"oxo/board/bitset"
)

// SlowerSearch searches for wins by threats one level slower than [Search]: beside moves that force their reply, moves
// that make a line of need two after which the enemy, if he passed, would lose to continuous threats. (In five in a
// row: open threes beside fours.) The enemy must reply in the zone of the win that he would lose to, and every reply
// there is tried. Such a move is a threat of the second order in the lambda search of Thomsen (Lambda search in game
// trees, 2000).
//
// What it finds is a win; a search that its limits stop finds nothing.
type SlowerSearch[S bitset.Squares, Q Lines] struct {
	Fast    *Search[S, Q]
	Refuted []uint64 // keys of positions in which nothing was found, indexed by key
	Nodes   uint64   // visited since the start: searches of Fast, and what they visited
	Move    int      // the first move of the win that was found

	depth   int    // of the win that was found: slow threats, and threats before them
	stop    uint64 // nodes at which the search under way gives up
	cut     bool   // it did
	shallow bool   // a position was left because of the depth
	states  states[S, Q]
	squares []uint16 // of all positions from the root to here
	promise []int32  // for each square, what it meant to both sides at the root
}

const (
	slowDepth = 8    // slow threats and threats before them, one after the other
	fastLimit = 1000 // positions in one search for continuous threats
)

// promises is what a line adds to the promise of its squares by what its side
// needs of it; lines of more than that count as the last.
var promises = [...]int32{0, 0, 800, 100, 18, 4, 2}

// NewSlowerSearch returns a search that remembers 1<<logRefuted refuted positions.
func NewSlowerSearch[S bitset.Squares, Q Lines](fast *Search[S, Q], logRefuted int) *SlowerSearch[S, Q] {
	return &SlowerSearch[S, Q]{Fast: fast, Refuted: make([]uint64, 1<<logRefuted), promise: make([]int32, fast.G.N)}
}

// FindWin reports whether side, to move in p, wins by continuous threats and slow ones, looking at no more than
// maxNodes positions. On success t.Move is its move. It looks for a win with few slow threats first.
func (t *SlowerSearch[S, Q]) FindWin(p *State[S, Q], side int, maxNodes uint64) bool {
	t.setLimitAndPromises(p, maxNodes)
	for depth := 1; depth <= slowDepth; depth++ {
		t.shallow = false
		if t.searchWin(p, 0, side, depth) {
			t.depth = depth
			return true
		}
		if t.cut || !t.shallow {
			return false
		}
	}
	return false
}

// WinningMoves returns the first moves of wins of side, to move in p, that take as few slow threats as
// the shortest; it looks at no more than maxNodes positions for that one, and for each of the others.
func (t *SlowerSearch[S, Q]) WinningMoves(p *State[S, Q], side int, maxNodes uint64) (moves S) {
	if !t.FindWin(p, side, maxNodes) {
		return moves
	}
	moves = bitset.With(moves, t.Move)
	t.squares = t.squares[:0]
	t.appendThreatSquares(p, side)
	end := len(t.squares)
	for _, sq := range t.squares[:end] {
		t.stop, t.cut = t.Nodes+maxNodes, false
		if !bitset.Has(moves, int(sq)) && t.winsByThreat(p, 0, side, int(sq), t.depth-1) {
			moves = bitset.With(moves, int(sq))
		}
	}
	t.squares = t.squares[:0]
	return moves
}

// setLimitAndPromises sets the limit and the promises for searches from p.
func (t *SlowerSearch[S, Q]) setLimitAndPromises(p *State[S, Q], maxNodes uint64) {
	g := t.Fast.G
	t.stop, t.cut = t.Nodes+maxNodes, false
	clear(t.promise)
	for side := range 2 {
		for n := 2; n <= g.Longest; n++ {
			for i := range g.Words {
				for lines := g.LinesNeeding(p, side, n, i); lines != 0; lines &= lines - 1 {
					squares := bitset.And(g.Need[i<<6+bits.TrailingZeros64(lines)], p.Free)
					for ; !bitset.Empty(squares); squares = bitset.Rest(squares) {
						t.promise[bitset.First(squares)] += promises[min(n, len(promises)-1)]
					}
				}
			}
		}
	}
}

// winsByContinuousThreats looks for a win by continuous threats, and counts what that takes. It finds none where the
// limit is met, and sets cut.
func (t *SlowerSearch[S, Q]) winsByContinuousThreats(p *State[S, Q], side int) bool {
	if t.Nodes >= t.stop {
		t.cut = true
		return false
	}
	before := t.Fast.Nodes
	won := t.Fast.FindWin(p, side, min(fastLimit, t.stop-t.Nodes))
	t.Nodes += t.Fast.Nodes - before + 1
	t.cut = t.cut || t.Fast.done
	return won
}

// searchWin looks for a win for side, to move in p, the position after so many
// others, with so many slow threats, and threats before them, one after the other.
func (t *SlowerSearch[S, Q]) searchWin(p *State[S, Q], ply, side, threatsLeft int) bool {
	if t.winsByContinuousThreats(p, side) {
		t.Move = t.Fast.Line[0]
		return true
	}
	must, more := t.Fast.G.Completion(p, side^1)
	if more {
		return false
	}
	if threatsLeft == 0 {
		t.shallow = true
		return false
	}
	key := p.Hash ^ t.Fast.hashSalt(side) ^ uint64(threatsLeft)*0x9e3779b97f4a7c15
	slot := &t.Refuted[key&uint64(len(t.Refuted)-1)]
	if *slot == key {
		t.shallow = true // for all that is known
		return false
	}
	if must >= 0 {
		// The reply is forced, so that it costs no depth.
		if t.winsByThreat(p, ply, side, must, threatsLeft) {
			return true
		}
	} else {
		first := len(t.squares)
		t.appendThreatSquares(p, side)
		for i := first; i < len(t.squares); i++ {
			if t.winsByThreat(p, ply, side, int(t.squares[i]), threatsLeft-1) {
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

// appendThreatSquares appends to t.squares the squares that may be played on which side makes a
// line of need one or two, those that mean most to both sides first.
func (t *SlowerSearch[S, Q]) appendThreatSquares(p *State[S, Q], side int) {
	g := t.Fast.G
	first := len(t.squares)
	left := g.LegalSquares(p)
	for i := range g.Words {
		_, lines := g.LinesNeedingOneAndTwo(p, side, i)
		for lines |= g.LinesNeeding(p, side, 3, i); lines != 0; lines &= lines - 1 {
			squares := bitset.And(g.Need[i<<6+bits.TrailingZeros64(lines)], left)
			left = bitset.Minus(left, squares)
			for ; !bitset.Empty(squares); squares = bitset.Rest(squares) {
				t.squares = append(t.squares, uint16(bitset.First(squares)))
			}
		}
	}
	slices.SortStableFunc(t.squares[first:], func(a, b uint16) int { return cmp.Compare(t.promise[b], t.promise[a]) })
}

// winsByThreat reports whether side wins by a move that is a threat of either speed,
// with so many more of them. On success t.Move is the move.
func (t *SlowerSearch[S, Q]) winsByThreat(p *State[S, Q], ply, side, sq, threatsLeft int) bool {
	next := t.states.at(ply, &t.Fast.charge)
	*next = *p
	t.Fast.G.Play(next, side, sq)
	if !t.winsWhateverReply(next, ply+1, side, threatsLeft) {
		return false
	}
	t.Move = sq
	return true
}

// winsWhateverReply reports whether side, who has just moved, made a threat that wins
// against every reply, with so many more of them.
func (t *SlowerSearch[S, Q]) winsWhateverReply(p *State[S, Q], ply, side, threatsLeft int) bool {
	g := t.Fast.G
	if enemy, _ := g.Completion(p, side^1); enemy >= 0 {
		return false
	}
	if end, _ := g.Completion(p, side); end >= 0 {
		// Of two a continuous threat would have been found.
		return t.winsAfterReply(p, ply, side, end, threatsLeft)
	}
	if !t.winsByContinuousThreats(p, side) {
		return false
	}
	todo := bitset.And(t.Fast.Zone, p.Free)
	if t.winsByContinuousThreats(p, side^1) || t.cut {
		return false
	}
	// Replies that lose to continuous threats, and those outside the zones of these, are not tried further. With bars
	// such a zone holds for its own reply only, which may bar the enemy from lines.
	var left S
	next := t.states.at(ply, &t.Fast.charge)
	for !bitset.Empty(todo) {
		reply := bitset.First(todo)
		todo = bitset.Rest(todo)
		*next = *p
		g.Play(next, side^1, reply)
		switch {
		case !t.winsByContinuousThreats(next, side):
			left = bitset.With(left, reply)
		case !g.Barred:
			todo, left = bitset.And(todo, t.Fast.Zone), bitset.And(left, t.Fast.Zone)
		}
	}
	for ; !bitset.Empty(left); left = bitset.Rest(left) {
		if !t.winsAfterReply(p, ply, side, bitset.First(left), threatsLeft) {
			return false
		}
	}
	return !t.cut
}

// winsAfterReply reports whether side wins after the enemy's reply.
func (t *SlowerSearch[S, Q]) winsAfterReply(p *State[S, Q], ply, side, reply, threatsLeft int) bool {
	next := t.states.at(ply, &t.Fast.charge)
	*next = *p
	t.Fast.G.Play(next, side^1, reply)
	return t.searchWin(next, ply+1, side, threatsLeft)
}
