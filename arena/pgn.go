package arena

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"oxo"
)

// results are the results by how the text of sheets writes them.
var results = map[string]string{
	"1-0":     oxo.FirstWins.String(),
	"0-1":     oxo.SecondWins.String(),
	"1/2-1/2": oxo.Drawn.String(),
	"*":       oxo.Ongoing.String(),
}

// axis says where squares are counted from.
const axis = "a1 is bottom left"

// WriteSheet writes a sheet in the way of PGN: tags in brackets, a blank line,
// numbered moves with comments, and the result. A comment after a move has the
// form {value/depth time}: the value to the mover from -1 to 1 with a ! where
// it is exact, or - for none; the plies looked ahead; and seconds. A remark
// follows after a comma. Moves that would be mistaken for something else are
// put in quotes.
func WriteSheet(w io.Writer, s *Sheet) error {
	b := bufio.NewWriter(w)
	result := resultToken(s.Result)
	opening := make([]string, min(s.Opening, len(s.Moves)))
	for i := range opening {
		opening[i] = moveToken(s.Moves[i])
	}
	for _, tag := range [][2]string{
		{"Game", s.Game}, {"Variant", s.Title}, {"Date", strings.ReplaceAll(s.Date, "-", ".")}, {"First", s.First},
		{"Second", s.Second}, {"Result", result},
		{"TimeControl", s.TimeControl}, {"Termination", s.Termination}, {"Opening", strings.Join(opening, " ")},
		{"Axis", axis}, {"Seed", strconv.FormatUint(s.Seed, 10)}, {"Start", s.Start}, {"Final", s.Final},
		{"Reason", s.Reason}, {"File", s.File},
	} {
		if tag[1] != "" || tag[0] == "Opening" {
			fmt.Fprintf(b, "[%s %s]\n", tag[0], quote(tag[1]))
		}
	}
	b.WriteByte('\n')
	for i, m := range s.Moves {
		if i%2 == 0 {
			fmt.Fprintf(b, "%d. ", i/2+1)
		}
		b.WriteString(moveToken(m))
		if comment := s.note(i).String(); comment != "" {
			fmt.Fprintf(b, " {%s}", comment)
		}
		if i%2 == 0 {
			b.WriteByte(' ')
		} else {
			b.WriteByte('\n')
		}
	}
	fmt.Fprintf(b, "%s\n\n", result)
	return within("write game", b.Flush())
}

// within says of an error where it has come up.
func within(place string, err error) error {
	if err != nil {
		return fmt.Errorf("%s: %w", place, err)
	}
	return nil
}

// moveToken writes a move so that it is read as one.
func moveToken(m string) string {
	if m == "" || strings.ContainsFunc(m, func(c rune) bool {
		return c <= ' ' || c > '~' || strings.ContainsRune("{}[]();$\"\\.", c)
	}) || resultOfToken(m) != "" {
		return quote(m)
	}
	return m
}

// resultToken returns how sheets write a result.
func resultToken(result string) string {
	for token, meant := range results {
		if meant == result {
			return token
		}
	}
	return "*"
}

// resultOfToken returns the result that a token means, or "".
func resultOfToken(token string) string { return results[token] }

// singleLine makes a text fit for a line: control characters and what is not UTF-8
// become blanks.
func singleLine(text string) string {
	return strings.Map(func(c rune) rune {
		if c < ' ' || c == 0x7f || c == '\uFFFD' {
			return ' '
		}
		return c
	}, text)
}

// quote writes a text in quotes, with \ before quotes and backslashes.
func quote(text string) string {
	return `"` + quoted.Replace(singleLine(text)) + `"`
}

// quoted puts \ before quotes and backslashes.
var quoted = strings.NewReplacer(`\`, `\\`, `"`, `\"`)

// String writes the note as a comment without its braces; "" if it says
// nothing.
func (n Note) String() string {
	text := strings.TrimSpace(strings.Map(func(c rune) rune {
		switch c {
		case '{':
			return '('
		case '}':
			return ')'
		}
		return c
	}, singleLine(n.Text)))
	if !n.Timed && !n.Scored && n.Depth <= 0 {
		return text
	}
	value := "-"
	if n.Scored && !math.IsNaN(n.Value) && !math.IsInf(n.Value, 0) {
		value = fmt.Sprintf("%+.4f", math.Round(n.Value*1e4)/1e4+0) // never a zero below zero
		value = strings.TrimRight(value, "0")
		value = strings.TrimSuffix(value, ".")
		if n.Exact {
			value += "!"
		}
	}
	head := fmt.Sprintf("%s/%d", value, max(n.Depth, 0))
	if n.Timed {
		head += " " + strconv.FormatFloat(max(n.Time, 0).Round(time.Microsecond).Seconds(), 'f', -1, 64) + "s"
	}
	if text != "" {
		head += ", " + text
	}
	return head
}

// parseNote reads a comment. One that is not of the form is a remark.
func parseNote(comment string) Note {
	comment = strings.TrimSpace(comment)
	head, text, _ := strings.Cut(comment, ", ")
	if n, ok := parseNoteHead(head); ok {
		n.Text = strings.TrimSpace(text)
		return n
	}
	return Note{Text: comment}
}

// parseNoteHead reads the head of a note, VALUE/DEPTH or VALUE/DEPTH SECONDSs, and reports whether it is one.
func parseNoteHead(head string) (n Note, ok bool) {
	value, rest, found := strings.Cut(head, "/")
	depth, seconds, timed := strings.Cut(rest, " ")
	var err error
	if n.Depth, err = strconv.Atoi(depth); !found || err != nil || !isDecimal(depth) {
		return n, false
	}
	if timed {
		seconds, found = strings.CutSuffix(seconds, "s")
		s, err := strconv.ParseFloat(seconds, 64)
		if !found || err != nil || !isDecimal(seconds) || s > 1e9 {
			return n, false
		}
		n.Timed, n.Time = true, time.Duration(math.Round(s*1e6))*time.Microsecond
	}
	if value == "-" {
		return n, true
	}
	value, n.Exact = strings.CutSuffix(value, "!")
	if value == "" || value[0] != '+' && value[0] != '-' || !isDecimal(value[1:]) {
		return n, false
	}
	n.Scored = true
	n.Value, err = strconv.ParseFloat(value, 64)
	return n, err == nil && math.Abs(n.Value) < 1e9
}

// isDecimal reports whether the text is digits with at most one point among them.
func isDecimal(text string) bool {
	return text != "" && strings.Trim(text, "0123456789.") == "" && strings.Count(text, ".") <= 1 && text != "."
}
