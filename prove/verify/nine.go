package verify

import (
	"errors"
	"fmt"
	"slices"
)

// Nine is a position of nine small boards in a big one, with the rules that it is played
// by. Boards, and cells of a board, are numbered 0…8 row by row, and cell c of board b is
// square 9b + c. Marks and owners are 0 for none, 1 for First, 2 for Second.
type Nine struct {
	Goal   int  // goalRow, goalRowMost or goalMost
	Open   bool // whether owned boards are played in until they are full
	Marks  [81]uint8
	Owner  [9]uint8
	Active int // the board of the next move plus 1; 0 for any that is not closed
	Turn   int
}

// What wins: three boards in a row, and else nobody does; three boards in a row, and else
// more boards; more boards once all are closed.
const goalRow, goalRowMost, goalMost = 0, 1, 2

// rowsOfThree are the lines of a board, of cells or of boards.
var rowsOfThree = [8][3]int{{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}}

// turns are the eight symmetries of a board: turns[s][c] is where cell c goes.
var turns = boardSymmetries()

// boardSymmetries returns where each symmetry of a square takes each cell of a board.
func boardSymmetries() (t [8][9]int) {
	for s := range t {
		for c := range 9 {
			row, column := c/3, c%3
			if s&1 != 0 {
				row, column = column, row
			}
			if s&2 != 0 {
				row = 2 - row
			}
			if s&4 != 0 {
				column = 2 - column
			}
			t[s][c] = 3*row + column
		}
	}
	return t
}

// hasThreeInRow reports whether who has three in a row among nine cells, or nine boards.
func hasThreeInRow(held []uint8, who uint8) bool {
	return slices.ContainsFunc(rowsOfThree[:], func(r [3]int) bool {
		return held[r[0]] == who && held[r[1]] == who && held[r[2]] == who
	})
}

// board returns the nine cells of board b, which are those of n itself.
func (n *Nine) board(b int) []uint8 { return n.Marks[9*b : 9*b+9] }

// isBoardClosed reports whether nobody may play in board b.
func (n *Nine) isBoardClosed(b int) bool {
	if n.Owner[b] != 0 && !n.Open {
		return true
	}
	return !slices.Contains(n.board(b), 0)
}

// legal reports whether the side to move may mark square sq.
func (n *Nine) legal(sq int) bool {
	b := sq / 9
	return n.Marks[sq] == 0 && (n.Active == b+1 || n.Active == 0 && !n.isBoardClosed(b))
}

// play returns the position after a legal mark on square sq, and the outcome if it
// ends the game, else 0.
func (n Nine) play(sq int) (after Nine, outcome int) {
	b, c, who := sq/9, sq%9, uint8(1+n.Turn)
	n.Marks[sq] = who
	n.Turn = 1 - n.Turn
	if n.Owner[b] == 0 && hasThreeInRow(n.board(b), who) {
		n.Owner[b] = who
	}
	if n.Active = c + 1; n.isBoardClosed(c) {
		n.Active = 0
	}
	if n.Goal != goalMost && hasThreeInRow(n.Owner[:], who) {
		return n, int(who)
	}
	return n, n.outcomeIfAllClosed()
}

// outcomeIfAllClosed returns the outcome where every board is closed, else 0. More boards win, unless three in a row
// alone do.
func (n *Nine) outcomeIfAllClosed() int {
	owned := [3]int{}
	for b, who := range n.Owner {
		if !n.isBoardClosed(b) {
			return 0
		}
		owned[who]++
	}
	switch {
	case n.Goal == goalRow || owned[1] == owned[2]:
		return drawn
	case owned[1] > owned[2]:
		return 1
	}
	return 2
}

// marksNeededToWin returns how many more marks of its own who needs at least before it wins; unreachable
// where it can't. It is 0 where the number of boards can win.
func (n *Nine) marksNeededToWin(who uint8) int {
	if n.Goal != goalRow {
		return 0
	}
	var missing [9]int
	for b := range missing {
		switch {
		case n.Owner[b] == who:
		case n.Owner[b] != 0 || n.isBoardClosed(b):
			missing[b] = unreachable
		default:
			missing[b] = marksMissingForRow(n.board(b), who)
		}
	}
	least := unreachable
	for _, r := range rowsOfThree {
		least = min(least, missing[r[0]]+missing[r[1]]+missing[r[2]])
	}
	return least
}

// unreachable is more marks than there are squares.
const unreachable = 1000

// marksMissingForRow returns how many marks who needs for three in a row on a board.
func marksMissingForRow(held []uint8, who uint8) int {
	least := unreachable
	for _, r := range rowsOfThree {
		missing := 0
		for _, c := range r {
			switch held[c] {
			case who:
			case 0:
				missing++
			default:
				missing = unreachable
			}
		}
		least = min(least, missing)
	}
	return least
}

// form is a position up to symmetry: the marks of the 81 squares, the owners of the nine
// boards, two bits each, and the active board, four bits, from the highest bit down. The order
// of forms is that of these numbers as a list.
type form [3]uint64

// fromPlace says for each symmetry where what comes to a place of a form comes from: the 81
// squares and the nine owners.
var fromPlace = formPlacesUnderSymmetries()

// formPlacesUnderSymmetries returns, for each symmetry, from where each place of a form comes.
func formPlacesUnderSymmetries() (from [8][90]uint8) {
	for s, to := range turns {
		for b := range 9 {
			for c := range 9 {
				from[s][9*to[b]+to[c]] = uint8(9*b + c)
			}
			from[s][81+to[b]] = uint8(81 + b)
		}
	}
	return from
}

// canonicalForm returns the least of the forms that the eight symmetries give the position.
func (n *Nine) canonicalForm() (f form) {
	var held [90]uint8
	copy(held[:], n.Marks[:])
	copy(held[81:], n.Owner[:])
	best := 0
	for s := 1; s < 8; s++ {
		if n.lessUnderSymmetry(&held, s, best) {
			best = s
		}
	}
	for k, from := range fromPlace[best] {
		f[k/31] |= uint64(held[from]) << (62 - 2*(k%31))
	}
	f[2] |= uint64(n.activePlus1(best))
	return f
}

// lessUnderSymmetry reports whether symmetry s gives a lesser form than t, without making either: it compares them
// place by place and stops at the first that differs.
func (n *Nine) lessUnderSymmetry(held *[90]uint8, s, t int) bool {
	for k := range held {
		if a, b := held[fromPlace[s][k]], held[fromPlace[t][k]]; a != b {
			return a < b
		}
	}
	return n.activePlus1(s) < n.activePlus1(t)
}

// activePlus1 returns the active board plus 1 after a symmetry, 0 for none.
func (n *Nine) activePlus1(symmetry int) int {
	if n.Active == 0 {
		return 0
	}
	return turns[symmetry][n.Active-1] + 1
}

// at reads two bits: what place k of the form holds, a square below 81, an owner from there on.
func (f *form) at(k int) uint8 { return uint8(f[k/31] >> (62 - 2*(k%31)) & 3) }

// position returns the position of a form under the rules of n, with turn to move.
func (n *Nine) position(f form, turn int) Nine {
	p := Nine{Goal: n.Goal, Open: n.Open, Turn: turn, Active: int(f[2] & 15)}
	for k := range p.Marks {
		p.Marks[k] = f.at(k)
	}
	for b := range p.Owner {
		p.Owner[b] = f.at(81 + b)
	}
	return p
}

// checkPossible reports why there is no such position in which play goes on, or nil. It does not ask whether play from
// the empty boards leads there.
func (n *Nine) checkPossible() error {
	for b, owner := range n.Owner {
		held := n.board(b)
		first, second := hasThreeInRow(held, 1), hasThreeInRow(held, 2)
		if owner == 0 && (first || second) || owner == 1 && !first || owner == 2 && !second {
			return fmt.Errorf("board %d has an owner without three in a row, or none with it", b+1)
		}
	}
	switch {
	case n.Goal != goalMost && (hasThreeInRow(n.Owner[:], 1) || hasThreeInRow(n.Owner[:], 2)),
		n.outcomeIfAllClosed() != 0:
		return errors.New("the game is over at the start")
	case n.Active > 0 && n.isBoardClosed(n.Active-1):
		return fmt.Errorf("board %d is to be played in and closed", n.Active)
	}
	return nil
}

// firstRulesDifference returns the first difference between the rules of a file and those that are asked for, or nil;
// their positions may differ.
func (n *Nine) firstRulesDifference(asked *Nine) error {
	switch {
	case n.Goal != asked.Goal:
		return errors.New("in its game of nine boards another thing wins than in the one that is asked for")
	case n.Open != asked.Open:
		return errors.New("owned boards stay open in one of its game and the one that is asked for only")
	}
	return nil
}

// firstDifference is firstRulesDifference of the positions too.
func (n *Nine) firstDifference(asked *Nine) error {
	if err := n.firstRulesDifference(asked); err != nil {
		return err
	}
	for sq, mark := range n.Marks {
		if mark != asked.Marks[sq] {
			return fmt.Errorf("it is about another position: cell %d of board %d is marked otherwise", sq%9+1, sq/9+1)
		}
	}
	switch {
	case n.Owner != asked.Owner:
		return errors.New("it is about another position: boards have other owners")
	case n.Active != asked.Active:
		return errors.New("it is about another position: the next move is in another board")
	case n.Turn != asked.Turn:
		return fmt.Errorf("it is about a position in which the %s side is to move, and not the %s", seats[n.Turn],
			seats[asked.Turn])
	}
	return nil
}
