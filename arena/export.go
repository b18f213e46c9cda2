package arena

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"oxo"
)

// Grid says how the squares of a game lie, for exports: columns from a on, rows
// from 1 at the bottom.
type Grid struct {
	Cols, Rows int

	// Kind is the number that SGF gives to the game, such as 4 for Gomoku and
	// Renju; 0 names none.
	Kind int
}

// ParseSquare returns the column from the left and the row from the top of a square
// named by a column letter and a row number; false for any other text.
func (g Grid) ParseSquare(name string) (col, row int, ok bool) {
	letters := strings.TrimRight(name, "0123456789")
	digits := name[len(letters):]
	col = -1
	for _, c := range letters {
		if c < 'a' || c > 'z' || col >= g.Cols {
			return 0, 0, false
		}
		col = (col+1)*26 + int(c-'a')
	}
	up, err := strconv.Atoi(digits)
	if err != nil || digits[0] == '0' || letters == "" || col >= g.Cols || up < 1 || up > g.Rows {
		return 0, 0, false
	}
	return col, g.Rows - up, true
}

// moveSquares returns the moves as squares, First's and Second's in turn.
func (g Grid) moveSquares(s *Sheet) (colsAndRows [][2]int, err error) {
	if s.Start != "" {
		return nil, fmt.Errorf("it begins at %q; only games from the empty board can be exported", s.Start)
	}
	list := make([][2]int, len(s.Moves))
	for i, m := range s.Moves {
		col, row, ok := g.ParseSquare(m)
		if !ok {
			return nil, fmt.Errorf("move %d, %q: only moves that are squares of a grid of %d×%d can be exported", i+1,
				m, g.Cols, g.Rows)
		}
		list[i] = [2]int{col, row}
	}
	return list, nil
}

// sgfLetters are the 52 coordinates of SGF.
const sgfLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

// WriteSGF writes a game on a grid in SGF, version 4: First is black. Values
// and remarks become comments.
func WriteSGF(w io.Writer, s *Sheet, g Grid) error {
	stones, err := g.moveSquares(s)
	if err == nil && (g.Cols > len(sgfLetters) || g.Rows > len(sgfLetters)) {
		err = fmt.Errorf("a grid of %d×%d is too large", g.Cols, g.Rows)
	}
	if err != nil {
		return fmt.Errorf("sgf: %w", err)
	}
	size := strconv.Itoa(g.Cols)
	if g.Rows != g.Cols {
		size += ":" + strconv.Itoa(g.Rows)
	}
	b := bufio.NewWriter(w)
	b.WriteString("(;FF[4]CA[UTF-8]AP[oxo]")
	if g.Kind != 0 {
		fmt.Fprintf(b, "GM[%d]", g.Kind)
	}
	fmt.Fprintf(b, "SZ[%s]GN[%s]PB[%s]PW[%s]RE[%s]", size, sgfText(s.Game), sgfText(s.First), sgfText(s.Second),
		sgfResult(s))
	if known, _, _ := strings.Cut(s.Date, "-?"); known != "" {
		fmt.Fprintf(b, "DT[%s]", sgfText(known))
	}
	if s.TimeControl != "" && s.TimeControl != "-" {
		fmt.Fprintf(b, "OT[%s]", sgfText(s.TimeControl))
	}
	for i, at := range stones {
		if i%10 == 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(b, ";%c[%c%c]", "BW"[i%2], sgfLetters[at[0]], sgfLetters[at[1]])
		if comment := s.note(i).String(); comment != "" {
			fmt.Fprintf(b, "C[%s]", sgfText(comment))
		}
	}
	b.WriteString(")\n")
	return within("sgf", b.Flush())
}

// sgfText escapes a text; in SGF, colons need it in some places only.
func sgfText(text string) string {
	return strings.NewReplacer(`\`, `\\`, `]`, `\]`, `:`, `\:`).Replace(singleLine(text))
}

// sgfResult writes a sheet's result as the property RE of SGF: who won, and by R resignation, T time
// or F forfeit.
func sgfResult(s *Sheet) string {
	how := map[string]string{oxo.EndResigned: "R", oxo.EndTime: "T", oxo.EndIllegal: "F",
		oxo.EndCrashed: "F"}[s.Termination]
	switch s.Result {
	case oxo.FirstWins.String():
		return "B+" + how
	case oxo.SecondWins.String():
		return "W+" + how
	case oxo.Drawn.String():
		return "0"
	}
	return "?"
}

// psqTime is the code with which Piskvork marks a game that ended on time.
const psqTime = 15

// WritePSQ writes a game on a grid as Piskvork does: the size of the board,
// then column, row and milliseconds of each move, counted from 1 at the top
// left, then the players and a code that is 0 unless the game ended on time.
func WritePSQ(w io.Writer, s *Sheet, g Grid) error {
	stones, err := g.moveSquares(s)
	if err != nil {
		return fmt.Errorf("psq: %w", err)
	}
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "Piskvorky %dx%d, 11:11, 0\n", g.Cols, g.Rows)
	for i, at := range stones {
		fmt.Fprintf(b, "%d,%d,%d\n", at[0]+1, at[1]+1, s.note(i).Time.Milliseconds())
	}
	code := 0
	if s.Termination == oxo.EndTime {
		code = psqTime
	}
	fmt.Fprintf(b, "%s\n%s\n%d\n", psqPlayerName(s.First, 1), psqPlayerName(s.Second, 2), code)
	return within("psq", b.Flush())
}

// psqPlayerName makes a name fit for a line that no reader takes for a move.
func psqPlayerName(name string, seat int) string {
	name = strings.TrimSpace(singleLine(name))
	if name == "" || '0' <= name[0] && name[0] <= '9' || name[0] == '-' {
		return fmt.Sprintf("homo-%d %s", seat, name)
	}
	return name
}
