package model

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"oxo/eval/ninenet"
	"oxo/games/meta"
	"oxo/learn/option"
	"oxo/learn/show"
	"oxo/learn/space"
	"oxo/message"
	"oxo/search/mcts"
)

// nine is the net of a game on nine boards, whose teacher is the game's own search: Monte
// Carlo tree search by the net as it was some games before, at first by random games.
//
// What a position is worth follows from the end of its game by TD(λ): it is partly what the
// search said of it, and partly what the position after it was worth, unless a move that was
// tried out led there. So does how likely it is drawn, of which the search says nothing, but
// the net does. After each game the net learns from positions drawn from the last games.
type nine struct {
	nineOptions
	greedy
	space  *space.Space
	boards *space.NineBoards

	net     *ninenet.Net
	trainer *ninenet.NetTrainer
	rival   *ninenet.Net  // the net that games are played by
	plays   *ninenet.Fast // the same made fast; nil for random games
	fast    *ninenet.Fast // the net as it is now, made fast; nil until it is asked

	source   *rand.PCG
	rand     *rand.Rand // draws the positions to learn from
	pool     *ninenet.Pool
	first    int     // games that are played by random games
	every    int     // games after which they are played by the net as it is now
	surprise float64 // the mean loss of games before they were learned from, the last most
	thought  []thought
	ctx      context.Context
}

// nineOptions are the options of net in games on nine boards; fall is in games.
type nineOptions struct {
	eta, fall, lambda float64
	explore           exploration
}

// thought is what the search said of a position of the game under way.
type thought struct {
	node  space.Node
	worth float64 // to First
	draw  float64 // how likely, by the net
	exact bool
}

// leastExamples is how many positions there must be before anything is learned.
const leastExamples = 2000

// simulations is how many simulations a move is found by after so many games.
func simulations(games int) int { return min(100+games/200, 800) }

// readNine has no target to read: the search is the teacher.
func readNine(o *option.Reader) any {
	return nineOptions{
		eta:     o.Number("eta", "1", 0, 1000, "η, the size of the first steps in 3/1000"),
		fall:    o.Number("fall", "20000", 1, 1e12, "games after which steps are half as large"),
		lambda:  o.Number("lambda", "0.7", 0, 1, "λ, how far how the game went on counts, not what the search said"),
		explore: readExploreOptions(o, "0.08"),
	}
}

// buildNine draws by r the first weights, and the seed of the source that draws examples. It never fails.
func buildNine(s *space.Space, open any, r *rand.Rand) (*Learner, error) {
	n := &nine{nineOptions: open.(nineOptions), space: s, boards: s.Nine, first: 1000, every: 500}
	n.net = ninenet.NewRandomNet(r)
	n.ctx, n.surprise = context.Background(), ninenet.Ignorant
	n.greedy = greedy{space: s, worth: n, try: n.explore}
	n.trainer = ninenet.NewNetTrainer(n.net)
	n.pool = ninenet.NewPool(s.Nine.Game, n.trainer)
	n.source = rand.NewPCG(r.Uint64(), 9)
	n.rand = rand.New(n.source)
	return &Learner{n, n, n, n}, nil
}

// within sets how long a search may take.
func (n *nine) within(ctx context.Context) { n.ctx = ctx }

// Choose searches, and now and then tries another move than that.
func (n *nine) Choose(at space.Node, r *rand.Rand) Choice {
	p, games := n.boards.Position(at), n.try.games
	o := &mcts.Options[meta.Pos]{}
	o.Bounds.Lo, o.Bounds.Hi = n.boards.Game.PayoffBounds()
	o.Sims, o.Seed, o.TreeBytes = simulations(games), r.Uint64(), 16<<20
	x := thought{node: at}
	if n.plays != nil {
		judge := n.plays
		o.Temperature, o.BiasKeys = ninenet.Temperature, ninenet.BiasKeys
		o.Eval = func(p meta.Pos) float64 { return judge.Judge(p, 0) }
		o.EvalAll = judge.JudgeAll
		x.draw = judge.Judge(p, 1) - judge.Judge(p, 0)
	}
	found := mcts.Search(n.ctx, n.boards.Game, p, o)
	x.worth, x.exact = found.Value, found.Proven.Proven()
	n.thought = append(n.thought, x)
	moves := p.Moves(nil)
	if r.Float64() < n.try.currentRate() {
		return Choice{Edge: int32(r.IntN(len(moves))), Explores: true, Leaf: space.None}
	}
	return Choice{Edge: int32(slices.Index(moves, found.Lines[0].Move)), Leaf: space.None}
}

func (n *nine) Snapshot() { n.thought = n.thought[:0] }
func (n *nine) Rollback() { n.thought = n.thought[:0] }

// Worth is what the net thinks of the board that a move leads to.
func (n *nine) Worth(at space.Node, _ int, child space.Node) float64 {
	seat := n.space.Turn(at)
	if n.space.Over(child) {
		return finishedWorth(n.space, child, seat)
	}
	if n.fast == nil {
		n.fast = ninenet.Compile(n.net)
	}
	return space.Sign(seat) * n.fast.Judge(n.boards.Position(child), 0)
}

// LearnGame keeps a game and has the net learn from some positions of the last ones.
func (n *nine) LearnGame(t *Trace, _ Generalizer) {
	own, err := n.pool.Add(n.judgedTranscript(t))
	n.thought = n.thought[:0]
	if examples := n.pool.Examples; err == nil && len(own) > 0 && len(examples) >= leastExamples {
		size := 0.003 * n.eta / (1 + float64(n.try.games)/n.fall)
		n.surprise += 0.02 * (n.trainer.TrainStep(examples, len(own), size, n.rand) - n.surprise)
		n.fast = nil
	}
	n.try.games++
	if games := n.try.games; games >= n.first && games%n.every == 0 {
		rival := *n.net
		n.rival, n.plays = &rival, ninenet.Compile(&rival)
	}
}

// Learn does nothing: examples are learned in batches.
func (n *nine) Learn(Example) {}

// judgedTranscript returns the record of a game with what its positions should be judged to be.
func (n *nine) judgedTranscript(t *Trace) ninenet.Transcript {
	g := ninenet.NewTranscript(n.space.Format(t.Nodes[0]), len(t.Choices))
	trust := n.lambda
	if n.plays == nil { // what random games say is little
		trust += 0.8 * (1 - trust)
	}
	worth, draw, thoughts := t.Worth, 1-math.Abs(t.Worth), n.thought
	for i, c := range slices.Backward(t.Choices) {
		p := n.boards.Position(t.Nodes[i])
		g.Moves[i] = byte(p.Moves(nil)[c.Edge])
		k := len(thoughts) - 1
		if k < 0 || thoughts[k].node != t.Nodes[i] {
			continue
		}
		x, follows := thoughts[k], trust
		thoughts = thoughts[:k]
		if c.Explores || x.exact {
			follows = 0
		}
		worth = (1-follows)*x.worth + follows*worth
		if n.plays != nil {
			draw = (1-follows)*x.draw + follows*draw
		}
		draw = min(draw, 1-math.Abs(worth))
		g.Judge(i, space.Sign(p.Turn())*worth, draw)
	}
	return g
}

// nineSaved is all that the learner knows.
type nineSaved struct {
	Games    uint32               `json:"games"`
	School   ninenet.Saved        `json:"school"`
	Rival    []byte               `json:"rival,omitempty"`
	Source   []byte               `json:"source"`
	Surprise float64              `json:"surprise"`
	Pool     []ninenet.Transcript `json:"pool"`
}

// Save has the state of the source too, so that a training that goes on draws what it would have drawn.
func (n *nine) Save() any {
	source, _ := n.source.MarshalBinary() // it never fails
	s := nineSaved{Games: uint32(n.try.games), School: n.trainer.Save(), Source: source, Surprise: n.surprise,
		Pool: n.pool.Games()}
	if n.rival != nil {
		s.Rival = n.rival.Bytes()
	}
	return s
}

// Load plays the games of the pool again, which makes their examples.
func (n *nine) Load(data json.RawMessage) error {
	var s nineSaved
	if err := json.Unmarshal(data, &s); err != nil {
		return err
	}
	if err := n.trainer.Restore(s.School); err != nil {
		return err
	}
	n.fast, n.rival, n.plays = nil, nil, nil
	if s.Rival != nil {
		rival, err := ninenet.ReadNet(bytes.NewReader(s.Rival))
		if err != nil {
			return fmt.Errorf("the net that games are played by: %w", err)
		}
		n.rival, n.plays = rival, ninenet.Compile(rival)
	}
	if err := n.source.UnmarshalBinary(s.Source); err != nil {
		return err
	}
	n.try.games, n.surprise = int(s.Games), s.Surprise
	return n.pool.ReplaceGames(s.Pool)
}

// Check is an error where a weight, or what the trainer keeps beside it, has run off to infinity.
func (n *nine) Check() error {
	if err := n.trainer.CheckWeights(); err != nil {
		return fmt.Errorf("%w: eta=%v is too large", err, n.eta)
	}
	return nil
}

// Bytes is about what the fast forms of two nets, the examples and the games take.
func (n *nine) Bytes() int64 { return 64<<20 + 48*int64(len(n.pool.Examples)) }

// Show says how the net came about, and what it thinks of some simple positions.
func (n *nine) Show(most int) show.Shown {
	by := "brain.nine.random"
	if n.plays != nil {
		by = "brain.nine.net"
	}
	var shown show.Shown
	shown.Tell(message.Of("brain.nine", message.Args{"weights": len(n.net.Bytes()) / 4}),
		message.Of(by, message.Args{"n": simulations(n.try.games), "games": n.every}),
		message.Of("brain.nine.loss", message.Args{"loss": show.Decimals(n.surprise),
			"ignorant": show.Decimals(ninenet.Ignorant)}))
	says := n.net.JudgeSamples()
	for _, s := range says[:min(most, len(says))] {
		shown.Weights = append(shown.Weights, show.Weight{Feature: s.On, Weight: s.Worth})
	}
	return shown
}

// Probes gives the loss of games before they are learned from.
func (n *nine) Probes() (string, []string, func() []float64) {
	return "loss", []string{"loss"}, func() []float64 { return []float64{n.surprise} }
}
