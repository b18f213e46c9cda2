// Package typed is where the type of positions is known: games, players and
// learners are generic, and each is instantiated here and nowhere else. What
// leaves the package is text and [Game], behind which the type is erased.
package typed

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"oxo"
)

// Lab opens games and players by their specs. The zero value reads no files.
type Lab struct {
	// ReadFile reads a file that a spec names. Where it is nil, specs that
	// name files are refused.
	ReadFile func(path string) ([]byte, error)

	// ReadBrain reads the brain that a player's spec names, where that is not
	// a file's path.
	ReadBrain func(name string) ([]byte, error)

	// WriteFile writes a file whole or not at all. Where it is nil, players
	// that keep a file are refused.
	WriteFile func(path string, data []byte) error

	// Commands allows players that are commands to be run. Their programs must
	// be here, unless the games are played Elsewhere. Those that are just
	// starting are waited for no longer than until Ending is done, where that
	// is not nil.
	Commands  bool
	Elsewhere bool
	Ending    context.Context

	// Invite opens a game with a program that plays from elsewhere, which a
	// player's spec names. Where it is nil, such players are refused.
	Invite func(ctx context.Context, name string, g GuestGame) (Guest, error)

	// Enumerable is the most positions of a game that learners are examined on
	// and keep tables of; 0 is 3,000,000.
	Enumerable int
}

func (l *Lab) readFile(path string) ([]byte, error) {
	switch {
	case path == "":
		return nil, errors.New("the path of a file is missing")
	case l.ReadFile == nil:
		return nil, errors.New("files can't be opened here")
	}
	return l.ReadFile(path)
}

// Info says what a game is.
type Info struct {
	Spec       string   `json:"spec"`
	Title      string   `json:"title"`
	Rules      string   `json:"rules"` // how it is played, in a few sentences
	Identity   string   `json:"-"`     // tells the game from all others, in files
	Start      string   `json:"start"`
	Squares    []Square `json:"squares,omitempty"` // in the order of a position's text; none for trees
	Lines      [][]int  `json:"lines,omitempty"`   // the winning sets of a positional game, by the order of Squares
	Chance     bool     `json:"chance"`
	Loopy      bool     `json:"loopy"`
	Positional bool     `json:"positional"`
	MaxPlies   int      `json:"max_plies"` // 0 if loopy
	Symmetries string   `json:"symmetries"`
}

// Square is a square's name and where to draw it: column from the left, row
// from the top, level from the front.
type Square struct {
	Name  string `json:"name"`
	Col   int    `json:"col"`
	Row   int    `json:"row"`
	Level int    `json:"level"`
}

// State is a position in text.
type State struct {
	Position string   `json:"position"`
	Turn     string   `json:"turn"`             // first, second or chance
	Result   string   `json:"result"`           // first, second, draw, or * while play goes on
	Moves    []string `json:"moves"`            // the legal ones
	Payoff   *float64 `json:"payoff,omitempty"` // to First, at the end of a game that has payoffs
}

// Game opens the game of that spec. The error names the word that is wrong and
// what is accepted.
func (l *Lab) Game(text string) (Game, error) {
	s := splitSpec(strings.TrimSpace(text))
	for _, k := range allKinds() {
		if k.name == s.kind {
			g, err := k.open(l, s)
			if err != nil {
				return nil, fmt.Errorf("game %q: %w", text, err)
			}
			return g, nil
		}
	}
	var names []string
	for _, k := range allKinds() {
		names = append(names, k.name)
	}
	return nil, fmt.Errorf("game %q: no kind of game is called %q; there are %s", text, s.kind, strings.Join(names, ", "))
}

// Kind is a way to name a game, for lists.
type Kind struct {
	Form    string   `json:"spec"`
	Name    string   `json:"name"`
	Options []string `json:"options"`
	Example string   `json:"example,omitempty"`
	Solved  bool     `json:"solved"` // whether the example is solved at once by solve
}

// Games lists the kinds of games.
func (l *Lab) Games() []Kind {
	var list []Kind
	for _, k := range allKinds() {
		list = append(list, Kind{k.form, k.about, strings.Fields(k.options), k.example, k.solved})
	}
	return list
}

// parse reads a position; empty text is the start.
func parse[P oxo.Position[P]](g *oxo.Game[P], text string) (P, error) {
	if text == "" {
		return g.Start, nil
	}
	return g.Parse(text)
}
