// Package engine speaks the text protocols of other people's programs, as the
// program that is asked for moves and as the one that asks: Gomocup for five
// in a row, CodinGame's for Ultimate tic-tac-toe, UGI for any game, and the
// Ruby quiz's over TCP.
//
// A server ([ServeGomocup], [ServeCodinGame], [ServeUGI], [PlayQuiz]) plays a
// [Engine] over a reader and a writer. A client ([New]) makes a player of a
// program that runs beside us, and [GreetQuiz] one of a program that connects.
// No program on the other side, however it behaves, does more than lose its
// game: [Start] and [Conn] hold the deadlines and limits, and end the whole
// process group.
//
// All coordinates come from the text of positions and moves: rows from the top
// joined with "/", columns by letters and rows by numbers with a1 at the
// bottom left.
package engine

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"oxo"
)

// Engine is a game and somebody who plays it, in text: what a server plays.
// State may be called while Think runs, Ready and Reset may not. [NewEngine] makes one.
type Engine interface {
	// State returns what is to be known after the moves from the position,
	// which is the start where it is empty.
	State(position string, moves ...string) (State, error)

	// Think chooses a move in the position. It returns early, with the best
	// move found, when ctx is done. It may report on the way.
	Think(ctx context.Context, position string, limit Limit, report func(Report)) (Report, error)

	// Ready makes the player that thinks within the limit, and has it read all
	// that it plays by, so that no move waits for that.
	Ready(limit Limit) error

	// Reset forgets what was kept from earlier moves: another game begins.
	Reset()
}

// State is a position in text.
// Position is in the game's own text, whatever the protocol. Moves are in the order of the game, none where it is
// over.
type State struct {
	Position string
	Turn     oxo.Seat
	Outcome  oxo.Outcome
	Moves    []string // the legal ones
}

// Limit bounds the thinking about one move besides its time. Zero bounds
// nothing.
type Limit struct {
	Depth  int
	Nodes  uint64
	Memory int64 // in bytes
}

// Report says how thinking goes, or went. Move and Line are text of the
// position that is thought about.
type Report struct {
	oxo.Choice
	Move string
	Line []string // the play that is expected, Move first
	Time time.Duration
}

// Limiter is a player that looks no further ahead for a move than so many
// plies, and at no more positions, where that is not 0. The error says what it
// can't be held to.
type Limiter interface {
	Limit(depth int, nodes uint64) error
}

// Maker makes a player within the limits. The player may report on its
// thinking: the choice and the line of play that it expects.
type Maker[P oxo.Position[P]] func(limit Limit, report func(c oxo.Choice, line []oxo.Move)) (oxo.Player[P], error)

// NewEngine binds a game to the player that a maker makes. The player is kept
// from move to move until the limits change or another game begins.
func NewEngine[P oxo.Position[P]](g *oxo.Game[P], maker Maker[P]) Engine {
	return &boundGame[P]{game: g, maker: maker}
}

// boundGame is an [Engine] of a game: it makes players as limits ask for them.
type boundGame[P oxo.Position[P]] struct {
	game   *oxo.Game[P]
	maker  Maker[P]
	player oxo.Player[P]
	limit  Limit // of the player
	report func(oxo.Choice, []oxo.Move)
}

// parsePosition reads a position, empty for the start.
// A position from a protocol is checked as any text from outside.
func (b *boundGame[P]) parsePosition(text string) (P, error) {
	if text == "" {
		return b.game.Start, nil
	}
	return b.game.Parse(text)
}

// State says how the game stands in a position, or after moves from there.
func (b *boundGame[P]) State(position string, moves ...string) (State, error) {
	p, err := b.parsePosition(position)
	if err != nil {
		return State{}, err
	}
	for i, text := range moves {
		m, err := b.game.ParseMove(p, text)
		if err != nil {
			return State{}, fmt.Errorf("move %d: %w", i+1, err)
		}
		p = p.Play(m)
	}
	s := State{Position: b.game.Format(p), Turn: p.Turn(), Outcome: p.Outcome()}
	for _, m := range p.Moves(nil) {
		s.Moves = append(s.Moves, b.game.FormatMove(p, m))
	}
	return s, nil
}

// Reset also ends the program that a player may be.
func (b *boundGame[P]) Reset() {
	if c, ok := b.player.(io.Closer); ok {
		c.Close()
	}
	b.player = nil
}

// Ready makes the player of those limits, unless the one at hand has them.
func (b *boundGame[P]) Ready(limit Limit) (err error) {
	if b.player != nil && b.limit == limit {
		return nil
	}
	b.Reset()
	p, err := b.maker(limit, func(c oxo.Choice, line []oxo.Move) {
		if b.report != nil {
			b.report(c, line)
		}
	})
	if err == nil {
		b.player, b.limit = p, limit
	}
	return err
}

// Think has the player choose a move, and tells report how far it has come.
func (b *boundGame[P]) Think(ctx context.Context, position string, limit Limit, report func(Report)) (Report, error) {
	p, err := b.parsePosition(position)
	if err != nil {
		return Report{}, err
	}
	switch {
	case p.Outcome() != oxo.Ongoing:
		return Report{}, errors.New("the game is over")
	case p.Turn() == oxo.Chance:
		return Report{}, errors.New("chance is to act")
	}
	if err := b.Ready(limit); err != nil {
		return Report{}, err
	}
	begin := time.Now()
	b.report = func(c oxo.Choice, line []oxo.Move) {
		if report != nil {
			report(b.makeReport(p, c, line, begin))
		}
	}
	defer func() { b.report = nil }()
	c, err := b.game.Ask(ctx, b.player, p, p.Moves(nil))
	if err != nil {
		return Report{}, err
	}
	if c.Resign { // no protocol here has a word for it
		c.Move = p.Moves(nil)[0]
	}
	return b.makeReport(p, c, []oxo.Move{c.Move}, begin), nil
}

// makeReport writes a choice and the line that is expected after it as text.
// begin is when thinking began, and p the position in which c was chosen.
func (b *boundGame[P]) makeReport(p P, c oxo.Choice, line []oxo.Move, begin time.Time) Report {
	r := Report{Choice: c, Move: b.game.FormatMove(p, c.Move), Time: time.Since(begin)}
	for _, m := range line {
		r.Line = append(r.Line, b.game.FormatMove(p, m))
		p = p.Play(m)
	}
	return r
}

// moveShare is the part of a bank of time that a move gets.
// It is a twenty-fifth of the bank, more where fewer moves are to be made with it, and three quarters of the increment,
// but at most nine tenths of what is left. moves is 0 where it is not known.
func moveShare(left, increment time.Duration, moves int64) time.Duration {
	if moves == 0 {
		moves = 25
	}
	// Divided first: some write a bank without end as a very large one.
	return min(left/10*9, left/time.Duration(min(moves, 25))+increment/4*3)
}
