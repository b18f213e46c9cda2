package typed

import (
	"context"
	"math/rand/v2"

	"oxo"
	"oxo/engine"
	"oxo/lab/internal/players"
	"oxo/lines"
	"oxo/player"
	"oxo/search"
)

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
