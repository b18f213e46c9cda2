package learners

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"

	"oxo"
	"oxo/arena"
	"oxo/engine"
	"oxo/lab/internal/game"
	"oxo/lab/internal/players"
	"oxo/learn"
	"oxo/learn/exam"
	"oxo/learn/space"
)

// poolPrefix begins the spec of several opponents, joined with "|".
const poolPrefix = "pool:"

// usualPool is what "pool" alone stands for.
const usualPool = "pool:random|optimal|heuristic"

// newOpponent returns the player of that spec as an opponent for learners. A player that goes by the
// position alone is compiled into a table of odds, where all positions are listed; any other is asked
// for each move. The opponent nil is the learner itself.
// g is the graph that is learned on; where it has boards that no play leads to, only players that go by the marks can
// meet them.
func (f Trainable[P]) newOpponent(ctx context.Context, spec string, g *space.Graph[P]) (learn.Opponent, error) {
	switch spec {
	case "pool":
		spec = usualPool
	case learn.Itself:
		return nil, nil
	case game.Human:
		return &learn.ManualOpponent{}, nil
	}
	if members, ok := strings.CutPrefix(spec, poolPrefix); ok {
		return f.newPoolOpponent(ctx, spec, members, g)
	}
	if learner, ok := strings.CutPrefix(spec, learn.RivalPrefix); ok {
		return f.newRivalLearner(learner)
	}
	kind, _ := players.Describe(f.b.Lab, spec)
	if kind.DrawsBest { // the graph's own values say which moves they are
		if err := g.CheckValues(); err != nil {
			return nil, fmt.Errorf("opponent %q: %w", spec, err)
		}
		if len(g.Illegal) > 0 { // which the player of that name doesn't know
			return learn.NewMixOpponent(g.Space, space.UniformOverBest(g.Space)), nil
		}
	}
	if len(g.Illegal) > 0 && !kind.ByMarks {
		return nil, fmt.Errorf("opponent %q: on boards that no play leads to only %s play, and the best moves and %s",
			spec, players.NamesByMarks(f.b.Lab), learn.Itself)
	}
	m, err := players.OpenPlayer(f.b, spec)
	if errors.Is(err, players.ErrNoPlayer) {
		err = fmt.Errorf("%w; a learner also plays against %s, pool, pool:A|B|… or learner:LEARNER, which learns too",
			err, learn.Itself)
	}
	if err != nil {
		return nil, err
	}
	// One player is made to see whether it is a policy, which is compiled then.
	one, err := m(rand.New(rand.NewPCG(0, 0)))
	if err != nil {
		return nil, err
	}
	if policy, ok := one.(oxo.Policy[P]); ok && g.Complete() {
		mix, err := space.Compile(ctx, g, policy)
		if err != nil {
			return nil, fmt.Errorf("opponent %q: %w", spec, err)
		}
		return learn.NewMixOpponent(g.Space, mix), nil
	}
	if c, ok := one.(io.Closer); ok {
		c.Close()
	}
	// A new player is made for each game, from the learner's source of chance.
	return learn.NewPlayerOpponent(g, func(r *rand.Rand) oxo.Player[P] {
		p, err := m(r)
		if err != nil {
			return failedPlayer[P]{err}
		}
		return p
	}), nil
}

// newPoolOpponent returns the opponent that is one of several players in each game.
// members are specs joined with "|", none of them a learner or a person; spec is all of it, for errors.
func (f Trainable[P]) newPoolOpponent(ctx context.Context, spec, members string,
	g *space.Graph[P]) (learn.Opponent, error) {
	var pool []learn.Opponent
	for member := range strings.SplitSeq(members, "|") {
		if member == learn.Itself || member == game.Human || strings.HasPrefix(member, learn.RivalPrefix) {
			return nil, fmt.Errorf("opponent %q: its members are players, which %s is not", spec, member)
		}
		o, err := f.newOpponent(ctx, member, g)
		if err != nil {
			return nil, fmt.Errorf("opponent %q: %w", spec, err)
		}
		pool = append(pool, o)
	}
	return learn.Pool(pool...), nil
}

// newRivalLearner returns the opponent that is a second learner, new or from a file.
// learner is a learner's spec, or brain: and a path. The learner itself is made when the trainer is, which it joins.
func (f Trainable[P]) newRivalLearner(learner string) (learn.Opponent, error) {
	if path, ok := strings.CutPrefix(learner, "brain:"); ok {
		brain, err := f.b.ReadBrainFile(path)
		if err != nil {
			return nil, err
		}
		return learn.ResumeRival(brain)
	}
	spec, err := f.b.Lab.ParseLearner(learner)
	if err != nil {
		return nil, err
	}
	return learn.NewRival(spec), nil
}

// failedPlayer stands in for a player that could not be made.
type failedPlayer[P oxo.Position[P]] struct{ err error }

// Choose is always that error: opponents are made where none can be returned.
func (m failedPlayer[P]) Choose(context.Context, P) (oxo.Choice, error) { return oxo.Choice{}, m.err }

// Inexact returns why exams of the game are not exact, nil where they are.
// It lists all positions where nobody has, which may take a while.
func (f Trainable[P]) Inexact(ctx context.Context) error {
	_, err := f.b.Enumerate(ctx)
	return err
}

// ReadBrain reads the brain to go on from and refuses one of another game. That
// takes no time, as finding all positions does.
// An error is a fault of the field resume.
func (f Trainable[P]) ReadBrain(data []byte) (*learn.Brain, error) {
	brain, err := f.b.DecodeBrain(data)
	if err != nil {
		return nil, game.FaultOf("resume", fmt.Errorf("the brain to go on from: %w", err))
	}
	return brain, nil
}

// NewOrResumedTrainer returns a learner that has played no game, or the one of a brain. What the options leave
// empty is the brain's plan. What no longer fits a changed plan is dropped: starts that were found for
// another generator, the rival of another opponent, the last game on boards that are not listed.
func (f Trainable[P]) NewOrResumedTrainer(ctx context.Context, o game.TrainOptions) (*learn.Trainer, error) {
	if o.Resume == nil {
		g, err := f.graphWithStarts(ctx, o.Start)
		if err != nil {
			return nil, err
		}
		return f.newTrainer(ctx, g, o)
	}
	brain, err := f.ReadBrain(o.Resume)
	if err != nil {
		return nil, err
	}
	// An opponent that nobody named is the brain's, and so is a fault of it.
	field := "resume"
	if o.Against != "" {
		field = "against"
	}
	plan := learn.Plan{Against: cmp.Or(o.Against, brain.Plan.Against), Start: cmp.Or(o.Start, brain.Plan.Start),
		Seats: cmp.Or(o.Seats, brain.Plan.Seats)}
	byHand := plan.Against == game.Human && brain.Plan.Against != game.Human
	if byHand && o.Start == "" && brain.BeganUsually(f.b.LearningGraph().Space) {
		plan.Start = "" // which is another with a person
	}
	g, err := f.graphWithStarts(ctx, plan.Start)
	if err != nil {
		return nil, err
	}
	if plan.Start != brain.Plan.Start || o.Sheets != "" { // what is known of starts is of the others
		brain.Starts = nil
	}
	if startsIllegal(plan.Start) != startsIllegal(brain.Plan.Start) {
		brain.Last = nil // on boards that are not listed here
	}
	if brain.Starts == nil {
		if plan.Games, err = f.sheetGameEdges(plan.Start, o.Sheets); err != nil {
			return nil, err
		}
	}
	against, err := f.newOpponent(ctx, plan.Against, g)
	if err != nil {
		return nil, game.FaultOf(field, err)
	}
	if err := checkStartAndSeats(g.Space, plan); err != nil {
		return nil, err
	}
	if plan.Against != brain.Plan.Against {
		brain.Rival = nil
	}
	// The plan is changed in the brain that was read, which nobody else has.
	brain.Plan = plan
	t, err := learn.Resume(g.Space, brain, against)
	if err != nil {
		return nil, game.FaultOf("resume", fmt.Errorf("the brain to go on from: %w", err))
	}
	return t, nil
}

// newTrainer returns a learner that begins. Learners that keep a value for each position are refused
// on boards that no play leads to, as they never meet them in a game.
// Errors name the field of the options that is to blame.
func (f Trainable[P]) newTrainer(ctx context.Context, g *space.Graph[P], o game.TrainOptions) (*learn.Trainer, error) {
	spec, err := f.b.Lab.ParseLearner(o.Learner)
	if err != nil {
		return nil, game.FaultOf("learner", err)
	}
	against, err := f.newOpponent(ctx, o.Against, g)
	if err != nil {
		return nil, game.FaultOf("against", err)
	}
	if keeps := []string{"table", "q", "menace", "nearest"}; len(g.Illegal) > 0 && slices.Contains(keeps, spec.Name()) {
		return nil, game.FaultOf("start", fmt.Errorf("start %q: %s keeps what it learns by board, and no game comes "+
			"to these; learners of features do learn from them", o.Start, spec.Name()))
	}
	plan := learn.Plan{Against: o.Against, Start: o.Start, Seats: o.Seats}
	if plan.Games, err = f.sheetGameEdges(o.Start, o.Sheets); err != nil {
		return nil, err
	}
	if err := checkStartAndSeats(g.Space, plan); err != nil {
		return nil, err
	}
	t, err := learn.New(g.Space, spec, plan, against, o.Seed)
	return t, game.FaultOf("learner", err)
}

// graphWithStarts returns the graph to learn on where games begin so.
// It is the usual one, but where games begin at boards that no play leads to: then those are in it too.
func (f Trainable[P]) graphWithStarts(ctx context.Context, startGenerator string) (*space.Graph[P], error) {
	if !startsIllegal(startGenerator) {
		return f.b.LearningGraph(), nil
	}
	g, err := f.b.EnumerateWithUnreachable(ctx)
	if err != nil {
		return nil, game.FaultOf("start", fmt.Errorf("start %q: %w", startGenerator, err))
	}
	return g, nil
}

// startsIllegal reports whether games begin at boards that no play leads to.
// A number of random moves may follow the name.
func startsIllegal(start string) bool {
	name, _, _ := strings.Cut(start, "+")
	return name == "illegal"
}

// sheetGameEdges reads the games of score sheets, each move by its edge, where games begin in those. Games
// from another start, and those without moves, are passed over; a sheet of another game is an error.
// An edge is the index of a move among its position's moves.
func (f Trainable[P]) sheetGameEdges(start, sheets string) (edgesByGame [][]int32, err error) {
	name, _, _ := strings.Cut(start, "+")
	switch {
	case name != "sheets" && sheets != "":
		return nil, game.FaultOf("sheets", errors.New("score sheets are for the start sheets: --start sheets"))
	case name != "sheets":
		return nil, nil
	case sheets == "":
		return nil, game.FaultOf("start", fmt.Errorf("start %q: it needs score sheets: --sheets FILE", start))
	}
	list, err := arena.ReadSheets(strings.NewReader(sheets), "", func(s *arena.Sheet) error {
		other, err := f.b.Lab.Game(s.Game)
		switch {
		case err != nil:
			return err
		case other.Info().Identity != f.b.Identity:
			return fmt.Errorf("it is of %s, not of %s", s.Game, f.b.Spec)
		}
		return arena.ReplayCheck(f.b.Game)(s)
	})
	if err != nil {
		return nil, game.FaultOf("sheets", fmt.Errorf("score sheets: %w", err))
	}
	var games [][]int32
	for _, s := range list {
		positions, moves, err := arena.Replay(f.b.Game, s)
		if err != nil || s.Start != "" || len(moves) == 0 { // games from elsewhere have other starts
			continue
		}
		// The replay has checked the moves, so that each is among those of its position.
		edges := make([]int32, len(moves))
		for i, m := range moves {
			edges[i] = int32(slices.Index(positions[i].Moves(nil), m))
		}
		games = append(games, edges)
	}
	if len(games) == 0 {
		return nil, game.FaultOf("sheets",
			fmt.Errorf("score sheets: no game of %s from its start is among them", f.b.Spec))
	}
	return games, nil
}

// checkStartAndSeats refuses starts and seats that mean nothing; empty ones are the usual.
// Its error names the field, which one of [learn.New] would not.
func checkStartAndSeats(s *space.Space, plan learn.Plan) error {
	if plan.Start != "" {
		if _, err := learn.ParseGenerator(s, plan.Start, plan.Games); err != nil {
			return game.FaultOf("start", err)
		}
	}
	if !slices.Contains([]string{"", "alternate", "first", "second"}, plan.Seats) {
		return game.FaultOf("seats", fmt.Errorf("seats %q: they are alternate, first or second", plan.Seats))
	}
	return nil
}

// Brain returns what t has learned, to be kept.
// It names the game by spec and identity, by which it is known again.
func (f Trainable[P]) Brain(t *learn.Trainer) (*learn.Brain, error) {
	return t.Brain(f.b.Spec, f.b.Identity)
}

// GradeExactly examines what t has learned so far; nil where the game has too many
// positions for that, or their values are not known.
// Opponents are the usual ones, and no game is played: it is the trainer's odds in all positions that are graded.
func (f Trainable[P]) GradeExactly(ctx context.Context, t *learn.Trainer) (*exam.Exam, error) {
	if g := f.b.LearningGraph(); !g.Complete() || g.CheckValues() != nil {
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
// It is refused where the positions of the game were not listed; grading several players by one
// examiner is cheap.
// extraOpponents are named in the exam by their keys; nil is none.
func (f Trainable[P]) newExaminer(ctx context.Context,
	extraOpponents map[string]oxo.Policy[P]) (*exam.Examiner, error) {
	g, err := f.b.AllPositions()
	if err != nil {
		return nil, err
	}
	return exam.NewExaminer(ctx, g, extraOpponents)
}

// ExamPlayer grades a player exactly: nothing is sampled. It refuses games with too many positions, and
// players whose choice depends on more than the position. The odds against each opponent and against
// the best response are worked out over all positions, which needs a policy: a function of the
// position alone.
func (f Trainable[P]) ExamPlayer(ctx context.Context, playerSpec string) (*exam.Exam, error) {
	m, err := players.OpenPlayer(f.b, playerSpec)
	if err != nil {
		return nil, err
	}
	if _, err := f.b.Enumerate(ctx); err != nil {
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
	// Another program is ended once it has been asked for the last time.
	if c, ok := one.(io.Closer); ok {
		defer c.Close()
	}
	policy, ok := one.(oxo.Policy[P])
	// A program that answers with weights is a policy too, asked once for each position.
	asked := &programPolicy[P]{ctx: ctx}
	if !ok {
		if asked.program, ok = one.(engine.Weigher[P]); !ok {
			return nil, fmt.Errorf("player %q %w", playerSpec, game.ErrNoPolicy)
		}
		policy = asked
	}
	g, err := f.b.AllPositions()
	if err != nil {
		return nil, err
	}
	mix, err := space.Compile(ctx, g, policy)
	if err = errors.Join(asked.err, err); err != nil {
		return nil, fmt.Errorf("player %q: %w", playerSpec, err)
	}
	e, err := x.ExamWithin(ctx, mix)
	if err != nil {
		return nil, err
	}
	return &e, nil
}

// programPolicy is the policy of another program, up to the first time that it fails.
// A policy can return no error, so that the first one is kept and looked at when the exam is over;
// the weights stay zeros from then on.
type programPolicy[P oxo.Position[P]] struct {
	ctx     context.Context
	program engine.Weigher[P]
	err     error
}

// Policy asks the program.
func (a *programPolicy[P]) Policy(p P, moves []oxo.Move, w []float64) {
	if a.err == nil {
		a.err = a.program.Weigh(a.ctx, p, moves, w)
	}
}
