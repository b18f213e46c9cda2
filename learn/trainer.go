package learn

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"oxo"
	"oxo/learn/model"
	"oxo/learn/space"
)

// Trainer is a learner at work: the four modules, a source of chance, and how
// many games have been played.
// It belongs to one goroutine. An opponent that learns too has a trainer of its own, which this one
// drives.
// last is the trace of the last game, nil before the first.
type Trainer struct {
	Generator   Generator
	Performance Performance
	Critic      model.Critic
	Generalizer model.Generalizer

	space  *space.Space
	spec   model.Spec
	plan   Plan
	seed   uint64
	rival  *Rival // its opponent that learns too; nil where there is none
	memory model.Memory
	source *rand.PCG
	rand   *rand.Rand
	last   *model.Trace
	chosen []float64 // the weights by which it chose last, where somebody watches
	tally  Tally
	made   int
}

// Plan says what a learner practises on.
type Plan struct {
	Against string `json:"against"` // the opponent's spec, for the record; "itself" plays both seats
	Start   string `json:"start"`   // the experiment generator, see ParseGenerator
	Seats   string `json:"seats"`   // the learner's seat: alternate, first or second

	// Games are those of score sheets, each move by its edge, for the start "sheets". A brain
	// keeps them as what the generator knows.
	Games [][]int32 `json:"-"`
}

// Itself is the name of the opponent that is the learner.
const Itself = "itself"

// Tally counts games from the learner's side. A game that it played against
// itself counts for First.
type Tally struct {
	Games  int `json:"games"`
	Wins   int `json:"wins"`
	Draws  int `json:"draws"`
	Losses int `json:"losses"`
}

// Plus returns the games of both.
func (t Tally) Plus(o Tally) Tally {
	return Tally{t.Games + o.Games, t.Wins + o.Wins, t.Draws + o.Draws, t.Losses + o.Losses}
}

// Minus returns the games of t that are not of o, which t has all of.
func (t Tally) Minus(o Tally) Tally {
	return Tally{t.Games - o.Games, t.Wins - o.Wins, t.Draws - o.Draws, t.Losses - o.Losses}
}

// New returns a trainer that has played no game. The opponent is nil where
// plan.Against is [Itself]. It refuses a learner, start or seat that means
// nothing for the space, and says which word is wrong.
func New(s *space.Space, learner model.Spec, plan Plan, opponent Opponent, seed uint64) (*Trainer, error) {
	learner = learner.AdaptedTo(s)
	_, byHand := opponent.(*ManualOpponent)
	switch {
	case plan.Start == "" && byHand: // random moves would be a puzzle to a person
		plan.Start = model.EmptyStart
	case plan.Start == "":
		plan.Start = learner.UsualStart(s)
	}
	switch plan.Seats {
	case "":
		plan.Seats = "alternate"
	case "alternate", "first", "second":
	default:
		return nil, fmt.Errorf("seats %q: they are alternate, first or second", plan.Seats)
	}
	if (opponent == nil) != (plan.Against == Itself) {
		return nil, fmt.Errorf("opponent %q: a learner needs one, or plays against itself", plan.Against)
	}
	if err := checkNotOver(s); err != nil {
		return nil, err
	}
	generator, err := ParseGenerator(s, plan.Start, plan.Games)
	if err != nil {
		return nil, err
	}
	source := rand.NewPCG(seed, 3)
	random := rand.New(source)
	l, err := learner.Build(s, random)
	if err != nil {
		return nil, err
	}
	t := &Trainer{
		Generator:   generator,
		Performance: Performance{Space: s, Hypothesis: l.Hypothesis, Opponent: opponent},
		Critic:      l.Critic,
		Generalizer: l.Generalizer,
		space:       s, spec: learner, plan: plan, seed: seed, memory: l.Memory,
		source: source, rand: random,
	}
	// The weights of a choice are noted before the critic changes them, and only where somebody will ask for them.
	critic, _ := l.Critic.(model.MoveCritic)
	t.Performance.Made = func(trace *model.Trace) {
		if byHand || t.Performance.Seen != nil {
			_, w := t.weightedSum()
			t.chosen = append(t.chosen[:0], w...)
		}
		if critic != nil {
			critic.LearnMove(trace, t.Generalizer)
		}
	}
	if rival, ok := opponent.(*Rival); ok {
		return t, rival.joinTrainer(t)
	}
	return t, nil
}

// CheckLearnable returns why the learner can't learn the game of a space, nil where it can.
func CheckLearnable(s *space.Space, learner model.Spec) error {
	if err := checkNotOver(s); err != nil {
		return err
	}
	return learner.CheckLearnable(s)
}

// checkNotOver refuses a game that is over at its start.
func checkNotOver(s *space.Space) error {
	if s.Complete() && s.Over(s.Start) {
		return fmt.Errorf("the game is over before it begins: there is nothing to learn")
	}
	return nil
}

// learners are the trainer and that of an opponent that learns too.
// What is undone, checked or forgotten is so for both.
// The first is always t itself.
func (t *Trainer) learners() []*Trainer {
	if t.rival == nil {
		return []*Trainer{t}
	}
	return []*Trainer{t, t.rival.trainer}
}

// PlayAndLearn plays and learns from one game: the training loop. Where ctx is done
// before the game's end, all is as it was before the game, and the error is
// that of ctx.
func (t *Trainer) PlayAndLearn(ctx context.Context) error {
	return t.naming(func() error {
		trace, err := t.playOrUndo(ctx)
		if err == nil {
			t.learnFromGame(trace)
		}
		return err
	})
}

// naming calls do. A panic in it is an error, and that and other faults of a learner from outside name the learner.
func (t *Trainer) naming(do func() error) error {
	err := oxo.CatchPanic(do)
	if oxo.IsPanic(err) || errors.Is(err, errChoice) || errors.Is(err, space.ErrOdds) {
		return fmt.Errorf("learner %q: %w", t.spec, err)
	}
	return err
}

// learnFromGame learns from a game.
// The rival learns from the same game, from its own side.
func (t *Trainer) learnFromGame(trace *model.Trace) {
	for _, n := range trace.Nodes[:len(trace.Choices)] {
		if turn := t.space.Turn(n); turn != oxo.Chance && trace.Learner[turn] {
			t.made++
		}
	}
	t.Critic.LearnGame(trace, t.Generalizer)
	t.last = trace
	t.tally.add(trace)
	if t.rival != nil {
		t.rival.learn(trace)
	}
}

// playOrUndo plays a game that was not learned from yet. Where it comes to no end,
// all is as it was before.
// Undone are what was drawn and what the memories and generators note while a game goes on; games
// are learned from only after their end.
func (t *Trainer) playOrUndo(ctx context.Context) (*model.Trace, error) {
	if err := t.shrinkSpace(); err != nil {
		return nil, err
	}
	var undo []func()
	for _, l := range t.learners() {
		defer model.ThinkWithin(ctx, l.Performance.Hypothesis)()
		before := *l.source
		undo = append(undo, func() { *l.source = before })
		for _, part := range []any{l.memory, l.Generator} {
			if c, ok := part.(model.Undoer); ok {
				c.Snapshot()
				undo = append(undo, c.Rollback)
			}
		}
	}
	trace, err := t.playNextGame(ctx)
	if err != nil {
		for _, f := range undo {
			f()
		}
	}
	return trace, err
}

// playNextGame plays one game.
func (t *Trainer) playNextGame(ctx context.Context) (*model.Trace, error) {
	problem := t.nextProblem()
	if t.Performance.Opponent != nil {
		if err := t.Performance.Opponent.Begin(ctx, t.rand); err != nil {
			return nil, err
		}
	}
	return t.Performance.Play(ctx, problem, t.rand)
}

// nextProblem asks the generator where to begin and seats the learner.
// Seats alternate by the number of games, so that a trainer that goes on from a brain goes on with
// them.
// A generator may draw from the trainer's source of chance.
func (t *Trainer) nextProblem() Problem {
	p := Problem{Start: t.Generator.NextStart(t.Performance.Hypothesis, t.tally.Games, t.last, t.rand)}
	switch {
	case t.Performance.Opponent == nil:
		p.Learner = [2]bool{true, true}
	case t.plan.Seats == "alternate":
		p.Learner[t.tally.Games%2] = true
	default:
		p.Learner[oxo.SeatNamed(t.plan.Seats)] = true
	}
	return p
}

// add counts a game.
// What was no win and no loss counts as a draw.
func (t *Tally) add(trace *model.Trace) {
	t.Games++
	switch trace.Outcome.Value(trace.LearnerSeat()) {
	case oxo.Win:
		t.Wins++
	case oxo.Loss:
		t.Losses++
	default:
		t.Draws++
	}
}

// Run plays that many games more. It ends early with ctx's error, as if the game
// under way had never begun, or with an error where the hypothesis has run off
// to infinity.
// Progress, where it is not nil, is told the tally now and then.
func (t *Trainer) Run(ctx context.Context, games int, progress func(Tally)) error {
	charge := oxo.NewCharge(ctx)
	defer charge.SetBytes(0)
	for i := range games {
		if i&0xFF == 0 {
			charge.SetBytes(t.memoryBytes())
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := t.checkLearned(); err != nil {
				return err
			}
			if progress != nil && i > 0 {
				progress(t.tally)
			}
		}
		if err := t.PlayAndLearn(ctx); err != nil {
			return err
		}
	}
	return t.checkLearned()
}

// checkLearned is an error where what was learned has become meaningless.
// It names what to change, such as a step that is too large.
func (t *Trainer) checkLearned() error {
	for _, l := range t.learners() {
		if err := l.naming(l.memory.Check); err != nil {
			return err
		}
	}
	return nil
}

// memoryBytes is about how much memory its learners take beside the space.
func (t *Trainer) memoryBytes() int64 {
	size := int64(0)
	for _, l := range t.learners() {
		size += l.memory.Bytes()
	}
	return size
}

// Made returns how many moves the learner has made since it was opened: its examples.
func (t *Trainer) Made() int { return t.made }

// Tally returns the games played so far.
func (t *Trainer) Tally() Tally { return t.tally }

// Spec returns the learner's spec.
func (t *Trainer) Spec() model.Spec { return t.spec }

// Against returns the opponent's spec.
func (t *Trainer) Against() string { return t.plan.Against }

// Untaught is the seat that the learner never takes, "first" or "second"; it is empty where it takes both.
func (t *Trainer) Untaught() string {
	if t.Performance.Opponent == nil { // it plays itself
		return ""
	}
	return map[string]string{"first": "second", "second": "first"}[t.plan.Seats]
}

// Mix returns what the learner plays in earnest in every position of its
// complete space; m is used for it if it fits. A learner that searches may take
// long in all of them, so it gives up where ctx is done.
func (t *Trainer) Mix(ctx context.Context, m space.Mix) (mix space.Mix, err error) {
	err = t.naming(func() (err error) {
		mix, err = compileHypothesis(ctx, t.space, t.Performance.Hypothesis, m)
		return err
	})
	return mix, err
}

// roomFor is how many positions a space that grows may hold before those not
// needed are forgotten.
const roomFor = 1 << 15

// shrinkSpace empties a space that has grown large. The last game is kept.
// Nodes are numbers that mean nothing after that, so that the last game is kept as text and found
// again.
func (t *Trainer) shrinkSpace() error {
	s := t.space
	if s.Complete() || s.Len() < roomFor {
		return nil
	}
	learners := t.learners()
	kept := make([]*savedGame, len(learners))
	for i, l := range learners {
		kept[i] = l.saveLastGame()
	}
	s.Forget()
	var err error
	for i, l := range learners {
		if l.last, err = l.restoreLastGame(kept[i]); err != nil {
			return err
		}
	}
	return nil
}

// savedGame is a game as a brain keeps it.
type savedGame struct {
	Start   string  `json:"start"`
	Edges   []int32 `json:"edges"`
	Learner [2]bool `json:"learner"`
}

// saveLastGame returns the last game as a brain keeps it, nil where there is none.
func (t *Trainer) saveLastGame() *savedGame {
	if t.last == nil {
		return nil
	}
	l := &savedGame{Start: t.space.Format(t.last.Nodes[0]), Learner: t.last.Learner}
	for _, c := range t.last.Choices {
		l.Edges = append(l.Edges, c.Edge)
	}
	return l
}

// restoreLastGame finds such a game in the space.
// A brain comes from a file, so that moves are checked. What was known of its moves beside which
// they were is not kept.
func (t *Trainer) restoreLastGame(l *savedGame) (*model.Trace, error) {
	if l == nil {
		return nil, nil
	}
	n, err := t.space.Find(l.Start)
	if err != nil {
		return nil, err
	}
	trace := &model.Trace{Nodes: []space.Node{n}, Learner: l.Learner}
	for _, e := range l.Edges {
		children := t.space.Children(n)
		if int(e) < 0 || int(e) >= len(children) {
			return nil, fmt.Errorf("position %q has no move number %d", t.space.Format(n), e)
		}
		n = children[e]
		trace.Nodes = append(trace.Nodes, n)
		trace.Choices = append(trace.Choices, model.Choice{Edge: e, Leaf: space.None})
	}
	return trace, nil
}
