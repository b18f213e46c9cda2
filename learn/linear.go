package learn

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"

	"oxo"
)

// hundred is what a won game is worth in the units of Mitchell's design.
const hundred = 100

// linear is the hypothesis V̂(b) = Σ wᵢ·xᵢ(b), with the critic and the
// generalizer that learn it (Mitchell 1997, table 1.1; Sutton, "Learning to
// predict by the methods of temporal differences", Machine Learning 3, 1988).
type linear struct {
	greedy
	linearOptions
	features *Features
	w        []float64
	trace    []float64 // eligibility of each weight
	fit      normal
}

type linearOptions struct {
	set     string
	eta     float64
	scaled  bool // steps are divided by |x|²
	lambda  float64
	states  string // the boards judged: before or after the learner's own moves
	ends    string // finished boards: judged by V̂ like others, or known
	target  string // what a board is taught: the worth of its successor, or of the game's end
	solve   bool   // weights are fitted exactly after each game
	explore explore
	cut     bool // a move tried out ends what earlier boards can learn
}

func readLMS(o *options) any {
	return readLinear(o, "counts", "0.01", "no", "0", "before", "judged", "0")
}

func readTD(o *options) any {
	return readLinear(o, "threats", "0.02", "yes", "0.7", "after", "known", "0.1")
}

func readLinear(o *options, set, eta, scaled, lambda, states, ends, epsilon string) any {
	l := linearOptions{
		set:    o.text("features", set, "the feature set"),
		eta:    o.number("eta", eta, 0, 2, "η, the size of a step"),
		scaled: o.word("scaled", scaled, "whether steps are divided by |x|²", "no", "yes") == "yes",
		lambda: o.number("lambda", lambda, 0, 1, "λ, how far back a surprise is felt"),
		states: o.word("states", states, "boards judged: before the learner's own moves or after them", "before", "after"),
		ends:   o.word("ends", ends, "finished boards: judged by their features, or known", "judged", "known"),
		target: o.word("target", "successor", "what a board is taught: the worth of its successor or of the game's outcome", "successor", "outcome"),
		solve:  o.word("fit", "steps", "by steps, or exactly by least squares over all examples after each game", "steps", "exact") == "exact",
	}
	l.explore = readExplore(o, epsilon)
	l.cut = o.word("tries", "skip", "boards before a move that was tried out: skip or learn", "skip", "learn") == "skip"
	return l
}

func buildLinear(s *Space, o any, _ *rand.Rand) (*learner, error) {
	l := &linear{linearOptions: o.(linearOptions)}
	var err error
	if l.features, err = s.features(l.set); err != nil {
		return nil, err
	}
	k := len(l.features.Names)
	l.w, l.trace = make([]float64, k), make([]float64, k)
	l.fit = newNormal(k)
	l.greedy = greedy{space: s, worth: l, try: l.explore}
	return &learner{l, (*successors)(l), l, l}, nil
}

// value returns V̂ of a board to a seat.
func (l *linear) value(n Node, seat oxo.Seat) float64 { return dot(l.w, l.features.of(n, seat)) }

// known says what a finished board is worth where V̂ is not asked: a win more
// and a loss less than anything else.
func known(s *Space, n Node, seat oxo.Seat) float64 { return 1e9 * s.worthTo(n, seat) }

// worth is V̂ of the board that a move leads to.
func (l *linear) worth(n Node, _ int, child Node) float64 {
	seat := l.space.turn[n]
	ends := l.ends == "known"
	if ends && l.space.over(child) {
		return known(l.space, child, seat)
	}
	if l.space.turn[child] != oxo.Chance {
		return l.value(child, seat)
	}
	return l.space.mean(child, func(n Node) float64 {
		if ends && l.space.over(n) { // what the critic says: beside other boards it is one of several
			return hundred * l.space.worthTo(n, seat)
		}
		return l.value(n, seat)
	})
}

// successors is the critic Vtrain(b) ← V̂(Successor(b)): a board should be
// worth what the next one at which it is the learner's turn again (or which it
// has just moved to) is thought to be worth, and the last what the game was.
type successors linear

func (c *successors) Judge(t *Trace, g Generalizer) {
	l := (*linear)(c)
	l.try.games++
	for seat := range oxo.Chance {
		if t.Learner[seat] {
			c.judge(t, seat, g)
		}
	}
	if l.solve {
		l.fit.into(l.w)
	}
}

func (c *successors) judge(t *Trace, seat oxo.Seat, g Generalizer) {
	l := (*linear)(c)
	end := hundred * t.worthTo(seat)
	from := None
	begins := true
	give := func(n Node, target float64) {
		g.Learn(Example{Node: n, Seat: seat, Target: target, Begins: begins})
		begins = false
	}
	for i, choice := range t.Choices {
		if l.space.turn[t.Nodes[i]] != seat {
			continue
		}
		n := t.Nodes[i]
		if l.states == "after" {
			n = l.space.after(t, i)
		}
		tried := choice.Explores && l.cut
		if from != None && !(tried && l.states == "after") {
			target := end
			if l.target == "successor" && !l.space.over(n) {
				target = l.value(n, seat)
			}
			give(from, target)
		}
		if begins = begins || tried; l.states == "before" && tried {
			from = None
			continue
		}
		from = n
	}
	if from != None && !l.space.over(from) {
		give(from, end)
	}
	if last := t.End(); l.ends == "judged" && l.space.over(last) {
		give(last, end)
	}
}

// Learn moves the weights along the eligibility trace of the features, so that
// V̂ comes nearer to the target; with λ = 0 that is the LMS rule.
func (l *linear) Learn(e Example) {
	x := l.features.of(e.Node, e.Seat)
	l.fit.add(x, e.Target)
	if l.solve {
		return
	}
	step := l.eta * (e.Target - dot(l.w, x))
	if l.scaled {
		step /= max(1, dot(x, x))
	}
	keep := l.lambda
	if e.Begins {
		keep = 0
	}
	for i, v := range x {
		l.trace[i] = keep*l.trace[i] + v
		l.w[i] += step * l.trace[i]
	}
}

func dot(a, b []float64) float64 {
	sum := 0.0
	for i, x := range a {
		sum += x * b[i]
	}
	return sum
}

// normal holds the normal equations of all examples: XᵀX and Xᵀy.
type normal struct {
	XX []float64 `json:"xx"`
	XY []float64 `json:"xy"`
}

func newNormal(k int) normal { return normal{make([]float64, k*k), make([]float64, k)} }

func (f *normal) add(x []float64, y float64) {
	k := len(x)
	for i, v := range x {
		if v == 0 {
			continue
		}
		f.XY[i] += v * y
		row := f.XX[i*k : (i+1)*k]
		for j, u := range x {
			row[j] += v * u
		}
	}
}

// ridge keeps the equations solvable where features depend on each other.
const ridge = 1e-6

// into sets w to the weights with the least squared error over all examples.
func (f *normal) into(w []float64) {
	k := len(w)
	a, x := slices.Clone(f.XX), slices.Clone(f.XY)
	for i := range k {
		a[i*k+i] += ridge
	}
	if solveSquares(a, x) {
		copy(w, x)
	}
}

type linearSaved struct {
	Weights map[string]float64 `json:"weights"`
	Games   int                `json:"games"`
	Fit     normal             `json:"fit"`
}

func (l *linear) save() any {
	return linearSaved{named(l.features.Names, l.w), l.try.games, l.fit}
}

func (l *linear) load(data json.RawMessage) error {
	saved := linearSaved{Fit: newNormal(0)}
	if err := json.Unmarshal(data, &saved); err != nil {
		return err
	}
	if len(saved.Fit.XX) != len(l.fit.XX) || len(saved.Fit.XY) != len(l.fit.XY) {
		return fmt.Errorf("its least squares are of other features")
	}
	l.try.games, l.fit = saved.Games, saved.Fit
	return fromNamed(saved.Weights, l.features.Names, l.w)
}

func (l *linear) check() error { return checkWeights(l.w, l.eta) }

func checkWeights(w []float64, eta float64) error {
	if !finite(w) {
		return fmt.Errorf("the weights have run off to infinity: eta=%v is too large for these features, or use scaled=yes", eta)
	}
	return nil
}

func named(names []string, w []float64) map[string]float64 {
	m := map[string]float64{}
	for i, name := range names {
		m[name] = w[i]
	}
	return m
}

func fromNamed(m map[string]float64, names []string, w []float64) error {
	if len(m) != len(names) {
		return fmt.Errorf("it has %d weights, not %d", len(m), len(names))
	}
	for i, name := range names {
		v, ok := m[name]
		if !ok {
			return fmt.Errorf("it has no weight of %q", name)
		}
		w[i] = v
	}
	return nil
}
