package model

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"

	"oxo"
	"oxo/learn/option"
	"oxo/learn/regress"
	"oxo/learn/space"
)

// leafLearner is a learner whose hypothesis is a search: a weighted sum U of features at the leaves of depth-limited
// alpha-beta. s is a position where it is to move and ŝ the leaf that its search expects. Its rules are
//
//	weger     cᵢ −= α·(U(ŝ) − U(s))·cᵢ·(φᵢ(ŝ) − φᵢ(s)): a residual-gradient rule with an extra factor cᵢ
//	textbook  cᵢ += α·(U(ŝ) − U(s))·φᵢ(s): U(s) moves toward U(ŝ)
//	tdleaf    TDLeaf(λ) of Baxter, Tridgell and Weaver ("Experiments in parameter learning using temporal
//	          differences", ICCA Journal 21, 1998): the value of each leaf moves toward that of the next, those of
//	          earlier leaves with it, λ less for each step back
//	outcome   U(s) moves toward what the game was worth
//
// After each step the weights are rescaled to a given sum. A step that leaves less than 1/1000 of it is not taken.
type leafLearner struct {
	leafOptions
	space   *space.Space
	search  space.Searcher
	earnest space.Searcher // what it plays by in earnest
	w, next []float64
	trace   []float64
	refused int
	games   int
	sum     []float64 // of the weights after each game that is averaged

	marked        []float64 // weights, then their trace
	markedRefused int
}

// leafOptions are the options that readLeaf explains: depth and play in plies, win in the units of U, total a sum of w.
type leafOptions struct {
	set     string
	depth   int
	rule    string
	alpha   float64
	lambda  float64
	win     float64
	total   float64
	play    int
	average int
	when    string
	start   []float64
	epsilon float64
	bug     string
}

// readLeaf takes for usual, with weger's features, what their author did. Those of boards are of either side, so that
// weights have either sign, no sum, and to begin with nothing to say.
func readLeaf(o *option.Reader) any {
	set := readFeatures(o, "weger")
	rule, win, total, start, depth, alpha, epsilon, average := "tdleaf", "10", "0", "0", "1", "0.02", "0.3", "500"
	if set == "weger" {
		rule, win, total, start, depth, alpha, epsilon, average = "weger", "0", "6", "1", "3", "0.005", "0", "0"
	}
	return leafOptions{
		set:     set,
		depth:   o.Integer("depth", depth, 1, 20, "plies looked ahead"),
		rule:    o.Word("rule", rule, "how weights change", "weger", "textbook", "tdleaf", "outcome"),
		alpha:   o.Number("alpha", alpha, 0, 1, "α, the size of a step; one that goes far beyond its target is cut"),
		lambda:  o.Number("lambda", "0.7", 0, 1, "λ of rule tdleaf"),
		win:     o.Number("win", win, 0, 1e6, "what a won game is worth; 0: what the last position is by the weights"),
		total:   o.Number("sum", total, 0, 1e6, "the sum that the weights are rescaled to; 0: they are not"),
		when:    o.Word("when", "move", "when to learn: after each own move, or after the game", "move", "game"),
		start:   readWeights(o, start),
		epsilon: o.Number("epsilon", epsilon, 0, 1, "probability of a random move while learning"),
		play:    o.Integer("play", "0", 0, 20, "plies looked ahead in earnest; 0: as many as while learning"),
		bug: o.Word("bug", "none",
			"published: the leaf learned from is the last of its parent's children, as in the published program",
			"none", "published"),
		average: o.Integer("average", average, 0, 1<<40,
			"in earnest it plays by the mean of its weights after this game and later ones; 0: by the last weights"),
	}
}

// buildLeaf makes a search to learn by and one for playing in earnest, which may look ahead another
// number of plies. Features that the game has not, and weights that are not as many as they, are errors.
func buildLeaf(s *space.Space, o any, _ *rand.Rand) (*Learner, error) {
	l := &leafLearner{leafOptions: o.(leafOptions), space: s}
	var err error
	if l.search, err = s.Searcher(l.set, l.depth); err != nil {
		return nil, err
	}
	l.search.MisreportLeaf(l.bug == "published")
	if l.w, err = firstWeights(l.search.Features(), l.start); err != nil {
		return nil, err
	}
	k := len(l.w)
	if l.earnest, err = s.Searcher(l.set, cmp.Or(l.play, l.depth)); err != nil {
		return nil, err
	}
	l.sum = make([]float64, k)
	l.next, l.trace = make([]float64, k), make([]float64, k)
	var critic Critic = (*leafCritic)(l)
	if l.when == "move" && l.rule != "outcome" {
		critic = leafMoveCritic{(*leafCritic)(l)}
	}
	return &Learner{l, critic, l, l}, nil
}

// Choose searches.
func (l *leafLearner) Choose(n space.Node, r *rand.Rand) Choice {
	if l.epsilon > 0 && r.Float64() < l.epsilon {
		return Choice{Edge: int32(r.IntN(len(l.space.Children(n)))), Explores: true, Leaf: space.None}
	}
	e, _, leaf := l.search.Search(n, l.w)
	return Choice{Edge: e, Leaf: leaf}
}

// within has both searches end with ctx.
func (l *leafLearner) within(ctx context.Context) {
	l.search.SetContext(ctx)
	l.earnest.SetContext(ctx)
}

// Snapshot notes the weights, their trace and the steps refused: with when=move they change within a game.
func (l *leafLearner) Snapshot() {
	l.marked = append(append(l.marked[:0], l.w...), l.trace...)
	l.markedRefused = l.refused
}

// Rollback brings back what Snapshot noted.
func (l *leafLearner) Rollback() {
	copy(l.trace, l.marked[copy(l.w, l.marked):])
	l.refused = l.markedRefused
}

// Odds gives the move chosen probability 1.
func (l *leafLearner) Odds(n space.Node, w []float64) {
	clear(w)
	e, _, _ := l.earnest.Search(n, l.playingWeights())
	w[e] = 1
}

// playingWeights returns what it plays by in earnest.
func (l *leafLearner) playingWeights() []float64 {
	if l.average == 0 || l.games < l.average {
		return l.w
	}
	mean := make([]float64, len(l.w))
	for i, sum := range l.sum {
		mean[i] = sum / float64(l.games-l.average+1)
	}
	return mean
}

// leafCritic is the critic of leaves.
type leafCritic leafLearner

// LearnGame teaches the moves of a game in their order, once it is over, and then how it ended.
func (c *leafCritic) LearnGame(t *Trace, g Generalizer) {
	for i := range t.Choices {
		c.learnMove(t, i, g)
	}
	c.learnEnd(t, g)
}

// learnMove makes the example of the i-th move, once it has been made.
func (c *leafCritic) learnMove(t *Trace, i int, g Generalizer) {
	n, choice := t.Nodes[i], t.Choices[i]
	seat := c.space.Turn(n)
	if seat == oxo.Chance || !t.Learner[seat] || choice.Leaf == space.None {
		return
	}
	l := (*leafLearner)(c)
	switch l.rule {
	case "outcome":
		g.Learn(Example{Node: n, Seat: seat, Target: l.endWorth(t, seat)})
	case "tdleaf":
		if j := l.previousSearchedMove(t, i, seat); j >= 0 {
			now := t.Choices[j]
			g.Learn(Example{Node: now.Leaf, Seat: seat, Target: l.leafWorth(choice.Leaf, seat),
				Begins: l.previousSearchedMove(t, j, seat) < 0})
		}
	default:
		g.Learn(Example{Node: n, Seat: seat, Target: l.leafWorth(choice.Leaf, seat), Leaf: choice.Leaf})
	}
}

// learnEnd teaches the last leaf of each seat how the game ended.
func (c *leafCritic) learnEnd(t *Trace, g Generalizer) {
	l := (*leafLearner)(c)
	defer l.countAndAverage()
	if l.rule != "tdleaf" {
		return
	}
	for seat := range oxo.Chance {
		if !t.Learner[seat] {
			continue
		}
		if j := l.previousSearchedMove(t, len(t.Choices), seat); j >= 0 {
			g.Learn(Example{Node: t.Choices[j].Leaf, Seat: seat, Target: l.endWorth(t, seat),
				Begins: l.previousSearchedMove(t, j, seat) < 0})
		}
	}
}

// countAndAverage counts the game and adds to the mean.
func (l *leafLearner) countAndAverage() {
	l.games++
	if l.average > 0 && l.games >= l.average {
		for i, w := range l.w {
			l.sum[i] += w
		}
	}
}

// previousSearchedMove returns the number of the seat's last move before the i-th in which it searched, or -1.
func (l *leafLearner) previousSearchedMove(t *Trace, i int, seat oxo.Seat) int {
	for i--; i >= 0; i-- {
		if l.space.Turn(t.Nodes[i]) == seat {
			if t.Choices[i].Leaf == space.None {
				return -1
			}
			return i
		}
	}
	return -1
}

// endWorth is what the game was worth.
func (l *leafLearner) endWorth(t *Trace, seat oxo.Seat) float64 {
	if l.win > 0 {
		return l.win * t.worthTo(seat)
	}
	return l.leafWorth(t.End(), seat)
}

// leafMoveCritic is the critic that judges each move as soon as it is made.
type leafMoveCritic struct{ *leafCritic }

func (c leafMoveCritic) LearnMove(t *Trace, g Generalizer) { c.learnMove(t, len(t.Choices)-1, g) }
func (c leafMoveCritic) LearnGame(t *Trace, g Generalizer) { c.learnEnd(t, g) }

func (l *leafLearner) leafWorth(n space.Node, seat oxo.Seat) float64 {
	return dot(l.w, l.search.Features().Of(n, seat))
}

// farthest is how many times as far as its target a step may move U(s). One that would move it farther
// is cut to reach its target, else the weights run off where features are large, as on boards of more
// squares than tic-tac-toe has. (Dabney and Barto, "Adaptive step-size for online temporal difference
// learning", AAAI 2012, bound steps by the same product.)
const farthest = 3

// Learn takes a step by the rule and rescales.
func (l *leafLearner) Learn(e Example) {
	f := l.search.Features()
	copy(l.next, f.Of(e.Node, e.Seat)) // φ(s)
	surprise := e.Target - dot(l.w, l.next)
	if l.rule == "weger" {
		for i, at := range f.Of(e.Leaf, e.Seat) {
			l.next[i] = -l.w[i] * (at - l.next[i])
		}
	}
	keep := 0.0
	if l.rule == "tdleaf" && !e.Begins {
		keep = l.lambda
	}
	size := 0.0 // by how much a step of 1 moves U(s)
	for i, direction := range l.next {
		l.trace[i] = keep*l.trace[i] + direction
		size += l.trace[i] * direction
	}
	step := l.alpha
	if l.rule != "weger" && step*size > farthest {
		step = 1 / size
	}
	sum := 0.0
	for i, direction := range l.trace {
		l.next[i] = l.w[i] + step*surprise*direction
		sum += l.next[i]
	}
	if l.total > 0 {
		if sum < l.total/1000 {
			l.refused++
			return
		}
		for i := range l.next {
			l.next[i] *= l.total / sum
		}
	}
	copy(l.w, l.next)
}

// leafSaved is the learner in a brain: numbers by the names of features, and Sum of the weights after averaged games.
type leafSaved struct {
	Weights map[string]float64 `json:"weights"`
	Refused int                `json:"refused"`
	Games   int                `json:"games"`
	Sum     map[string]float64 `json:"sum"`
}

// Save leaves out the trace: each game begins one anew.
func (l *leafLearner) Save() any {
	names := l.search.Features().Names
	return leafSaved{regress.ByName(names, l.w), l.refused, l.games, regress.ByName(names, l.sum)}
}

// Load refuses numbers of other features than the spec's.
func (l *leafLearner) Load(data json.RawMessage) error {
	var saved leafSaved
	if err := json.Unmarshal(data, &saved); err != nil {
		return err
	}
	l.refused, l.games = saved.Refused, saved.Games
	names := l.search.Features().Names
	if err := regress.FromNames(saved.Sum, names, l.sum); err != nil {
		return err
	}
	return regress.FromNames(saved.Weights, names, l.w)
}

// Check is an error where the last weights or those of earnest play have run off to infinity.
func (l *leafLearner) Check() error {
	return checkWeights(slices.Concat(l.w, l.playingWeights()),
		fmt.Sprintf("alpha=%v is too large for these features", l.alpha))
}

func (l *leafLearner) Bytes() int64 { return int64(8 * 5 * len(l.w)) }
