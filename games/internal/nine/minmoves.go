package nine

import (
	"math/bits"

	"oxo"
)

// winsNow reports whether the side to move has a move that wins the game. That is a move which wins a small board
// and with it a row of three, or one that closes the last board where boards are counted.
func winsNow(p Pos) bool {
	boards := p.playableBoards()
	r := p.Rules()
	if r&(Most|Points) != 0 && count[p.closed()] == 8 {
		return p.winsOnLastBoard(boards)
	}
	if r&Points != 0 {
		return false
	}
	me := p.Turn()
	// Only boards that complete a row of owned ones are left, and that the other side does not own already.
	boards &= uint64(third[p.Owned(me)&full]) &^ uint64(p.Owned(me.Other()))
	for ; boards != 0; boards &= boards - 1 {
		b := uint(bits.TrailingZeros64(boards))
		if uint64(third[p.moverCells(b)])&p.empty(b) != 0 {
			return true
		}
	}
	return false
}

// winsOnLastBoard is winsNow where one board is left open, and boards decide: it tries the moves. Boards is the set
// of those that the move may be in: that board, or none where the game is over.
func (p Pos) winsOnLastBoard(boards uint64) bool {
	if boards == 0 {
		return false
	}
	b, win := uint(bits.TrailingZeros64(boards)), oxo.WinFor(p.Turn())
	for cells := p.empty(b); cells != 0; cells &= cells - 1 {
		if p.play(b, uint(bits.TrailingZeros64(cells))).Outcome() == win {
			return true
		}
	}
	return false
}

// minMovesToWin returns the least number of moves with which seat could have three
// boards in a row, if the opponent never marked another cell. Where boards are
// counted it is the least number with which the game could be over, if that is
// less and seat can still have more boards. It is [oxo.Never] where seat can't win
// in either way.
func minMovesToWin(p Pos, seat oxo.Seat) int {
	own, theirs := uint64(p.Owned(seat)), uint64(p.Owned(seat.Other()))
	// lost are the boards that seat does not own and can't win any more.
	lost := (p.closed() | theirs) &^ own
	var far [9]uint16 // moves until a board is won
	for rest := full &^ (own | lost); rest != 0; rest &= rest - 1 {
		b := bits.TrailingZeros64(rest)
		n := minCellsToLine(p.Cells(seat, b)&full, p.Cells(seat.Other(), b)&full)
		if far[b] = n; n == 0 {
			lost |= 1 << b
		}
	}
	least := oxo.Never
	r := p.Rules()
	if r&Points == 0 {
		// Boards that seat owns already are no moves away: their place in far is 0.
		for _, line := range linesOfThree {
			if lost&line.set == 0 {
				least = min(least, int(far[line.a]+far[line.b]+far[line.c]))
			}
		}
	}
	// Having more boards needs that those which seat owns or can still win are more than the other side has.
	if r&(Most|Points) != 0 && count[lost^full] > count[theirs] {
		plies := p.minPliesToCloseAll()
		if p.Turn() == seat {
			plies++
		}
		least = min(least, plies/2)
	}
	return least
}

// minCellsToLine returns with how many more cells of a board that nobody owns mine make
// three in a row, or 0 where a cell of theirs is on each line.
func minCellsToLine(mine, theirs uint16) uint16 {
	open, ways := ^held[theirs]&0xFF, held[mine]
	switch {
	case open == 0:
		return 0
	case ways>>8&open != 0:
		return 1
	case ways&open != 0:
		return 2
	}
	return 3
}

// minPliesToCloseAll returns a lower bound on the plies, of both sides together, until every board is closed: of each
// open board the empty cells or, where a won board is closed, the fewest cells with which a side wins it.
func (p Pos) minPliesToCloseAll() int {
	plies := 0
	for boards := p.closed() ^ full; boards != 0; boards &= boards - 1 {
		b := bits.TrailingZeros64(boards)
		n := uint16(count[p.empty(uint(b))&full])
		if p.Rules()&Open == 0 {
			x, o := p.Cells(oxo.First, b)&full, p.Cells(oxo.Second, b)&full
			for _, line := range [2]uint16{minCellsToLine(x, o), minCellsToLine(o, x)} {
				if line != 0 {
					n = min(n, line)
				}
			}
		}
		plies += int(n)
	}
	return plies
}
