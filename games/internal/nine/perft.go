package nine

import "math/bits"

// perft returns the number of move sequences of exactly the given length from p, 0 and below counting as 1. The
// last two plies are counted, not played, as far as they can be.
func perft(p Pos, depth int) uint64 {
	switch {
	case depth <= 0:
		return 1
	case depth == 1:
		return p.countMoves()
	case depth == 2:
		return p.countReplies()
	}
	var n uint64
	for boards := p.playableBoards(); boards != 0; boards &= boards - 1 {
		b := uint(bits.TrailingZeros64(boards))
		for cells := p.empty(b); cells != 0; cells &= cells - 1 {
			n += perft(p.play(b, uint(bits.TrailingZeros64(cells))), depth-1)
		}
	}
	return n
}

// countMoves returns the number of legal moves.
func (p Pos) countMoves() uint64 {
	var n uint64
	for boards := p.playableBoards(); boards != 0; boards &= boards - 1 {
		n += uint64(count[p.empty(uint(bits.TrailingZeros64(boards)))&full])
	}
	return n
}

// countReplies returns the number of move sequences of length two. Most moves leave
// every board as open as it was: the reply is in the board sent to, if that is
// open, else in any. Only a move that settles its own board is played out.
func (p Pos) countReplies() uint64 {
	var n uint64
	open := p.closed() ^ full
	everywhere := uint64(0) // empty cells of all open boards, once needed
	for boards := p.playableBoards(); boards != 0; boards &= boards - 1 {
		b := uint(bits.TrailingZeros64(boards))
		cells := p.empty(b)
		// A cell settles the board if it makes three in a row or is the last one.
		settling := uint64(third[p.moverCells(b)])
		if cells&(cells-1) == 0 {
			settling = cells
		}
		for rest := cells & settling; rest != 0; rest &= rest - 1 {
			n += p.play(b, uint(bits.TrailingZeros64(rest))).countMoves()
		}
		cells &^= settling
		// The board sent to is b itself, another open one, or a closed one.
		if cells>>b&1 != 0 {
			n--
		}
		for rest := cells & open; rest != 0; rest &= rest - 1 {
			n += uint64(count[p.empty(uint(bits.TrailingZeros64(rest)))&full])
		}
		if away := cells &^ open; away != 0 {
			if everywhere == 0 {
				for rest := open; rest != 0; rest &= rest - 1 {
					everywhere += uint64(count[p.empty(uint(bits.TrailingZeros64(rest)))&full])
				}
			}
			// A move that sends to a closed board leaves all empty cells but its own to the reply.
			n += uint64(count[away&full]) * (everywhere - 1)
		}
	}
	return n
}
