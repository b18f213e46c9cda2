package grid

import (
	"errors"
	"fmt"

	"oxo/games/kind"
	"oxo/message"
)

// TTT is tic-tac-toe.
var TTT = kind.Positional{
	Kind: kind.Kind{
		Name: "ttt", Form: "ttt", Same: "mnk:3,3,3",
		About: "tic-tac-toe, the same as mnk:3,3,3", Example: "ttt", Solved: true,
		Options: kind.PositionalOptions(kind.Gravity, kind.Exact), Words: words,
		Offers: []kind.GameOffer{
			{Shelf: classic, Spec: "ttt", Name: "Tic-tac-toe", Front: true, Known: true,
				Also:  []string{"tictactoe", "tic-tac-toe", "noughts", "oxo", "3x3"},
				Shown: []string{"b2", "a3", "c3", "a1", "a2", "c2"}},
			{Shelf: aims, Spec: "ttt+misere", Name: "Misère: three in a row loses", Front: true, Known: true,
				Also: []string{"misere"}, Shown: []string{"b2", "a3", "c2", "b3", "a1"}},
			{Shelf: aims, Spec: "ttt+wild", Name: "Wild: either mark", Also: []string{"wild"},
				Shown: []string{"x@b2", "o@a3", "x@c1", "o@b3"}},
			{Shelf: aims, Spec: "ttt+notakto", Name: "Notakto: all marks are X, a row loses", Also: []string{"notakto"},
				Shown: []string{"b2", "a3", "c2", "b3"}},
			{Shelf: aims, Spec: "ttt+avoider", Name: "Avoider–Enforcer 3×3", Shown: []string{"a1", "c2", "b3"}},
			{Shelf: aims, Spec: "ttt+slip=0.2", Name: "Slippery tic-tac-toe", Chance: true, Also: []string{"slippery"},
				Shown: []string{"b2", "b2", "a1", "c3"}},
		},
	},
	Open: kind.Opener(func(s kind.Spec, o kind.Settings) (kind.Design, error) {
		if s.Args != "" {
			return kind.Design{}, errors.New("ttt takes no arguments")
		}
		return design(Shape{Cols: 3, Rows: 3, Run: 3, Exact: o.Exact, Gravity: o.Gravity})
	}),
}

// MNK is K in a row on a rectangle.
var MNK = kind.Positional{
	Kind: kind.Kind{
		Name: MNKName, Form: "mnk:M,N,K", About: "M columns, N rows, K in a row", Example: "mnk:4,4,4", Solved: true,
		Options: kind.PositionalOptions(kind.Gravity, kind.Exact), Words: words,
		Plain: []string{"", kind.Gravity},
		Offers: []kind.GameOffer{
			{Shelf: classic, Spec: "mnk:4,4,4", Name: "4×4, four in a row", Known: true, Also: []string{"4x4"},
				Shown: []string{"b2", "c2", "b3", "c3", "d4", "a1"}},
			{Shelf: classic, Spec: "mnk:5,5,4", Name: "5×5, four in a row", Also: []string{"5x5"},
				Shown: []string{"c3", "b3", "d4", "b2", "b4", "e5", "c4"}},
			{Shelf: classic, Spec: "mnk:7,6,4+gravity", Name: "Connect Four", Front: true, Known: true,
				Also:  []string{"connect4", "connect-four", "connectfour", "four-in-a-row"},
				Shown: []string{"d1", "d2", "c1", "e1", "d3", "c2", "e2", "b1", "c3", "d4", "b2"}},
			{Shelf: classic, Spec: "mnk:15,15,5", Name: "Gomoku 15×15", Front: true, Known: true,
				Also:  []string{"gomoku", "five-in-a-row"},
				Shown: []string{"h8", "i9", "i7", "g9", "j8", "g7", "h9", "h7", "g8", "i8", "f7"}},
			{Shelf: aims, Spec: "mnk:4,4,4+order", Name: "Order and Chaos 4×4",
				Shown: []string{"x@b2", "o@c3", "o@b3", "x@d1"}},
			{Shelf: aims, Spec: "mnk:6,6,5+order", Name: "Order and Chaos 6×6", Front: true,
				Also:  []string{"order-and-chaos"},
				Shown: []string{"x@c3", "o@d4", "o@c4", "x@e2", "x@b3", "o@a3"}},
			{Shelf: aims, Spec: "mnk:4,4,4+maker", Name: "Maker–Breaker 4×4",
				Shown: []string{"b3", "c3", "b2", "b1", "c2"}},
		},
		Sizes: &kind.Sizes{Label: "A grid of any size up to 20×20…", Numbers: []kind.Size{
			{Name: "Columns", Least: 1, Most: 20, Usual: 10},
			{Name: "Rows", Least: 1, Most: 20, Usual: 10},
			{Name: "In a row", Least: 1, Most: 20, Usual: 5},
		}},
	},
	Open: opener(false),
}

// Torus is K in a row where the edges are joined.
var Torus = kind.Positional{
	Kind: kind.Kind{
		Name: "torus", Form: "torus:M,N,K", About: "the same with both edges joined", Example: "torus:4,4,4",
		Solved:  true,
		Options: kind.PositionalOptions(kind.Exact), Words: words,
		Offers: []kind.GameOffer{{Shelf: classic, Spec: "torus:4,4,4", Name: "4×4 on a torus", Front: true,
			Also: []string{"torus"}, Shown: []string{"d4", "b2", "a1", "c3", "d3"}}},
	},
	Open: opener(true),
}

// The shelves of the games on grids.
const (
	classic = "Tic-tac-toe"
	aims    = "Other aims"
)

// opener returns what opens the grids, flat or closed to a torus.
func opener(torus bool) func(kind.Spec) (kind.Design, error) {
	return kind.Opener(func(s kind.Spec, o kind.Settings) (kind.Design, error) {
		shape, err := Read(s, o)
		if err != nil {
			return kind.Design{}, err
		}
		// A spec does not say whether the edges are joined: the kind does.
		shape.Torus = torus
		return design(shape)
	})
}

// Read returns the shape that a spec with three numbers names, on a rectangle. The numbers are not checked: [New]
// refuses shapes that no board has.
func Read(s kind.Spec, o kind.Settings) (Shape, error) {
	n, err := s.Numbers(3)
	if err != nil {
		return Shape{}, err
	}
	return Shape{Cols: n[0], Rows: n[1], Run: n[2], Exact: o.Exact, Gravity: o.Gravity}, nil
}

// design returns the board of a shape, and what is said of it. Where [New] fails there is no board, and the error
// tells the opener to drop the rest.
func design(s Shape) (kind.Design, error) {
	b, err := New(s)
	return kind.Design{Spec: s.Spec(), Title: s.Title(), Board: b, Aim: s.Aim(), Look: s.Look()}, err
}

// Look says how boards of the shape are drawn: large ones for long rows as those for stones, as gomoku is played, a
// torus with its edges joined.
func (s Shape) Look() kind.Look {
	return kind.Look{Wraps: s.Torus, Stones: !s.Torus && !s.Gravity && min(s.Cols, s.Rows) >= 9 && s.Run >= 5}
}

// Spec returns the spec of games of the shape, without options.
func (s Shape) Spec() string {
	name := MNKName
	if s.Torus {
		name = "torus"
	}
	return fmt.Sprintf("%s:%d,%d,%d", name, s.Cols, s.Rows, s.Run)
}

// MNKName is the name of the kind [MNK].
const MNKName = "mnk"

// Title returns the title of games of the shape, without options. Shapes that everybody knows by a name have that.
func (s Shape) Title() message.Message {
	key := "title.rows"
	switch {
	case s.Torus:
		key = "title.torus"
	// A torus of that size is no tic-tac-toe, and is not called so.
	case s.Cols == 3 && s.Rows == 3 && s.Run == 3:
		return message.Message{Key: "title.ttt"}
	case s.Cols == 7 && s.Rows == 6 && s.Run == 4 && s.Gravity:
		return message.Message{Key: "title.connect"}
	}
	return message.Of(key, message.Args{"m": s.Cols, "n": s.Rows, "k": s.Run})
}

// Aim says what the rows are that win.
func (s Shape) Aim() message.Message {
	key := "aim.rows"
	if s.Torus {
		key += ".torus"
	}
	if s.Exact {
		key += ".exact"
	}
	return message.Of(key, message.Args{"n": s.Run})
}

// Words has the English of games whose aims are rows.
func Words() message.Table { return words }

// words has the English of titles by shape and of aims, whose keys end in what is special of the rows.
var words = message.Table{
	"title.ttt":      "tic-tac-toe",
	"title.connect":  "Connect Four on 7×6",
	"title.rows":     "{m}×{n}, {k} in a row",
	"title.torus":    "{m}×{n} on a torus, {k} in a row",
	"aim.rows":       "{n} in a row, across, down or diagonally",
	"aim.rows.exact": "{n} in a row, across, down or diagonally, and no more than that in the row",
	"aim.rows.torus": "{n} in a row, across, down or diagonally, also over the edges",
	"aim.rows.torus.exact": "{n} in a row, across, down or diagonally, also over the edges, " +
		"and no more than that in the row",
}
