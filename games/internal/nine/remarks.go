package nine

import (
	"math/bits"

	"oxo"
	"oxo/games/kind"
	"oxo/message"
)

// remarks says what move m of p does to the small boards: whether it wins one, where it sends the other side, and
// whether that side can win a board there at once. Where the move ends the game nobody is sent anywhere.
func remarks(p Pos, m oxo.Move) []message.Message {
	var list []message.Message
	q, own := p.Play(m), p.Turn()
	if b := int(m) / 9; q.Owned(own)&^p.Owned(own)>>b&1 != 0 {
		list = append(list, message.Of("nine.takes", message.Args{"board": boardName(b)}))
	}
	if q.Outcome() != oxo.Ongoing {
		return list
	}
	key, to := "nine.anywhere", q.playableBoards()
	if to&(to-1) == 0 { // the one that is named, or the last one that is not closed
		key = "nine.sends"
	}
	if canWinBoard(q) {
		key += ".takes"
	}
	return append(list, message.Of(key, message.Args{"side": kind.View{}.Seat(own.Other()),
		"board": boardName(bits.TrailingZeros64(to))}))
}

// canWinBoard reports whether the side to move can win a small board with one move.
func canWinBoard(p Pos) bool {
	own := p.Turn()
	for b := range 9 {
		if p.playableBoards()>>b&1 == 0 || (p.Owned(oxo.First)|p.Owned(oxo.Second))>>b&1 != 0 {
			continue
		}
		if minCellsToLine(p.Cells(own, b)&full, p.Cells(own.Other(), b)&full) == 1 {
			return true
		}
	}
	return false
}
