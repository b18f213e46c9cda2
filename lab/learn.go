package lab

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"oxo"
	"oxo/learn"
)

// enumerable is the most positions of a game that learners are examined on,
// unless a lab says otherwise.
const enumerable = 3_000_000

// graph is a game's positions as the learners see them, enumerated once.
type graph[P oxo.Position[P]] struct {
	mu    sync.Mutex
	graph *learn.Graph[P]
	err   error
	bytes atomic.Int64 // about what the graph takes
}

// space returns all positions of the game, or an error where there are too
// many.
func (b *bound[P]) space() (*learn.Graph[P], error) { return b.enumerate(context.Background()) }

// enumerate is space, unless ctx ends first.
func (b *bound[P]) enumerate(ctx context.Context) (*learn.Graph[P], error) {
	b.graph.mu.Lock()
	defer b.graph.mu.Unlock()
	if b.graph.graph != nil || b.graph.err != nil {
		return b.graph.graph, b.graph.err
	}
	most := cmp.Or(b.lab.Enumerable, enumerable)
	if b.graph.err = b.plainlyTooLarge(b.Start, most); b.graph.err != nil {
		return nil, b.graph.err
	}
	g, err := learn.Enumerate(ctx, b.Game, most)
	if err != nil && ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err == nil {
		b.graph.bytes.Store(g.Bytes())
	}
	b.graph.graph, b.graph.err = g, err
	return g, err
}

// ground returns the graph to learn on: all positions where they can be
// enumerated, else one that grows as it is played on.
func (b *bound[P]) ground() *learn.Graph[P] {
	if g, err := b.space(); err == nil {
		return g
	}
	return learn.Explore(b.Game)
}

// openBrain opens the player that a brain in a file is.
func openBrain[P oxo.Position[P]](b *bound[P], path string) (maker[P], error) {
	brain, err := b.brain(path)
	if err != nil {
		return nil, err
	}
	if _, err := learn.OpenBrain(b.ground().Space, brain); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return func(r *rand.Rand) (oxo.Player[P], error) {
		g := b.ground() // its own where it grows
		t, err := learn.OpenBrain(g.Space, brain)
		if err != nil {
			return nil, err
		}
		return learn.NewMind(g, t, r), nil
	}, nil
}

// brain reads the brain in a file and refuses one of another game.
func (b *bound[P]) brain(path string) (*learn.Brain, error) {
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
func openStatic[P oxo.Position[P]](b *bound[P], args string) (maker[P], error) {
	if _, err := learn.ParseStatic(b.Game, args); err != nil {
		return nil, err
	}
	return func(*rand.Rand) (oxo.Player[P], error) { return learn.ParseStatic(b.Game, args) }, nil
}

// poolPrefix begins the spec of several opponents, joined with "|".
const poolPrefix = "pool:"

// usualPool is what "pool" alone stands for.
const usualPool = "pool:random|optimal|heuristic"

// opponent returns the player of that spec as an opponent for learners.
func (b *bound[P]) opponent(ctx context.Context, spec string, g *learn.Graph[P]) (learn.Opponent, error) {
	if spec == "pool" {
		spec = usualPool
	}
	if members, ok := strings.CutPrefix(spec, poolPrefix); ok {
		var pool []learn.Opponent
		for _, member := range strings.Split(members, "|") {
			if member == learn.Itself {
				return nil, fmt.Errorf("opponent %q: its members are players, and a learner that plays against itself needs none", spec)
			}
			o, err := b.opponent(ctx, member, g)
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
	case human:
		return nil, errors.New(`player "human": a learner plays against players that need no person`)
	}
	m, err := b.player(spec)
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
		mix, err := learn.Compile(ctx, g, policy)
		if err != nil {
			return nil, err
		}
		return learn.NewTable(g.Space, mix), nil
	}
	return learn.Live(g, func(r *rand.Rand) oxo.Player[P] {
		p, err := m(r)
		if err != nil {
			return missing[P]{err}
		}
		return p
	}), nil
}

// TrainOptions say what to train, and how.
type TrainOptions struct {
	Learner string // a learner's spec
	Against string // a player's spec, itself, or pool:A|B|…
	Games   int
	Seed    uint64
	Start   string // the experiment generator
	Seats   string // alternate, first or second

	// Resume is a brain to go on from; then Learner, Against, Start, Seats
	// and Seed are the brain's own.
	Resume []byte

	// ExamEvery is after how many games to examine and report; 0 for reports
	// without exams.
	ExamEvery int
	// Progress is told of each report.
	Progress func(TrainReport)
}

// TrainReport tells how training goes.
type TrainReport struct {
	Games   int         `json:"games"` // played in all
	Wins    int         `json:"wins"`
	Draws   int         `json:"draws"`
	Losses  int         `json:"losses"`
	Seconds float64     `json:"seconds"`
	Exam    *learn.Exam `json:"exam,omitempty"`
}

// TrainResult is what came of training.
type TrainResult struct {
	Game    string      `json:"game"`
	Learner string      `json:"learner"`
	Games   int         `json:"games"`
	Wins    int         `json:"wins"`
	Draws   int         `json:"draws"`
	Losses  int         `json:"losses"`
	Seconds float64     `json:"seconds"`
	Stopped bool        `json:"stopped"` // before all games were played
	Exam    *learn.Exam `json:"exam"`    // null where the game has too many positions

	// ExamStopped says that the last exam was called off; Exam is then null.
	ExamStopped bool `json:"exam_stopped,omitempty"`

	Brain []byte `json:"-"`
}

// Train trains a learner. Where ctx is done it stops between two games, and
// the brain can go on from there.
func (b *bound[P]) Train(ctx context.Context, o TrainOptions) (*TrainResult, error) {
	if o.Games < 1 {
		return nil, fmt.Errorf("%d games: at least 1 is needed", o.Games)
	}
	if o.ExamEvery < 0 {
		return nil, fmt.Errorf("an exam every %d games: it must be at least 1", o.ExamEvery)
	}
	if _, err := b.resumed(o.Resume); err != nil {
		return nil, err
	}
	begin := time.Now()
	if _, err := b.enumerate(ctx); err != nil && err == ctx.Err() {
		return nil, err
	}
	g := b.ground()
	t, err := b.trainer(ctx, g, o)
	if err != nil {
		return nil, err
	}
	before := t.Tally()
	if o.ExamEvery > 0 && !g.Complete() {
		return nil, fmt.Errorf("%s has too many positions for an exact exam; leave the exams out and compare brains in matches", b.Spec)
	}
	report := func(e *learn.Exam) {
		if o.Progress != nil {
			n := t.Tally()
			o.Progress(TrainReport{n.Games, n.Wins, n.Draws, n.Losses, time.Since(begin).Seconds(), e})
		}
	}
	var exam *learn.Exam // the last one
	examine := func() (err error) {
		if exam, err = b.grade(ctx, t); err == nil {
			report(exam)
		}
		return err
	}
	step := o.Games
	if o.ExamEvery > 0 {
		step = o.ExamEvery
		if err := examine(); err != nil {
			return nil, err
		}
	}
	stopped := false
	for left := o.Games; left > 0 && !stopped; left -= step {
		err := t.Run(ctx, min(step, left), func(learn.Tally) { report(nil) })
		if err == nil && o.ExamEvery > 0 {
			err = examine()
		}
		stopped = err != nil && ctx.Err() != nil
		if err != nil && !stopped {
			return nil, err
		}
	}
	n := t.Tally()
	r := &TrainResult{Game: b.Spec, Learner: t.Spec().String(), Games: n.Games - before.Games, Wins: n.Wins - before.Wins,
		Draws: n.Draws - before.Draws, Losses: n.Losses - before.Losses, Stopped: stopped}
	last := ctx
	if stopped { // whoever stops it has a moment left, for an exam that takes no longer
		brief, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer cancel()
		last = brief
	}
	if stopped || o.ExamEvery == 0 {
		if exam, err = b.grade(last, t); err != nil && ctx.Err() == nil {
			return nil, err
		}
	}
	r.Exam, r.ExamStopped = exam, err != nil
	brain, err := t.Brain(b.Spec, b.identity)
	if err != nil {
		return nil, err
	}
	if r.Brain, err = brain.Bytes(); err != nil {
		return nil, err
	}
	r.Seconds = time.Since(begin).Seconds()
	return r, nil
}

// missing stands in for a player that could not be made.
type missing[P oxo.Position[P]] struct{ err error }

func (m missing[P]) Choose(context.Context, P) (oxo.Choice, error) { return oxo.Choice{}, m.err }

// resumed reads the brain to go on from and refuses one of another game; nil
// where there is none. That takes no time, as finding all positions does.
func (b *bound[P]) resumed(data []byte) (*learn.Brain, error) {
	if data == nil {
		return nil, nil
	}
	brain, err := learn.ReadBrain(data)
	if err == nil {
		err = brain.For(b.identity)
	}
	if err != nil {
		return nil, fmt.Errorf("the brain to go on from: %w", err)
	}
	return brain, nil
}

func (b *bound[P]) trainer(ctx context.Context, g *learn.Graph[P], o TrainOptions) (*learn.Trainer, error) {
	brain, err := b.resumed(o.Resume)
	if err != nil {
		return nil, err
	}
	if brain != nil {
		against, err := b.opponent(ctx, brain.Plan.Against, g)
		if err != nil {
			return nil, err
		}
		t, err := learn.Resume(g.Space, brain, against)
		if err != nil {
			return nil, fmt.Errorf("the brain to go on from: %w", err)
		}
		return t, nil
	}
	spec, err := learn.Parse(o.Learner)
	if err != nil {
		return nil, err
	}
	against, err := b.opponent(ctx, o.Against, g)
	if err != nil {
		return nil, err
	}
	return learn.New(g.Space, spec, learn.Plan{Against: o.Against, Start: o.Start, Seats: o.Seats}, against, o.Seed)
}

// grade examines what t has learned so far; nil where the game has too many
// positions for that.
func (b *bound[P]) grade(ctx context.Context, t *learn.Trainer) (*learn.Exam, error) {
	if !b.ground().Complete() {
		return nil, nil
	}
	x, err := b.examiner(ctx, nil)
	if err != nil {
		return nil, err
	}
	return x.Grade(ctx, t)
}

// examiner returns the examiner of the game, with more opponents to grade
// against.
func (b *bound[P]) examiner(ctx context.Context, others map[string]oxo.Policy[P]) (*learn.Examiner, error) {
	g, err := b.space()
	if err != nil {
		return nil, err
	}
	return learn.NewExaminer(ctx, g, others)
}

// Exam grades a player exactly: nothing is sampled. It refuses games with too
// many positions, and players whose choice depends on more than the position.
func (b *bound[P]) Exam(ctx context.Context, spec string) (*learn.Exam, error) {
	m, err := b.player(spec)
	if err != nil {
		return nil, err
	}
	if _, err := b.enumerate(ctx); err != nil {
		return nil, err
	}
	x, err := b.examiner(ctx, nil)
	if err != nil {
		return nil, err
	}
	one, err := m(rand.New(rand.NewPCG(0, 0)))
	if err != nil {
		return nil, err
	}
	policy, ok := one.(oxo.Policy[P])
	if !ok {
		return nil, fmt.Errorf("player %q chooses by more than the position, so it can't be examined exactly; play a match instead", spec)
	}
	g, err := b.space()
	if err != nil {
		return nil, err
	}
	mix, err := learn.Compile(ctx, g, policy)
	if err != nil {
		return nil, err
	}
	e := x.Exam(mix)
	return &e, nil
}
