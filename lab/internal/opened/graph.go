package opened

import (
	"cmp"
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	"oxo"
	"oxo/lab/internal/falling"
	"oxo/lab/internal/game"
	"oxo/learn"
	"oxo/learn/exam"
	"oxo/learn/space"
)

// enumerable is the most positions of a game that learners are examined on,
// unless a lab says otherwise.
const enumerable = 3_000_000

// graph is a game's positions as the learners see them, enumerated once. That a game is too large is
// kept like a result, so that it is found out once; that ctx ended is not.
type graph[P oxo.Position[P]] struct {
	mu    sync.Mutex
	graph *space.Graph[P]
	err   error

	tooLarge atomic.Bool // whether that was found to be so

	playable *space.Graph[P] // with illegal boards, nil until somebody learns on them

	bytes atomic.Int64 // about what the graph takes
}

// AllPositions returns all positions of the game, or an error where there are too
// many.
func (b *TypedGame[P]) AllPositions() (*space.Graph[P], error) {
	return b.Enumerate(context.Background())
}

// Enumerate is space, unless ctx ends first.
func (b *TypedGame[P]) Enumerate(ctx context.Context) (*space.Graph[P], error) {
	b.graph.mu.Lock()
	defer b.graph.mu.Unlock()
	if b.graph.graph != nil || b.graph.err != nil {
		return b.graph.graph, b.graph.err
	}
	if b.graph.err = b.refuseUnenumerable(); b.graph.err != nil {
		return nil, b.graph.err
	}
	g, err := space.Enumerate(ctx, b.Game, mostEnumerated(b.Lab))
	if err != nil && ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err == nil {
		b.graph.bytes.Store(g.Bytes())
	}
	b.graph.graph, b.graph.err = g, err
	b.graph.tooLarge.Store(err != nil)
	return g, err
}

func mostEnumerated(l *game.Lab) int { return cmp.Or(l.Enumerable, enumerable) }

// refuseUnenumerable returns an error where a guess says that there are too many positions to enumerate.
// The guess is by random games and can be off, so it must exceed the limit by half before it counts.
func (b *TypedGame[P]) refuseUnenumerable() error {
	most := mostEnumerated(b.Lab)
	guess := b.guessPositions()
	if b.Odds != nil {
		k := &b.Knowing
		k.slid.Do(func() { k.slips = GuessPositionsBelow(b, b.Start) })
		guess = k.slips
	}
	if guess > hopeless*float64(most) {
		return fmt.Errorf("%s: %w: %s, and at most %d are", b.Spec, space.ErrTooLarge, game.AboutNumber(guess), most)
	}
	return nil
}

// GraphToCheckLearners returns a small graph on which to ask what learns the game. It passes for
// complete where all positions can be enumerated, by a guess where nobody has tried.
func (b *TypedGame[P]) GraphToCheckLearners() *space.Graph[P] {
	if b.graph.tooLarge.Load() || b.refuseUnenumerable() != nil {
		return space.NewLazyGraph(b.Game)
	}
	return space.OnePlyGraph(b.Game)
}

// EnumerateWithUnreachable returns all positions and all other boards that can be played on, or an
// error where there are too many or none.
func (b *TypedGame[P]) EnumerateWithUnreachable(ctx context.Context) (*space.Graph[P], error) {
	b.graph.mu.Lock()
	defer b.graph.mu.Unlock()
	if b.graph.playable != nil {
		return b.graph.playable, nil
	}
	g, err := space.EnumeratePlayable(ctx, b.Game, mostEnumerated(b.Lab))
	if err == nil {
		b.graph.playable = g
		b.graph.bytes.Add(g.Bytes())
	}
	return g, err
}

// LearningGraph returns the graph to learn on: all positions where they can be enumerated, else one
// that grows as it is played on. One that grows belongs to one learner, so each call returns another.
// Where marks fall, the ends of games are solved on the way, as soon as few squares are free.
func (b *TypedGame[P]) LearningGraph() *space.Graph[P] {
	if g, err := b.AllPositions(); err == nil {
		return g
	}
	g := space.NewLazyGraph(b.Game)
	if b.Falls() {
		if solved, err := falling.EndgameValues(b.Start); err == nil {
			g.Solved = func(n space.Node) (float64, bool) { return solved(g.Position(n)) }
		}
	}
	return g
}

// sample is the sample of positions that was drawn last.
type sample struct {
	mu   sync.Mutex
	n    int
	kept *exam.Sample
}

// SolvedSample returns positions to grade players by, n or a few more, that the solver of falling marks
// judges. It refuses games that have none. The last sample is kept: a training asks for the same one
// at each point of its curve.
func (b *TypedGame[P]) SolvedSample(ctx context.Context, n int, seed uint64) (*exam.Sample, error) {
	solvers, err := b.Drops()
	if err != nil {
		return nil, err
	}
	find, err := falling.JudgeVerdictFinder(solvers, b.Start)(0)
	if err != nil {
		return nil, err
	}
	s := &b.sample
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.kept != nil && s.n == n && s.kept.Seed == seed {
		return s.kept, nil
	}
	drawn, err := exam.NewSample(ctx, b.Game, b.Board.N, n, seed, func(ctx context.Context, p P) (oxo.Value, error) {
		v, _, err := find(ctx, p, false)
		return v.Outcome.Value(p.Turn()), err
	})
	if err == nil {
		s.n, s.kept = n, drawn
	}
	return drawn, err
}

// DecodeBrain reads a brain and refuses one of another game.
func (b *TypedGame[P]) DecodeBrain(data []byte) (*learn.Brain, error) {
	brain, err := learn.ReadBrain(data, b.Lab.Learners...)
	if err == nil {
		err = brain.CheckIdentity(b.Identity)
	}
	return brain, err
}

// ReadBrainFile reads the brain in a file and refuses one of another game.
func (b *TypedGame[P]) ReadBrainFile(path string) (*learn.Brain, error) {
	read := b.Lab.ReadNamedFile
	if b.Lab.ReadBrain != nil {
		read = b.Lab.ReadBrain
	}
	data, err := read(path)
	if err != nil {
		return nil, err
	}
	brain, err := b.DecodeBrain(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return brain, nil
}
