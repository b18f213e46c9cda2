package typed

import (
	"fmt"

	"oxo"
	"oxo/board"
	"oxo/games/wide"
	"oxo/lines"
)

// bound is a game of a known position type behind the Game interface.
type bound[P oxo.Position[P]] struct {
	*oxo.Game[P]
	lab      *Lab
	identity string
	squares  []Square
	lines    [][]int                   // winning sets
	bars     [][]int                   // for each, the squares that its owner must not have; nil where none has any
	mark     func(p P, square int) int // 0 for X, 1 for O, 2 for none; nil for games without lines

	board      *board.Board // nil for games that are not positional
	wantsLines bool         // owning a winning set wins, for both sides
	free       bool         // a mark may be placed on every empty square, and stays there

	finder finder
	whole  whole[P]
	graph  graph[P]
}

// Held returns about how many bytes the game holds: its winning sets, and what
// was worked out of all its positions.
func (b *bound[P]) Held() int64 {
	bytes := b.whole.held() + b.graph.bytes.Load()
	for _, l := range b.lines {
		bytes += 8 * int64(len(l)+3)
	}
	return bytes
}

// bind erases the position type: the one place where concrete games become
// text. The identity tells the game from all others, in files.
func bind[P oxo.Position[P]](l *Lab, g *oxo.Game[P], identity string) *bound[P] {
	return &bound[P]{Game: g, lab: l, identity: identity}
}

// onBoard binds a positional game.
func onBoard[P interface {
	oxo.Position[P]
	board.Positional
}](l *Lab, g *oxo.Game[P], identity string) Game {
	t := bind(l, g, identity)
	t.board = g.Start.Board()
	t.wantsLines = g.Start.Rules().Name == ""
	t.free = g.Start.Rules().Slip == 0 && t.board.Below == nil
	t.mark = lines.Mark[P]
	for i, at := range t.board.Layout {
		t.squares = append(t.squares, Square{t.board.Names[i], at.Col, at.Row, at.Level})
	}
	on := lines.Of(t.board)
	t.lines, t.bars = on.Need, on.Bar
	return t
}

// onWide binds a game of rows on a board of more than 256 squares.
func onWide(l *Lab, g *oxo.Game[wide.Pos]) Game {
	t := bind(l, g, g.Spec)
	t.wantsLines = g.Start.Rules().Name == ""
	t.free = g.Start.Rules().Slip == 0 && !g.Start.Shape().Gravity
	t.mark = wide.Pos.Mark
	names := g.Start.Squares()
	for i, at := range names.Layout {
		t.squares = append(t.squares, Square{names.Names[i], at.Col, at.Row, at.Level})
	}
	t.lines, t.bars = g.Start.Lines()
	return t
}

// noBoard says that something wants a positional game, for one that is none.
func (b *bound[P]) noBoard(things string) error {
	if b.lines != nil {
		return fmt.Errorf("%s are of boards of at most %d squares; %s has %d", things, board.MaxSquares, b.Spec, len(b.squares))
	}
	return fmt.Errorf("%s are of games with squares and winning sets; %s is none", things, b.Spec)
}

// onGrid binds another game whose positions are drawn on one grid: squares are
// named by column and row, or numbered where there is one row.
func onGrid[P oxo.Position[P]](l *Lab, g *oxo.Game[P], cols, rows int) Game {
	t := bind(l, g, g.Spec)
	for row := range rows {
		for col := range cols {
			name := fmt.Sprint(col + 1)
			if rows > 1 {
				name = fmt.Sprintf("%c%d", 'a'+col, rows-row)
			}
			t.squares = append(t.squares, Square{Name: name, Col: col, Row: row})
		}
	}
	return t
}

func (b *bound[P]) Info() Info {
	return Info{
		Spec: b.Spec, Title: b.Title, Rules: b.rules(), Identity: b.identity, Start: b.Format(b.Start),
		Squares: b.squares, Lines: b.lines, Chance: b.Odds != nil, Loopy: b.Loopy(), Positional: b.board != nil,
		MaxPlies: b.MaxPlies, Symmetries: b.Symmetries.String(),
	}
}

func (b *bound[P]) Parse(position string) (State, error) {
	p, err := parse(b.Game, position)
	if err != nil {
		return State{}, err
	}
	return b.state(p), nil
}

func (b *bound[P]) state(p P) State {
	s := State{
		Position: b.Format(p), Turn: p.Turn().String(), Result: p.Outcome().String(),
		Moves: b.moveTexts(p, p.Moves(nil)),
	}
	if b.Payoff != nil && p.Outcome() != oxo.Ongoing {
		worth := b.Worth(p)
		s.Payoff = &worth
	}
	return s
}

func (b *bound[P]) moveTexts(p P, moves []oxo.Move) []string {
	texts := make([]string, len(moves))
	for i, m := range moves {
		texts[i] = b.FormatMove(p, m)
	}
	return texts
}
