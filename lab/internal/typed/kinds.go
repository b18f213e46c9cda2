package typed

import (
	"context"
	"fmt"

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
	"oxo/lab/internal/certify"
	"oxo/lab/internal/game"
	"oxo/lab/internal/opened"
	"oxo/lines"
	"oxo/message"
	"oxo/threats"
)

// bindBoardGame binds a positional game. P is the smallest type of positions that holds the board's
// squares, 64 or 256 of them.
func bindBoardGame[P interface {
	oxo.Position[P]
	board.Positional
}](l *game.Lab, d *kind.Design, g *oxo.Game[P], words message.Table) game.Game {
	on := threats.FromBoard(d.Board)
	t := opened.New(l, &kind.Opened[P]{
		Game: g, Identity: d.Identity, View: d.View(), Title: d.Title, Rules: d.Explain(),
		Lines: &kind.Lines[P]{Need: on.Need, Bar: on.Bar, Mark: lines.MarkAt[P],
			Wanted: d.Rules.Name == board.Normal.Name, Free: d.Rules.Slip == 0 && d.Board.Below == nil},
		Turns: kind.TurnRulesOf(d.Rules, d.Board.Below),
	}, words)
	t.Board = d.Board
	return erase(t)
}

// BuiltInKinds lists the kinds of games that oxo has. To add one is to add a line.
func BuiltInKinds() []game.Kind {
	return []game.Kind{
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
func KindOf[P oxo.Position[P]](k kind.Of[P]) game.Kind {
	open := func(_ context.Context, l *game.Lab, s kind.Spec) (game.Game, error) {
		o, err := k.OpenWhole(s)
		if err != nil {
			return nil, err
		}
		b := opened.New(l, o, k.Words)
		b.Only = k.Players
		return erase(b), nil
	}
	return game.Kind{Kind: k.Listed(), Open: open}
}

// PositionalKind returns the kind of games with squares and winning sets. Finding a board's symmetries
// can take long for a board from a file, so ctx may end it.
func PositionalKind(k kind.Positional) game.Kind {
	open := func(ctx context.Context, l *game.Lab, s kind.Spec) (game.Game, error) {
		d, err := k.Open(s)
		if err != nil {
			return nil, err
		}
		if _, err := d.Board.GroupWithin(ctx); err != nil {
			return nil, fmt.Errorf("its symmetries take too long to find: %w", err)
		}
		return bindPositional(l, &d, k.Words), nil
	}
	return game.Kind{Kind: k.Listed(), Open: open}
}

// bindPositional makes a positional game.
func bindPositional(l *game.Lab, d *kind.Design, own message.Table) game.Game {
	words := kind.Words().With(own)
	title := words.Say(d.Title)
	if d.Board.N <= 64 {
		return bindBoardGame(l, d, board.Game64(d.Spec, title, d.Board, d.Rules), words)
	}
	return bindBoardGame(l, d, board.Game256(d.Spec, title, d.Board, d.Rules), words)
}

// opener opens the games that certificates are about.
type opener struct{ *game.Lab }

// Described opens a game by a spec that a certificate has, and no file for it.
func (o opener) Described(spec string) (game.Game, error) {
	return (&game.Lab{Kinds: o.Kinds}).Game(spec)
}

// Positional returns a positional game of that design.
func (o opener) Positional(d *kind.Design) game.Game {
	return bindPositional(o.Lab, d, file.Kind.Words)
}

// CertificateGames returns what opens the games that certificates are about.
func CertificateGames(l *game.Lab) certify.Games { return opener{l} }
