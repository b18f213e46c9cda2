package typed

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"oxo"
	"oxo/learn"
	"oxo/learn/exam"
	"oxo/learn/model"
	"oxo/learn/space"
	"oxo/solve"
)

// enumerable is the most positions of a game that learners are examined on,
// unless a lab says otherwise.
const enumerable = 3_000_000

// graph is a game's positions as the learners see them, enumerated once.
type graph[P oxo.Position[P]] struct {
	mu    sync.Mutex
	graph *space.Graph[P]
	err   error
	bytes atomic.Int64 // about what the graph takes
}

// allPositions returns all positions of the game, or an error where there are too
// many.
func (b *openedGame[P]) allPositions() (*space.Graph[P], error) {
	return b.enumerateOnce(context.Background())
}

// enumerateOnce is space, unless ctx ends first.
func (b *openedGame[P]) enumerateOnce(ctx context.Context) (*space.Graph[P], error) {
	b.graph.mu.Lock()
	defer b.graph.mu.Unlock()
	if b.graph.graph != nil || b.graph.err != nil {
		return b.graph.graph, b.graph.err
	}
	most := cmp.Or(b.lab.Enumerable, enumerable)
	if guess := solve.EstimatePositions(b.Game, b.Start, guesses, 1); guess > hopeless*float64(most) {
		b.graph.err = fmt.Errorf("%s: %w: about %.1g, and at most %d are", b.Spec, space.ErrTooLarge, guess, most)
		return nil, b.graph.err
	}
	g, err := space.Enumerate(ctx, b.Game, most)
	if err != nil && ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err == nil {
		b.graph.bytes.Store(g.Bytes())
	}
	b.graph.graph, b.graph.err = g, err
	return g, err
}

// learningGraph returns the graph to learn on: all positions where they can be
// enumerated, else one that grows as it is played on.
func (b *openedGame[P]) learningGraph() *space.Graph[P] {
	if g, err := b.allPositions(); err == nil {
		return g
	}
	return space.Explore(b.Game)
}

// openBrain opens the player that a brain in a file is.
func openBrain[P oxo.Position[P]](b *openedGame[P], path string) (maker[P], error) {
	brain, err := b.readBrain(path)
	if err != nil {
		return nil, err
	}
	if _, err := learn.OpenBrain(b.learningGraph().Space, brain); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return func(r *rand.Rand) (oxo.Player[P], error) {
		g := b.learningGraph() // its own where it grows
		t, err := learn.OpenBrain(g.Space, brain)
		if err != nil {
			return nil, err
		}
		return learn.NewPlayer(g, t, r), nil
	}, nil
}

// readBrain reads the brain in a file and refuses one of another game.
func (b *openedGame[P]) readBrain(path string) (*learn.Brain, error) {
	read := b.lab.readFile
	if b.lab.ReadBrain != nil {
		read = b.lab.ReadBrain
	}
	data, err := read(path)
	if err != nil {
		return nil, err
	}
	brain, err := learn.ReadBrain(data)
	if err == nil {
		err = brain.For(b.identity)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return brain, nil
}

// openStatic opens the player that judges by fixed weights of features.
func openStatic[P oxo.Position[P]](b *openedGame[P], args string) (maker[P], error) {
	if _, err := model.ParseStatic(b.Game, args); err != nil {
		return nil, err
	}
	return func(*rand.Rand) (oxo.Player[P], error) { return model.ParseStatic(b.Game, args) }, nil
}

// poolPrefix begins the spec of several opponents, joined with "|".
const poolPrefix = "pool:"

// usualPool is what "pool" alone stands for.
const usualPool = "pool:random|optimal|heuristic"

// opponent returns the player of that spec as an opponent for learners.
func (f learning[P]) opponent(ctx context.Context, spec string, g *space.Graph[P]) (learn.Opponent, error) {
	if spec == "pool" {
		spec = usualPool
	}
	if members, ok := strings.CutPrefix(spec, poolPrefix); ok {
		var pool []learn.Opponent
		for _, member := range strings.Split(members, "|") {
			if member == learn.Itself || member == Human {
				return nil, fmt.Errorf("opponent %q: its members are players, which %s is not", spec, member)
			}
			o, err := f.opponent(ctx, member, g)
			if err != nil {
				return nil, fmt.Errorf("opponent %q: %w", spec, err)
			}
			pool = append(pool, o)
		}
		return learn.Pool(pool...), nil
	}
	switch spec {
	case learn.Itself:
		return nil, nil
	case Human:
		return &learn.ManualOpponent{}, nil
	}
	m, err := f.b.playerMaker(spec)
	if errors.Is(err, errNoPlayer) {
		err = fmt.Errorf("%w; a learner also plays against %s, pool or pool:A|B|…", err, learn.Itself)
	}
	if err != nil {
		return nil, err
	}
	one, err := m(rand.New(rand.NewPCG(0, 0)))
	if err != nil {
		return nil, err
	}
	if policy, ok := one.(oxo.Policy[P]); ok && g.Complete() {
		mix, err := space.Compile(ctx, g, policy)
		if err != nil {
			return nil, err
		}
		return learn.NewMixOpponent(g.Space, mix), nil
	}
	return learn.NewPlayerOpponent(g, func(r *rand.Rand) oxo.Player[P] {
		p, err := m(r)
		if err != nil {
			return failedPlayer[P]{err}
		}
		return p
	}), nil
}

// TrainOptions say what to train, and how.
type TrainOptions struct {
	Learner string // a learner's spec
	Against string // a player's spec, itself, pool:A|B|…, or human, who teaches in a [Lesson]
	Seed    uint64
	Start   string // the experiment generator
	Seats   string // alternate, first or second

	// Resume is a brain to go on from; then Learner and Seed are the brain's
	// own, and so is what is empty of Against, Start and Seats.
	Resume []byte
}

// failedPlayer stands in for a player that could not be made.
type failedPlayer[P oxo.Position[P]] struct{ err error }

func (m failedPlayer[P]) Choose(context.Context, P) (oxo.Choice, error) { return oxo.Choice{}, m.err }

// Inexact returns why exams of the game are not exact, nil where they are.
func (f learning[P]) Inexact(ctx context.Context) error {
	_, err := f.b.enumerateOnce(ctx)
	return err
}

// Check reads the brain to go on from and refuses one of another game. That
// takes no time, as finding all positions does.
func (f learning[P]) Check(data []byte) (*learn.Brain, error) {
	brain, err := learn.ReadBrain(data)
	if err == nil {
		err = brain.For(f.b.identity)
	}
	if err != nil {
		return nil, fault("resume", fmt.Errorf("the brain to go on from: %w", err))
	}
	return brain, nil
}

// Trainer returns a learner that has played no game, or the one of a brain.
func (f learning[P]) Trainer(ctx context.Context, o TrainOptions) (*learn.Trainer, error) {
	if o.Resume == nil {
		return f.newTrainer(ctx, f.b.learningGraph(), o)
	}
	brain, err := f.Check(o.Resume)
	if err != nil {
		return nil, err
	}
	g := f.b.learningGraph()
	field := "resume"
	if o.Against != "" {
		field = "against"
	}
	plan := learn.Plan{Against: cmp.Or(o.Against, brain.Plan.Against), Start: cmp.Or(o.Start, brain.Plan.Start),
		Seats: cmp.Or(o.Seats, brain.Plan.Seats)}
	against, err := f.opponent(ctx, plan.Against, g)
	if err != nil {
		return nil, fault(field, err)
	}
	if err := checkPlan(g.Space, plan); err != nil {
		return nil, err
	}
	if plan.Start != brain.Plan.Start { // what is known of starts is of the others
		brain.Starts = nil
	}
	brain.Plan = plan
	t, err := learn.Resume(g.Space, brain, against)
	if err != nil {
		return nil, fault("resume", fmt.Errorf("the brain to go on from: %w", err))
	}
	return t, nil
}

// newTrainer returns a learner that begins.
func (f learning[P]) newTrainer(ctx context.Context, g *space.Graph[P], o TrainOptions) (*learn.Trainer, error) {
	spec, err := model.Parse(o.Learner)
	if err != nil {
		return nil, fault("learner", err)
	}
	against, err := f.opponent(ctx, o.Against, g)
	if err != nil {
		return nil, fault("against", err)
	}
	plan := learn.Plan{Against: o.Against, Start: o.Start, Seats: o.Seats}
	if err := checkPlan(g.Space, plan); err != nil {
		return nil, err
	}
	t, err := learn.New(g.Space, spec, plan, against, o.Seed)
	return t, fault("learner", err)
}

// checkPlan refuses starts and seats that mean nothing; empty ones are the usual.
func checkPlan(s *space.Space, plan learn.Plan) error {
	if plan.Start != "" {
		if _, err := learn.ParseGenerator(s, plan.Start); err != nil {
			return fault("start", err)
		}
	}
	if !slices.Contains([]string{"", "alternate", "first", "second"}, plan.Seats) {
		return fault("seats", fmt.Errorf("seats %q: they are alternate, first or second", plan.Seats))
	}
	return nil
}

// Brain returns what t has learned, to be kept.
func (f learning[P]) Brain(t *learn.Trainer) (*learn.Brain, error) {
	return t.Brain(f.b.Spec, f.b.identity)
}

// Grade examines what t has learned so far; nil where the game has too many
// positions for that.
func (f learning[P]) Grade(ctx context.Context, t *learn.Trainer) (*exam.Exam, error) {
	if !f.b.learningGraph().Complete() {
		return nil, nil
	}
	x, err := f.newExaminer(ctx, nil)
	if err != nil {
		return nil, err
	}
	return learn.Grade(ctx, x, t)
}

// newExaminer returns the examiner of the game, with more opponents to grade
// against.
func (f learning[P]) newExaminer(ctx context.Context, others map[string]oxo.Policy[P]) (*exam.Examiner, error) {
	g, err := f.b.allPositions()
	if err != nil {
		return nil, err
	}
	return exam.NewExaminer(ctx, g, others)
}

// ErrNoPolicy is the error of an exact exam of a player that has no policy.
var ErrNoPolicy = errors.New("chooses by more than the position, so it can't be examined exactly")

// Exam grades a player exactly: nothing is sampled. It refuses games with too
// many positions, and players whose choice depends on more than the position.
func (f learning[P]) Exam(ctx context.Context, spec string) (*exam.Exam, error) {
	m, err := f.b.playerMaker(spec)
	if err != nil {
		return nil, err
	}
	if _, err := f.b.enumerateOnce(ctx); err != nil {
		return nil, err
	}
	x, err := f.newExaminer(ctx, nil)
	if err != nil {
		return nil, err
	}
	one, err := m(rand.New(rand.NewPCG(0, 0)))
	if err != nil {
		return nil, err
	}
	policy, ok := one.(oxo.Policy[P])
	if !ok {
		return nil, fmt.Errorf("player %q %w", spec, ErrNoPolicy)
	}
	g, err := f.b.allPositions()
	if err != nil {
		return nil, err
	}
	mix, err := space.Compile(ctx, g, policy)
	if err != nil {
		return nil, err
	}
	e := x.Exam(mix)
	return &e, nil
}
