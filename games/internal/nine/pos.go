// Package nine is the play of nine small tic-tac-toe boards in one big one:
// the cell played names the board that the opponent plays in next. The games
// of this kind, [oxo/games/ultimate] and [oxo/games/meta], are this package
// with different [Rules].
//
// Boards and cells are numbered 0…8, row by row from the top left; a move is
// board·9 + cell. [Pos] is the position, [Game] makes the game, and [Perft],
// [Playout], [winsNow] and [minMovesToWin] are its kernels.
package nine

import (
	"math/bits"

	"oxo"
)

// Rules says where the games differ. The zero value is the common game: three
// boards in a row win, won boards are closed, and the game is drawn when every
// board is closed.
type Rules uint8

// The rules that can be added.
const (
	// Most gives a game without three boards in a row to the side with more
	// boards.
	Most Rules = 1 << iota
	// Open keeps won boards playable until they are full; the first three in
	// a row owns the board for good.
	Open
	// Points plays to the end: three boards in a row mean nothing, the side
	// with more boards wins, and the first move is in the centre board.
	Points
)

// Pos is a position. The zero value is the start of the common game.
//
//	x, o:  bit 9b+c is cell c of board b = 0…6, marked by First, by Second
//	last:  bits 0…17 First's boards 7 and 8, bits 18…35 Second's
//	state: bits  0…8  boards owned by First     bits 27…30 active board + 1, 0 for any
//	       bits  9…17 boards owned by Second    bit  31    1 if Second is to move
//	       bits 18…26 boards closed to play     bits 32…33 the outcome
//	                                            bits 34…36 the rules
//
// The active board of a position is never a closed one, and a terminal
// position has none.
type Pos struct{ x, o, last, state uint64 }

const (
	// Names that end in At are the lowest bit of a field of state.
	full     = 1<<9 - 1  // all cells of a board, all boards
	low      = 1<<63 - 1 // the cells of boards 0…6
	closedAt = 18
	activeAt = 27
	turnAt   = 31
	endAt    = 32
	rulesAt  = 34

	turnBit = 1 << turnAt
	anyMask = 15 << activeAt
	endMask = 3 << endAt
)

// start returns the position in which a game by the given rules begins.
func start(r Rules) Pos {
	p := Pos{state: uint64(r) << rulesAt}
	if r&Points != 0 {
		p.state |= (4 + 1) << activeAt
	}
	return p
}

// boardBits returns the nine bits of board b out of boards 0…6 in lo and boards 7
// and 8 in the low bits of hi. A shift count that is negative here is huge as
// an unsigned number, and a shift that large gives 0.
func boardBits(lo, hi uint64, b uint) uint64 { return (lo>>(9*b) | hi>>(9*b-63)) & full }

// Rules returns the rules that the game is played by.
func (p Pos) Rules() Rules { return Rules(p.state >> rulesAt) }

// closed returns the boards in which nobody may play again, board b at bit b.
func (p Pos) closed() uint64 { return p.state >> closedAt & full }

// empty returns the empty cells of board b.
func (p Pos) empty(b uint) uint64 { return boardBits(p.x|p.o, p.last|p.last>>18, b) ^ full }

// moverCells returns the cells of board b that the side to move has marked.
func (p Pos) moverCells(b uint) uint64 {
	if p.state&turnBit == 0 {
		return boardBits(p.x, p.last, b)
	}
	return boardBits(p.o, p.last>>18, b)
}

// playableBoards returns the boards in which the next move may be, none in a
// terminal position.
func (p Pos) playableBoards() uint64 {
	if a := p.state >> activeAt & 15; a != 0 {
		return 1 << (a - 1)
	}
	if p.state&endMask != 0 {
		return 0
	}
	return p.closed() ^ full
}

// Cells returns the cells of board b that seat s has marked, cell c at bit c.
func (p Pos) Cells(s oxo.Seat, b int) uint16 {
	if s == oxo.First {
		return uint16(boardBits(p.x, p.last, uint(b)))
	}
	return uint16(boardBits(p.o, p.last>>18, uint(b)))
}

// Owned returns the boards that seat s has won, board b at bit b.
func (p Pos) Owned(s oxo.Seat) uint16 { return uint16(p.state>>(9*s)) & full }

// Closed returns the boards in which nobody may play again, board b at bit b.
func (p Pos) Closed() uint16 { return uint16(p.closed()) }

// Active returns the board that the next move must be in, or -1 where any
// board that is not closed will do.
func (p Pos) Active() int { return int(p.state>>activeAt&15) - 1 }

// Turn returns the seat to move.
func (p Pos) Turn() oxo.Seat { return oxo.Seat(p.state >> turnAt & 1) }

// Outcome returns how the game stands.
func (p Pos) Outcome() oxo.Outcome { return oxo.Outcome(p.state >> endAt & 3) }

// Moves appends the legal moves to buf, in ascending order.
func (p Pos) Moves(buf []oxo.Move) []oxo.Move {
	for boards := p.playableBoards(); boards != 0; boards &= boards - 1 {
		b := uint(bits.TrailingZeros64(boards))
		for cells := p.empty(b); cells != 0; cells &= cells - 1 {
			buf = append(buf, oxo.Move(9*b)+oxo.Move(bits.TrailingZeros64(cells)))
		}
	}
	return buf
}

// Play returns the position after m, which must be legal.
func (p Pos) Play(m oxo.Move) Pos { return p.play(uint(m)/9, uint(m)%9) }

// play returns the position after a mark of the side to move on cell c of board b, which must be playable and
// empty.
func (p Pos) play(b, c uint) Pos {
	at := 9*b + c
	// One of the two bits is 0, as a shift beyond 63 gives 0: bit for boards 7 and 8, bitLast for the others.
	bit, bitLast := uint64(1)<<at&low, uint64(1)<<(at-63)
	var mine uint64
	if p.state&turnBit == 0 {
		p.x |= bit
		p.last |= bitLast
		mine = boardBits(p.x, p.last, b)
	} else {
		p.o |= bit
		p.last |= bitLast << 18
		mine = boardBits(p.o, p.last>>18, b)
	}
	filled := p.empty(b) == 0
	if hasLine(mine) || filled {
		p = p.settleBoard(b, hasLine(mine), filled)
	}
	// The cell names the board of the next move, unless that is closed or the game is over.
	p.state = p.state&^anyMask ^ turnBit
	if p.state>>(closedAt+c)&1 == 0 && p.state&endMask == 0 {
		p.state |= uint64(c+1) << activeAt
	}
	return p
}

// settleBoard returns p after the side to move has completed three in a row on
// board b or filled it: who owns the board, whether it is closed, and whether
// the game is over.
func (p Pos) settleBoard(b uint, line, filled bool) Pos {
	r, me := p.Rules(), p.Turn()
	if line && (p.state|p.state>>9)>>b&1 == 0 {
		p.state |= 1 << (uint(me)*9 + b)
		if r&Points == 0 && hasLine(uint64(p.Owned(me))) {
			p.state |= uint64(oxo.WinFor(me)) << endAt
		}
	}
	if filled || r&Open == 0 {
		p.state |= 1 << (closedAt + b)
	}
	if p.closed() == full && p.state&endMask == 0 {
		p.state |= uint64(r.finalOutcome(uint64(p.Owned(oxo.First)), uint64(p.Owned(oxo.Second)))) << endAt
	}
	return p
}

// finalOutcome returns the outcome when every board is closed and the boards owned by
// First and by Second have not ended the game before.
func (r Rules) finalOutcome(first, second uint64) oxo.Outcome {
	switch x, o := count[first], count[second]; {
	case r&(Most|Points) == 0 || x == o:
		return oxo.Drawn
	case x > o:
		return oxo.FirstWins
	}
	return oxo.SecondWins
}
