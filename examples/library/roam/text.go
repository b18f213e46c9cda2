package roam

import (
	"fmt"
	"regexp"
	"strings"

	"oxo"
)

// square names square i, a3 to c1.
func square(i int) string { return fmt.Sprintf("%c%d", 'a'+i%3, 3-i/3) }

// moveName is a square, or two where a mark moves: a3-b2.
func moveName(m oxo.Move) string {
	to := square(int(m) % 9)
	if m >= 9 {
		return square(int(m)/9-1) + "-" + to
	}
	return to
}

func parseMove(p Pos, text string) (oxo.Move, error) {
	var names []string
	for _, m := range p.Moves(nil) {
		name := moveName(m)
		if name == text {
			return m, nil
		}
		names = append(names, name)
	}
	if names == nil {
		return oxo.NoMove, fmt.Errorf("move %q: the game is over", text)
	}
	return oxo.NoMove, fmt.Errorf("move %q: there are %s", text, strings.Join(names, ", "))
}

// shape is that of three rows from the top.
var shape = regexp.MustCompile(`^[.xo]{3}/[.xo]{3}/[.xo]{3}$`)

// format writes p as its rows from the top and the side to move: x../.o./... x.
func format(p Pos) string {
	var b strings.Builder
	for i := range 9 {
		if i == 3 || i == 6 {
			b.WriteByte('/')
		}
		b.WriteByte(".xo"[p.x>>i&1+p.o>>i&1*2])
	}
	return b.String() + " " + "xo"[p.turn:][:1]
}

func parse(text string) (Pos, error) {
	var p Pos
	board, side, _ := strings.Cut(text, " ")
	if !shape.MatchString(board) {
		return p, fmt.Errorf("position %q: want three rows and the side to move, such as %q", text, format(Pos{}))
	}
	for i, c := range strings.ReplaceAll(board, "/", "") {
		switch c {
		case 'x':
			p.x |= 1 << i
		case 'o':
			p.o |= 1 << i
		}
	}
	switch side {
	case "x":
	case "o":
		p.turn = oxo.Second
	default:
		return p, fmt.Errorf("position %q: side to move %q, want x or o", text, side)
	}
	if fault := p.fault(); fault != "" {
		return p, fmt.Errorf("unreachable position %q: %s", text, fault)
	}
	return p, nil
}
