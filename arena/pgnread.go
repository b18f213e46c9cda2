package arena

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"iter"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"oxo"
)

// SheetReader reads the sheets of a text one after the other, as WriteSheet
// writes them.
// line and game count from 1; an error has the line up to which the text was read.
type SheetReader struct {
	// Game is the game of moves without the tag Game, "" where none is known. Such moves need no result and
	// may be parted by commas.
	Game string

	in      *bufio.Reader
	line    int
	game    int
	newLine bool // whether the blanks that were passed last end a line
	moves   bool // whether the tags of the sheet are over
	atNext  bool // whether what is read next is the sheet after this one
	ended   bool // whether nothing is left of the text
}

// ErrNoGame says that a sheet does not name its game.
var ErrNoGame = errors.New("tag Game is missing, as in [Game \"mnk:3,3,3\"] 1. b2 a3 2. c3 *; moves alone, as in " +
	"1. b2 a3 2. c3, are read where their game is known")

// NewSheetReader returns a reader of the text.
func NewSheetReader(r io.Reader) *SheetReader {
	return &SheetReader{in: skipByteOrderMark(r), line: 1}
}

// skipByteOrderMark reads a text without the byte order mark that some editors begin it with.
func skipByteOrderMark(r io.Reader) *bufio.Reader {
	const mark = "\ufeff"
	in := bufio.NewReader(r)
	if begin, _ := in.Peek(len(mark)); string(begin) == mark {
		in.Discard(len(mark))
	}
	return in
}

// Limits on what a text may hold, against text that is no score sheet.
const (
	// A file of another kind is refused before it fills the memory.
	maxWord  = 1 << 16 // bytes of a tag, move or comment
	maxMoves = 1 << 16
)

// Next reads a sheet; io.EOF if there are no more. It reads words, not rules:
// [Replay] plays the moves. The error names the game and its line; the next call goes on with the sheet after it.
func (r *SheetReader) Next() (*Sheet, error) {
	if r.ended {
		return nil, io.EOF
	}
	r.game++
	r.moves, r.atNext = false, false
	s, err := r.readSheet()
	if err != nil && err != io.EOF {
		err = fmt.Errorf("game %d: line %d: %w", r.game, r.line, err)
		r.skipSheet()
	}
	return s, err
}

// skipSheet passes what is left of a sheet that can't be read: the rest of its line, its other tags, and lines up to
// one that begins with a tag.
func (r *SheetReader) skipSheet() {
	tags := !r.moves
	for whole := false; !r.atNext; whole = true {
		if begin, _ := r.in.Peek(1); whole && !tags && string(begin) == "[" {
			return
		}
		last := byte(' ') // that is no blank
		for c := last; c != '\n'; {
			var err error
			if c, err = r.in.ReadByte(); err != nil {
				r.ended = true
				return
			}
			if c > ' ' {
				last = c
			}
		}
		r.line++
		tags = tags && (last == ']' || last == ' ' && !whole)
	}
}

// errJournal says what a journal is, which looks like a file of games.
var errJournal = errors.New("this is the journal of a contest, which goes on from it; with --save FILE beside " +
	"--journal the run that ends a contest adds its games to a file of score sheets, and those of a job on a server " +
	"are at /api/v1/jobs/ID/sheets")

// refuseOtherFormat says so where what follows is a game as [WriteSGF] or [WritePSQ] write it, or a [Journal].
func (r *SheetReader) refuseOtherFormat() error {
	const journal = `{"journal":`
	if begin, _ := r.in.Peek(len(journal)); string(begin) == journal {
		return errJournal
	}
	for _, f := range []struct{ begin, name string }{{"(;", "an SGF file"}, {"Piskvorky ", "a file of Piskvork's"}} {
		if begin, _ := r.in.Peek(len(f.begin)); string(begin) == f.begin {
			return fmt.Errorf("this is %s, which is written for other programs and never read; read are score sheets, "+
				"as in [Game \"mnk:3,3,3\"] 1. b2 a3 2. c3 *, and moves alone, as in 1. b2 a3 2. c3", f.name)
		}
	}
	return nil
}

// readSheet reads the next sheet: its tags, its moves with their notes, and the result.
// Tags come before all moves. Where none names the game, it is the reader's, and the result may be missing.
func (r *SheetReader) readSheet() (*Sheet, error) {
	c, err := r.skipBlanks()
	if err != nil {
		return nil, err
	}
	if err := r.refuseOtherFormat(); err != nil {
		return nil, err
	}
	s := &Sheet{}
	tags := map[string]bool{}
	var opening string
	for c == '[' {
		name, value, err := r.readTag()
		if err != nil {
			return nil, err
		}
		if tags[name] {
			return nil, fmt.Errorf("tag %s is there twice", name)
		}
		tags[name] = true
		if name == "Opening" {
			opening = value
		} else if err := s.setTag(name, value); err != nil {
			return nil, err
		}
		if c, err = r.skipBlanks(); err != nil {
			return nil, explainEOF(err)
		}
	}
	r.moves = true
	plain := s.Game == ""
	if s.Game = cmp.Or(s.Game, r.Game); s.Game == "" {
		return nil, ErrNoGame
	}
	result, err := r.readMoves(s, plain)
	if err != nil {
		return nil, err
	}
	if tags["Result"] && s.Result != result {
		return nil, fmt.Errorf("tag Result says %s, the end of the moves %s", s.Result, result)
	}
	s.Result = result
	return s, s.setOpeningLength(opening)
}

// date is a day as sheets write it; of one of which only the year, or the month, is known the rest are question marks.
var date = regexp.MustCompile(`^\d{4}\.(\d\d|\?\?)\.(\d\d|\?\?)$`)

// setTag enters a tag. Tags of other programs are passed over.
// A tag that means something here and has a value that can't be is an error; Date alone is passed over then.
func (s *Sheet) setTag(name, value string) (err error) {
	texts := map[string]*string{"Game": &s.Game, "Variant": &s.Title, "First": &s.First, "Second": &s.Second,
		"TimeControl": &s.TimeControl, "Start": &s.Start, "Final": &s.Final,
		"Reason": &s.Reason, "File": &s.File}
	if text := texts[name]; text != nil {
		*text = value
		return nil
	}
	switch name {
	case "Date":
		if date.MatchString(value) { // others say what they like there, and that they do not know
			s.Date = strings.ReplaceAll(value, ".", "-")
		}
	case "FEN", "SetUp", "Position":
		return fmt.Errorf("tag %s is not read; the position that a game starts from stands in tag Start", name)
	case "Axis":
		if value != axis {
			return fmt.Errorf("tag Axis is %q; only %q is read", value, axis)
		}
	case "Seed":
		if s.Seed, err = strconv.ParseUint(value, 10, 64); err != nil {
			return fmt.Errorf("tag Seed is %q; it must be a number", value)
		}
	case "Termination":
		if s.Termination = value; !slices.Contains(oxo.Terminations(), value) {
			return fmt.Errorf("tag Termination is %q; terminations are %s", value,
				strings.Join(oxo.Terminations(), ", "))
		}
	case "Result":
		if s.Result = resultOfToken(value); s.Result == "" {
			return fmt.Errorf("tag Result is %q; results are 1-0, 0-1, 1/2-1/2 and *", value)
		}
	}
	return nil
}

// setOpeningLength enters how many moves the opening has, which must be how the moves begin.
func (s *Sheet) setOpeningLength(openingMoves string) error {
	words := &SheetReader{in: bufio.NewReader(strings.NewReader(openingMoves)), line: 1}
	for {
		c, err := words.skipBlanks()
		if err == io.EOF {
			return nil
		}
		var m string
		if err == nil {
			_, m, err = words.readMoveWord(c)
		}
		if err != nil {
			return fmt.Errorf("tag Opening: %w", err)
		}
		if s.Opening >= len(s.Moves) || s.Moves[s.Opening] != m {
			return fmt.Errorf("tag Opening is %q, which is not how the moves begin", openingMoves)
		}
		s.Opening++
	}
}

// readMoves reads moves, numbers and comments up to the result; where that is optional up to the end of the text
// too, and then it is "".
// The result is that of the token which ends the sheet, else that of the tag.
func (r *SheetReader) readMoves(s *Sheet, resultOptional bool) (result string, err error) {
	s.Moves = []string{}
	numbers := moveNumbers{anyStart: s.Start != ""}
	for {
		c, err := r.skipBlanks()
		if resultOptional && err == io.EOF {
			s.padNotes()
			return s.Result, nil
		}
		if err != nil {
			return "", explainEOF(err)
		}
		switch c {
		case '{', ';':
			comment, err := r.readComment(c)
			if err != nil {
				return "", err
			}
			s.annotate(comment)
		case '[':
			r.atNext = r.newLine
			return "", errors.New("a tag stands among the moves; the result is missing")
		case '(', ')', '$':
			return "", fmt.Errorf("%q: variations and glyphs are not read", string(rune(c)))
		case '}', ']', '\\':
			return "", fmt.Errorf("%q begins no move", string(rune(c)))
		default:
			number, word, err := r.readMoveWord(c)
			if err == nil {
				err = numbers.check(number, len(s.Moves))
			}
			if err != nil {
				return "", fmt.Errorf("move %d: %w", len(s.Moves)+1, err)
			}
			if result := resultOfToken(word); result != "" && c != '"' {
				s.padNotes()
				return result, nil
			}
			if word == "" && c != '"' {
				continue // a number alone
			}
			words := []string{word}
			if resultOptional && c != '"' {
				words = strings.FieldsFunc(word, func(c rune) bool { return c == ',' })
			}
			if len(s.Moves)+len(words) > maxMoves {
				return "", fmt.Errorf("there are more than %d moves", maxMoves)
			}
			s.Moves = append(s.Moves, words...)
		}
	}
}

// annotate adds a comment to the last move; one before the first move is
// dropped.
func (s *Sheet) annotate(comment string) {
	if len(s.Moves) == 0 || comment == "" {
		return
	}
	s.Notes = append(s.Notes, make([]Note, len(s.Moves)-len(s.Notes))...)
	last := &s.Notes[len(s.Moves)-1]
	if *last == (Note{}) {
		*last = parseNote(comment)
	} else {
		last.Text = strings.TrimSpace(last.Text + " " + comment)
	}
}

// padNotes gives every move a note where any has one.
func (s *Sheet) padNotes() {
	if len(s.Notes) > 0 {
		s.Notes = append(s.Notes, make([]Note, len(s.Moves)-len(s.Notes))...)
	}
}

// explainEOF says what the end of the text means within a game.
func explainEOF(err error) error {
	if err == io.EOF {
		return errors.New("the text ends without a result, such as 1-0 or *")
	}
	return err
}

// skipBlanks passes blanks and returns the byte after them, which stays unread.
func (r *SheetReader) skipBlanks() (next byte, err error) {
	for r.newLine = false; ; {
		c, err := r.in.ReadByte()
		if err != nil {
			return 0, err
		}
		switch c {
		case '\n':
			r.line, r.newLine = r.line+1, true
		case ' ', '\t', '\r':
		default:
			return c, r.in.UnreadByte()
		}
	}
}

// readUntil reads up to and without the byte that ends a word; stop says so. At
// the end of the text it ends as well.
func (r *SheetReader) readUntil(stop func(byte) bool) (string, error) {
	var word []byte
	for {
		c, err := r.in.ReadByte()
		if err == io.EOF {
			return string(word), nil
		}
		if err != nil {
			return "", err
		}
		if stop(c) {
			return string(word), r.in.UnreadByte()
		}
		if c == '\n' {
			r.line++
		}
		if word = append(word, c); len(word) > maxWord {
			return "", fmt.Errorf("%.20q… is too long", word)
		}
	}
}

// readTag reads [Name "value"].
func (r *SheetReader) readTag() (name, value string, err error) {
	r.in.Discard(1)
	if name, err = r.readUntil(func(c byte) bool { return strings.IndexByte(" \t\r\n\"]", c) >= 0 }); err != nil {
		return
	}
	if c, err := r.skipBlanks(); err != nil || c != '"' || name == "" {
		return "", "", fmt.Errorf("tag %q: a tag has a name and a value in quotes, as in [Result \"1-0\"]", name)
	}
	if value, err = r.readQuoted(); err != nil {
		return "", "", fmt.Errorf("tag %s: %w", name, err)
	}
	if c, err := r.skipBlanks(); err != nil || c != ']' {
		return "", "", fmt.Errorf("tag %s: ] is missing after the value", name)
	}
	_, err = r.in.Discard(1)
	return name, value, err
}

// readQuoted reads a text in quotes.
// A backslash has the byte after it stand for itself; the text ends within its line.
func (r *SheetReader) readQuoted() (string, error) {
	r.in.Discard(1)
	var text []byte
	for {
		c, err := r.in.ReadByte()
		if c == '\\' && err == nil {
			c, err = r.in.ReadByte()
		} else if c == '"' && err == nil {
			return singleLine(string(text)), nil
		}
		if c == '\n' && err == nil {
			err = r.in.UnreadByte()
		}
		if err != nil || c == '\n' {
			return "", fmt.Errorf("%.20q: the closing quote is missing", text)
		}
		if text = append(text, c); len(text) > maxWord {
			return "", fmt.Errorf("%.20q… is too long", text)
		}
	}
}

// readMoveWord reads a word of the moves that begins with c: a move, or a number with its dots, or both.
func (r *SheetReader) readMoveWord(c byte) (number, move string, err error) {
	if c == '"' {
		move, err = r.readQuoted()
		return "", move, err
	}
	first := true
	word, err := r.readUntil(func(c byte) bool {
		ends := strings.IndexByte(" \t\r\n{}[]();$\"\\", c) >= 0 && !first
		first = false
		return ends
	})
	if err != nil {
		return "", "", err
	}
	// "12.a1" is a number and a move
	if dot := strings.LastIndexByte(word, '.'); dot == len(word)-1 || dot >= 0 &&
		strings.Trim(word[:dot], "0123456789.") == "" {
		number, word = word[:dot+1], word[dot+1:]
	}
	return number, singleLine(word), nil
}

// moveNumbers are the numbers of a sheet's moves: each counts a move of First and the one of Second after it, or every
// move, where the second has a 2.
type moveNumbers struct {
	everyMove bool
	anyStart  bool // either side may begin
}

// check refuses a number before a move that is not the one which the move has, after so many others. Dots alone are no
// number.
// The first two numbers tell which way of counting a sheet has: a 2 before the second move counts every move.
func (m *moveNumbers) check(number string, before int) error {
	digits := strings.TrimRight(number, ".")
	n, err := strconv.Atoi(digits)
	m.everyMove = m.everyMove || before == 1 && n == 2
	want := before/2 + 1
	if m.everyMove {
		want = before + 1
	}
	if digits != "" && err != nil {
		return fmt.Errorf("%q is no number of a move", number)
	} else if before == 0 && !m.anyStart && strings.HasSuffix(number, "..") {
		return fmt.Errorf("%q is the number of a move of the second side, and the first begins", number)
	} else if digits != "" && n != want {
		return fmt.Errorf("its number is %d, not %d: a move is missing or one too many", n, want)
	}
	return nil
}

// readComment reads {…} or ; to the end of the line.
func (r *SheetReader) readComment(open byte) (string, error) {
	r.in.Discard(1)
	if open == ';' {
		text, err := r.readUntil(func(c byte) bool { return c == '\n' })
		return strings.TrimSpace(singleLine(text)), err
	}
	text, err := r.readUntil(func(c byte) bool { return c == '}' })
	if err != nil {
		return "", err
	}
	if _, err := r.in.Discard(1); err != nil {
		return "", fmt.Errorf("comment %.20q: } is missing", text)
	}
	return strings.TrimSpace(singleLine(text)), nil
}

// EachSheet yields the sheets of a text, one after the other, or for one that can't be read what is wrong with it.
// Each is checked, as by [ReplayCheck] of its game, so that no sheet breaks the rules. Those that name no game
// are of the one that is given, if any. An error names the game's number in the text.
func EachSheet(r io.Reader, game string, check func(*Sheet) error) iter.Seq2[*Sheet, error] {
	return func(yield func(*Sheet, error) bool) {
		in := NewSheetReader(r)
		in.Game = game
		for {
			s, err := in.Next()
			if err == io.EOF {
				return
			}
			if err == nil {
				if err = check(s); err != nil {
					s, err = nil, fmt.Errorf("game %d: %w", in.game, err)
				}
			}
			if !yield(s, err) {
				return
			}
		}
	}
}

// ReadSheets reads all sheets of a text as [EachSheet] does; the first that can't be read is its error.
func ReadSheets(r io.Reader, game string, check func(*Sheet) error) ([]*Sheet, error) {
	var list []*Sheet
	for s, err := range EachSheet(r, game, check) {
		if err != nil {
			return nil, err
		}
		list = append(list, s)
	}
	return slices.Clip(list), nil
}

// ReplayCheck returns the check of sheets by the rules of a game.
func ReplayCheck[P oxo.Position[P]](g *oxo.Game[P]) func(*Sheet) error {
	return func(s *Sheet) error {
		_, _, err := Replay(g, s)
		return err
	}
}
