package cmd

import (
	"bytes"
	"strings"
	"testing"

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
