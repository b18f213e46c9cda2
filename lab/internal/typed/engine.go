package typed

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"

	"oxo"
	"oxo/engine"
	"oxo/lab/internal/game"
	"oxo/lab/internal/players"
	"oxo/lines"
	"oxo/player"
	"oxo/search"
)

// NewEngine returns the game with a player for the text protocols. An empty spec
// is the strongest player that takes whatever time it is given; for it the game
// is solved on the side, if it is not too large, until ctx is done. A player that is named is bound by the manager's
// limits of depth and nodes where it can be, and by its time always. The error is of a spec that this game refuses.
func (f contesting[P]) NewEngine(ctx context.Context, playerSpec string) (engine.Engine, error) {
	if playerSpec == "" {
		s := f.solveInBackground(ctx)
		return engine.NewEngine(f.b.Game, func(limit engine.Limit, report func(oxo.Choice, []oxo.Move)) (oxo.Player[P],
			error) {
			searching, err := f.newSearchPlayer(limit, report)
			return &solveOrSearchPlayer[P]{s, searching, rand.New(rand.NewPCG(rand.Uint64(), 0))}, err
		}), nil
	}
	m, err := players.OpenClockedPlayer(f.b, playerSpec)
	if err != nil {
		return nil, err
	}
	return engine.NewEngine(f.b.Game, func(limit engine.Limit, _ func(oxo.Choice, []oxo.Move)) (oxo.Player[P], error) {
		p, err := m(rand.New(rand.NewPCG(rand.Uint64(), 0)))
		// A player that can't keep to the limits is refused, and closed where it holds something open.
		if l, ok := p.(engine.Limiter); ok && err == nil {
			if err := l.Limit(limit.Depth, limit.Nodes); err != nil {
				if c, ok := p.(io.Closer); ok {
					c.Close()
				}
				return nil, fmt.Errorf("player %q: %w", playerSpec, err)
			}
		}
		return p, err
	}), nil
}

// HostQuiz plays one game of the quiz's protocol with the programs that connect, at least one, each
// greeted as it comes; on a seat without one a player plays. Where a program leaves or breaks the
// rules, the other one wins. The record is the game's; an error is a program's that left or broke the
// rules, which the other one is told as its win. The guests are by seat, First's at 0; nil is a seat for the
// player of that spec. Greeting is what each program is greeted with.
func (f contesting[P]) HostQuiz(ctx context.Context, guests [2]game.QuizGuest, playerSpec,
	greeting string) (*oxo.Record, error) {
	// The session is made by hand, as a program takes a seat only once it has connected.
	s := &session[P]{TypedGame: f.b, specs: [2]string{playerSpec, playerSpec}, trail: []P{f.b.Start},
		chance: rand.New(rand.NewPCG(1, 2))}
	defer s.Close()
	var hosted [2]*engine.QuizPlayer[P]
	for seat, await := range guests {
		if await == nil {
			m, err := players.OpenPlayer(f.b, playerSpec)
			if err != nil {
				return nil, err
			}
			if s.players[seat], err = m(rand.New(rand.NewPCG(rand.Uint64(), 0))); err != nil {
				return nil, err
			}
			continue
		}
		c, err := await(ctx)
		if err != nil {
			return nil, err
		}
		guest, err := engine.GreetQuiz(ctx, f.b.Game, engine.NewConn(c), oxo.Seat(seat), greeting,
			engine.ClientOptions{})
		if err != nil {
			return nil, err
		}
		hosted[seat], s.players[seat], s.specs[seat] = guest, guest, guest.Name
	}
	// The board of the start is sent only when everybody is there.
	for _, guest := range hosted {
		if guest == nil {
			continue
		}
		if err := guest.ShowStart(ctx); err != nil {
			return nil, err
		}
	}
	for !s.Over() {
		turn := s.currentPosition().Turn()
		if _, err := s.Step(ctx); err != nil {
			// A program that has failed loses, and its opponent is told so; a game that was called off has no winner.
			if other := hosted[turn.Other()]; other != nil && ctx.Err() == nil {
				err = errors.Join(err, other.End(s.currentPosition(), oxo.Win))
			}
			return nil, err
		}
	}
	// Each program is told the last board, and whether it has won or lost.
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

// backgroundSolution is a game that is solved while it is played. It is for engines: a manager waits
// for a move, not for a solution.
type backgroundSolution[P oxo.Position[P]] struct {
	done    chan struct{}
	perfect *player.Perfect[P] // once done is closed; nil where the game is too large
}

// solveInBackground begins to solve the game. It gives up when ctx is done.
func (f contesting[P]) solveInBackground(ctx context.Context) *backgroundSolution[P] {
	a := &backgroundSolution[P]{done: make(chan struct{})}
	go func() {
		defer close(a.done)
		if s, err := f.b.SolveWhole(ctx); err == nil {
			a.perfect = &player.Perfect[P]{Solution: s}
		}
	}()
	return a
}

// hasSolved reports whether the position is solved by now.
func (a *backgroundSolution[P]) hasSolved(p P) bool {
	select {
	case <-a.done:
	default:
		return false
	}
	if a.perfect == nil {
		return false
	}
	_, ok := a.perfect.Solution.At(p)
	return ok
}

// solveOrSearchPlayer plays exactly from when the game is solved, and until then by
// newSearchPlayer.
type solveOrSearchPlayer[P oxo.Position[P]] struct {
	*backgroundSolution[P]
	searching oxo.Player[P]
	random    *rand.Rand
}

// Choose returns as soon as the position is solved, even while it searches. A search that is under way
// is stopped once the solution is there.
func (t *solveOrSearchPlayer[P]) Choose(ctx context.Context, p P) (oxo.Choice, error) {
	if !t.hasSolved(p) {
		searching, stop := context.WithCancel(ctx)
		defer stop()
		go func() {
			select {
			case <-t.done:
				if t.hasSolved(p) {
					stop()
				}
			case <-searching.Done():
			}
		}()
		if c, err := t.searching.Choose(searching, p); !t.hasSolved(p) {
			return c, err
		}
	}
	return player.NewSamplingPlayer(t.perfect, t.random).Choose(ctx, p)
}

// newSearchPlayer makes the player that answers engines' managers by a search: alpha-beta that deepens
// where that is the stronger one or a depth is asked for, and Monte-Carlo tree search elsewhere.
// Memory is shared by the table and the tree. Report is told of each better line, for the manager's
// display.
func (f contesting[P]) newSearchPlayer(limit engine.Limit, report func(oxo.Choice, []oxo.Move)) (oxo.Player[P], error) {
	if f.b.SearchesByLines() {
		return players.NewLinesPlayer(f.b, lines.PlayerOptions{Depth: limit.Depth, Nodes: limit.Nodes,
			TableBytes: int(limit.Memory / 4), JudgeForced: limit.Depth > 0 || limit.Nodes > 0,
			Report: report}, rand.Uint64())
	}
	o := search.Options[P]{Depth: limit.Depth, MaxNodes: limit.Nodes}
	o.Progress = func(r search.Result) {
		if r.Move != oxo.NoMove {
			report(oxo.Choice{Move: r.Move, Score: r.Score, Scored: true, Depth: r.Depth, Nodes: r.Nodes,
				Exact: r.Exact()}, r.PV)
		}
	}
	a := search.MCTS
	if f.b.RacesForLines() || limit.Depth > 0 && f.b.Odds == nil {
		a = search.AlphaBeta
		o.Deepen, o.Memory, o.Order = true, search.Everything, search.Best
	} else {
		o.Depth, o.MaxNodes = 0, 0
		o.Sims = int(min(limit.Nodes, 1<<30)) // 0 has no limit but the time
	}
	if err := players.SetAndLoadEval(f.b, &o, a, "", a == search.MCTS); err != nil {
		return nil, err
	}
	if limit.Memory > 0 {
		o.TableBytes, o.TreeBytes = int(limit.Memory/2), int(limit.Memory/2)
	}
	return search.NewPlayer(f.b.Game, a, o, 0, rand.Uint64())
}
