// Package typed is where the type of positions is known: games, players and
// learners are generic, and each is instantiated here and nowhere else. What
// leaves the package is text and [Game], behind which the type is erased.
package typed

import (
	"context"
	"errors"

	"oxo"
	"oxo/games/kind"
)

// Lab opens games and players by their specs. The zero value reads no files.
type Lab struct {
	// Kinds are the kinds of games that it opens.
	Kinds []Kind

	// ReadFile reads a file that a spec names. Where it is nil, specs that
	// name files are refused.
	ReadFile func(path string) ([]byte, error)

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

	// Shelfless is that nobody keeps the tables of work in parts, so that none is
	// solved by tiers unless that is asked for.
	Shelfless bool
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
	Spec     string        `json:"spec"`
	Title    string        `json:"title"`
	Rules    string        `json:"rules"` // how it is played, in a few sentences
	Identity string        `json:"-"`     // tells the game from all others, in files
	Start    string        `json:"start"`
	Squares  []kind.Square `json:"squares,omitempty"` // in the order of a position's text; none for trees
	kind.Look
	Seats      [2]string `json:"seats"`           // what the two sides are called
	Lines      [][]int   `json:"lines,omitempty"` // the winning sets of a positional game, by the order of Squares
	Chance     bool      `json:"chance"`
	Loopy      bool      `json:"loopy"`
	Positional bool      `json:"positional"`
	MaxPlies   int       `json:"max_plies"` // 0 if loopy
	Symmetries string    `json:"symmetries"`
}

// State is a position in text.
type State struct {
	Position string   `json:"position"`
	Turn     string   `json:"turn" enum:"first,second,chance"`
	Result   string   `json:"result" enum:"first,second,draw,*" doc:"* while play goes on"`
	Moves    []string `json:"moves"`            // the legal ones
	Payoff   *float64 `json:"payoff,omitempty"` // to First, at the end of a game that has payoffs
}

// parse reads a position; empty text is the start.
func parse[P oxo.Position[P]](g *oxo.Game[P], text string) (P, error) {
	if text == "" {
		return g.Start, nil
	}
	return g.Parse(text)
}
