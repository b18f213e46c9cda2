package wide

import (
	"errors"
	"fmt"
	"math/bits"
	"strings"

	"oxo"
	"oxo/board"
)

var seatMarks = [2]string{"x", "o"}

// format writes the rows from the top, joined with "/", the side to move, and
// where chance is to act the move that is to land.
func (t *table) format(p *Pos) string {
	var text strings.Builder
	for i := range t.n {
		if i > 0 && i%t.shape.Cols == 0 {
			text.WriteByte('/')
		}
		text.WriteByte("xo."[p.Mark(i)])
	}
	text.WriteString(" " + seatMarks[mover(p.marks())])
	if p.Turn() == oxo.Chance {
		text.WriteString(" ~" + t.formatMove(p.pending()))
	}
	return text.String()
}

func (t *table) parse(text string) (Pos, error) {
	p, err := t.read(text)
	if err != nil {
		return Pos{}, fmt.Errorf("position %q: %w", text, err)
	}
	return p, nil
}

// read reads what format writes; the side to move may be left out.
func (t *table) read(text string) (p Pos, err error) {
	words := strings.Fields(text)
	if len(words) == 0 {
		return p, fmt.Errorf("it is empty; write %d rows of %d, joined with /, and side to move", t.shape.Rows,
			t.shape.Cols)
	}
	p.t = t
	if err := p.readRows(words[0]); err != nil {
		return p, err
	}
	if err := p.checkReachable(); err != nil {
		return p, err
	}
	n := p.marks()
	turn := mover(n)
	p.info = info(t.outcomeFromMarks(&p), turn)
	words = words[1:]
	if len(words) > 0 && !strings.HasPrefix(words[0], "~") {
		side := strings.ToLower(words[0])
		if side != "x" && side != "o" {
			return p, fmt.Errorf("%q is no side to move; use x or o", words[0])
		}
		if side != seatMarks[turn] {
			return p, fmt.Errorf("%s is not to move: with %d marks on the board it is %s's turn", side, n,
				seatMarks[turn])
		}
		words = words[1:]
	}
	if len(words) > 0 && strings.HasPrefix(words[0], "~") && t.rules.Slip != 0 {
		m, err := t.move(&p, words[0][1:])
		if err != nil {
			return p, fmt.Errorf("landing %q: %w", words[0], err)
		}
		p.info = info(oxo.Ongoing, oxo.Chance) | uint32(m)<<pendingShift
		words = words[1:]
	}
	if len(words) > 0 {
		return p, fmt.Errorf("unexpected %q after the side to move", words[0])
	}
	return p, nil
}

func (p *Pos) readRows(text string) error {
	t := p.t
	rows := strings.Split(text, "/")
	if len(rows) != t.shape.Rows {
		return fmt.Errorf("it needs %d rows of %d, joined with /, not %d", t.shape.Rows, t.shape.Cols, len(rows))
	}
	for r, row := range rows {
		if len(row) != t.shape.Cols {
			return fmt.Errorf("row %d, %q, has %d squares, not %d", r+1, row, len(row), t.shape.Cols)
		}
		for c := range len(row) {
			switch i := r*t.shape.Cols + c; row[c] {
			case 'x', 'X':
				p.x.flip(i)
			case 'o', 'O':
				p.o.flip(i)
			case '.':
			default:
				return fmt.Errorf("row %d, %q: %q is no mark; use x, o, or . for none", r+1, row, row[c:c+1])
			}
		}
	}
	return nil
}

// outcomeFromMarks works out from the marks alone how a position stands that can be
// reached.
func (t *table) outcomeFromMarks(p *Pos) oxo.Outcome {
	n := p.marks()
	if last := mover(n + 1); n > 0 && t.rules.Tested[last] && t.seatOwnsRow(p, last) {
		return t.rules.Done[last]
	}
	if n == t.n {
		return t.rules.Full
	}
	return oxo.Ongoing
}

// testedSeatOwnsRow reports whether a mark that the seat places owns a row.
func (t *table) seatOwnsRow(p *Pos, seat oxo.Seat) bool {
	return (t.rules.Place != board.Own || seat == oxo.First) && t.ownsRow(&p.x) ||
		(t.rules.Place == board.Either || t.rules.Place == board.Own && seat == oxo.Second) && t.ownsRow(&p.o)
}

// checkReachable returns the reason why no play leads to these marks, or nil. It
// counts marks, looks for marks in the air, and asks for a last move before
// which the game was not over; it does not undo more moves than that.
func (p *Pos) checkReachable() error {
	t := p.t
	nx, no := p.x.len(), p.o.len()
	switch {
	case t.rules.Place == board.Own && nx != no && nx != no+1:
		return fmt.Errorf("%d x and %d o: x moves first, so x has as many as o or one more", nx, no)
	case t.rules.Place == board.Cross && no > 0:
		return fmt.Errorf("there are %d o: in this game both sides place x", no)
	}
	if t.shape.Gravity {
		for i := range t.n - t.shape.Cols {
			if under := i + t.shape.Cols; p.Mark(i) != 2 && p.Mark(under) == 2 {
				return fmt.Errorf("square %s is filled but %s below it is empty", t.names.Names[i],
					t.names.Names[under])
			}
		}
	}
	if !p.testedSeatOwnsRow() {
		return nil
	}
	last := mover(nx + no + 1)
	for k := range p.x {
		for w := p.x[k] | p.o[k]; w != 0; w &= w - 1 {
			i := k<<6 | bits.TrailingZeros64(w)
			if t.rules.Place == board.Own && (last == oxo.First) != p.x.has(i) || t.shape.Gravity &&
				i >= t.shape.Cols && p.Mark(i-t.shape.Cols) != 2 {
				continue
			}
			before := *p
			if before.x.has(i) {
				before.x.flip(i)
			} else {
				before.o.flip(i)
			}
			if !before.testedSeatOwnsRow() {
				return nil
			}
		}
	}
	if t.rules.Place == board.Own && t.ownsRow(&p.x) && t.ownsRow(&p.o) {
		return errors.New("both x and o own a winning row: the game ends with the first one")
	}
	return errors.New("the game would have ended earlier: no last move completes the winning rows on the board")
}

// testedSeatOwnsRow reports whether a tested seat's marks own a row.
func (p *Pos) testedSeatOwnsRow() bool {
	t := p.t
	return t.rules.Tested[oxo.First] && t.seatOwnsRow(p, oxo.First) || t.rules.Tested[oxo.Second] && t.seatOwnsRow(p,
		oxo.Second)
}

// formatMove writes a square's name, with the mark and @ in front where there
// is a choice of marks.
func (t *table) formatMove(m oxo.Move) string {
	name := t.names.Names[m&squareMask]
	if t.rules.Place == board.Either {
		return seatMarks[m>>markShift] + "@" + name
	}
	return name
}

func (t *table) parseMove(p Pos, text string) (oxo.Move, error) {
	m, err := t.move(&p, text)
	if err == nil && p.Turn() == oxo.Chance && m>>markShift != p.pending()>>markShift {
		err = errors.New("the other mark is landing")
	}
	if err != nil {
		return oxo.NoMove, fmt.Errorf("move %q: %w", text, err)
	}
	return m, nil
}

// move reads a move that is legal in p.
func (t *table) move(p *Pos, text string) (oxo.Move, error) {
	name, mark := text, oxo.Move(0)
	if t.rules.Place == board.Either {
		before, after, found := strings.Cut(strings.ToLower(text), "@")
		if !found || before != "x" && before != "o" {
			return oxo.NoMove, errors.New("say which mark goes where, such as x@a1 or o@a1")
		}
		name = after
		if before == "o" {
			mark = 1 << markShift
		}
	}
	i, err := t.names.Square(name)
	if err != nil {
		return oxo.NoMove, err
	}
	squares := p.playable()
	switch {
	case p.Outcome() != oxo.Ongoing:
		return oxo.NoMove, errors.New("the game is over")
	case p.Mark(i) != 2:
		return oxo.NoMove, errors.New("that square is taken")
	case !squares.has(i):
		return oxo.NoMove, fmt.Errorf("a mark would fall: %s below it must be filled first",
			t.names.Names[i+t.shape.Cols])
	}
	return mark | oxo.Move(i), nil
}
