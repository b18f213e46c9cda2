package typed

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"oxo"
	"oxo/lab/internal/game"
	"oxo/lab/internal/opened"
	"oxo/solve"
)

// way is one way to solve a position. To add a way is to add it to ways.
type way[P oxo.Position[P]] struct {
	name string

	// estimate says what the way takes, or why it does not fit.
	estimate func(b *opened.TypedGame[P], q *solveTask[P]) (game.Estimate, error)

	// run solves; nil for ways whose work is carried out in parts elsewhere. No
	// result and no error is no answer.
	run func(ctx context.Context, b *opened.TypedGame[P], q *solveTask[P]) (*game.SolveResult, error)
}

// solveWays lists the ways.
func solveWays[P oxo.Position[P]]() []way[P] {
	return []way[P]{
		{game.ByTable, estimateTable[P], solveByTable[P]},
		{game.ByRetrograde, estimateRetrograde[P], solveByTable[P]},
		{game.ByTiers, estimateTiers[P], nil},
		{game.ByDrop, estimateDropSearch[P], solveByDropSearch[P]},
		{game.ByDeepening, estimateDeepening[P], solveByDeepening[P]},
		{game.ByProof, estimateProof[P], solveByProof[P]},
	}
}

// solveTask is a position to be solved, and what is known of it.
type solveTask[P oxo.Position[P]] struct {
	game.SolveOptions
	p       P
	began   time.Time
	size    float64             // positions below, up to symmetry where that is used; a guess
	outlook *solve.DeepenResult // what deepening has found
	proof   io.Reader           // the state of a proof to go on from
	shown   oxo.Outcome         // what a proof that is there already shows; else Ongoing
	within  int                 // plies, as that shows; else 0
	judged  *game.Judged        // what the judge knows at once, where no way fits; else nil
	drawn   *game.SolveResult   // all of the answer, where short proofs show a draw; else nil

	proofFollows bool    // where the table grows too large
	whole        float64 // positions of the whole game, where the table is made of that; else 0
}

// newSolveTask reads the options.
func newSolveTask[P oxo.Position[P]](b *opened.TypedGame[P], o game.SolveOptions) (*solveTask[P], error) {
	o.Strong = o.Strong || o.Out != nil
	o.Memory = cmp.Or(o.Memory, game.UsualMemory)
	q := &solveTask[P]{SolveOptions: o, began: time.Now()}
	var err error
	q.p, err = opened.ParseOrStart(b.Game, o.Position)
	switch {
	case err != nil:
		return nil, game.FaultOf("position", err)
	case o.Strong && q.p != b.Start:
		return nil, game.FaultOf("position",
			errors.New("a strong solution is written from the start of the game, not from "+
				"another position"))
	}
	q.size = guessClassesBelow(b, q.p)
	return q, nil
}

// guessClassesBelow guesses how many classes of positions are below p.
func guessClassesBelow[P oxo.Position[P]](b *opened.TypedGame[P], p P) float64 {
	n := opened.GuessPositionsBelow(b, p)
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
func choosePlan[P oxo.Position[P]](b *opened.TypedGame[P], q *solveTask[P]) (*game.Plan, error) {
	fits := map[string]game.Estimate{}
	var why []string
	for _, w := range solveWays[P]() {
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
	all, seconds := quickestCompleteWay(fits)
	_, falls := fits[game.ByDrop]
	_, proves := fits[game.ByProof]
	start := q.p == b.Start
	plan := &game.Plan{}
	switch {
	case all != "" && (q.Strong || seconds <= sooner || start && seconds <= soon):
		plan.Steps = []string{all}
	case q.Strong:
	case q.shown != oxo.Ongoing:
		plan.Steps = []string{game.ByProof}
	case falls:
		plan.Steps = []string{game.ByDrop}
	case all != "" && proves && q.Method == "" && q.findDrawProof(b):
		plan.Steps, fits[game.ByProof] = []string{game.ByProof}, game.Estimate{Seconds: new(float64)}
	case all == game.ByTiers && (seconds <= patient || !proves):
		plan.Steps = []string{game.ByTiers}
	case start && all == "" && !proves && q.Method == "":
		// Where so much lies before the end, the start is not near a win.
	default:
		for _, name := range []string{game.ByDeepening, game.ByTable, game.ByProof} {
			if _, ok := fits[name]; ok && (name != game.ByTable || seconds <= patient || !proves) {
				plan.Steps = append(plan.Steps, name)
			}
		}
	}
	if len(plan.Steps) == 0 && !q.Strong && (q.Method == "" || q.Method == game.ByProof) {
		if q.judged = judgeAtOnce(b, q); q.judged != nil {
			plan.Steps, fits[game.ByProof] = []string{game.ByProof}, game.Estimate{Seconds: new(float64)}
		}
	}
	if len(plan.Steps) == 0 {
		return nil, tooLargeError(b, q, why)
	}
	plan.Method = plan.Steps[len(plan.Steps)-1]
	if slices.Contains(plan.Steps, game.ByTable) {
		plan.Method = game.ByTable
	}
	if plan.Estimate = fits[plan.Method].Rounded(); plan.Steps[0] != plan.Method {
		plan.First = plan.Steps[0]
	}
	if last := plan.Steps[len(plan.Steps)-1]; last != plan.Method {
		plan.Then = last
	}
	return plan, nil
}

// quickestCompleteWay returns the way that knows all positions soonest, empty where none fits, and its seconds.
func quickestCompleteWay(fits map[string]game.Estimate) (name string, seconds float64) {
	seconds = math.Inf(1)
	for _, way := range []string{game.ByTable, game.ByRetrograde, game.ByTiers} {
		if e, ok := fits[way]; ok && *e.Seconds < seconds {
			name, seconds = way, *e.Seconds
		}
	}
	return name, seconds
}

// unsuited is why a way is not for a kind of game or of question, whatever their size.
type unsuited string

func (u unsuited) Error() string { return string(u) }

// tooLargeError is the error where no way fits.
func tooLargeError[P oxo.Position[P]](b *opened.TypedGame[P], q *solveTask[P], why []string) error {
	text := otherWays(b, q)
	if _, sure, _ := game.KnownForCertain(context.Background(), judging[P]{b}, q.Position, 0); sure != "" {
		text += "; known is: " + strings.TrimSuffix(sure, ".")
	}
	return fmt.Errorf("%s: %w: %s (%s); try a later --position; %s", b.Spec, solve.ErrTooLarge,
		game.AboutNumber(q.size), strings.Join(why, "; "), text)
}

// otherWays names what goes on as long as it is let where no way fits, and what estimates.
func otherWays[P oxo.Position[P]](b *opened.TypedGame[P], q *solveTask[P]) string {
	text := "oxo search --algorithm mcts estimates"
	if b.Odds != nil || b.Payoff != nil || b.Loopy() {
		return text
	}
	exact := "oxo search --algorithm dfpn goes on as long as it is let, "
	if g, err := b.ProvableSetup(q.Position); err == nil && g.CheckProvable() == nil {
		exact = "oxo prove and oxo search --algorithm dfpn go on as long as they are let, "
	}
	return exact + text
}

// Plan says how Solve would solve, or why it would refuse.
func (f solving[P]) Plan(o game.SolveOptions) (*game.Plan, error) {
	q, err := newSolveTask(f.b, o)
	if err != nil {
		return nil, err
	}
	return choosePlan(f.b, q)
}

// Solve solves a position exactly. Where only its value can be had, it says so. What is
// planned to be done in parts it refuses.
func (f solving[P]) Solve(ctx context.Context, o game.SolveOptions) (*game.SolveResult, error) {
	q, err := newSolveTask(f.b, o)
	if err != nil {
		return nil, err
	}
	plan, err := choosePlan(f.b, q)
	if err != nil {
		return nil, err
	}
	steps, err := q.stepsToResume(plan.Steps)
	if err != nil {
		return nil, err
	}
	q.proofFollows = len(steps) > 1 && steps[len(steps)-1] == game.ByProof
	for i, name := range steps {
		all := solveWays[P]()
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
			if r.Best == nil && r.Value != oxo.WinFor(q.p.Turn().Other()).String() { // else every move loses
				r.Keeps = append(r.Keeps, f.movesKnownToKeepValue(ctx, q, r)...)
				slices.Sort(r.Keeps)
				r.Keeps = slices.Compact(r.Keeps)
			}
			r.Seconds = time.Since(q.began).Seconds()
			return r, nil
		}
	}
	none := min(q.outlook.None[0], q.outlook.None[1])
	if none >= f.b.MaxPlies { // nobody wins as long as a game can last
		r := &game.SolveResult{Game: f.b.Spec, Position: f.b.Format(q.p), Value: oxo.Drawn.String(),
			Method: game.ByDeepening, Estimate: &plan.Estimate, Positions: q.outlook.Nodes}
		r.Keeps = f.movesKnownToKeepValue(ctx, q, r)
		r.Seconds = time.Since(q.began).Seconds()
		return r, nil
	}
	if r := f.judgeAfterDeepening(ctx, q, none); r != nil && ctx.Err() == nil {
		r.Estimate = &plan.Estimate
		return r, nil
	}
	return nil, cmp.Or(ctx.Err(), fmt.Errorf("%w: nobody can win within %d plies, and what comes after is too much; %s",
		solve.ErrTooLarge, none, otherWays(f.b, q)))
}

// judgeAfterDeepening returns what the judge's searches decide in a bounded effort of a position in which deepening has
// found that nobody wins within so many plies; nil where that is nothing, or another way was asked for.
func (f solving[P]) judgeAfterDeepening(ctx context.Context, q *solveTask[P], none int) *game.SolveResult {
	if q.Method != "" {
		return nil
	}
	if q.judged = judgeWithin(ctx, f.b, q, nodesAfterDeepening); q.judged == nil {
		return nil
	}
	r := q.resultWithoutSearch(f.b)
	switch {
	case r.Bounds != nil:
		r.Bounds[0] = none + 1
	case r.Remoteness == nil && r.Value != oxo.Drawn.String():
		r.Bounds = f.boundNineBoardsWin(ctx, q, r.Value)
	}
	if r.Value != oxo.WinFor(q.p.Turn().Other()).String() { // else every move loses
		r.Keeps = f.movesKnownToKeepValue(ctx, q, r)
	}
	r.Method, r.Positions, r.Seconds = game.ByProof, q.outlook.Nodes, time.Since(q.began).Seconds()
	return r
}

// nodesForLength is how many positions a proof looks at that is to tell within how many plies a win comes.
const nodesForLength = 200_000

// boundNineBoardsWin returns between which numbers of plies the side that value names wins on nine boards, beyond what
// deepening has looked at: the most is what a short proof shows, else the free squares. It is nil in other games.
func (f solving[P]) boundNineBoardsWin(ctx context.Context, q *solveTask[P], value string) *[2]int {
	if f.b.Board != nil || f.b.ProvableByMoves() == nil {
		return nil
	}
	winner := oxo.First
	if value == oxo.SecondWins.String() {
		winner = oxo.Second
	}
	bounds := &[2]int{q.outlook.None[winner] + 1, f.b.MaxPlies - opened.CountMarks(f.b, q.p)}
	r, err := proving[P](f).Prove(ctx, game.ProveOptions{Position: q.Position, Claim: value, Nodes: nodesForLength,
		Memory: q.Memory})
	if err != nil || r.Proof == nil {
		return bounds
	}
	for _, c := range r.Proof.Claims {
		if c.Wins && oxo.Seat(c.Seat) == winner {
			bounds[1] = min(bounds[1], c.Plies)
		}
	}
	return bounds
}

// movesKnownToKeepValue returns the moves of which the judge knows that they keep the value of r, of which
// the best moves are not known.
func (f solving[P]) movesKnownToKeepValue(ctx context.Context, q *solveTask[P], r *game.SolveResult) (list []string) {
	j := q.judged
	if j == nil {
		var err error
		if j, err = game.Beside(ctx, judging[P](f), r.Position); err != nil {
			return nil
		}
	}
	for _, m := range j.Moves {
		if m.Value == r.Value {
			list = append(list, m.Move)
		}
	}
	return list
}

// reportSolveProgress tells Keep how far the work is.
func (q *solveTask[P]) reportSolveProgress(method string, began time.Time, positions uint64, expectedPositions float64,
	save func(io.Writer) error) {
	if q.Keep != nil {
		q.Keep(game.Going{Method: method, Positions: positions, Of: expectedPositions, Took: time.Since(began)}, save)
	}
}
