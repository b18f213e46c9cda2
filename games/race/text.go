package race

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"oxo"
)

// format writes p as the row of squares and the side to move, such as
// "x..o x".
func format(p Pos) string {
	text := bytes.Repeat([]byte{'.'}, int(p.n))
	text[p.x-1], text[p.o-1] = 'x', 'o'
	return string(text) + " " + "xo"[p.turn:][:1]
}

// parse reads a position as format writes it, or as the squares of the two tokens, such
// as "(1,4) x", where x is to move unless o is named.
func (r *reachableRow) parse(text string) (Pos, error) {
	if strings.HasPrefix(text, "(") {
		row, err := r.formatSquarePair(text)
		if err != nil {
			return Pos{}, err
		}
		text = row
	}
	squares, side, _ := strings.Cut(text, " ")
	if len(squares) != r.n {
		return Pos{}, fmt.Errorf("position %q: %d squares, want %d and then the side to move, such as %q", text,
			len(squares), r.n, format(r.start))
	}
	if i := strings.IndexFunc(squares, func(c rune) bool { return !strings.ContainsRune("xo.", c) }); i >= 0 {
		return Pos{}, fmt.Errorf("position %q, square %d: want x, o or a dot", text, i+1)
	}
	if x, o := strings.Count(squares, "x"), strings.Count(squares, "o"); x != 1 || o != 1 {
		return Pos{}, fmt.Errorf("position %q: %d x and %d o, want one of each", text, x, o)
	}
	p := Pos{n: uint8(r.n), x: uint8(strings.IndexByte(squares, 'x') + 1),
		o: uint8(strings.IndexByte(squares, 'o') + 1)}
	switch side {
	case "x":
	case "o":
		p.turn = oxo.Second
	default:
		return Pos{}, fmt.Errorf("position %q: side to move %q, want x or o", text, side)
	}
	switch _, ok := r.decode(code(p)); {
	case ok:
		return p, nil
	case int(p.x) == r.n && p.o == 1:
		return Pos{}, fmt.Errorf("unreachable position %q: both tokens are across", text)
	case p.Outcome() == oxo.WinFor(p.turn):
		return Pos{}, fmt.Errorf("unreachable position %q: %s has won, so %s moved last", text, side, side)
	}
	return Pos{}, fmt.Errorf("unreachable position %q: no moves lead there from %q", text, format(r.start))
}

// formatSquarePair turns a position given by the two squares of its tokens into its row of signs.
func (r *reachableRow) formatSquarePair(text string) (string, error) {
	wrong := fmt.Errorf("position %q: want the squares of x and o, two of 1 to %d, and then the side to move, such as "+
		"\"(1,%d) x\"", text, r.n, r.n)
	pair, side, closed := strings.Cut(text[1:], ")")
	first, second, both := strings.Cut(pair, ",")
	x, errX := strconv.Atoi(strings.TrimSpace(first))
	o, errO := strconv.Atoi(strings.TrimSpace(second))
	if side = strings.TrimSpace(side); side == "" {
		side = "x"
	}
	if !closed || !both || errX != nil || errO != nil || min(x, o) < 1 || max(x, o) > r.n || x == o {
		return "", wrong
	}
	row := bytes.Repeat([]byte{'.'}, r.n)
	row[x-1], row[o-1] = 'x', 'o'
	return string(row) + " " + side, nil
}

// parseMove reads the number of the square to move to.
func parseMove(p Pos, text string) (oxo.Move, error) {
	if p.Outcome() != oxo.Ongoing {
		return oxo.NoMove, fmt.Errorf("move %q: the game is over", text)
	}
	var names []string
	for _, m := range p.Moves(nil) {
		name := strconv.Itoa(int(m) + 1)
		if name == text {
			return m, nil
		}
		names = append(names, name)
	}
	return oxo.NoMove, fmt.Errorf("move %q: want square %s", text, strings.Join(names, " or "))
}
