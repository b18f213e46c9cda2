package model

import (
	"encoding/json"
	"math"

	"oxo"
	"oxo/learn/option"
	"oxo/learn/show"
	"oxo/learn/space"
)

// valueModel is a hypothesis on the bench: it gives a worth and is fitted to what that should have been. A model that
// judges moves is asked about the move e of n; one that judges boards about the board n, and e means nothing.
type valueModel interface {
	value(n space.Node, e int32, seat oxo.Seat) float64
	// Learn takes in an example, Rate of the way from the old worth to Target.
	Learn(e Example)
	// finishGame is called after the examples of each game.
	finishGame(games int)

	save(games int) any
	restore(data json.RawMessage) (games int, err error)

	// What follows is as [Memory] has it.
	Check() error
	Bytes() int64
	Show(most int) show.Shown
	Probes() (of string, names []string, take func() []float64)
}

// valueLearner is a learner made of a model and a critic that says what boards or
// moves should have been worth. Learners differ in these two alone.
//
// The critic walks a game backwards. What an example should have been worth is its λ-return (Sutton and Barto,
// Reinforcement Learning, 2nd edition, section 12.1): λ parts what the next one of the same seat should have been, and
// 1 − λ parts what that is thought to be worth. λ = 1 is the outcome of the game, λ = 0 Mitchell's Vtrain(b) ←
// V̂(Successor(b)).
type valueLearner struct {
	greedy
	benchOptions
	valueModel
}

// benchOptions are what the critic of learners on the bench goes by. Kinds read some as options and set the others.
type benchOptions struct {
	judges  judged
	reward  [3]float64 // of a loss, draw and win
	graded  float64    // where it is not 0, of a game of the most worth; others by their worth
	target  string     // outcome, successor, best, search or solver
	lambda  float64
	gamma   float64 // what a turn's delay leaves of the worth of best and search
	depth   int     // plies that target search looks ahead
	factor  float64 // what the rate is multiplied by for each example further back
	twice   bool    // boards within a game are learned twice, the second time after a step further back
	both    bool    // both sides' positions are learned
	cut     bool    // what came before a move that was tried out is not blamed for it
	known   bool    // finished boards are worth what they are, whatever the model says
	before  bool    // the boards judged are those before the learner's own moves
	forward bool    // targets best and search: examples in the order of the game
	explore exploration
}

var _ Looker = (*valueLearner)(nil)

// judged is what a model judges.
type judged int

const (
	bothSeats judged = iota // boards as either seat sees them
	reached                 // boards as the side that moved to them sees them
	entries                 // the same, and where chance is to act the board before it
	moves                   // moves
)

// readRewards reads what ends of a game are worth, ordered by 1 + [oxo.Outcome.Value]: loss, draw, win.
func readRewards(o *option.Reader, win, draw, loss string) (reward [3]float64) {
	reward[2] = o.Number("win", win, -1e6, 1e6, "what a won game is worth")
	reward[1] = o.Number("draw", draw, -1e6, 1e6, "a drawn one")
	reward[0] = o.Number("loss", loss, -1e6, 1e6, "a lost one")
	return reward
}

// readTargetOptions reads what the examples of boards are taught; solvable models can ask a solver.
func (b *benchOptions) readTargetOptions(o *option.Reader, target, lambda string, solvable bool) {
	about := "what a board is taught: how the game ended, what its successor is thought worth, or what a search says"
	words := []string{"outcome", "successor", "search"}
	if solvable {
		about += "; solver is successor, and near the end of a game what its exact solver says, if it has one"
		words = append(words, "solver")
	}
	b.target = o.Word("target", target, about, words...)
	b.lambda = o.Number("lambda", lambda, 0, 1, "λ of target successor, how far back a surprise is felt")
	b.depth = o.Integer("depth", "1", 1, 20, "plies that target search looks ahead")
	if b.target == "outcome" {
		b.lambda = 1
	}
	if r := b.reward; b.target == "search" && b.graded == 0 && (r[0] != -r[2] || r[1] != 0) {
		o.Refuse("target", b.target, "outcome or successor where win, draw and loss are not worth as much to "+
			"one side as they cost the other")
	}
}

// newValueLearner puts a model on the bench.
func newValueLearner(s *space.Space, o benchOptions, m valueModel) *Learner {
	b := &valueLearner{benchOptions: o, valueModel: m}
	b.greedy = greedy{space: s, worth: b, try: o.explore}
	return &Learner{b, b, b, b}
}

// Worth is what the move is thought to be worth to the side that makes it.
func (b *valueLearner) Worth(n space.Node, e int, child space.Node) float64 {
	seat := b.space.Turn(n)
	if b.known && b.space.Over(child) {
		return finishedWorth(b.space, child, seat)
	}
	return b.moveWorth(n, int32(e), child, seat)
}

// finishedWorth is what a finished board is worth where the model is not asked: a number beyond all it says.
func finishedWorth(s *space.Space, n space.Node, seat oxo.Seat) float64 {
	return 1e9 * s.WorthTo(n, seat)
}

// moveWorth is worth in the units of the rewards.
func (b *valueLearner) moveWorth(n space.Node, e int32, child space.Node, seat oxo.Seat) float64 {
	switch {
	case b.judges == moves:
		return b.value(n, e, seat)
	case b.judges == entries || b.space.Turn(child) != oxo.Chance:
		return b.boardWorth(child, seat)
	}
	return b.space.ChanceMean(child, func(n space.Node) float64 { return b.boardWorth(n, seat) })
}

// boardWorth is what a board is worth to a seat.
func (b *valueLearner) boardWorth(n space.Node, seat oxo.Seat) float64 {
	if b.known && b.space.Over(n) {
		return b.payoff(b.space.Outcome(n), b.space.WorthTo(n, oxo.First), seat)
	}
	return b.value(n, 0, seat)
}

// payoff is what a finished game is worth to a seat.
func (b *valueLearner) payoff(o oxo.Outcome, worth float64, seat oxo.Seat) float64 {
	if b.graded != 0 {
		return b.graded * space.Sign(seat) * worth
	}
	return b.reward[1+o.Value(seat)]
}

// returnChain is how far the critic has come back along the examples of a seat.
type returnChain struct {
	started bool    // there has been an example
	value   float64 // what the last is thought to be worth
	target  float64 // what it should have been
	skip    bool    // a move that was tried out lies before it
	rate    float64
}

// LearnGame makes the examples of a game and has the model settle.
func (b *valueLearner) LearnGame(t *Trace, g Generalizer) {
	b.try.games++
	if b.target == "best" || b.target == "search" {
		b.teachBackups(t, g)
	} else {
		b.teachReturns(t, g)
	}
	b.finishGame(b.try.games)
}

// teachReturns teaches λ-returns.
func (b *valueLearner) teachReturns(t *Trace, g Generalizer) {
	s := b.space
	var chains [2]returnChain
	ended := b.judges == bothSeats && s.Over(t.End()) // each seat sees the last board
	for seat := range oxo.Chance {
		c := &chains[seat]
		c.target, c.rate = b.payoff(t.Outcome, t.Worth, seat), 1
		if t.Learner[seat] && ended {
			b.teachReturn(c, Example{Node: t.End(), Seat: seat}, g)
		}
	}
	for i := len(t.Choices) - 1; i >= 0; i-- {
		seat := s.Turn(t.Nodes[i])
		if seat == oxo.Chance {
			continue
		}
		tried := t.Choices[i].Explores && b.cut
		if tried && b.before {
			chains[0].skip, chains[1].skip = true, true
		}
		e := b.exampleOfMove(t, i)
		if (t.Learner[seat] || b.both) && !(ended && e.Node == t.End()) {
			if b.twice {
				chains[seat].rate = b.combinedStepSize(len(t.Choices) - 1 - i)
			}
			b.teachReturn(&chains[seat], e, g)
		}
		if tried && !b.before {
			chains[0].skip, chains[1].skip = true, true
		}
	}
}

// combinedStepSize is the step of two, one after the other, of a board so many plies before
// the end of a game, where each is factor less than the one before it.
func (b *valueLearner) combinedStepSize(pliesToEnd int) float64 {
	if pliesToEnd == 0 {
		return 1
	}
	last := math.Pow(b.factor, float64(2*pliesToEnd-1))
	return 1 - (1-last)*(1-last*b.factor)
}

// exampleOfMove returns the example of the i-th move, without its target.
func (b *valueLearner) exampleOfMove(t *Trace, i int) Example {
	e := Example{Node: t.Nodes[i], Edge: t.Choices[i].Edge, Seat: b.space.Turn(t.Nodes[i])}
	switch {
	case b.judges == moves || b.before:
	case b.judges == entries:
		e.Node = t.Nodes[i+1]
	default:
		e.Node = t.boardAfterMove(b.space, i)
	}
	return e
}

// teachReturn teaches e its λ-return, unless a move that was tried out lies between it and the next.
func (b *valueLearner) teachReturn(c *returnChain, e Example, g Generalizer) {
	if b.known && b.judges != moves && b.space.Over(e.Node) {
		return
	}
	if c.started {
		c.target = (1-b.lambda)*c.value + b.lambda*c.target
	}
	exact := false
	if b.target == "solver" {
		if worth, ok := b.space.Solved(e.Node); ok {
			exact, c.skip = true, false
			c.target = b.graded * space.Sign(e.Seat) * worth
		}
	}
	if !c.skip {
		e.Target, e.Rate = c.target, c.rate
		g.Learn(e)
		c.rate *= b.factor
	}
	if b.lambda == 1 {
		c.started = true
		return
	}
	if exact {
		c.value = c.target
	} else {
		c.value = b.value(e.Node, e.Edge, e.Seat)
	}
	if c.skip {
		c.target, c.skip = c.value, false
	}
	c.started = true
}

// teachBackups teaches what the best that can follow is thought to be worth: best, at the seat's next turn after the
// reply that came (Watkins, "Learning from delayed rewards", Cambridge 1989); search, to so many plies from the board
// that the move led to. Neither depends on which moves were tried out.
func (b *valueLearner) teachBackups(t *Trace, g Generalizer) {
	for i := range t.Choices {
		if !b.forward {
			i = len(t.Choices) - 1 - i
		}
		e := b.exampleOfMove(t, i)
		if e.Seat == oxo.Chance || !t.Learner[e.Seat] && !b.both || b.known && b.judges != moves &&
			b.space.Over(e.Node) {
			continue
		}
		e.Rate, e.Target = 1, b.backupTarget(t, i, e.Seat)
		g.Learn(e)
	}
}

// backupTarget is what the best that can follow the i-th move is thought to be worth.
func (b *valueLearner) backupTarget(t *Trace, moveIndex int, seat oxo.Seat) float64 {
	s := b.space
	for _, n := range t.Nodes[moveIndex+1:] {
		if turn := s.Turn(n); !s.Over(n) && turn != oxo.Chance && (turn == seat || b.target == "search") {
			return b.gamma * b.searchedWorth(n, seat, b.depth)
		}
	}
	return b.payoff(t.Outcome, t.Worth, seat)
}

// searchedWorth is what n is worth to a seat by a search of so many plies, at least one.
func (b *valueLearner) searchedWorth(n space.Node, seat oxo.Seat, depth int) float64 {
	s := b.space
	if s.Over(n) {
		return b.payoff(s.Outcome(n), s.WorthTo(n, oxo.First), seat)
	}
	turn := s.Turn(n)
	if turn == oxo.Chance {
		return s.ChanceMean(n, func(n space.Node) float64 { return b.searchedWorth(n, seat, depth) })
	}
	var best float64
	for e, c := range s.Children(n) {
		v := 0.0
		if depth == 1 {
			v = b.moveWorth(n, int32(e), c, turn)
		} else {
			v = b.searchedWorth(c, turn, depth-1)
		}
		if e == 0 || v > best {
			best = v
		}
	}
	if turn != seat {
		return -best
	}
	return best
}

func (b *valueLearner) Save() any { return b.save(b.try.games) }

// Load brings back the model, and by the number of games how far exploration has fallen.
func (b *valueLearner) Load(data json.RawMessage) (err error) {
	b.try.games, err = b.restore(data)
	return err
}
