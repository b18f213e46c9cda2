package players

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"oxo/board"
	"oxo/lab/internal/game"
)

// Description is what is to be known of a kind of players without a game.
type Description struct {
	Name  string
	Form  string // the name with its options, as help shows them; empty where there are none
	About string // a line on how it plays

	Outside    bool // a program has brought it
	Local      bool // it needs a person or a program of this machine, so that no server plays it for others
	Quick      bool // it moves at once
	BySolution bool // it plays by the game solved, and then moves at once
	DrawsBest  bool // it draws among all moves that keep the position's value
	ByMarks    bool // it goes by the marks alone, and so also on boards that no play leads to

	file func(args string) File // the file that a spec names; nil where none can
}

// File is a file that a player's spec names.
type File struct {
	Option string // that names it; empty where it is all that stands behind the colon
	Path   string // empty for none
	Brain  bool   // it is a brain, which a lab may keep by its name
}

// wholeFile is a file that is all that a spec has behind its colon.
func wholeFile(args string) File { return File{Path: args} }

// soleFile is the file of the only option, whose value is all that follows: specs of games have commas.
func soleFile(args string) File {
	option, path, _ := strings.Cut(args, "=")
	return File{Option: option, Path: path}
}

// fileOption is the file of one of several options.
func fileOption(option string) func(args string) File {
	return func(args string) File {
		_, value, _ := strings.Cut(","+args, ","+option+"=")
		value, _, _ = strings.Cut(value, ",")
		return File{Option: option, Path: value}
	}
}

// evalFile is the file of an evaluation, where a file's is asked for.
func evalFile(args string) File {
	f := fileOption("eval")(args)
	f.Path, f.Brain = EvalFile(f.Path)
	return f
}

// EvalFile returns the file that an evaluation's name stands for, empty where it is none's, and whether it is a brain.
func EvalFile(eval string) (path string, brain bool) {
	if path, brain = strings.CutPrefix(eval, brainPrefix); brain {
		return path, true
	}
	if strings.HasSuffix(eval, ".net") {
		return eval, false
	}
	return "", false
}

// person is who is no program.
var person = Description{Name: game.Human, About: "a person", Local: true, ByMarks: true}

// Kinds lists the kinds of players of all games: people, oxo's own, and those that the lab has more.
func Kinds(l *game.Lab) []Description {
	list := []Description{person}
	for _, k := range playerKinds[board.Pos64]() { // they are the same for all types of positions
		k.BySolution = k.bySolution != nil
		list = append(list, k.Description)
	}
	for _, k := range l.Players {
		list = append(list, Description{Name: k.Name, Form: k.Form, About: k.About, Outside: true})
	}
	for i := range list {
		list[i].Form = cmp.Or(list[i].Form, list[i].Name)
	}
	return list
}

// Describe returns what is to be known of the player of that spec, and what stands behind its colon. Of a name that
// only one game knows, or none, it is empty.
func Describe(l *game.Lab, spec string) (k Description, args string) {
	name, args, _ := strings.Cut(spec, ":")
	list := Kinds(l)
	if i := slices.IndexFunc(list, func(k Description) bool { return k.Name == name }); i >= 0 {
		k = list[i]
	}
	return k, args
}

// FileOf returns the file that a player's spec names.
func FileOf(l *game.Lab, spec string) File {
	if k, args := Describe(l, spec); k.file != nil {
		return k.file(args)
	}
	return File{}
}

// RefuseUnlessByMarks refuses players that need more than the marks on a board. They are asked about positions
// that no play leads to, of which others might believe what can't be so.
func RefuseUnlessByMarks(l *game.Lab, spec string) error {
	if k, _ := Describe(l, spec); k.ByMarks {
		return nil
	}
	return fmt.Errorf("only %s play on, not %s", NamesByMarks(l), spec)
}

// NamesByMarks names the players that go by the marks alone, as in a sentence.
func NamesByMarks(l *game.Lab) string {
	var names []string
	for _, k := range Kinds(l) {
		if k.ByMarks {
			names = append(names, k.Name)
		}
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " and " + names[last]
}
