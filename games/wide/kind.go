package wide

import (
	"oxo/board"
	"oxo/games/grid"
	"oxo/games/kind"
)

// Kind is K in a row on boards that are too large for [grid.MNK], whose name and
// specs it has.
var Kind = kind.Of[Pos]{
	Kind: kind.Kind{Name: grid.MNKName, Words: words},
	Open: open,
}

// words has the English of the rules and of rows; nothing is said of these boards alone.
var words = kind.Words().With(grid.Words())

// open returns the game of a spec whose board is too wide for package board.
func open(s kind.Spec) (*kind.Opened[Pos], error) {
	o, err := s.ReadSettings(s.Options)
	if err != nil {
		return nil, err
	}
	shape, err := grid.Read(s, o)
	if err != nil {
		return nil, err
	}
	title := o.TitleWithOptions(shape.Title())
	g, err := New(shape.Spec()+o.Suffix(), words.Say(title), shape, o.Rules)
	if err != nil {
		return nil, err
	}
	squares := g.Start.Squares()
	view := kind.BoardView(squares)
	// The shape says how its boards look, but for what the squares and the fall of marks say.
	drawn := view.Drawn
	view.Look = shape.Look()
	view.Drawn, view.Falls = drawn, shape.Gravity
	need, bar := g.Start.Lines()
	return &kind.Opened[Pos]{
		Game: g, Title: title, View: view, Rules: o.Explain(shape.Aim(), shape.Gravity),
		Lines: &kind.Lines[Pos]{Need: need, Bar: bar, Mark: Pos.Mark,
			Wanted: o.Rules.Name == board.Normal.Name, Free: o.Rules.Slip == 0 && !shape.Gravity},
		Turns: kind.TurnRulesOf(o.Rules, squares.Below),
	}, nil
}
