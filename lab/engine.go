package lab

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"

	"oxo"
	"oxo/engine"
	"oxo/lines"
	"oxo/search"
)

// gomoku is how many in a row the gomocup protocol is about.
const gomoku = 5

// openEngine opens the player that is another program.
func openEngine[P oxo.Position[P]](b *bound[P], command string) (maker[P], error) {
	switch {
	case !b.lab.Commands:
		return nil, errors.New("commands can't be run here")
	case command == "":
		return nil, errors.New("a command is missing, as in engine:./bot or engine:gomocup:./bot")
	}
	protocol, rest := engine.Protocol(command)
	if _, err := engine.SplitCommand(rest); err != nil {
		return nil, err
	}
	o := engine.Options{}
	if protocol == "gomocup" {
		if !b.fiveInARow() {
			return nil, fmt.Errorf("the gomocup protocol is for five in a row on a grid, not for %s", b.Spec)
		}
		if b.bars != nil {
			o.Rule = 1
		}
	}
	return func(*rand.Rand) (oxo.Player[P], error) {
		return engine.New(context.Background(), b.Game, command, o)
	}, nil
}

// fiveInARow reports whether the game is five in a row on a grid, by free
// choice of the square.
func (b *bound[P]) fiveInARow() bool {
	return b.lines != nil && (b.board == nil || b.board.Cols != 0) && b.wantsLines && b.free && len(b.lines[0]) == gomoku
}

// Engine returns the game with a player for the text protocols. An empty spec
// is the strongest player that takes whatever time it is given.
func (b *bound[P]) Engine(spec string) (engine.Game, error) {
	if spec == "" {
		return engine.NewGame(b.Game, b.thinker), nil
	}
	m, err := b.timed(spec)
	if err != nil {
		return nil, err
	}
	return engine.NewGame(b.Game, func(engine.Limit, func(oxo.Choice, []oxo.Move)) (oxo.Player[P], error) {
		return m(rand.New(rand.NewPCG(rand.Uint64(), 0)))
	}), nil
}

// thinker makes the player that answers engines' managers: exact where the
// game is solved at once, alpha-beta that deepens on boards with lines, and
// Monte-Carlo tree search elsewhere.
func (b *bound[P]) thinker(limit engine.Limit, report func(oxo.Choice, []oxo.Move)) (oxo.Player[P], error) {
	if m, err := b.player("perfect"); err == nil {
		return m(rand.New(rand.NewPCG(rand.Uint64(), 0)))
	}
	if b.byLines() {
		return b.newLines(lines.Options{Depth: limit.Depth, Nodes: limit.Nodes, TableBytes: int(limit.Memory / 4), Report: report}, rand.Uint64())
	}
	o := search.Options[P]{Depth: limit.Depth, MaxNodes: limit.Nodes}
	o.Progress = func(r search.Result) {
		if r.Move != oxo.NoMove {
			report(oxo.Choice{Move: r.Move, Score: r.Score, Scored: true, Depth: r.Depth, Nodes: r.Nodes, Exact: r.Exact()}, r.PV)
		}
	}
	a := search.MCTS
	if b.board != nil && b.Odds == nil && !b.Loopy() {
		a = search.AlphaBeta
		o.Deepen, o.Memory, o.Order = true, search.Everything, search.Best
	} else {
		o.Depth, o.MaxNodes = 0, 0
		o.Sims = int(min(limit.Nodes, 1<<30)) // 0 has no limit but the time
	}
	if err := b.setEval(&o, a, "", a == search.MCTS); err != nil {
		return nil, err
	}
	if limit.Memory > 0 {
		o.TableBytes, o.TreeBytes = int(limit.Memory/2), int(limit.Memory/2)
	}
	return search.NewPlayer(b.Game, a, o, 0, rand.Uint64())
}

// HostQuiz plays one game of the quiz's protocol with a program that has
// connected: it plays first if theyFirst, else second, against a player.
func (b *bound[P]) HostQuiz(ctx context.Context, c net.Conn, theyFirst bool, spec, hello string) (*oxo.Record, error) {
	m, err := b.player(spec)
	if err != nil {
		return nil, err
	}
	seat := oxo.Second
	if theyFirst {
		seat = oxo.First
	}
	conn := engine.NewConn(c)
	guest, err := engine.HostQuiz(ctx, b.Game, conn, seat, hello, engine.Options{})
	if err != nil {
		return nil, err
	}
	s := &session[P]{bound: b, specs: [2]string{spec, spec}, trail: []P{b.Start}, chance: rand.New(rand.NewPCG(1, 2))}
	s.players[seat], s.specs[seat] = guest, guest.Name
	defer s.Close()
	if s.players[seat.Other()], err = m(rand.New(rand.NewPCG(rand.Uint64(), 0))); err != nil {
		return nil, err
	}
	for !s.Over() {
		if _, err := s.Step(ctx); err != nil {
			return nil, err
		}
	}
	if err := guest.End(s.now(), s.now().Outcome().Value(seat)); err != nil {
		return nil, fmt.Errorf("telling the end: %w", err)
	}
	r := s.Record()
	return &r, nil
}
