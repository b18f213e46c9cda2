// Package kind is what a game's package exports: one value with everything
// anyone needs of it. [Kind] says how its specs are written, which options they
// take and what to offer of it; [Of] adds how it is opened where its positions
// are of one type, and [Positional] where it is a board with winning sets.
//
//	// Kind is the game of the jumping tokens.
//	var Kind = kind.Of[Pos]{
//		Kind: kind.Kind{Name: "race", Form: "race:N", About: "two tokens that jump", Example: "race:4"},
//		Open: open,
//	}
//
// The laboratory has the list of kinds (oxo/lab, BuiltIn); nothing else knows a
// game by its name.
package kind

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"oxo"
	"oxo/board"
	"oxo/message"
)

// Kind is a way to name games, and what is known of them before one is opened.
type Kind struct {
	Name    string      `json:"kind" doc:"the word that its specs begin with"`
	Form    string      `json:"spec" doc:"how its specs are written"` // empty: as those of the kind before
	About   string      `json:"name" doc:"what it is, in words"`
	Options []string    `json:"options" doc:"what may follow after +"`
	Example string      `json:"example,omitempty" doc:"a spec"`
	Same    string      `json:"same,omitempty" doc:"what stands for the kind in its games' own specs, where that is another word"`
	Solved  bool        `json:"solved" doc:"whether the example is solved at once"`
	Proofs  bool        `json:"proofs" doc:"whether games without chance can be proved"`
	Offers  []GameOffer `json:"offers,omitempty" doc:"games worth a name of their own in a list"`
	Sizes   *Sizes      `json:"sizes,omitempty" doc:"of a game of any size"`

	// Plain are the options, joined with +, with which everybody knows the games: easy daily puzzles are of these.
	// An empty text is none.
	Plain []string `json:"-"`

	// Only are the players that play nothing else.
	Only []GamePlayer `json:"only,omitempty" doc:"players that play only games of the kind"`

	// File is how files that specs name are told from others; nil where a spec
	// names no file.
	File *FileFormat `json:"-"`

	// Words has the English texts of the kind's messages. Those by "option." and
	// an option say what it means.
	Words message.Table `json:"-"`

	lacks string // what the kind can't be without and was not given
}

// GameOffer is a game that is offered by name.
type GameOffer struct {
	Shelf  string `json:"shelf" doc:"under which it is listed"`
	Spec   string `json:"spec" doc:"how it is named"`
	Name   string `json:"name"`
	Chance bool   `json:"chance,omitempty" doc:"whether it has chance moves"`

	// Also are words that people type for the game: they open it as its spec does,
	// options included, whatever the case of their letters.
	Also []string `json:"also,omitempty" doc:"names that open it too"`

	Front bool `json:"front,omitempty" doc:"whether it is among the first to be shown"`

	// Known is whether many people know the game: races, and the first puzzles of newcomers, are of such.
	Known bool `json:"-"`

	// Shown are moves after which its board is a picture of it.
	Shown []string `json:"shown,omitempty" doc:"moves after which its board shows what it is"`

	Said message.Said `json:"said,omitempty" doc:"the messages of the texts here, by field: keys, for other languages"`
}

// Sizes are the numbers of which a spec's arguments consist, joined with commas.
type Sizes struct {
	Label   string `json:"label" doc:"what it is called"`
	Numbers []Size `json:"numbers" doc:"what the spec's arguments are, in order"`

	Said message.Said `json:"said,omitempty" doc:"the messages of the texts here, by field: keys, for other languages"`
}

// Size is one of those numbers.
type Size struct {
	Name  string `json:"name"`
	Least int    `json:"least" doc:"the least that it can be"`
	Most  int    `json:"most" doc:"the most that it can be"`
	Usual int    `json:"usual" doc:"what it is unless given"`

	Said message.Said `json:"said,omitempty" doc:"the messages of the texts here, by field: keys, for other languages"`
}

// FileFormat tells files of a kind by what a JSON object has that only they have.
type FileFormat struct {
	Fields []string // any of which marks it

	Shape   [][2]string // for people: each field and what it means
	Example string      // a file
}

// Of is a kind of games whose positions are of type P.
// Open gets the spec taken apart; its error says what is wrong with it, in words for who typed it.
type Of[P oxo.Position[P]] struct {
	Kind
	Open    func(s Spec) (*Opened[P], error)
	Players []PlayerKind[P] // that play only games of the kind
}

// PlayerKind is a way to name a player.
type PlayerKind[P oxo.Position[P]] struct {
	GamePlayer

	// Open reads the options, what follows the name and a colon, and returns how
	// a player is made, one for each game, whose chance is r.
	Open func(g *oxo.Game[P], options string) (make func(r *rand.Rand) oxo.Player[P], err error)
}

// GamePlayer says how a player is named.
type GamePlayer struct {
	Name  string `json:"name" doc:"the word that its specs begin with"`
	Form  string `json:"form" doc:"how its specs are written"`
	About string `json:"about" doc:"what it is, in words"`

	Said message.Said `json:"said,omitempty" doc:"the messages of the texts here, by field: keys, for other languages"`
}

// Opened is a game and what is known of it beside its play.
// Title, Rules and Remarks are messages, which Kind.Words has in English.
type Opened[P oxo.Position[P]] struct {
	Game     *oxo.Game[P]
	Identity string // tells the game from all others, in files; empty, it is its spec
	View
	Title message.Message   // of the game, which has it as text
	Rules []message.Message // how it is played, in a few sentences
	Lines *Lines[P]         // nil for games without winning sets
	Turns *Turns            // nil where only the game itself knows what comes of a move

	// Remarks says what a move of p does beside what is seen on the board; it may be nil.
	Remarks func(p P, m oxo.Move) []message.Message
}

// Lines are the winning sets of a game, by the order of its squares, and who has
// marked which square.
// Squares count from 0 in the order of View.Squares; set i of Bar belongs to set i of Need.
type Lines[P any] struct {
	Need, Bar [][]int                   // a set; the squares that its owner must not have, nil where no set has any
	Mark      func(p P, square int) int // 0 for X, 1 for O, 2 for none
	Wanted    bool                      // owning a set wins, for both sides
	Free      bool                      // a mark may be placed on every empty square, and stays there
}

// Drawing is what a game's board looks like.
type Drawing string

// The drawings. Positions of all but trees begin with a sign for each square.
const (
	Grid   Drawing = "grid"   // squares in columns and rows
	Levels Drawing = "levels" // one grid above another
	Nine   Drawing = "nine"   // nine boards of nine squares, one of which is to be played in
	Points Drawing = "points" // points, whose lines are sets of any shape
	Tree   Drawing = "tree"   // a tree, which has no squares
)

// View is how a game is drawn.
// The order of Squares is that of the signs with which the text of a position begins.
type View struct {
	Look
	Squares []Square
	Seats   [2]string         // what the two sides are called; empty, they are X and O
	Roles   []message.Message // the same, where the rules name them or both sides place the same marks
}

// pieces are what marks, or the squares that they are on, are seen as, where that is something else: the ending of the
// keys of rules that say so, and what the sides are called then, nil for X and O.
func (l Look) pieces() (keyEnding string, sides []message.Message) {
	switch {
	case l.Stones:
		return ".stones", []message.Message{{Key: "side.black"}, {Key: "side.white"}}
	case l.Falls && l.Drawn == Grid:
		return ".discs", []message.Message{{Key: "side.red"}, {Key: "side.yellow"}}
	case l.Drawn == Points:
		return ".points", nil
	}
	return "", nil
}

// SideNames are the names of the sides, also for those who see the board as it is drawn; nil where they are
// those of [View.Seat].
func (v View) SideNames(asDrawn bool) []message.Message {
	if _, sides := v.pieces(); v.Roles == nil && asDrawn {
		return sides
	}
	return v.Roles
}

// WithPieceWords has rules say of stones, discs or points what they say of marks and squares, for those who see them.
func (l Look) WithPieceWords(rules []message.Message) []message.Message {
	rules = slices.Clone(rules)
	ending, sides := l.pieces()
	for i, m := range rules {
		if _, ok := words[m.Key+ending]; ending == "" || !ok {
			continue
		}
		rules[i].Key += ending
		if sides != nil {
			rules[i] = message.Of(rules[i].Key, message.Args{"first": sides[0], "second": sides[1]})
		}
	}
	return rules
}

// Look is what a board looks like, beside its squares.
type Look struct {
	Drawn  Drawing `json:"drawn" enum:"grid,levels,nine,points,tree"`
	Falls  bool    `json:"falls,omitempty" doc:"marks fall to the lowest free square"`
	Unseen bool    `json:"unseen,omitempty" doc:"the winning sets can't be guessed from the board"`
	Stones bool    `json:"stones,omitempty" doc:"marks are stones on the crossings of a grid's lines"`
	Wraps  bool    `json:"wraps,omitempty" doc:"a grid's left edge is joined to its right one, the top to the bottom"`
	Shape  string  `json:"shape,omitempty" doc:"the shape whose copies win, its rows from the top, x for a cell, joined with /"`

	// Places are where the squares of a drawing of points lie.
	Places [][2]float64 `json:"places,omitempty" doc:"from the left and from the top, 0 to 1; without them by column and row"`
}

// HidesLines reports whether lines run through levels, around an edge, or as the board does not show them.
func (l Look) HidesLines() bool { return l.Drawn == Levels || l.Wraps || l.Unseen && l.Shape == "" }

// Square is a square's name and where to draw it: column from the left, row
// from the top, level from the front.
type Square struct {
	Name  string `json:"name"`
	Col   int    `json:"col"`
	Row   int    `json:"row"`
	Level int    `json:"level"`
}

// SquareOf returns the name of the square of a written move, without the mark that stands before an @ where either
// mark may be placed.
func SquareOf(move string) string { return move[strings.Index(move, "@")+1:] }

// GridView returns the view of so many columns and rows of squares: named by column
// and row, or numbered where there is one row.
// Rows are numbered from below, as on a chessboard, though they are listed from above.
func GridView(cols, rows int) View {
	v := View{Look: Look{Drawn: Grid}}
	for row := range rows {
		for col := range cols {
			name := fmt.Sprint(col + 1)
			if rows > 1 {
				name = fmt.Sprintf("%c%d", 'a'+col, rows-row)
			}
			v.Squares = append(v.Squares, Square{Name: name, Col: col, Row: row})
		}
	}
	return v
}

// BoardView returns the view of a board.
func BoardView(b *board.Board) View {
	v := View{Look: Look{Drawn: Grid, Falls: b.Below != nil}}
	for i, at := range b.Layout {
		v.Squares = append(v.Squares, Square{b.Names[i], at.Col, at.Row, at.Level})
		if at.Level > 0 {
			v.Drawn = Levels
		}
	}
	return v
}

// Seat names a side: First or Second.
func (v View) Seat(s oxo.Seat) string {
	return cmp.Or(v.Seats[s&1], [2]string{"X", "O"}[s&1])
}
