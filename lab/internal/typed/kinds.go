package typed

import (
	"context"
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
	open   func(ctx context.Context, l *Lab, s kind.Spec) (Game, error)
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
	return Kind{k.Kind, nil, func(_ context.Context, l *Lab, s kind.Spec) (Game, error) {
		o, err := k.Open(s)
		if err != nil {
			return nil, err
		}
		b := bind(l, o, k.Words)
		b.only = k.Players
		return b, nil
	}}
}

// PositionalKind returns the kind of games with squares and winning sets.
func PositionalKind(k kind.Positional) Kind {
	k.Proofs = true
	return Kind{k.Kind, nil, func(ctx context.Context, l *Lab, s kind.Spec) (Game, error) {
		d, err := k.Open(s)
		if err != nil {
			return nil, err
		}
		if _, err := d.Board.GroupWithin(ctx); err != nil {
			return nil, fmt.Errorf("its symmetries take too long to find: %w", err)
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

// kinds lists the kinds of games that the lab knows.
func (l *Lab) kinds() []Kind {
	if l.Kinds == nil {
		return BuiltIn()
	}
	return l.Kinds
}

// Game opens the game of that spec. The error names the word that is wrong and
// what is accepted.
func (l *Lab) Game(text string) (Game, error) { return l.GameWithin(context.Background(), text) }

// GameWithin is Game, unless ctx is done before the game's symmetries are found.
func (l *Lab) GameWithin(ctx context.Context, text string) (Game, error) {
	spec := l.resolveAlias(strings.TrimSpace(text))
	name := kind.NameIn(spec)
	err := l.unknownKindError(name)
	for _, k := range l.kinds() {
		if k.Name != name {
			continue
		}
		s := k.Split(spec)
		s.Read = l.readFile
		var g Game
		if g, err = k.open(ctx, l, s); err == nil {
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
	if slices.ContainsFunc(l.kinds(), func(k Kind) bool { return k.Name == name }) {
		return spec
	}
	for _, k := range l.kinds() {
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
	for _, k := range l.kinds() {
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

// NamesFile reports whether a spec is of a kind whose games may be in files.
func (l *Lab) NamesFile(spec string) bool {
	name := kind.NameIn(l.resolveAlias(strings.TrimSpace(spec)))
	return slices.ContainsFunc(l.kinds(), func(k Kind) bool { return k.Name == name && k.File != nil })
}
