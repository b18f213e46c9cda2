package typed

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"oxo"
	"oxo/arena"
	"oxo/judge"
	"oxo/lab/internal/players"
	"oxo/puzzle"
)

// exact are the judge's sources that a puzzle can rest on.
var exact = []string{judge.End, judge.Reply, judge.Solution, judge.Falling}

// mined is how many positions a question about a position may take, and wholeMined how
// many classes of positions a game has that is solved whole before.
const (
	mined      = 60_000
	wholeMined = 2_000_000
)

// passers are the players whose games are looked at, those that the game has; the first
// plays at random.
var passers = []string{"random", "heuristic", "rows", "mcts:sims=60", "alphabeta:nodes=2000"}

// On boards of more than wideMined squares these play, who keep to lines, and near wins are
// looked for where a search for threats of so many positions finds one.
const (
	wideMined    = 100
	minedThreats = 2_000
)

var widePassers = []string{"random", "rows", "alphabeta:nodes=300", "alphabeta:nodes=2000"}

// newMiner returns what looks for puzzles of the game. The judge is the game's with its exact sources
// alone, so that a puzzle never rests on an estimate. It refuses games that puzzles don't suit.
func (f judging[P]) newMiner(ctx context.Context) (*puzzle.Miner[P], error) {
	b := f.b
	if err := puzzle.CheckSuitable(b.Game); err != nil {
		return nil, err
	}
	if b.GuessStartClasses() <= wholeMined {
		_, _ = b.SolveWhole(ctx) // where it is too large after all, positions are solved each
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	all, _ := players.GameJudge(b)
	j := &judge.Judge[P]{Game: all.Game, NoDraws: all.NoDraws}
	j.Sources = slices.DeleteFunc(slices.Clone(all.Sources), func(s judge.Source[P]) bool {
		return !slices.Contains(exact, s.Name)
	})
	m := &puzzle.Miner[P]{Game: b.Game, Judge: j, Nodes: mined, MinMovesToWin: winDistanceFunc[P](),
		Falls: b.View.Falls, Squares: len(b.View.Squares), HiddenLines: b.View.HidesLines()}
	specs := passers
	if len(b.View.Squares) > wideMined {
		specs, m.Threatens = widePassers, f.winsByThreatsFunc()
	}
	for _, spec := range specs {
		if open, err := players.OpenPlayer(b, spec); err == nil {
			m.Players = append(m.Players, func(r *rand.Rand) (oxo.Player[P], error) { return open(r) })
		}
	}
	return m, nil
}

// winsByThreatsFunc returns the miner's question whether the side to move wins by threats, nil
// where the game has no search for them.
func (f judging[P]) winsByThreatsFunc() func(P) bool {
	if !f.b.WithThreatFinder(func(judge.Finder[P]) {}) {
		return nil
	}
	return func(p P) (wins bool) {
		f.b.WithThreatFinder(func(t judge.Finder[P]) {
			wins = t.FindWin(context.Background(), p, p.Turn(), minedThreats) != nil
		})
		return wins
	}
}

// MinePuzzles looks for puzzles.
func (f judging[P]) MinePuzzles(ctx context.Context, o puzzle.MineOptions, tell func(puzzle.Puzzle)) (found int,
	err error) {
	m, err := f.newMiner(ctx)
	if err != nil {
		return 0, err
	}
	return m.Mine(ctx, o, tell)
}

// MineMistakes looks for puzzles in a played game.
func (f judging[P]) MineMistakes(ctx context.Context, s *arena.Sheet, o puzzle.MineOptions,
	tell func(puzzle.Mistake)) (found int, err error) {
	m, err := f.newMiner(ctx)
	if err != nil {
		return 0, err
	}
	positions, moves, err := arena.Replay(f.b.Game, s)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", f.b.Spec, err)
	}
	return m.MineMistakes(ctx, positions, moves, o, tell)
}

// FollowPuzzle follows a puzzle.
func (f judging[P]) FollowPuzzle(z *puzzle.Puzzle, move string, nodes int) (puzzle.Followed, error) {
	return puzzle.JudgeAndReply(f.b.Game, z, move, nodes)
}

// CheckPuzzle checks a puzzle.
func (f judging[P]) CheckPuzzle(z *puzzle.Puzzle, nodes int) error {
	return puzzle.Check(f.b.Game, z, nodes)
}
