package nine

import (
	"errors"
	"fmt"
	"math/bits"
	"slices"

	"oxo"
)

// uncheckedPos is a position as its text gives it, before anyone knows whether play can lead to it. Sets have board b
// or cell c at bit b or c. Closed and end are worked out by checkReachable, all else is read.
type uncheckedPos struct {
	rules  Rules
	turn   oxo.Seat
	active int          // -1 for none
	cells  [2][9]uint64 // each seat's cells of each board
	owned  [2]uint64    // boards won by each seat
	closed uint64       // boards closed to play
	end    oxo.Outcome
}

// names are what the sides are called in errors, by seat.
var names = [2]string{"x", "o"}

// setOwners gives each board to the seat that has three in a row on it, and to both
// where both have.
func (f *uncheckedPos) setOwners() {
	for b := range 9 {
		for s := range f.owned {
			if hasLine(f.cells[s][b]) {
				f.owned[s] |= 1 << b
			}
		}
	}
}

// position returns the position that f describes, which checkReachable must have found to be one.
func (f *uncheckedPos) position() Pos {
	p := Pos{state: f.owned[0] | f.owned[1]<<9 | f.closed<<closedAt | uint64(f.active+1)<<activeAt |
		uint64(f.turn)<<turnAt | uint64(f.end)<<endAt | uint64(f.rules)<<rulesAt}
	for b := range 7 {
		p.x |= f.cells[0][b] << (9 * b)
		p.o |= f.cells[1][b] << (9 * b)
	}
	p.last = f.cells[0][7] | f.cells[0][8]<<9 | f.cells[1][7]<<18 | f.cells[1][8]<<27
	return p
}

// checkReachable settles which boards are closed and how the game stands, and returns
// an error if no game leads to the position, as far as that can be told: it
// looks at numbers of marks, at each board by itself, at where moves sent the
// opponent, and one move back.
func (f *uncheckedPos) checkReachable() error {
	for _, check := range []func() error{f.checkMarkCounts, f.checkBoardsAndSetClosed, f.checkAndSetOutcome,
		f.checkActiveBoard, f.checkTimesSent, f.checkLastMove} {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

// countMarks counts the marks of a side, on all nine boards together.
func (f *uncheckedPos) countMarks(s oxo.Seat) int {
	n := 0
	for _, cells := range f.cells[s] {
		n += bits.OnesCount64(cells)
	}
	return n
}

// checkMarkCounts refuses numbers of marks that turns can't have given.
func (f *uncheckedPos) checkMarkCounts() error {
	x, o := f.countMarks(oxo.First), f.countMarks(oxo.Second)
	switch {
	case x != o && x != o+1:
		return fmt.Errorf("%d x and %d o; x moves first, so x has as many as o or one more", x, o)
	case x == o && f.turn != oxo.First:
		return fmt.Errorf("%d x and %d o, so it is x's turn", x, o)
	case x != o && f.turn != oxo.Second:
		return fmt.Errorf("%d x and %d o, so it is o's turn", x, o)
	}
	return nil
}

// checkBoardsAndSetClosed refuses boards on which play could not have gone on as it did, and notes which boards are
// closed.
func (f *uncheckedPos) checkBoardsAndSetClosed() error {
	for b := range 9 {
		x, o := f.cells[0][b], f.cells[1][b]
		if f.rules&Open != 0 {
			owner := [2]bool{f.owned[0]>>b&1 != 0, f.owned[1]>>b&1 != 0}
			lined := [2]bool{hasLine(x), hasLine(o)}
			switch {
			case owner[0] && owner[1]:
				return fmt.Errorf("board %d: x and o have three in a row, and a fourth word must say who was first",
					b+1)
			case owner[0] && !lined[0] || owner[1] && !lined[1]:
				return fmt.Errorf("board %d is owned by a side without three in a row on it", b+1)
			case (lined[0] || lined[1]) && !owner[0] && !owner[1]:
				return fmt.Errorf("board %d: three in a row and no owner", b+1)
			}
		} else {
			if hasLine(x) && hasLine(o) {
				return fmt.Errorf("board %d: both x and o have three in a row", b+1)
			}
			// Two lines can only have been made by one mark, which is in both.
			for s, cells := range [2]uint64{x, o} {
				if hasLine(cells) && !linesShareCell(cells) {
					return fmt.Errorf("board %d: %s has three in a row twice, but the board is closed after the first",
						b+1, names[s])
				}
			}
		}
		if x|o == full || f.rules&Open == 0 && (hasLine(x) || hasLine(o)) {
			f.closed |= 1 << b
		}
	}
	return nil
}

// linesShareCell reports whether there is a cell without which no three in a row
// are left.
func linesShareCell(cells uint64) bool {
	for rest := cells; rest != 0; rest &= rest - 1 {
		if !hasLine(cells &^ (rest & -rest)) {
			return true
		}
	}
	return false
}

// checkAndSetOutcome refuses a game that would have been over before its last move, and notes how it has ended if it
// has. Boards are counted only when all are closed.
func (f *uncheckedPos) checkAndSetOutcome() error {
	if f.rules&Points == 0 {
		for s := range oxo.Chance {
			if !hasLine(f.owned[s]) {
				continue
			}
			if f.end != oxo.Ongoing {
				return errors.New("both x and o have three boards in a row")
			}
			if f.turn == s {
				return fmt.Errorf("%s has won, so %s moved last", names[s], names[s])
			}
			f.end = oxo.WinFor(s)
		}
	}
	if f.end == oxo.Ongoing && f.closed == full {
		f.end = f.rules.finalOutcome(f.owned[0], f.owned[1])
	}
	return nil
}

// timesPlayedCell returns how often seat s has played cell b, in any board: each time it sent the opponent to board
// b, which may have been closed by then.
func (f *uncheckedPos) timesPlayedCell(s oxo.Seat, b int) int {
	n := 0
	for _, cells := range f.cells[s] {
		n += int(cells >> b & 1)
	}
	return n
}

// sentToAny reports whether seat s has ever sent the opponent to one of the
// given boards.
func (f *uncheckedPos) sentToAny(s oxo.Seat, boards uint64) bool {
	return slices.ContainsFunc(f.cells[s][:], func(cells uint64) bool { return cells&boards != 0 })
}

// checkActiveBoard refuses an active board to which no last move can have sent.
func (f *uncheckedPos) checkActiveBoard() error {
	last := f.turn.Other()
	switch {
	case f.countMarks(oxo.First) == 0:
		if first := start(f.rules).Active(); f.active != first {
			return fmt.Errorf("active board %s at the start of the game, want %s", boardName(f.active),
				boardName(first))
		}
	case f.end != oxo.Ongoing:
		if f.active >= 0 {
			return fmt.Errorf("the game is over: active board %d, want -", f.active+1)
		}
	case f.active < 0:
		if !f.sentToAny(last, f.closed) {
			return fmt.Errorf("no active board, but %s can't have sent %s to a closed one", names[last], names[f.turn])
		}
	case f.closed>>f.active&1 != 0:
		return fmt.Errorf("active board %d is closed, want -", f.active+1)
	case f.timesPlayedCell(last, f.active) == 0:
		return fmt.Errorf("active board %d, but %s has not played that cell in any board", f.active+1, names[last])
	}
	return nil
}

// boardName writes the number of a board from 1, - for none.
func boardName(b int) string {
	if b < 0 {
		return "-"
	}
	return string(rune('1' + b))
}

// checkTimesSent looks at the boards that are still open: whoever was sent there has played there, but for the last
// move of all. To play elsewhere is only free to who is sent to a closed board.
func (f *uncheckedPos) checkTimesSent() error {
	for b := range 9 {
		if f.closed>>b&1 != 0 {
			continue
		}
		for s := range oxo.Chance {
			// Being sent to a board that is still open left no choice, so each time has left a mark there.
			sent, played := f.timesPlayedCell(s.Other(), b), bits.OnesCount64(f.cells[s][b])
			if b == start(f.rules).Active() && s == oxo.First {
				sent++
			}
			pending := 0
			if s == f.turn && (f.active == b || f.end != oxo.Ongoing) {
				pending = 1
			}
			if sent > played+pending {
				return fmt.Errorf("%s was sent to board %d %d times and played there %d times", names[s], b+1, sent,
					played)
			}
		}
	}
	return nil
}

// checkLastMove looks for a mark that can have been the last: its board was open,
// the game was not over, the mover was free to play there, and it leads to the
// active board.
func (f *uncheckedPos) checkLastMove() error {
	last := f.turn.Other()
	if f.countMarks(oxo.First) == 0 {
		return nil
	}
	for b := range 9 {
		for c := range 9 {
			if f.cells[last][b]>>c&1 != 0 && f.canBeLast(last, b, c) {
				return nil
			}
		}
	}
	return fmt.Errorf("no mark of %s can have been the last move", names[last])
}

// canBeLast reports whether the mark of side s on cell c of board b can have been the last move: without it the
// board is open, the game goes on, and the other side's marks show that s may have been sent there.
func (f *uncheckedPos) canBeLast(s oxo.Seat, b, c int) bool {
	if f.end == oxo.Ongoing && (f.active >= 0 && c != f.active || f.active < 0 && f.closed>>c&1 == 0) {
		return false
	}
	before := *f
	before.cells[s][b] &^= 1 << c
	stillLined := hasLine(before.cells[s][b])
	if stillLined && f.rules&Open == 0 {
		return false
	}
	if !stillLined {
		before.owned[s] &^= 1 << b
		if f.owned[s]>>b&1 != 0 && hasLine(before.cells[s.Other()][b]) {
			return false // the opponent would have owned the board first
		}
	}
	if f.rules&Points == 0 && (hasLine(before.owned[0]) || hasLine(before.owned[1])) {
		return false
	}
	if before.countMarks(oxo.First) == 0 {
		first := start(f.rules).Active()
		return first < 0 || first == b
	}
	// Being sent to a closed board is being free to play in any.
	return f.sentToAny(s.Other(), f.closed|1<<b)
}
