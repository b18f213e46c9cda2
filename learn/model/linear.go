package model

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"

	"oxo"
	"oxo/learn/option"
	"oxo/learn/regress"
	"oxo/learn/space"
)

// hundred is what a won game is worth in the units of Mitchell's design.
const hundred = 100

// linear is V̂(b) = Σ wᵢ·xᵢ(b) (Mitchell 1997, section 1.2.3), fitted by least mean squares (table 1.1) or exactly.
type linear struct {
	linearOptions
	features *space.Features
	w        []float64
	fitted   regress.Normal
}

// linearOptions are what a spec says of it.
type linearOptions struct {
	benchOptions
	set    string
	eta    float64
	scaled bool // steps are divided by |x|²
	solve  bool // weights are fitted exactly after each game
	start  []float64
}

// readLinear reads the options of lms and td, which differ in what is usual: η, the target and λ.
func readLinear(o *option.Reader, eta, target, lambda string) any {
	l := linearOptions{benchOptions: benchOptions{judges: bothSeats, graded: hundred, gamma: 1, factor: 1}}
	l.set = readFeatures(o, "threats")
	l.eta = o.Number("eta", eta, 0, 2, "η, the size of a step")
	l.scaled = o.Word("scaled", "yes", "whether steps are divided by |x|²", "no", "yes") == "yes"
	l.readBoardOptions(o)
	l.readTargetOptions(o, target, lambda, false)
	l.solve = o.Word("fit", "steps", "by steps, or exactly by least squares over all examples after each game", "steps",
		"exact") == "exact"
	l.explore = readExploreOptions(o, "0.5")
	l.readTries(o, "learn")
	l.start = readWeights(o, "0")
	return l
}

// readFeatures reads the features to go by.
func readFeatures(o *option.Reader, usual string) string {
	return o.Text("features", usual,
		"what boards are judged by: sets and features joined with +, * for products, ^2 for all products of two")
}

// readWeights reads the weights to begin with.
func readWeights(o *option.Reader, usual string) []float64 {
	return o.Numbers("weights", usual, -1e6, 1e6, 1000, "the first weights; one number stands for all")
}

// firstWeights returns the weights to begin with for those features.
func firstWeights(f *space.Features, given []float64) ([]float64, error) {
	w := make([]float64, len(f.Names))
	if len(given) != 1 && len(given) != len(w) {
		return nil, fmt.Errorf("option weights: %d of them for the %d features of %s, which are %s", len(given), len(w),
			f.Set, strings.Join(f.Names, ", "))
	}
	for i := range w {
		w[i] = given[min(i, len(given)-1)]
	}
	return w, nil
}

// readBoardOptions reads which boards are judged, and how.
func (b *benchOptions) readBoardOptions(o *option.Reader) {
	b.before = o.Word("states", "after", "boards judged: before the learner's own moves or after them", "before",
		"after") == "before"
	b.known = o.Word("ends", "known", "finished boards: judged like others, or known", "judged", "known") == "known"
}

func (b *benchOptions) readTries(o *option.Reader, usual string) {
	b.cut = o.Word("tries", usual, "boards before a move that was tried out: skip or learn", "skip", "learn") == "skip"
}

// buildLinear begins with the weights given. Where these are not as many as the features, the error names those.
func buildLinear(s *space.Space, open any, _ *rand.Rand) (*Learner, error) {
	o := open.(linearOptions)
	l := &linear{linearOptions: o}
	var err error
	if l.features, err = s.Features(o.set); err != nil {
		return nil, err
	}
	if l.w, err = firstWeights(l.features, o.start); err != nil {
		return nil, err
	}
	l.fitted = regress.NewNormal(len(l.w))
	return newValueLearner(s, o.benchOptions, l), nil
}

// value returns V̂ of a board to a seat.
func (l *linear) value(n space.Node, _ int32, seat oxo.Seat) float64 {
	return dot(l.w, l.features.Of(n, seat))
}

// Learn moves the weights along the features, so that V̂ comes nearer to the target.
func (l *linear) Learn(e Example) {
	x := l.features.Of(e.Node, e.Seat)
	l.fitted.Add(x, e.Target)
	if l.solve {
		return
	}
	step := l.eta * e.Rate * (e.Target - dot(l.w, x))
	if l.scaled {
		step /= max(1, dot(x, x))
	}
	for i, v := range x {
		l.w[i] += step * v
	}
}

// finishGame fits the weights exactly, where that is wanted; the sums for it were kept up in any case.
func (l *linear) finishGame(int) {
	if l.solve {
		l.fitted.SolveInto(l.w)
	}
}

// dot returns Σ aᵢ·bᵢ; b is at least as long as a.
func dot(a, b []float64) float64 {
	sum := 0.0
	for i, x := range a {
		sum += x * b[i]
	}
	return sum
}

// linearSaved is a linear model in a brain: its weights by feature, and the sums of least squares over all examples.
type linearSaved struct {
	Weights map[string]float64 `json:"weights"`
	Games   int                `json:"games"`
	Fit     regress.Normal     `json:"fit"`
}

func (l *linear) save(games int) any {
	return linearSaved{regress.ByName(l.features.Names, l.w), games, l.fitted}
}

// restore refuses weights of other features than the spec's, and returns how many games were played.
func (l *linear) restore(data json.RawMessage) (games int, err error) {
	var saved linearSaved
	if err := json.Unmarshal(data, &saved); err != nil {
		return 0, err
	}
	if !saved.Fit.Of(len(l.w)) {
		return 0, fmt.Errorf("its least squares are of other features")
	}
	l.fitted = saved.Fit
	return saved.Games, regress.FromNames(saved.Weights, l.features.Names, l.w)
}

// Check is an error where a weight has run off to infinity; it names the option that makes steps smaller.
func (l *linear) Check() error {
	why := fmt.Sprintf("eta=%v is too large for these features", l.eta)
	if !l.scaled {
		why += ", or use scaled=yes"
	}
	return checkWeights(l.w, why)
}

// Bytes counts the matrix of least squares, beside which the weights are little.
func (l *linear) Bytes() int64 { return int64(8 * len(l.w) * len(l.w)) }

// checkWeights is an error where a weight is no finite number: steps were too large, and nothing
// mends that. It says why, by the option that the learner has.
func checkWeights(w []float64, why string) error {
	if !Finite(w) {
		return fmt.Errorf("the weights have run off to infinity: %s", why)
	}
	return nil
}
