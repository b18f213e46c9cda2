package board

import "oxo"

// gameData is what positions of one game share: the board, the rules, and both
// again in the form that the inner loops want.
type gameData struct {
	board    *Board
	rules    Rules
	notation Notation

	slips, falls bool // whether marks can slip, whether the board has gravity

	full64 uint64
	full   Set
	lines  [][]line64 // N ≤ 64: for each square, the lines that need it
	early  int        // N ≤ 64: with more free squares than that nobody owns a line
	wide   [][]Line   // for each square, the lines that need it

	// won is, for N ≤ 16, one bit for each set of squares: whether it owns a
	// line. Only a set that did not own a line a mark ago is asked about.
	won []uint64

	ownMark   uint64 // 1 where a seat places its own mark, else 0
	down, up  uint   // gravity: what lies below square i is i+down or i−up; 64 where that is not so
	floor     uint64 // gravity, N ≤ 64: the squares that rest on nothing
	restOn    []Set  // gravity: for each square, the squares that rest on it
	codeShift uint   // see code64
}

// line64 is a line of a board of up to 64 squares.
type line64 struct{ need, bar uint64 }

// tinyBoard is the most squares of a board for which all sets of squares are looked at beforehand.
const tinyBoard = 16

// newGameData works out once what positions look up in every move.
func newGameData(b *Board, r Rules) *gameData {
	t := &gameData{board: b, rules: r, notation: Notation{b, r, markShift}, slips: r.Slip != 0,
		falls: b.Below != nil, full: Full(b.N), full64: Full(b.N).A}
	if r.Place == Own {
		t.ownMark = 1
	}
	t.wide = make([][]Line, b.N)
	for i := range b.N {
		for _, k := range b.LinesThrough(i) {
			t.wide[i] = append(t.wide[i], b.Lines[k])
		}
	}
	if b.N <= 64 {
		t.lines = make([][]line64, b.N)
		for i, lines := range t.wide {
			for _, l := range lines {
				t.lines[i] = append(t.lines[i], line64{l.Need.A, l.Bar.A})
				t.early = max(t.early, b.N+1-2*l.Need.Len())
			}
		}
	}
	if b.N <= tinyBoard {
		t.won = make([]uint64, (1<<b.N+63)/64)
		for marks := range uint64(1) << b.N {
			for _, l := range b.Lines {
				if l.Owned(Set{A: marks}) {
					t.won[marks>>6] |= 1 << (marks & 63)
					break
				}
			}
		}
	}
	if b.Below != nil {
		t.restOn = make([]Set, b.N)
		for i, j := range b.Below {
			if j >= 0 {
				t.restOn[j] = t.restOn[j].With(i)
			} else if i < 64 {
				t.floor |= 1 << i
			}
		}
		t.down, t.up = uniformFallStep(b.Below)
	}
	return t
}

// uniformFallStep returns the one step that leads from every square to the one
// below it, down as i+down or up as i−up. The other is 64, or both where there
// is no such step.
func uniformFallStep(below []int) (down, up uint) {
	step := 0
	for i, j := range below {
		switch {
		case j < 0:
		case step != 0 && j-i != step:
			return 64, 64
		default:
			step = j - i
		}
	}
	switch {
	case step > 0:
		return uint(step), 64
	case step < 0:
		return 64, uint(-step)
	}
	return 64, 64
}

// Position words: what info holds besides the marks.
//
//	bits 0–1   outcome
//	bits 2–3   whose turn: a seat, chance included
//	bits 8–16  where chance is to act, the move that was chosen
const (
	outcomeMask  = 3
	turnShift    = 2
	turnMask     = 3
	pendingShift = 8
)

// makeInfo returns the info of a position in which no move is to land.
func makeInfo(o oxo.Outcome, turn oxo.Seat) uint64 {
	return uint64(o) | uint64(turn)<<turnShift
}
