package cmd

import (
	"bytes"
	"fmt"
	"testing"
)

// TestWrapped: lines are broken on words alone, nothing but blanks is lost, and what
// goes on is below the description.
func TestWrapped(t *testing.T) {
	for _, c := range []struct {
		text  string
		width int
		want  string
	}{
		{"one two three four five\n", 20, "one two three four\nfive\n"},
		{"  one two three four five", 20, "  one two three four\n  five"},
		{"  --a x  one two three four five six\n", 22, "  --a x  one two three\n         four five six\n"},
		{"short\n\nshort\n", 20, "short\n\nshort\n"},
		{"anexceedinglylongwordwithoutblanks and more\n", 20, "anexceedinglylongwordwithoutblanks\nand more\n"},
		{"\x1b[1;31mone\x1b[0m two three fou\n", 20, "\x1b[1;31mone\x1b[0m two three fou\n"},
		{"one two three four five\n", 0, "one two three four five\n"},
		{"one two three four five\n", 19, "one two three four five\n"},
	} {
		if got := wrapText(c.text, c.width); got != c.want {
			t.Errorf("%q within %d: %q, want %q", c.text, c.width, got, c.want)
		}
	}
}

// TestSpellControls: what a name would have a terminal do is spelled out, what oxo has it do is done.
func TestSpellControls(t *testing.T) {
	for text, want := range map[string]string{
		"one\ttwo\n":                  "one\ttwo\n",
		red + "X" + normal + "\x1b[K": red + "X" + normal + "\x1b[K",
		"\r3 of 4\x1b[K":              "\r3 of 4\x1b[K",
		"a\x1b[2Jb\x1b]0;title\ac\rd": `a\x1b[2Jb\x1b]0;title\ac\rd`,
		"a\u009b2Jb\x7f\x00é":         `a\u009b2Jb\x7f\x00é`,
		"a\u202eb\u2066c\u200d":       `a\u202eb\u2066c` + "\u200d",
		"not UTF-8: \xff\x1b[5m":      "not UTF-8: \xff" + `\x1b[5m`,
	} {
		if got := spellControls(text); got != want {
			t.Errorf("%q is printed as %q, not %q", text, got, want)
		}
	}
	var out bytes.Buffer
	fmt.Fprint(&wrappingWriter{Writer: &out}, "a\x1b[2J")
	if out.String() != `a\x1b[2J` {
		t.Errorf("written: %q", &out)
	}
}
