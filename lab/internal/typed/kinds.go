package typed

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"oxo"
	"oxo/board"
	"oxo/games/animal"
	"oxo/games/cube"
	"oxo/games/file"
	"oxo/games/grid"
	"oxo/games/kind"
	"oxo/games/meta"
	"oxo/games/plane"
	"oxo/games/race"
	"oxo/games/tree"
	"oxo/games/ultimate"
	"oxo/games/wide"
	"oxo/message"
)

// Kind is a way to name games that a lab can open.
type Kind struct {
	kind.Kind
	Levels []LevelFigure `json:"levels,omitempty" doc:"how strong the levels were measured to be in its games"`
	open   func(l *Lab, s kind.Spec) (Game, error)
}

// BuiltIn lists the kinds of games that oxo has. To add one is to add a line.
func BuiltIn() []Kind {
	return []Kind{
		PositionalKind(grid.TTT),
		PositionalKind(grid.MNK),
		KindOf(wide.Kind),
		PositionalKind(grid.Torus),
		PositionalKind(cube.Kind),
		PositionalKind(cube.Qubic),
		PositionalKind(animal.Kind),
		PositionalKind(plane.Kind),
		PositionalKind(file.Kind),
		KindOf(meta.Kind),
		KindOf(ultimate.Kind),
		KindOf(race.Kind),
		KindOf(tree.GameKind),
	}
}

// KindOf returns the kind of games whose positions are of type P. Here the code
// of all that a lab can do with a game is made for P.
func KindOf[P oxo.Position[P]](k kind.Of[P]) Kind {
	for _, p := range k.Players {
		k.Only = append(k.Only, p.GamePlayer)
	}
	return Kind{k.Kind, nil, func(l *Lab, s kind.Spec) (Game, error) {
		o, err := k.Open(s)
		if err != nil {
			return nil, err
		}
		b := bind(l, o, k.Words)
		b.only = k.Players
		return erase(b), nil
	}}
}

// PositionalKind returns the kind of games with squares and winning sets.
func PositionalKind(k kind.Positional) Kind {
	k.Proofs = true
	return Kind{k.Kind, nil, func(l *Lab, s kind.Spec) (Game, error) {
		d, err := k.Open(s)
		if err != nil {
			return nil, err
		}
		return bindPositional(l, &d, k.Words), nil
	}}
}

// bindPositional makes a positional game.
func bindPositional(l *Lab, d *kind.Design, words message.Table) Game {
	if d.Board.N <= 64 {
		return bindOnBoard(l, d, board.Game64(d.Spec, d.Title, d.Board, d.Rules), words)
	}
	return bindOnBoard(l, d, board.Game256(d.Spec, d.Title, d.Board, d.Rules), words)
}

// Game opens the game of that spec. The error names the word that is wrong and
// what is accepted.
func (l *Lab) Game(text string) (Game, error) {
	spec := l.resolveAlias(strings.TrimSpace(text))
	name := kind.NameIn(spec)
	err := l.unknownKindError(name)
	for _, k := range l.Kinds {
		if k.Name != name {
			continue
		}
		s := k.Split(spec)
		s.Read = l.readFile
		var g Game
		if g, err = k.open(l, s); err == nil {
			return g, nil
		}
		if !errors.Is(err, kind.ErrTooLarge) {
			break
		}
	}
	return nil, fmt.Errorf("game %q: %w", text, err)
}

// resolveAlias returns the spec of a game that is called by a word that people type for
// it, and any other spec as it is.
func (l *Lab) resolveAlias(spec string) string {
	name := kind.NameIn(spec)
	if slices.ContainsFunc(l.Kinds, func(k Kind) bool { return k.Name == name }) {
		return spec
	}
	for _, k := range l.Kinds {
		for _, o := range k.Offers {
			if slices.Contains(o.Also, strings.ToLower(name)) {
				return o.Spec + strings.TrimPrefix(spec, name)
			}
		}
	}
	return spec
}

func (l *Lab) unknownKindError(name string) error {
	var names []string
	for _, k := range l.Games() {
		names = append(names, k.Name)
	}
	return fmt.Errorf("no kind of game is called %q; there are %s", name, strings.Join(names, ", "))
}

// Games lists the kinds of games, each name once.
func (l *Lab) Games() []Kind {
	var list []Kind
	for _, k := range l.Kinds {
		if k.Form == "" {
			continue
		}
		if k.Options == nil {
			k.Options = []string{}
		}
		for _, f := range LevelFigures() {
			if kind.NameIn(f.Game) == k.Name {
				k.Levels = append(k.Levels, f)
			}
		}
		list = append(list, k)
	}
	return list
}

// KindOf returns the kind of that name, or the error that says which there are.
func (l *Lab) KindOf(name string) (Kind, error) {
	for _, k := range l.Games() {
		if k.Name == name {
			return k, nil
		}
	}
	return Kind{}, l.unknownKindError(name)
}

// Meanings says what each option of the kind means.
func (k *Kind) Meanings() [][2]string {
	words := kind.Words().With(k.Words)
	var list [][2]string
	for _, o := range k.Options {
		list = append(list, [2]string{o, words["option."+o]})
	}
	return list
}

// KindOfFile returns the kind of game that a JSON object holds: the first that
// has one of its fields, or else the last that files can hold.
func (l *Lab) KindOfFile(data []byte) (Kind, error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(data, &fields); err != nil {
		return Kind{}, fmt.Errorf("it is not a JSON object: %w", err)
	}
	var last Kind
	for _, k := range l.Games() {
		if k.File == nil {
			continue
		}
		last = k
		if slices.ContainsFunc(k.File.Fields, func(f string) bool { return fields[f] != nil }) {
			break
		}
	}
	if last.File == nil {
		return last, errors.New("no kind of game is read from a file here")
	}
	return last, nil
}

// opener opens the games that certificates are about.
type opener struct{ *Lab }

// Described opens a game by a spec that a certificate has, and no file for it.
func (o opener) Described(spec string) (Game, error) { return (&Lab{Kinds: o.Kinds}).Game(spec) }

// Positional returns a positional game of that design.
func (o opener) Positional(d *kind.Design) Game { return bindPositional(o.Lab, d, file.Kind.Words) }

// Opener returns what opens the games that certificates are about.
func Opener(l *Lab) Games { return opener{l} }
