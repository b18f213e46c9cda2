package game

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"

	"oxo"
	"oxo/engine"
	"oxo/games/kind"
	"oxo/learn/model"
	"oxo/message"
	"oxo/prove/certificate"
)

// Kind is a way to name games that a lab can open.
type Kind struct {
	kind.Kind
	Said   message.Said                                                 `json:"said,omitempty" doc:"the messages of the texts here, by field: keys, for other languages"`
	Levels []LevelFigure                                                `json:"levels,omitempty" doc:"how strong the levels were measured to be in its games"`
	Open   func(ctx context.Context, l *Lab, s kind.Spec) (Game, error) `json:"-"` // opens a game of the kind
}

// Game opens the game of that spec. The error names the word that is wrong and
// what is accepted.
func (l *Lab) Game(text string) (Game, error) { return l.GameWithin(context.Background(), text) }

// GameWithin is Game, unless ctx is done before the game's symmetries are found. Several kinds may
// share a name, as for boards within and beyond 256 squares: the next one is asked only where the one
// before says that the game is too large for it.
func (l *Lab) GameWithin(ctx context.Context, gameSpec string) (Game, error) {
	spec := l.resolveAlias(strings.TrimSpace(gameSpec))
	name := kind.KindNameIn(spec)
	err := l.unknownKindError(name)
	for _, k := range l.Kinds {
		if k.Name != name {
			continue
		}
		s := k.Split(spec)
		s.Read = l.ReadNamedFile
		var g Game
		if g, err = k.Open(ctx, l, s); err == nil {
			return g, nil
		}
		if !errors.Is(err, kind.ErrTooLarge) {
			if s.Args == "" && strings.Contains(k.Example, ":") {
				err = fmt.Errorf("%s is written %s, as in %s", name, k.Form, k.Example)
			}
			break
		}
	}
	return nil, fmt.Errorf("game %q: %w", gameSpec, err)
}

// NamesFile reports whether a spec is of a kind whose games may be in files.
// It opens nothing.
func (l *Lab) NamesFile(spec string) bool {
	return l.namesFileKind(l.resolveAlias(strings.TrimSpace(spec)))
}

// namesFileKind is NamesFile of a spec that begins with the name of its kind.
func (l *Lab) namesFileKind(spec string) bool {
	name := kind.KindNameIn(spec)
	return slices.ContainsFunc(l.Kinds, func(k Kind) bool { return k.Name == name && k.File != nil })
}

// resolveAlias returns the spec of a game that is called by a word that people type for it, or by the name by which it
// is offered, and any other spec as it is. Options that follow the word stay, as in connect4+misere. Only names and
// paths have blanks: any other is the + that a link's query stands it for.
func (l *Lab) resolveAlias(spec string) string {
	if strings.Contains(spec, " ") && !l.namesFileKind(spec) {
		if whole := l.offerCalled(spec); whole != "" {
			return whole
		}
		spec = strings.ReplaceAll(spec, " ", "+")
	}
	name := kind.KindNameIn(spec)
	isKind := slices.ContainsFunc(l.Kinds, func(k Kind) bool { return k.Name == name })
	options := strings.TrimPrefix(spec, name)
	if isKind && !strings.HasPrefix(options, "+") {
		return spec
	}
	if whole := l.offerCalled(spec); whole != "" || isKind {
		return cmp.Or(whole, spec)
	}
	if of := l.offerCalled(name); of != "" {
		return of + options
	}
	return spec
}

// offerCalled returns the spec of the game that is offered by a name, or by a word that people type for it; empty for
// none.
func (l *Lab) offerCalled(name string) string {
	name = foldName(name)
	isName := func(n string) bool { return name != "" && foldName(n) == name }
	for _, k := range l.Kinds {
		for _, o := range k.Offers {
			if isName(o.Name) || slices.ContainsFunc(o.Also, isName) {
				return o.Spec
			}
		}
	}
	return ""
}

// foldName is a game's name without what people type differently: capitals, blanks and punctuation.
func foldName(name string) string {
	return strings.Map(func(c rune) rune {
		switch {
		case c == '×':
			return 'x'
		case unicode.IsLetter(c) || unicode.IsDigit(c):
			return unicode.ToLower(c)
		}
		return -1
	}, name)
}

// TitleOf is what a game is called over a page: the name by which it is offered, else its title; it begins with a
// capital.
func (l *Lab) TitleOf(g Game) string {
	info := g.Info()
	name := info.Title
	for _, k := range l.Kinds {
		if i := slices.IndexFunc(k.Offers, func(o kind.GameOffer) bool { return o.Spec == info.Spec }); i >= 0 {
			name = k.Offers[i].Name
		}
	}
	return message.Capitalize(name)
}

// unknownKindError says which kinds of games there are.
func (l *Lab) unknownKindError(name string) error {
	var names []string
	for _, k := range l.ListKinds() {
		names = append(names, k.Name)
	}
	return fmt.Errorf("no kind of game is called %q; there are %s", name, strings.Join(names, ", "))
}

// ListKinds lists the kinds of games, each name once. Kinds without a form only extend the kind of the
// same name to larger games, and are left out.
func (l *Lab) ListKinds() []Kind {
	var list []Kind
	for _, k := range l.Kinds {
		if k.Form == "" {
			continue
		}
		if k.Options == nil {
			k.Options = []string{}
		}
		for _, f := range LevelFigures() {
			if kind.KindNameIn(f.Game) == k.Name || k.Same != "" && strings.HasPrefix(f.Game+"+", k.Same+"+") {
				k.Levels = append(k.Levels, f)
			}
		}
		k.Said = message.Keyed("name", "kind."+k.Name)
		k.Kind = k.Kind.WithMessageKeys()
		list = append(list, k)
	}
	return list
}

// KindOf returns the kind of that name, or the error that says which there are.
func (l *Lab) KindOf(name string) (Kind, error) {
	games := l.ListKinds()
	if i := slices.IndexFunc(games, func(k Kind) bool { return k.Name == name }); i >= 0 {
		return games[i], nil
	}
	return Kind{}, l.unknownKindError(name)
}

// RefuseGame refuses a game's spec where that of a player or learner is wanted, which none says there is none of; it
// is nil where the spec is no game's.
func (l *Lab) RefuseGame(wanted, spec string, none error) error {
	name, _, _ := strings.Cut(spec, ":")
	name, _, _ = strings.Cut(name, "+")
	if _, err := l.KindOf(name); err != nil {
		return nil
	}
	return fmt.Errorf("%s %q: %w that; it is a game, which is named by --game %s", wanted, spec, none, spec)
}

// ParseLearner reads the spec of a learner, as [model.Parse] does.
func (l *Lab) ParseLearner(spec string) (model.Spec, error) {
	s, err := model.Parse(spec, l.Learners...)
	if errors.Is(err, model.ErrNoLearner) {
		err = cmp.Or(l.RefuseGame("learner", spec, model.ErrNoLearner), err)
	}
	return s, err
}

// OptionMeanings says what each option of the kind means.
func (k *Kind) OptionMeanings() (optionsAndMeanings [][2]string) {
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
	for _, k := range l.ListKinds() {
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

// Lab opens games and players by their specs. The zero value reads no files.
type Lab struct {
	// Kinds are the kinds of games that it opens.
	Kinds []Kind

	// Players are players of all games, and Learners kinds of learners, beside oxo's own.
	Players  []kind.PlayerKind[oxo.Any]
	Learners []model.Kind

	// ReadFile reads a file that a spec names. Where it is nil, specs that
	// name files are refused.
	ReadFile func(path string) ([]byte, error)

	// OpenFile opens a large file that a spec names, of so many bytes. Where it is nil, such a file
	// is read as others are.
	OpenFile func(path string) (file File, size int64, err error)

	// Scratch makes room on disk for what memory does not hold. Where it is nil there is none.
	Scratch certificate.Disk

	// ProofMemory is how many bytes a certificate that is played may take in memory; 1 GB where it is 0.
	ProofMemory int64

	// ReadBrain reads the brain that a player's spec names, where that is not
	// a file's path.
	ReadBrain func(name string) ([]byte, error)

	// Proofs returns files of proofs of the game of that spec, or of positions of it,
	// that were kept; each is checked before it is believed. It may be nil.
	Proofs func(spec string) [][]byte

	// WriteFile writes a file whole or not at all. Where it is nil, players
	// that keep a file are refused.
	WriteFile func(path string, data []byte) error

	// Commands allows players that are commands to be run. Their programs must
	// be here, unless the games are played Elsewhere. Those that are just
	// starting are waited for no longer than until Ending is done, where that
	// is not nil. Programs keeps them from game to game; where it is nil, each
	// game has its own.
	Commands  bool
	Elsewhere bool
	Ending    context.Context
	Programs  *engine.Keeper

	// Invite opens a game with a program that plays from elsewhere, which a
	// player's spec names. Where it is nil, such players are refused.
	Invite func(ctx context.Context, name string, g GuestGame) (Guest, error)

	// Enumerable is the most positions of a game that learners are examined on
	// and keep tables of; 0 is 3,000,000.
	Enumerable int

	// Drawn is that people see the boards as they are drawn: where marks are stones, sides are called Black and
	// White, not X and O.
	Drawn bool

	// Shelfless is that nobody keeps the tables of work in parts, so that none is
	// solved by tiers unless that is asked for.
	Shelfless bool
}

// File is a file that is open.
type File interface {
	io.ReaderAt
	io.Closer
}

// ReadNamedFile reads a file that a spec names.
func (l *Lab) ReadNamedFile(path string) ([]byte, error) {
	switch {
	case path == "":
		return nil, errors.New("the path of a file is missing")
	case l.ReadFile == nil:
		return nil, errors.New("files can't be opened here")
	}
	return l.ReadFile(path)
}

// OpenNamedFile opens a large file that a spec names, of so many bytes. Where no large files are opened, it is
// read whole and served from memory.
func (l *Lab) OpenNamedFile(path string) (file File, size int64, err error) {
	if path != "" && l.OpenFile != nil {
		return l.OpenFile(path)
	}
	data, err := l.ReadNamedFile(path)
	return struct {
		io.ReaderAt
		io.Closer
	}{bytes.NewReader(data), io.NopCloser(nil)}, int64(len(data)), err
}
