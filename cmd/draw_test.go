package cmd

import (
	"bytes"
	"strings"
	"testing"

	"oxo/games/kind"
	"oxo/lab"
)

// TestNarrow draws the levels of a cube one below another where they don't fit
// beside each other.
func TestNarrow(t *testing.T) {
	g, err := (&lab.Lab{}).Game("qubic")
	if err != nil {
		t.Fatal(err)
	}
	state := lab.State{Position: strings.TrimSuffix(strings.Repeat("..../..../..../..../", 4), "/") + " x"}
	at := func(wide int) []string {
		c := canvas{info: g.Info(), wide: wide}
		return strings.Split(strings.TrimSuffix(c.draw(scene{state: state}), "\n"), "\n")
	}
	for _, c := range []struct{ wide, captions, lines int }{
		{0, 4, 6}, {71, 4, 6}, {70, 2, 13}, {52, 2, 13}, {35, 2, 13}, {34, 1, 27}, {1, 1, 27},
	} {
		lines := at(c.wide)
		if len(lines) != c.lines || strings.Count(lines[5], "level") != c.captions {
			t.Errorf("%d columns: %d lines\n%s", c.wide, len(lines), strings.Join(lines, "\n"))
		}
		for _, line := range lines {
			if c.wide > 17 && len(line) > c.wide {
				t.Errorf("%d columns: %d are used by %q", c.wide, len(line), line)
			}
		}
	}
}

// TestUndrawnWorths: moves from square to square, and those that are named by a mark's square, are listed with their
// worths, in lines that fit; moves to empty squares are drawn.
func TestUndrawnWorths(t *testing.T) {
	info := lab.Info{}
	for _, name := range []string{"a2", "b2", "a1", "b1"} {
		info.Squares = append(info.Squares, kind.Square{Name: name})
	}
	j := &lab.Judged{Position: "xo/.. x"}
	for _, m := range [][2]string{{"a2-a1", "+13"}, {"a1", "="}, {"x@b1", "="}, {"a2-b1", "−2"}, {"a2", "?"}} {
		var of lab.JudgedMove
		of.Move, of.Short = m[0], m[1]
		j.Moves = append(j.Moves, of)
	}
	for columns, want := range map[int]string{80: "  a2-a1 +13  a2-b1 −2   a2 ?\n",
		22: "  a2-a1 +13  a2-b1 −2\n  a2 ?\n", 9: "  a2-a1 +13\n  a2-b1 −2\n  a2 ?\n"} {
		if got := listUndrawnWorths(info, j, columns); got != want {
			t.Errorf("%d columns: %q, want %q", columns, got, want)
		}
	}
	j.Moves = j.Moves[1:3]
	if got := listUndrawnWorths(info, j, 80); got != "" {
		t.Errorf("moves that are drawn: %q", got)
	}
}

// TestClip cuts what does not fit a terminal's line.
func TestClip(t *testing.T) {
	for _, c := range []struct {
		text    string
		columns int
		want    string
	}{{"half a line", 0, "half a line"}, {"half a line", -1, "half a line"}, {"half a line", 11, "half a line"},
		{"½ a line", 7, "½ a li…"}, {"ab", 1, "…"}} {
		if got := clip(c.text, c.columns); got != c.want {
			t.Errorf("%q in %d columns: %q", c.text, c.columns, got)
		}
	}
	var pipe bytes.Buffer
	if n := terminalColumns(&wrappingWriter{Writer: &pipe}); n != 0 {
		t.Errorf("what is no terminal has %d columns", n)
	}
}
