package lines

import "oxo/board/bitset"

// Scores of moves: what the table says before killers before all else.
const (
	scoreHint   = 1 << 30
	scoreKiller = 1 << 20
	level       = 3000 // added to what the net says, so that no score is negative
)

// appendScoredMoves appends to x.moves the moves worth trying for side, with their scores, in the order of squares:
// those in zone only, where that is not nil. Squares in no line that a side can still own are left out, unless there
// are no others. hint is the move that the table says, or noSquare; it comes first.
func (x *searcher) appendScoredMoves(side, ply int, tableMove uint16, zone *[7]uint64) {
	p := x.p
	first := len(x.moves)
	mine, theirs := p.view[side], p.view[side^1]
	var order []int32
	if p.net != nil {
		p.updateKinds()
		order = p.net.order
	}
	for s := range p.n {
		if p.mark[s] != empty || zone != nil && !bitset.Has(*zone, s) {
			continue
		}
		var score int32
		if p.net != nil {
			own, other := p.kind[side][s], p.kind[side^1][s]
			if own|other == 0 {
				continue
			}
			score = level + order[p.net.pairOf(own, other)] + p.central[s] + x.history[side][s]>>5
		} else {
			own, other := mine[s], theirs[s]
			if own|other == 0 {
				continue
			}
			// What a move does for one's own lines counts a quarter more than what it takes from the other side's.
			score = own + own/4 + other + p.central[s] + x.history[side][s]>>4
		}
		if k := &x.killers[ply]; k[0] == uint16(s) || k[1] == uint16(s) {
			score += scoreKiller
		}
		score &= x.order
		if uint16(s) == tableMove {
			score = scoreHint
		}
		x.moves = append(x.moves, move{uint16(s), score})
	}
	if len(x.moves) == first {
		for s := range p.n {
			if p.mark[s] == empty {
				x.moves = append(x.moves, move{uint16(s), 0})
			}
		}
	}
}

// bringBestForward brings the best of the moves from index i to the front of them and keeps the order of the
// others. So a search that cuts off after a few moves never sorts the rest.
func bringBestForward(list []move, i int) {
	best := i
	for j := i + 1; j < len(list); j++ {
		if list[j].score > list[best].score {
			best = j
		}
	}
	m := list[best]
	copy(list[i+1:best+1], list[i:best])
	list[i] = m
}

// creditCutoff notes that a move cut off a node: it becomes a killer at its ply, and gains the more history the
// deeper the search below it was. All history of a side is halved once a square has much, so that what lines say
// keeps its weight.
func (x *searcher) creditCutoff(side, square, ply, depth int) {
	if k := &x.killers[ply]; k[0] != uint16(square) {
		k[0], k[1] = uint16(square), k[0]
	}
	if depth > 0 {
		h := &x.history[side][square]
		if *h += int32(depth * depth); *h > 1<<14 {
			for i := range x.history[side] {
				x.history[side][i] /= 2
			}
		}
	}
}
