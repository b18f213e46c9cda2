package file

import (
	"cmp"
	"errors"
	"strings"

	"oxo/board"
	"oxo/games/kind"
	"oxo/message"
)

// name is what specs of the kind begin with, before a colon and the path.
const name = "file"

// Kind is a positional game from a file.
var Kind = kind.Positional{
	Kind: kind.Kind{
		Name: name, Form: "file:PATH", About: "squares and winning sets from JSON",
		Options: kind.PositionalOptions(kind.Gravity), Words: words,
		File: &kind.FileFormat{Fields: []string{"squares", "winning"}, Shape: [][2]string{
			{"name", "the game's name"},
			{"squares", "how many squares there are, at most 256; they are numbered from 1"},
			{"winning", "the winning sets, each a list of squares"},
			{"below", "where marks fall: for each square the one that must be filled first, 0 for none; may be left " +
				"out"},
			{"layout", "where to draw each square: [column, row] or [column, row, level]; may be left out"},
			{"option", "as after + in a spec; may be left out"},
		}, Example: `{"name": "two crossing pairs", "squares": 3, "winning": [[1, 2], [2, 3]], "layout": [[0, 0], [1, 0], [0, 1]]}`},
	},
	Open: open,
}

// open reads the file that a spec names. The file's own option counts first, and those of the spec are added to it:
// together they must be a game's rules. The game's identity is what is in the file, not its path.
func open(s kind.Spec) (kind.Design, error) {
	text, identity, err := s.ReadText()
	if err != nil {
		return kind.Design{}, err
	}
	f, err := Parse(text)
	if err != nil {
		return kind.Design{}, err
	}
	var own []string
	if f.Option != "" {
		own = strings.Split(strings.TrimPrefix(f.Option, "+"), "+")
	}
	o, err := s.ReadSettings(append(own, s.Options...))
	if err = cmp.Or(err, o.RefuseExact()); err != nil {
		return kind.Design{}, err
	}
	if o.Gravity && f.Board.Below == nil {
		return kind.Design{}, errors.New(`option gravity: the file has no "below"`)
	}
	o.Gravity = false // the file says it
	// A file's own option is not repeated in the spec.
	shown, err := s.ReadSettings(s.Options)
	if err != nil {
		return kind.Design{}, err
	}
	shown.Gravity = false
	d := Design(s.Args+shown.Suffix(), f.Name, f.Board, o)
	d.Title = o.TitleWithOptions(d.Title)
	d.Identity = identity + o.Suffix()
	return d, nil
}

// Design returns a game with that board and those settings. What follows the kind's name in its spec need not name
// a file: games out of certificates have their board from elsewhere.
func Design(called, title string, b *board.Board, o kind.Settings) kind.Design {
	return kind.Design{Spec: name + ":" + called, Board: b, Settings: o,
		Title: message.Of("title.own", message.Args{"title": title}),
		Aim:   message.Message{Key: "aim.set"}, Look: kind.Look{Drawn: kind.Points, Unseen: true}}
}

// words has the English of the kind's messages.
var words = message.Table{"aim.set": "all squares of a winning set"}
