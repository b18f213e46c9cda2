package cmd

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// wrappingWriter is where answers go. On a terminal its lines are broken on words; control characters in names are
// spelled out; and it remembers that an answer was lost, as on a full disk.
type wrappingWriter struct {
	io.Writer
	whole *bool // lines are never broken where that holds; nil for false
	mu    sync.Mutex
	err   error
}

// Write writes p, with lines broken to the terminal's width, and returns how much of p was written, not of the
// longer text that the breaks make of it. The first error is kept, as printf looks at none.
func (o *wrappingWriter) Write(p []byte) (int, error) {
	text := p
	if o.whole == nil || !*o.whole {
		text = []byte(wrapText(spellControls(string(p)), terminalColumns(o)))
	}
	n, err := o.Writer.Write(text)
	if err == nil {
		n = len(p)
	} else {
		n = min(n, len(p))
		o.mu.Lock()
		defer o.mu.Unlock()
		if o.err == nil {
			o.err = err
		}
	}
	return n, err
}

// firstError returns the first error of a write.
func (o *wrappingWriter) firstError() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.err
}

// rounded rounds a number to so many digits after the point. Printed with as many it is never a zero below zero.
func rounded(x float64, digits int) float64 {
	scale := math.Pow10(digits)
	return math.Round(x*scale)/scale + 0
}

// flagError says which flag is wrong, and what it takes.
func flagError(c *cobra.Command, err error) error {
	var bad *pflag.InvalidValueError
	var unknown *pflag.NotExistError
	switch {
	case errors.As(err, &bad) && (bad.GetFlag().Value.Type() == kindText || bad.GetFlag().Value.Type() == kindFile):
		err = fmt.Errorf("--%s %w", bad.GetFlag().Name, bad.Unwrap()) // which says what it takes
	case errors.As(err, &bad):
		err = fmt.Errorf("--%s %q: it must be %s", bad.GetFlag().Name, bad.GetValue(),
			cmp.Or(flagKinds[bad.GetFlag().Value.Type()], "a "+bad.GetFlag().Value.Type()))
	case errors.As(err, &unknown) && strings.IndexAny(unknown.GetSpecifiedShortnames(), "0123456789") == 0:
		err = fmt.Errorf("unexpected %q: no number here is below 0", "-"+unknown.GetSpecifiedShortnames())
	}
	if !c.HasParent() {
		return fmt.Errorf("%w; see oxo help", err)
	}
	return fmt.Errorf("%[1]s: %[2]w; see oxo help %[1]s", verbPath(c), err)
}

// flagKinds say what flags take, by their type.
var flagKinds = map[string]string{"int": "a whole number", "uint64": "a whole number, 0 or more",
	"float64": "a number", "duration": "a duration such as 100ms, 30s or 1h30m", "bool": "true or false"}

// help shows what a verb does and takes, or tells of a topic. A word that is both is a verb. With --json the text
// is a field of an object.
func (a *app) help(c *cobra.Command, args []string) error {
	verb, rest, err := c.Root().Find(args)
	if err == nil && len(args) == 1 && !verb.HasParent() {
		pages := append(topics(), topic{name: "reference", text: referencePage})
		if i := slices.IndexFunc(pages, func(t topic) bool { return t.name == args[0] }); i >= 0 {
			text := pages[i].text(a)
			return a.answer(helpAnswer{Text: text, Topic: args[0]}, func() { fmt.Fprint(a.out, text) })
		}
	}
	if err != nil {
		return err
	}
	if len(rest) > 0 && !verb.HasParent() {
		return fmt.Errorf("help: unknown verb %q; oxo help lists the verbs; topics are %s", rest[0],
			strings.Join(topicNames(), ", "))
	}
	if len(rest) > 0 {
		return fmt.Errorf("help: unexpected %q after %s", rest[0], verb.Name())
	}
	verb.InitDefaultHelpFlag()
	if !a.json {
		return verb.Help()
	}
	var text bytes.Buffer
	verb.SetOut(&text)
	return errors.Join(verb.Help(), a.printJSON(helpAnswer{Text: text.String(), Verb: verb.Name()}))
}

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
