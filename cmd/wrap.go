package cmd

import (
	"os"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// narrowest is the narrowest terminal whose lines are broken.
const narrowest = 20

// wrapText breaks lines on blanks so that none is wider than that where its words
// allow it. What goes on is put below the line's last column of text, as of a table
// with a description, or below the line's beginning.
func wrapText(text string, width int) string {
	if width < narrowest {
		return text
	}
	lines := strings.SplitAfter(text, "\n")
	for i, line := range lines {
		end := ""
		if strings.HasSuffix(line, "\n") {
			line, end = line[:len(line)-1], "\n"
		}
		if visibleWidth(line) > width {
			lines[i] = wrapLine(line, width) + end
		}
	}
	return strings.Join(lines, "")
}

// wrapLine breaks a line that is too wide.
func wrapLine(line string, width int) string {
	indent := hangingIndent(line)
	// A description that begins far to the right would leave no room for itself.
	if indent > width/2 {
		indent = min(4, width/4)
	}
	var b strings.Builder
	at, begun := 0, false // columns that are written, and whether they hold a word
	for len(line) > 0 {
		blanks := len(line) - len(strings.TrimLeft(line, " "))
		word := line[blanks:]
		if i := strings.IndexByte(word, ' '); i >= 0 {
			word = word[:i]
		}
		line = line[blanks+len(word):]
		if word == "" {
			break
		}
		if begun && at+blanks+visibleWidth(word) > width {
			b.WriteString("\n" + strings.Repeat(" ", indent))
			at, blanks = indent, 0
		}
		b.WriteString(strings.Repeat(" ", blanks) + word)
		at, begun = at+blanks+visibleWidth(word), true
	}
	return b.String()
}

// hangingIndent returns the column at which a line's description begins, after the last
// gap of several blanks in it, or else its indentation.
func hangingIndent(line string) int {
	text := strings.TrimLeft(line, " ")
	indent := len(line) - len(text)
	if i := strings.LastIndex(text, "  "); i >= 0 {
		return indent + utf8.RuneCountInString(text[:i+2])
	}
	return indent
}

// supportsEscapes reports whether w is a terminal that knows escape sequences.
func supportsEscapes(w any) bool { return isTerminal(w) && os.Getenv("TERM") != "dumb" }

// ownEscape is what oxo itself has a terminal do: colours, and wiping the rest of a line.
var ownEscape = regexp.MustCompile(`^\x1b\[(?:[0124]|1;31|1;34|1;42)?[mK]`)

// spellControls writes control characters that have come with a name or a file as Go does, \x1b for one, as a terminal
// would obey them, and so those that turn the direction of writing. Ends of lines, tabs, oxo's own escapes, and a
// return at the very beginning stay.
func spellControls(text string) string {
	foreign := func(c rune) bool {
		return unicode.IsControl(c) && c != '\n' && c != '\t' || unicode.Is(unicode.Bidi_Control, c)
	}
	if strings.IndexFunc(text, foreign) < 0 {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); {
		c, n := utf8.DecodeRuneInString(text[i:])
		if own := ownEscape.FindString(text[i:]); own != "" {
			n = len(own)
		} else if foreign(c) && (c != '\r' || i > 0) {
			b.WriteString(strings.Trim(strconv.QuoteRune(c), "'"))
			i += n
			continue
		}
		b.WriteString(text[i : i+n])
		i += n
	}
	return b.String()
}
