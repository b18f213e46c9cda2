package board

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"oxo"
)

// SetGrid says that the board is a full grid of cols × rows × levels squares,
// running left to right, top to bottom, front to back, and names the squares:
// a column letter and a row number with a1 at the bottom left, and with more
// than one level a level letter behind.
func (b *Board) SetGrid(cols, rows, levels int) {
	b.Cols, b.Rows, b.Levels = cols, rows, levels
	for i := range b.N {
		at := Point{Col: i % cols, Row: i / cols % rows, Level: i / (cols * rows)}
		b.Layout[i] = at
		b.Names[i] = letters(at.Col) + strconv.Itoa(rows-at.Row)
		if levels > 1 {
			b.Names[i] += letters(at.Level)
		}
	}
}

// letters returns a, b, … z, aa, ab, … for 0, 1, …
func letters(i int) string {
	if i < 26 {
		return string(rune('a' + i))
	}
	return letters(i/26-1) + letters(i%26)
}

// Square returns the square of that name. A 3×3 board also takes 1–9, left to
// right, top to bottom.
func (b *Board) Square(name string) (int, error) {
	low := strings.ToLower(name)
	if b.Cols == 3 && b.Rows == 3 && b.Levels == 1 && len(low) == 1 && '1' <= low[0] && low[0] <= '9' {
		return int(low[0] - '1'), nil
	}
	for i, n := range b.Names {
		if n == low {
			return i, nil
		}
	}
	return 0, fmt.Errorf("no such square; %s", b.squareRange())
}

func (b *Board) squareRange() string {
	switch {
	case b.Cols == 0:
		return fmt.Sprintf("squares are 1 to %d", b.N)
	case b.Levels > 1:
		return fmt.Sprintf("squares are a1a to %s%d%s", letters(b.Cols-1), b.Rows, letters(b.Levels-1))
	case b.Cols == 3 && b.Rows == 3:
		return "squares are a1 to c3, or 1 to 9 from the top left"
	}
	return fmt.Sprintf("squares are a1 to %s%d", letters(b.Cols-1), b.Rows)
}

// textRows returns how many rows a position's text has and how many squares each.
func (b *Board) textRows() (rows, width int) {
	if b.Cols == 0 {
		return 1, b.N
	}
	return b.Rows * b.Levels, b.Cols
}

var seatMarks = [2]string{"x", "o"}

// Format writes the marks by rows from the top, joined with "/".
func (b *Board) Format(x, o Set) string {
	_, width := b.textRows()
	var text strings.Builder
	for i := range b.N {
		if i > 0 && i%width == 0 {
			text.WriteByte('/')
		}
		switch {
		case x.Has(i):
			text.WriteByte('x')
		case o.Has(i):
			text.WriteByte('o')
		default:
			text.WriteByte('.')
		}
	}
	return text.String()
}

// parseMarks reads what Format writes, capitals too.
func (b *Board) parseMarks(text string) (x, o Set, err error) {
	rows, width := b.textRows()
	words := strings.Split(text, "/")
	if len(words) != rows {
		return x, o, fmt.Errorf("it needs %d rows of %d, joined with /, not %d", rows, width, len(words))
	}
	for r, word := range words {
		if len(word) != width {
			return x, o, fmt.Errorf("row %d, %q, has %d squares, not %d", r+1, word, len(word), width)
		}
		for c := range width {
			i := r*width + c
			switch word[c] {
			case 'x', 'X':
				x = x.With(i)
			case 'o', 'O':
				o = o.With(i)
			case '.':
			default:
				return x, o, fmt.Errorf("row %d, %q: %q is no mark; use x, o, or . for none", r+1, word, word[c:c+1])
			}
		}
	}
	return x, o, nil
}

// ParsePosition reads marks and side to move, and where marks can slip the
// move that chance is to land, as in "x../.o./... x ~b2". The side may be left
// out, as the marks tell it. It doesn't ask whether the position can be
// reached.
func (t *table) parsePosition(text string) (x, o Set, pending oxo.Move, err error) {
	pending = oxo.NoMove
	words := strings.Fields(text)
	if len(words) == 0 {
		return x, o, pending, errors.New("it is empty; write rows and side to move, such as " + t.example())
	}
	if x, o, err = t.board.parseMarks(words[0]); err != nil {
		return
	}
	words = words[1:]
	turn := mover(x.Len() + o.Len())
	if len(words) > 0 && !strings.HasPrefix(words[0], "~") {
		side := strings.ToLower(words[0])
		if side != "x" && side != "o" {
			return x, o, pending, fmt.Errorf("%q is no side to move; use x or o", words[0])
		}
		if side != seatMarks[turn] {
			if err := t.checkReachable(x, o); err != nil {
				return x, o, pending, err
			}
			return x, o, pending, fmt.Errorf("%s is not to move: with %d marks on the board it is %s's turn", side,
				x.Len()+o.Len(), seatMarks[turn])
		}
		words = words[1:]
	}
	if len(words) > 0 && strings.HasPrefix(words[0], "~") && t.slips {
		if pending, err = t.parseMove(words[0][1:]); err != nil {
			return x, o, pending, fmt.Errorf("landing %q: %w", words[0], err)
		}
		words = words[1:]
	}
	if len(words) > 0 {
		return x, o, pending, fmt.Errorf("unexpected %q after the side to move", words[0])
	}
	return x, o, pending, nil
}

// parsePlayable reads marks and side to move, which no play need lead to. It refuses
// boards on which nothing can be played, or somebody owns a line already.
func (t *table) parsePlayable(text string) (x, o Set, seat oxo.Seat, err error) {
	words := strings.Fields(text)
	if len(words) != 2 {
		return x, o, seat, errors.New("write rows and side to move, such as " + t.example())
	}
	if x, o, err = t.board.parseMarks(words[0]); err != nil {
		return
	}
	switch side := strings.ToLower(words[1]); {
	case side != "x" && side != "o":
		err = fmt.Errorf("%q is no side to move; use x or o", words[1])
	case x.Len()+o.Len() == t.board.N:
		err = errors.New("the board is full")
	case t.ownsLine(x, o, oxo.First) || t.ownsLine(x, o, oxo.Second):
		err = errors.New("a winning set is complete already")
	case side == "o":
		seat = oxo.Second
	}
	return
}

func (t *table) example() string {
	return fmt.Sprintf("%q", t.board.Format(Set{}, Set{})+" x")
}

// formatMove writes a move: a square's name, with the mark and @ in front
// where there is a choice of marks.
func (t *table) formatMove(m oxo.Move) string {
	name := t.board.Names[Square(m)]
	if t.rules.Place == Either {
		return seatMarks[m>>markShift] + "@" + name
	}
	return name
}

// parseMove reads what formatMove writes. It doesn't ask whether the square is
// free.
func (t *table) parseMove(text string) (oxo.Move, error) {
	name, mark := text, 0
	if t.rules.Place == Either {
		before, after, found := strings.Cut(strings.ToLower(text), "@")
		if !found || before != "x" && before != "o" {
			return oxo.NoMove, errors.New("say which mark goes where, such as x@" + t.board.Names[0] + " or o@" +
				t.board.Names[0])
		}
		name = after
		if before == "o" {
			mark = 1
		}
	}
	i, err := t.board.Square(name)
	if err != nil {
		return oxo.NoMove, err
	}
	return oxo.Move(mark<<markShift | i), nil
}

// columnNamed returns the column that text names, -1 for none: where marks fall on a flat board
// and each side places its own, a column says where a mark comes to rest.
func (t *table) columnNamed(text string) int {
	if t.falls && t.rules.Place == Own && t.board.Levels == 1 {
		for col := range t.board.Cols {
			if letters(col) == strings.ToLower(text) {
				return col
			}
		}
	}
	return -1
}

// moveInColumn returns the move among these that marks a square of the column.
func (t *table) moveInColumn(moves []oxo.Move, col int) (oxo.Move, error) {
	found := oxo.NoMove
	for _, m := range moves {
		if t.board.Layout[m].Col != col {
			continue
		}
		if found != oxo.NoMove {
			return oxo.NoMove, fmt.Errorf("a mark can rest on %s and %s there", t.board.Names[found], t.board.Names[m])
		}
		found = m
	}
	if found == oxo.NoMove {
		return oxo.NoMove, errors.New("the column is full")
	}
	return found, nil
}
