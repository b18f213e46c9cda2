package typed

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os/exec"
	"slices"

	"oxo"
	"oxo/engine"
)

// gomoku is how many in a row the gomocup protocol is about.
const gomoku = 5

// openEngine opens the player that is another program.
func openEngine[P oxo.Position[P]](b *openedGame[P], command string) (maker[P], error) {
	switch {
	case !b.lab.Commands:
		return nil, errors.New("commands can't be run here")
	case command == "":
		return nil, errors.New("a command is missing, as in engine:./bot or engine:gomocup:./bot")
	}
	protocol, rest := engine.SplitProtocol(command)
	argv, err := engine.SplitCommand(rest)
	if err != nil {
		return nil, err
	}
	if !b.lab.Elsewhere {
		if _, err := exec.LookPath(argv[0]); err != nil {
			return nil, err
		}
	}
	o := engine.Options{}
	switch protocol {
	case "gomocup":
		if !b.fiveInARow() {
			return nil, fmt.Errorf("the gomocup protocol is for five in a row on a grid, not for %s", b.Spec)
		}
		if b.bars != nil {
			o.Rule = 1
		}
	case "codingame":
		if err := engine.CheckGrid(b.Game); err != nil {
			return nil, fmt.Errorf("the codingame protocol is for Ultimate tic-tac-toe and its like, not for %s: %w",
				b.Spec, err)
		}
	}
	ctx := b.lab.Ending
	if ctx == nil {
		ctx = context.Background()
	}
	return func(*rand.Rand) (oxo.Player[P], error) { return engine.New(ctx, b.Game, command, o) }, nil
}

// fiveInARow reports whether the game is five in a row on a grid whose edges
// are not joined, by free choice of the square.
func (b *openedGame[P]) fiveInARow() bool {
	if !b.racesForLines() || b.board != nil && b.board.Cols == 0 {
		return false
	}
	cols, rows := 0, 0
	for _, s := range b.view.Squares {
		cols, rows = max(cols, s.Col+1), max(rows, s.Row+1)
	}
	across, down := max(cols-gomoku+1, 0), max(rows-gomoku+1, 0)
	return len(b.lines) == across*rows+down*cols+2*across*down && !slices.ContainsFunc(b.lines, b.isNoRow)
}

// isNoRow reports whether the squares are not five side by side.
func (b *openedGame[P]) isNoRow(line []int) bool {
	if len(line) != gomoku {
		return true
	}
	line = slices.Sorted(slices.Values(line))
	step := func(i int) [2]int {
		from, to := b.view.Squares[line[i]], b.view.Squares[line[i+1]]
		return [2]int{to.Col - from.Col, to.Row - from.Row}
	}
	for i := range gomoku - 1 {
		if s := step(i); s != step(0) || max(s[0], -s[0]) > 1 || max(s[1], -s[1]) > 1 {
			return true
		}
	}
	return false
}

// Engine returns the game with a player for the text protocols. An empty spec
// is the strongest player that takes whatever time it is given; for it the game
// is solved on the side, if it is not too large, until ctx is done.
func (f contesting[P]) Engine(ctx context.Context, spec string) (engine.Game, error) {
	if spec == "" {
		s := f.solveInBackground(ctx)
		return engine.NewGame(f.b.Game, func(limit engine.Limit, report func(oxo.Choice, []oxo.Move)) (oxo.Player[P],
			error) {
			searching, err := f.newSearchPlayer(limit, report)
			return &thinker[P]{s, searching, rand.New(rand.NewPCG(rand.Uint64(), 0))}, err
		}), nil
	}
	m, err := f.b.clockedPlayerMaker(spec)
	if err != nil {
		return nil, err
	}
	return engine.NewGame(f.b.Game, func(limit engine.Limit, _ func(oxo.Choice, []oxo.Move)) (oxo.Player[P], error) {
		p, err := m(rand.New(rand.NewPCG(rand.Uint64(), 0)))
		if l, ok := p.(engine.Limiter); ok && err == nil {
			if err := l.Limit(limit.Depth, limit.Nodes); err != nil {
				if c, ok := p.(io.Closer); ok {
					c.Close()
				}
				return nil, fmt.Errorf("player %q: %w", spec, err)
			}
		}
		return p, err
	}), nil
}

// HostQuiz plays one game of the quiz's protocol with the programs that have
// connected, at least one; on a seat without one a player plays. Where a program
// leaves or breaks the rules, the other one wins.
func (f contesting[P]) HostQuiz(ctx context.Context, guests [2]net.Conn, spec, hello string) (*oxo.Record, error) {
	s := &session[P]{openedGame: f.b, specs: [2]string{spec, spec}, trail: []P{f.b.Start},
		chance: rand.New(rand.NewPCG(1, 2))}
	defer s.Close()
	var hosted [2]*engine.QuizPlayer[P]
	for seat, c := range guests {
		if c == nil {
			m, err := f.b.playerMaker(spec)
			if err != nil {
				return nil, err
			}
			if s.players[seat], err = m(rand.New(rand.NewPCG(rand.Uint64(), 0))); err != nil {
				return nil, err
			}
			continue
		}
		guest, err := engine.HostQuiz(ctx, f.b.Game, engine.NewConn(c), oxo.Seat(seat), hello, engine.Options{})
		if err != nil {
			return nil, err
		}
		hosted[seat], s.players[seat], s.specs[seat] = guest, guest, guest.Name
	}
	for !s.Over() {
		turn := s.currentPosition().Turn()
		if _, err := s.Step(ctx); err != nil {
			if other := hosted[turn.Other()]; other != nil && ctx.Err() == nil {
				err = errors.Join(err, other.End(s.currentPosition(), oxo.Win))
			}
			return nil, err
		}
	}
	for seat, guest := range hosted {
		if guest == nil {
			continue
		}
		if err := guest.End(s.currentPosition(), s.currentPosition().Outcome().Value(oxo.Seat(seat))); err != nil {
			return nil, fmt.Errorf("telling the end: %w", err)
		}
	}
	r := s.Record()
	return &r, nil
}
