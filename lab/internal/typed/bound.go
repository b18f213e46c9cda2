package typed

import (
	"cmp"
	"fmt"

	"oxo"
	"oxo/board"
	"oxo/games/kind"
	"oxo/lab/internal/falling"
	"oxo/lines"
	"oxo/message"
	"oxo/threats"
)

// openedGame is a game that was opened, and what was worked out of it.
type openedGame[P oxo.Position[P]] struct {
	*oxo.Game[P]
	lab      *Lab
	erased   Game // the same game behind the interface
	identity string
	view     kind.View
	rules    string                       // how it is played, in a few sentences
	remark   func(p P, m oxo.Move) string // what a move does beside what is seen; nil where that is all
	lines    [][]int                      // winning sets
	bars     [][]int                      // for each, the squares that its owner must not have; nil where none has any
	mark     func(p P, square int) int    // 0 for X, 1 for O, 2 for none; nil for games without lines

	only []kind.Player[P] // players of the kind of game

	board      *board.Board // nil for games that are not positional
	wantsLines bool         // owning a winning set wins, for both sides
	free       bool         // a mark may be placed on every empty square, and stays there

	finder  finder
	whole   whole[P]
	graph   graph[P]
	falling falling.Lazy
	knowing knowing[P]
}

// Held returns about how many bytes of memory a game has come to hold: its winning
// sets, and what was worked out of its positions.
func Held(g Game) int64 { return g.(interface{ Held() int64 }).Held() }

// Held is what [Held] says of the game.
func (b *openedGame[P]) Held() int64 {
	bytes := b.whole.memoryBytes() + b.graph.bytes.Load() + b.falling.Bytes()
	for _, l := range b.lines {
		bytes += 8 * int64(len(l)+3)
	}
	return bytes
}

// drops returns the solvers of a game in which marks fall, or says why there are none.
func (b *openedGame[P]) drops() (*falling.Solvers, error) { return b.falling.Of(b.Start) }

// falls reports whether there are such solvers.
func (b *openedGame[P]) falls() bool {
	_, err := b.drops()
	return err == nil
}

// bind returns a game that was opened. The words are those of its messages.
func bind[P oxo.Position[P]](l *Lab, o *kind.Opened[P], own message.Table) *openedGame[P] {
	t := &openedGame[P]{
		Game: o.Game, lab: l, identity: cmp.Or(o.Identity, o.Game.Spec), view: o.View, rules: own.Say(o.Rules...),
	}
	if o.Remarks != nil {
		t.remark = func(p P, m oxo.Move) string { return own.Say(o.Remarks(p, m)...) }
	}
	if o.Lines != nil {
		t.lines, t.bars, t.mark, t.wantsLines, t.free = o.Lines.Need, o.Lines.Bar, o.Lines.Mark, o.Lines.Wanted,
			o.Lines.Free
	}
	return t
}

// bindOnBoard binds a positional game.
func bindOnBoard[P interface {
	oxo.Position[P]
	board.Positional
}](l *Lab, d *kind.Design, g *oxo.Game[P], own message.Table) Game {
	on := threats.BoardOf(d.Board)
	t := bind(l, &kind.Opened[P]{
		Game: g, Identity: d.Identity, View: d.View(), Rules: d.Explain(),
		Lines: &kind.Lines[P]{Need: on.Need, Bar: on.Bar, Mark: lines.Mark[P],
			Wanted: d.Rules.Name == board.Normal.Name, Free: d.Rules.Slip == 0 && d.Board.Below == nil},
	}, kind.Words().With(own))
	t.board = d.Board
	return erase(t)
}

// noBoardError says that something wants a positional game, for one that is none.
func (b *openedGame[P]) noBoardError(things string) error {
	if b.lines != nil {
		return fmt.Errorf("%s are of boards of at most %d squares; %s has %d", things, board.MaxSquares, b.Spec,
			len(b.view.Squares))
	}
	return fmt.Errorf("%s are of games with squares and winning sets; %s is none", things, b.Spec)
}

func (b *openedGame[P]) Info() Info {
	return Info{
		Spec: b.Spec, Title: b.Title, Rules: b.rules, Identity: b.identity, Start: b.Format(b.Start),
		Squares: b.view.Squares, Look: b.view.Look,
		Seats: [2]string{b.view.Seat(oxo.First), b.view.Seat(oxo.Second)},
		Lines: b.lines, Chance: b.Odds != nil, Loopy: b.Loopy(), Positional: b.board != nil,
		MaxPlies: b.MaxPlies, Symmetries: b.Symmetries.String(),
	}
}

func (b *openedGame[P]) state(p P) State {
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

func (b *openedGame[P]) moveTexts(p P, moves []oxo.Move) []string {
	texts := make([]string, len(moves))
	for i, m := range moves {
		texts[i] = b.FormatMove(p, m)
	}
	return texts
}
