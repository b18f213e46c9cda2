package typed

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"oxo"
	"oxo/board"
	"oxo/solve"
)

// SolveOptions say what to solve and how far.
type SolveOptions struct {
	Position string    // empty for the start
	Out      io.Writer // where to write the strong solution; nil for nowhere
	Strong   bool      // values of all positions are wanted, for a file
	Memory   int64     // about the most bytes to take; 0 for UsualMemory
	Method   string    // the way to take; empty chooses one
	Parts    bool      // whoever asks can carry out work in parts, as tiers are

	// Resume is what save wrote in an earlier Solve with the same options. Keep is told
	// how far the work is; where save is not nil, it writes what Resume goes on from.
	Resume io.Reader
	Keep   func(g Going, save func(io.Writer) error)
}

// Going says how far a solution is.
type Going struct {
	Method    string
	Positions uint64
	Of        float64       // positions expected, a guess; 0 where there is none
	Took      time.Duration // by this way so far
}

// UsualMemory is about the most bytes that a solution takes unless told otherwise.
const UsualMemory = 1 << 30

// The ways to solve.
const (
	ByTable      = "table"      // all positions below, each worked out once, in memory
	ByRetrograde = "retrograde" // the same from the ends back, where play can go in circles
	ByTiers      = "tiers"      // all positions by numbers of marks, a slice at a time
	ByDrop       = "drop"       // search where marks fall
	ByDeepening  = "deepening"  // search for a win in one ply, in two, and so on
	ByProof      = "proof"      // proof numbers, for the value; bounds of the distance
)

// Estimate is what a way is expected to take.
type Estimate struct {
	Seconds *float64 `json:"cpu_seconds"` // of one core, to two digits; nil where nobody can tell
	Bytes   int64    `json:"bytes"`       // of memory at a time, the same
}

// rounded returns the estimate with as many digits as it is good for.
func (e Estimate) rounded() Estimate {
	digits := func(x float64) float64 {
		rounded, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'e', 1, 64), 64) // which was just written
		return rounded
	}
	if e.Seconds != nil {
		seconds := digits(*e.Seconds)
		e.Seconds = &seconds
	}
	e.Bytes = int64(digits(float64(e.Bytes)))
	return e
}

// Plan is how a position is solved: the way that is expected to give the answer, and
// what it takes.
type Plan struct {
	Method   string
	Estimate Estimate
	First    string   // a way that is tried before, empty for none
	steps    []string // ways to try one after the other, the last of which is Method
}

// way is one way to solve a position. To add a way is to add it to ways.
type way[P oxo.Position[P]] struct {
	name string

	// estimate says what the way takes, or why it does not fit.
	estimate func(b *typedGame[P], q *solveTask[P]) (Estimate, error)

	// run solves; nil for ways whose work is carried out in parts elsewhere. No
	// result and no error is no answer.
	run func(ctx context.Context, b *typedGame[P], q *solveTask[P]) (*SolveResult, error)
}

// waysOf lists the ways.
func waysOf[P oxo.Position[P]]() []way[P] {
	return []way[P]{
		{ByTable, estimateTable[P], runTable[P]},
		{ByRetrograde, estimateRetrograde[P], runTable[P]},
		{ByTiers, estimateTiers[P], nil},
		{ByDrop, estimateDrop[P], runDrop[P]},
		{ByDeepening, estimateDeepening[P], runDeepening[P]},
		{ByProof, estimateProof[P], runProof[P]},
	}
}

// newSolveTask is a position to be solved, and what is known of it.
type solveTask[P oxo.Position[P]] struct {
	SolveOptions
	p       P
	began   time.Time
	size    float64             // positions below, up to symmetry where that is used; a guess
	outlook *solve.DeepenResult // what deepening has found
	proof   io.Reader           // the state of a proof to go on from
	shown   oxo.Outcome         // what a proof that is there already shows; else Ongoing
}

// newSolveTask reads the options.
func (b *typedGame[P]) newSolveTask(o SolveOptions) (*solveTask[P], error) {
	o.Strong = o.Strong || o.Out != nil
	o.Memory = cmp.Or(o.Memory, UsualMemory)
	q := &solveTask[P]{SolveOptions: o, began: time.Now()}
	var err error
	q.p, err = parse(b.Game, o.Position)
	switch {
	case err != nil:
		return nil, fault("position", err)
	case o.Strong && q.p != b.Start:
		return nil, fault("position", errors.New("a strong solution is written from the start of the game, not from "+
			"another position"))
	}
	q.size = b.guessClasses(q.p)
	return q, nil
}

// guessClasses guesses how many classes of positions are below p.
func (b *typedGame[P]) guessClasses(p P) float64 {
	var n float64
	view, positional := any(p).(board.Positional)
	switch {
	case b.Odds == nil:
		n = solve.EstimatePositions(b.Game, p, guesses, 1)
	case positional: // without chance, and each square that a mark may have been meant for
		r := view.Rules()
		r.Slip = 0
		if view.Board().N > 64 {
			return math.Inf(1)
		}
		still := board.Game64(b.Spec, "", view.Board(), r)
		n = solve.EstimatePositions(still, still.Start, guesses, 1) * float64(view.Board().N) / 2
	}
	if p == b.Start && b.Canonical != nil {
		order, _ := b.Symmetries.Float64()
		n /= order
	}
	return n
}

// How long a way may be expected to take, in seconds of one core.
const (
	soon    = 5          // an answer about the whole game, before a quicker way to a value is looked for
	sooner  = 0.2        // the same from another position, where a win may be near
	patient = 600        // all positions, where the value could be had by a proof
	endless = 30 * 86400 // nobody waits
)

// choosePlan returns how to solve a position, by facts that are known before.
func (b *typedGame[P]) choosePlan(q *solveTask[P]) (*Plan, error) {
	fits := map[string]Estimate{}
	var why []string
	for _, w := range waysOf[P]() {
		if q.Method != "" && q.Method != w.name {
			continue
		}
		e, err := w.estimate(b, q)
		if err == nil {
			fits[w.name] = e
		} else if !errors.As(err, new(unsuited)) || q.Method != "" {
			why = append(why, fmt.Sprintf("%s: %v", w.name, err))
		}
	}
	all, seconds := "", math.Inf(1) // the quickest way to know all positions
	for _, name := range []string{ByTable, ByRetrograde, ByTiers} {
		if e, ok := fits[name]; ok && *e.Seconds < seconds {
			all, seconds = name, *e.Seconds
		}
	}
	_, falls := fits[ByDrop]
	_, proves := fits[ByProof]
	start := q.p == b.Start
	plan := &Plan{}
	switch {
	case all != "" && (q.Strong || seconds <= sooner || start && seconds <= soon):
		plan.steps = []string{all}
	case q.Strong:
	case q.shown != oxo.Ongoing:
		plan.steps = []string{ByProof}
	case falls:
		plan.steps = []string{ByDrop}
	case all == ByTiers && (seconds <= patient || !proves):
		plan.steps = []string{ByTiers}
	case start && all == "" && !proves && q.Method == "":
		// Where so much lies before the end, the start is not near a win.
	default:
		for _, name := range []string{ByDeepening, ByTable, ByProof} {
			if _, ok := fits[name]; ok && (name != ByTable || seconds <= patient || !proves) {
				plan.steps = append(plan.steps, name)
			}
		}
	}
	if len(plan.steps) == 0 {
		return nil, b.tooLargeError(q, why)
	}
	plan.Method = plan.steps[len(plan.steps)-1]
	if slices.Contains(plan.steps, ByTable) {
		plan.Method = ByTable
	}
	if plan.Estimate = fits[plan.Method].rounded(); plan.steps[0] != plan.Method {
		plan.First = plan.steps[0]
	}
	return plan, nil
}

// unsuited is why a way is not for a kind of game or of question, whatever their size.
type unsuited string

func (u unsuited) Error() string { return string(u) }

// tooLargeError is the error where no way fits.
func (b *typedGame[P]) tooLargeError(q *solveTask[P], why []string) error {
	text := "oxo search --algorithm mcts estimates"
	if b.Odds == nil && b.board != nil {
		text = "oxo prove goes on as long as it is let, " + text
	}
	return fmt.Errorf("solve %s: %w: about %.1g (%s); try a later --position; %s", b.Spec, solve.ErrTooLarge, q.size,
		strings.Join(why, "; "), text)
}

// Plan says how Solve would solve, or why it would refuse.
func (f solving[P]) Plan(o SolveOptions) (*Plan, error) {
	q, err := f.b.newSolveTask(o)
	if err != nil {
		return nil, err
	}
	return f.b.choosePlan(q)
}

// Solve solves a position exactly. Where only its value can be had, it says so. What is
// planned to be done in parts it refuses.
func (f solving[P]) Solve(ctx context.Context, o SolveOptions) (*SolveResult, error) {
	q, err := f.b.newSolveTask(o)
	if err != nil {
		return nil, err
	}
	plan, err := f.b.choosePlan(q)
	if err != nil {
		return nil, err
	}
	steps, err := q.stepsToResume(plan.steps)
	if err != nil {
		return nil, err
	}
	for i, name := range steps {
		all := waysOf[P]()
		w := all[slices.IndexFunc(all, func(w way[P]) bool { return w.name == name })]
		if w.run == nil {
			return nil, fmt.Errorf("solve %s: by %s it is done in parts", f.b.Spec, name)
		}
		r, err := w.run(ctx, f.b, q)
		if last := i == len(steps)-1; errors.Is(err, solve.ErrTooLarge) && !last {
			continue
		}
		if err != nil {
			return nil, err
		}
		if r != nil {
			r.Method, r.Estimate = name, &plan.Estimate
			r.Seconds = time.Since(q.began).Seconds()
			return r, nil
		}
	}
	none := min(q.outlook.None[0], q.outlook.None[1])
	return nil, fmt.Errorf("solve %s: %w: nobody can win within %s, and what comes after is too much; oxo search "+
		"--algorithm mcts estimates",
		f.b.Spec, solve.ErrTooLarge, fmt.Sprintf("%d plies", none))
}

// reportProgress tells Keep how far the work is.
func (q *solveTask[P]) reportProgress(method string, began time.Time, positions uint64, of float64,
	save func(io.Writer) error) {
	if q.Keep != nil {
		q.Keep(Going{method, positions, of, time.Since(began)}, save)
	}
}
