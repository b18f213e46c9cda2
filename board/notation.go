package board

import (
	"errors"
	"fmt"
	"slices"
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
		b.Names[i] = Letters(at.Col) + strconv.Itoa(rows-at.Row)
		if levels > 1 {
			b.Names[i] += Letters(at.Level)
		}
	}
}

// Letters returns the letters of column or level i: a, b, … z, aa, ab, … for 0, 1, …
func Letters(i int) string {
	if i < 26 {
		return string(rune('a' + i))
	}
	return Letters(i/26-1) + Letters(i%26)
}

// SquareNamed returns the square of that name. A 3×3 board also takes 1–9, left to
// right, top to bottom.
func (b *Board) SquareNamed(name string) (int, error) {
	low := strings.ToLower(name)
	if b.Cols == 3 && b.Rows == 3 && b.Levels == 1 && len(low) == 1 && '1' <= low[0] && low[0] <= '9' {
		return int(low[0] - '1'), nil
	}
	if i := slices.Index(b.Names, low); i >= 0 {
		return i, nil
	}
	return 0, fmt.Errorf("no such square; %s", b.squareRange())
}

// squareRange says, for errors, which squares the board has.
func (b *Board) squareRange() string {
	switch {
	case b.Cols == 0:
		return fmt.Sprintf("squares are 1 to %d", b.N)
	case b.Levels > 1:
		return fmt.Sprintf("squares are a1a to %s%d%s", Letters(b.Cols-1), b.Rows, Letters(b.Levels-1))
	case b.Cols == 3 && b.Rows == 3:
		return "squares are a1 to c3, or 1 to 9 from the top left"
	}
	return fmt.Sprintf("squares are a1 to %s%d", Letters(b.Cols-1), b.Rows)
}

// textRows returns how many rows a position's text has and how many squares each.
func (b *Board) textRows() (rows, width int) {
	if b.Cols == 0 {
		return 1, b.N
	}
	return b.Rows * b.Levels, b.Cols
}

// seatMarks are the marks of First and of Second in text.
var seatMarks = [2]string{"x", "o"}

// Squares is a set of squares as notation sees it: [Set], or another one of larger boards.
type Squares[S any] interface {
	Has(i int) bool
	With(i int) S
	Len() int
}

// Format writes the marks by rows from the top, joined with "/".
func (b *Board) Format(x, o Set) string { return formatMarks(b, x, o) }

// formatMarks is Format of sets of either type.
func formatMarks[S Squares[S]](b *Board, x, o S) string {
	_, width := b.textRows()
	var text strings.Builder
	for i := range b.N {
		if i > 0 && i%width == 0 {
			text.WriteByte('/')
		}
		mark := byte('.')
		if x.Has(i) {
			mark = 'x'
		} else if o.Has(i) {
			mark = 'o'
		}
		text.WriteByte(mark)
	}
	return text.String()
}

// parseMarks reads what formatMarks writes, capitals too.
func parseMarks[S Squares[S]](b *Board, text string) (x, o S, err error) {
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

// Written is a position that a [Notation] writes.
type Written[P, S any] interface {
	oxo.Position[P]
	Marks() (x, o S)
	Playable() S
	Pending() oxo.Move
	WithPending(m oxo.Move) P
}

// Notation is how positions and moves of a game are written. In a move the mark, where there is a
// choice, is above the square, which takes so many bits.
type Notation struct {
	Board *Board
	Rules Rules
	Shift int
}

// NewGame returns the game of a notation's board and rules, without what only its positions know: symmetries
// and kernels. A position is made from marks, which reachable says why no play leads to.
func NewGame[P Written[P, S], S Squares[S]](spec, title string, n Notation, fromMarks func(x, o S) P,
	reachable func(x, o S) error) *oxo.Game[P] {
	var none S
	g := &oxo.Game[P]{Spec: spec, Title: title, Start: fromMarks(none, none)}
	g.MaxMoves, g.MaxPlies = n.Board.N, n.Board.N
	if n.Rules.Place == Either {
		g.MaxMoves *= 2
	}
	if n.Rules.Slip != 0 {
		g.MaxPlies *= 2
		g.Odds = func(p P, m oxo.Move) float64 {
			return n.Rules.landingProbability(p.Playable().Len(), m == p.Pending())
		}
	}
	g.Format = func(p P) string {
		x, o := p.Marks()
		if p.Turn() == oxo.Chance {
			side := seatMarks[mover(x.Len()+o.Len())]
			return formatMarks(n.Board, x, o) + " " + side + " ~" + n.formatMove(p.Pending())
		}
		return formatMarks(n.Board, x, o) + " " + seatMarks[p.Turn()]
	}
	g.Parse = func(text string) (P, error) {
		x, o, pending, err := parsePosition(n, text, reachable)
		if err == nil {
			err = reachable(x, o)
		}
		if err != nil {
			return g.Start, fmt.Errorf("position %q: %w", text, err)
		}
		p := fromMarks(x, o)
		if pending != oxo.NoMove {
			if err := checkLegal(n, p, pending); err != nil {
				return g.Start, fmt.Errorf("position %q: landing: %w", text, err)
			}
			p = p.WithPending(pending)
		}
		return p, nil
	}
	g.FormatMove = func(_ P, m oxo.Move) string { return n.formatMove(m) }
	g.ParseMove = func(p P, text string) (m oxo.Move, err error) {
		if col := n.columnNamed(text); col >= 0 && p.Turn() != oxo.Chance {
			m, err = n.moveInColumn(p.Moves(nil), col)
		} else {
			m, err = n.parseMove(text)
		}
		if err == nil {
			err = checkLegal(n, p, m)
		}
		if err == nil && p.Turn() == oxo.Chance && m>>n.Shift != p.Pending()>>n.Shift {
			err = errors.New("the other mark is landing")
		}
		if err != nil {
			return oxo.NoMove, fmt.Errorf("move %q: %w", text, err)
		}
		return m, nil
	}
	return g
}

// landingProbability is the probability that a mark lands where it was meant to, or on another one
// of so many squares that it can land on.
func (r *Rules) landingProbability(playable int, asMeant bool) float64 {
	switch {
	case playable == 1:
		return 1
	case asMeant:
		return 1 - r.Slip
	}
	return r.Slip / float64(playable-1)
}

// checkLegal returns the reason why m can't be played in p, or nil.
func checkLegal[P Written[P, S], S Squares[S]](n Notation, p P, m oxo.Move) error {
	i := n.square(m)
	x, o := p.Marks()
	switch {
	case p.Outcome() != oxo.Ongoing:
		return errors.New("the game is over")
	case x.Has(i) || o.Has(i):
		return errors.New("that square is taken")
	case !p.Playable().Has(i):
		return fmt.Errorf("a mark would fall: %s below it must be filled first", n.Board.Names[n.Board.Below[i]])
	}
	return nil
}

// square returns the square that a move places its mark on.
func (n *Notation) square(m oxo.Move) int { return int(m) & (1<<n.Shift - 1) }

// parsePosition reads marks and side to move, and where marks can slip the
// move that chance is to land, as in "x../.o./... x ~b2". The side may be left
// out, as the marks tell it. It doesn't ask whether the position can be
// reached.
func parsePosition[S Squares[S]](n Notation, text string, reachable func(x, o S) error) (x, o S, pending oxo.Move,
	err error) {
	pending = oxo.NoMove
	words := strings.Fields(text)
	if len(words) == 0 {
		return x, o, pending, errors.New("it is empty; write rows and side to move, such as " + n.Board.example())
	}
	if x, o, err = parseMarks[S](n.Board, words[0]); err != nil {
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
			if err := reachable(x, o); err != nil {
				return x, o, pending, err
			}
			return x, o, pending, fmt.Errorf("%s is not to move: with %d marks on the board it is %s's turn", side,
				x.Len()+o.Len(), seatMarks[turn])
		}
		words = words[1:]
	}
	if len(words) > 0 && strings.HasPrefix(words[0], "~") && n.Rules.Slip != 0 {
		if pending, err = n.parseMove(words[0][1:]); err != nil {
			return x, o, pending, fmt.Errorf("landing %q: %w", words[0], err)
		}
		words = words[1:]
	}
	if len(words) > 0 {
		return x, o, pending, fmt.Errorf("unexpected %q after the side to move", words[0])
	}
	return x, o, pending, nil
}

// parseEvenUnreachable reads marks and side to move, which no play need lead to. It refuses
// boards on which nothing can be played, or somebody owns a line already.
func (t *gameData) parseEvenUnreachable(text string) (x, o Set, seat oxo.Seat, err error) {
	words := strings.Fields(text)
	if len(words) != 2 {
		return x, o, seat, errors.New("write rows and side to move, such as " + t.board.example())
	}
	if x, o, err = parseMarks[Set](t.board, words[0]); err != nil {
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

// example writes the empty board, for errors that say what is wanted.
func (b *Board) example() string { return fmt.Sprintf("%q", formatMarks(b, Set{}, Set{})+" x") }

// formatMove writes a move: a square's name, with the mark and @ in front
// where there is a choice of marks.
func (n *Notation) formatMove(m oxo.Move) string {
	name := n.Board.Names[n.square(m)]
	if n.Rules.Place == Either {
		return seatMarks[m>>n.Shift] + "@" + name
	}
	return name
}

// parseMove reads what formatMove writes. It doesn't ask whether the square is
// free.
func (n *Notation) parseMove(text string) (oxo.Move, error) {
	name, mark := text, 0
	if n.Rules.Place == Either {
		before, after, found := strings.Cut(strings.ToLower(text), "@")
		if !found || before != "x" && before != "o" {
			return oxo.NoMove, errors.New("say which mark goes where, such as x@" + n.Board.Names[0] + " or o@" +
				n.Board.Names[0])
		}
		name = after
		if before == "o" {
			mark = 1
		}
	}
	i, err := n.Board.SquareNamed(name)
	if err != nil && n.columnNamed("a") >= 0 {
		err = fmt.Errorf("%w, or just its column, a to %s", err, Letters(n.Board.Cols-1))
	}
	if err != nil {
		return oxo.NoMove, err
	}
	return oxo.Move(mark<<n.Shift | i), nil
}

// columnNamed returns the column that text names, -1 for none: where marks fall on a flat board
// and each side places its own, a column says where a mark comes to rest.
func (n *Notation) columnNamed(text string) int {
	if n.Board.Below != nil && n.Rules.Place == Own && n.Board.Levels == 1 {
		for col := range n.Board.Cols {
			if Letters(col) == strings.ToLower(text) {
				return col
			}
		}
	}
	return -1
}

// moveInColumn returns the move among these that marks a square of the column.
func (n *Notation) moveInColumn(moves []oxo.Move, col int) (oxo.Move, error) {
	found := oxo.NoMove
	for _, m := range moves {
		if n.Board.Layout[n.square(m)].Col != col {
			continue
		}
		if found != oxo.NoMove {
			return oxo.NoMove, fmt.Errorf("a mark can rest on %s and %s there", n.Board.Names[found], n.Board.Names[m])
		}
		found = m
	}
	if found == oxo.NoMove {
		return oxo.NoMove, errors.New("the column is full")
	}
	return found, nil
}
