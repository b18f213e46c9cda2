package lab_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"oxo"
	"oxo/board"
	"oxo/games/grid"
	"oxo/games/kind"
	"oxo/games/race"
	"oxo/lab"
	"oxo/web"
)

// TestTakenNames: a program whose kinds have names that are taken, or that lack something, is told so.
func TestTakenNames(t *testing.T) {
	type pos = board.Pos64
	open := func(kind.Spec) (*kind.Opened[pos], error) { return nil, nil }
	play := func(*oxo.Game[pos], string) (func(*rand.Rand) oxo.Player[pos], error) { return nil, nil }
	player := func(name string) kind.PlayerKind[pos] {
		return kind.PlayerKind[pos]{GamePlayer: kind.GamePlayer{Name: name}, Open: play}
	}
	named := func(name string) kind.Kind { return kind.Kind{Name: name, Form: name} }
	of := func(name string, players ...kind.PlayerKind[pos]) lab.Kind {
		return lab.KindOf(kind.Of[pos]{Kind: named(name), Open: open, Players: players})
	}
	for want, k := range map[string]lab.Kind{
		`kind "": a name is`:           lab.KindOf(kind.Of[pos]{}),
		`kind "a+b": a name is`:        of("a+b"),
		`kind "a b": a name is`:        of("a b"),
		`kind "own": Open is missing`:  lab.KindOf(kind.Of[pos]{Kind: named("own")}),
		`kind "line": Open is missing`: lab.PositionalKind(kind.Positional{Kind: named("line")}),
		`kind "mnk": there is another`: of("mnk"),
		`"gomoku" is taken`:            of("gomoku"),
		`Form, how`:                    lab.KindOf(kind.Of[pos]{Kind: kind.Kind{Name: "own"}, Open: open}),
		`by a player of all games`:     of("own", player("random")),
		`player "a:b"`:                 of("own", player("a:b")),
		`"dull" has no Open`:           of("own", kind.PlayerKind[pos]{GamePlayer: kind.GamePlayer{Name: "dull"}}),
		`"fano" is taken`: lab.KindOf(kind.Of[pos]{Open: open, Kind: kind.Kind{Name: "own", Form: "own",
			Offers: []kind.GameOffer{{Spec: "own", Also: []string{"fano"}}}}}),
	} {
		l := &lab.Lab{Kinds: append(lab.BuiltIn(), k)}
		if _, err := l.Game("ttt"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
		if s, err := web.New(web.Config{Lab: *l}); err == nil {
			s.Close()
			t.Errorf("a server begins in spite of: %s", want)
		}
	}
	if err := new(lab.Lab).Check(); err != nil {
		t.Error(err)
	}
}

// TestOpensNothing: what a kind opens is refused where it is no game, or the view has other squares than the game.
func TestOpensNothing(t *testing.T) {
	views := map[string]func(kind.Spec) (*kind.Opened[board.Pos64], error){
		"neither a game nor an error": func(kind.Spec) (*kind.Opened[board.Pos64], error) { return nil, nil },
		"lacks one of Format": func(kind.Spec) (*kind.Opened[board.Pos64], error) {
			return &kind.Opened[board.Pos64]{Game: &oxo.Game[board.Pos64]{}}, nil
		},
		"has 5 squares": func(s kind.Spec) (*kind.Opened[board.Pos64], error) {
			d, err := grid.TTT.Open(s)
			if err != nil {
				return nil, err
			}
			return &kind.Opened[board.Pos64]{Game: board.Game64("own", "own", d.Board, d.Rules),
				View: kind.GridView(5, 1)}, nil
		},
	}
	for want, open := range views {
		k := kind.Of[board.Pos64]{Kind: kind.Kind{Name: "own", Form: "own"}, Open: open}
		l := &lab.Lab{Kinds: []lab.Kind{lab.KindOf(k), lab.KindOf(race.Kind)}}
		if _, err := l.Game("own"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
