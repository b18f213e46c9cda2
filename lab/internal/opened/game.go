// Package opened holds games of a known type of positions with what is worked out of them
// once and kept: the solved game, the graph of positions, solvers, strategies of proofs.
package opened

import (
	"cmp"
	"fmt"
	"sync"

	"oxo"
	"oxo/board"
	"oxo/eval"
	"oxo/games/kind"
	"oxo/judge"
	"oxo/lab/internal/falling"
	"oxo/lab/internal/game"
	"oxo/message"
)

// TypedGame is a game that was opened, and what was worked out of it. It is shared by all sessions,
// players and requests of one game, so that what is worked out once serves all; each part has a lock
// or an atomic of its own.
type TypedGame[P oxo.Position[P]] struct {
	*oxo.Game[P]
	Lab      *game.Lab
	Erased   game.Game // the same game behind the interface
	Identity string
	View     kind.View
	Words    message.Table             // of its messages
	rules    string                    // how it is played, in a few sentences
	said     message.Said              // the same as messages
	Lines    [][]int                   // winning sets
	Bars     [][]int                   // for each, the squares that its owner must not have; nil where none has any
	Mark     func(p P, square int) int // 0 for X, 1 for O, 2 for none; nil for games without lines

	Remarks func(p P, m oxo.Move) []message.Message // what a move does beside what is seen; nil where that is all

	Only []kind.PlayerKind[P] // players of the kind of game

	Board      *board.Board // nil for games that are not positional
	WantsLines bool         // owning a winning set wins, for both sides
	free       bool         // a mark may be placed on every empty square, and stays there
	turns      *kind.Turns  // nil where only the game itself knows what comes of a move

	evaluations func() []string // their names

	finder  finder
	whole   whole[P]
	graph   graph[P]
	falling falling.Lazy
	sample  sample
	Knowing knowing[P]
}

// HeldBytes returns about how many bytes of memory the game has come to hold. The server's cache of games
// drops the largest by it.
func (b *TypedGame[P]) HeldBytes() int64 {
	bytes := b.whole.memoryBytes() + b.graph.bytes.Load() + b.falling.Bytes()
	if w := b.Knowing.tiers.whole.Load(); w != nil {
		bytes += w.Bytes()
	}
	for _, l := range b.Lines {
		bytes += 8 * int64(len(l)+3)
	}
	return bytes
}

// Drops returns the solvers of a game in which marks fall, or says why there are none.
func (b *TypedGame[P]) Drops() (*falling.Solvers, error) { return b.falling.Of(b.Start) }

// Falls reports whether there are such solvers.
func (b *TypedGame[P]) Falls() bool { return falling.Falls(b.Start) }

// New returns a game that was opened. The words are those of its messages. Nothing is worked out yet:
// that is done when it is first asked for.
func New[P oxo.Position[P]](l *game.Lab, o *kind.Opened[P], words message.Table) *TypedGame[P] {
	t := &TypedGame[P]{
		Game: o.Game, Lab: l, Identity: cmp.Or(o.Identity, o.Game.Spec), View: o.View, rules: words.Say(o.Rules...),
		said:  message.Said{"rules": o.Rules},
		Words: words, Remarks: o.Remarks, turns: o.Turns,
	}
	t.evaluations = sync.OnceValue(func() (names []string) {
		for _, e := range eval.EvaluationsFor(o.Game) {
			names = append(names, e.Name)
		}
		return names
	})
	drawn := l != nil && l.Drawn
	if names := o.SideNames(drawn); names != nil {
		t.View.Seats, t.said["seats"] = [2]string{words.Say(names[0]), words.Say(names[1])}, names
	}
	if drawn {
		t.said["rules"] = o.WithPieceWords(o.Rules)
		t.rules = words.Say(t.said["rules"]...)
	}
	if o.Title.Key != "" {
		t.said["title"] = []message.Message{o.Title}
	}
	if o.Lines != nil {
		t.Lines, t.Bars, t.Mark, t.WantsLines, t.free = o.Lines.Need, o.Lines.Bar, o.Lines.Mark, o.Lines.Wanted,
			o.Lines.Free
	}
	return t
}

// SideNames are what the two sides are called, as arguments of messages.
func SideNames[P oxo.Position[P]](b *TypedGame[P]) (messageArgs [2]any) {
	if names := b.said["seats"]; names != nil {
		return [2]any{names[0], names[1]}
	}
	return [2]any{b.View.Seat(oxo.First), b.View.Seat(oxo.Second)}
}

// NoBoardError says that something wants a positional game, for one that is none.
func (b *TypedGame[P]) NoBoardError(subject string) error {
	if b.Lines != nil {
		return fmt.Errorf("%s %w; %s has %d", subject, game.ErrLarge, b.Spec, len(b.View.Squares))
	}
	return fmt.Errorf("%s %w; %s is none", subject, game.ErrNoSquares, b.Spec)
}

// Info says what the game is.
func (b *TypedGame[P]) Info() game.Info {
	return game.Info{
		Spec: b.Spec, Title: b.Title, Rules: b.rules, Identity: b.Identity, Start: b.Format(b.Start),
		Squares: b.View.Squares, Look: b.View.Look,
		Seats: [2]string{b.View.Seat(oxo.First), b.View.Seat(oxo.Second)},
		Lines: b.Lines, Bars: b.Bars, Turns: b.turns,
		Chance: b.Odds != nil, Loopy: b.Loopy(), Positional: b.Board != nil,
		MaxPlies: b.MaxPlies, Symmetries: b.Symmetries.String(), Said: b.said, Evaluations: b.evaluations(),
	}
}

// StateOf returns a position in text.
func (b *TypedGame[P]) StateOf(p P) game.State {
	s := game.State{
		Position: b.Format(p), Turn: p.Turn().String(), Result: p.Outcome().String(),
		Moves: moveTexts(b, p, p.Moves(nil)),
	}
	if b.Payoff != nil && p.Outcome() != oxo.Ongoing {
		s.Payoff = new(b.PayoffToFirst(p))
	}
	return s
}

// moveTexts writes moves of a position as text.
func moveTexts[P oxo.Position[P]](b *TypedGame[P], p P, moves []oxo.Move) []string {
	texts := make([]string, len(moves))
	for i, m := range moves {
		texts[i] = b.FormatMove(p, m)
	}
	return texts
}

// knowing is what the judge of a game keeps. The judge is made once, sizes are guessed once,
// strategies are read once.
type knowing[P oxo.Position[P]] struct {
	Once       sync.Once
	Judge      *judge.Judge[P]
	Voice      *judge.Voice[P]
	mu         sync.Mutex
	strategies *judge.Strategies[P]
	sized      sync.Once
	positions  float64 // guessed
	slid       sync.Once
	slips      float64 // positions of a game with chance, guessed
	size       sync.Once
	classes    float64 // of them, guessed

	tiers soonByTiers
}

// ParseOrStart reads a position; empty text is the start.
func ParseOrStart[P oxo.Position[P]](g *oxo.Game[P], text string) (P, error) {
	if text == "" {
		return g.Start, nil
	}
	return g.Parse(text)
}

// KnownBounds returns where the position itself says that all leaves lie, nil where it does not.
func KnownBounds[P any](p P) *oxo.Interval {
	if t, ok := any(p).(interface{ Known() oxo.Interval }); ok {
		return new(t.Known())
	}
	return nil
}
