package nine

import (
	"fmt"
	"strings"

	"oxo"
)

// moveAt returns the move on the square in the given column and row of the 9×9
// grid, both counted from the top left.
func moveAt(col, row int) int { return 9*(row/3*3+col/3) + row%3*3 + col%3 }

// square returns the name of move m's square: column letter and row number, a1 at the bottom left.
func square(m int) string {
	b, c := m/9, m%9
	return string([]byte{byte('a' + b%3*3 + c%3), byte('9' - b/3*3 - c/3)})
}

// format writes p as its nine rows from the top, the side to move, and the
// active board 1…9 or -. Under the Open rule the owners of the nine boards
// follow, as the marks alone don't tell who was first.
func format(p Pos) string {
	var text []byte
	for row := range 9 {
		if row > 0 {
			text = append(text, '/')
		}
		for col := range 9 {
			m := moveAt(col, row)
			text = append(text, markChar(uint64(p.Cells(oxo.First, m/9)), uint64(p.Cells(oxo.Second, m/9)), m%9))
		}
	}
	text = append(text, ' ', "xo"[p.Turn()], ' ')
	text = append(text, boardName(p.Active())...)
	if p.Rules()&Open != 0 {
		text = append(text, ' ')
		for b := range 9 {
			text = append(text, markChar(uint64(p.Owned(oxo.First)), uint64(p.Owned(oxo.Second)), b))
		}
	}
	return string(text)
}

// markChar returns the sign of what is on square i.
func markChar(x, o uint64, i int) byte {
	switch {
	case x>>i&1 != 0:
		return 'x'
	case o>>i&1 != 0:
		return 'o'
	}
	return '.'
}

// parse reads a position of a game by the given rules, as format writes it, and refuses one that no play leads to.
// Under the Open rule the fourth word may be left out where the marks tell the owners.
func parse(r Rules, text string) (Pos, error) {
	words := strings.Fields(text)
	if n := len(words); n != 3 && (n != 4 || r&Open == 0) {
		return Pos{}, fmt.Errorf("position %q: %d words; want nine rows joined by /, the side to move x or o, and "+
			"the active board 1 to 9 or -", text, n)
	}
	var f uncheckedPos
	if err := f.readRows(words[0]); err != nil {
		return Pos{}, err
	}
	switch words[1] {
	case "x":
	case "o":
		f.turn = oxo.Second
	default:
		return Pos{}, fmt.Errorf("side to move %q: want x or o", words[1])
	}
	switch a := words[2]; {
	case a == "-":
		f.active = -1
	case len(a) == 1 && a[0] >= '1' && a[0] <= '9':
		f.active = int(a[0] - '1')
	default:
		return Pos{}, fmt.Errorf("active board %q: want 1 to 9, or - for any", a)
	}
	// Three in a row tell who owns a board; where both sides have them, the fourth word must.
	f.rules = r
	f.setOwners()
	if len(words) == 4 {
		if err := f.readOwners(words[3]); err != nil {
			return Pos{}, err
		}
	}
	if err := f.checkReachable(); err != nil {
		return Pos{}, fmt.Errorf("unreachable position: %w", err)
	}
	return f.position(), nil
}

// readRows reads the nine rows of marks, from the top, each of which runs through three boards.
func (f *uncheckedPos) readRows(text string) error {
	rows := strings.Split(text, "/")
	if len(rows) != 9 {
		return fmt.Errorf("board %q: %d rows, want 9", text, len(rows))
	}
	for i, row := range rows {
		if len(row) != 9 {
			return fmt.Errorf("row %d %q: %d squares, want 9", i+1, row, len(row))
		}
		for j, mark := range []byte(row) {
			m := moveAt(j, i)
			switch mark {
			case 'x':
				f.cells[oxo.First][m/9] |= 1 << (m % 9)
			case 'o':
				f.cells[oxo.Second][m/9] |= 1 << (m % 9)
			case '.':
			default:
				return fmt.Errorf("row %d %q, square %d: want x, o or a dot", i+1, row, j+1)
			}
		}
	}
	return nil
}

// readOwners reads the owners of the nine boards, which must agree with the
// marks wherever those can tell.
func (f *uncheckedPos) readOwners(text string) error {
	if len(text) != 9 {
		return fmt.Errorf("owners %q: %d boards, want 9", text, len(text))
	}
	f.owned = [2]uint64{}
	for b, mark := range []byte(text) {
		switch mark {
		case 'x':
			f.owned[oxo.First] |= 1 << b
		case 'o':
			f.owned[oxo.Second] |= 1 << b
		case '.':
		default:
			return fmt.Errorf("owners %q, board %d: want x, o or a dot", text, b+1)
		}
	}
	return nil
}

// parseMove reads a legal move in p. The error says why a square is not to be had.
func parseMove(p Pos, text string) (oxo.Move, error) {
	if len(text) != 2 || text[0] < 'a' || text[0] > 'i' || text[1] < '1' || text[1] > '9' {
		return oxo.NoMove, fmt.Errorf("move %q: no such square; want a1 to i9", text)
	}
	m := moveAt(int(text[0]-'a'), int('9'-text[1]))
	b := uint(m / 9)
	switch {
	case p.Outcome() != oxo.Ongoing:
		return oxo.NoMove, fmt.Errorf("move %q: the game is over", text)
	case p.empty(b)>>(m%9)&1 == 0:
		return oxo.NoMove, fmt.Errorf("move %q: the square is taken", text)
	case p.playableBoards()>>b&1 != 0:
		return oxo.Move(m), nil
	case p.Active() >= 0:
		return oxo.NoMove, fmt.Errorf("move %q is in board %d: play in board %d", text, b+1, p.Active()+1)
	}
	return oxo.NoMove, fmt.Errorf("move %q is in board %d, which is closed", text, b+1)
}
