package jobs

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"oxo/arena"
	"oxo/arena/spsa"
	"oxo/lab"
	"oxo/lab/jobs/progress"
	"oxo/message"
)

// TuneArgs are the arguments of a tune job; its method is that of [spsa].
type TuneArgs struct {
	Player     string    `json:"player" word:"" help:"a player's spec in which {name} stands for a constant"`
	Constants  Constants `json:"constants" flag:"constant" help:"a constant, once for each: NAME=START,MIN,MAX[,STEP]"`
	Iterations int       `json:"iterations" least:"1" help:"how often the constants are moved"`
	Trials     int       `json:"trials" least:"1" help:"trials in an iteration, each a part; more of them keep more workers busy"`
	Games      int       `json:"games" least:"2" even:"" help:"games a trial, even"`
	Openings   int       `json:"openings" least:"0" help:"plies given before the players go on"`
	Rate       float64   `json:"rate" help:"how many steps a trial won by all games moves a constant at first"`
	Check      int       `json:"check" least:"0" even:"" help:"games at the end between the tuned player and the one at the start, even"`
}

// Constants are the numbers to tune.
type Constants []spsa.Constant

// Set adds a constant that is written as NAME=START,MIN,MAX or
// NAME=START,MIN,MAX,STEP.
func (l *Constants) Set(text string) error {
	name, rest, found := strings.Cut(text, "=")
	words := strings.Split(rest, ",")
	if !found || len(words) < 3 || len(words) > 4 {
		return fmt.Errorf("%q: give NAME=START,MIN,MAX or NAME=START,MIN,MAX,STEP", text)
	}
	var numbers [4]float64
	for i, word := range words {
		var err error
		if numbers[i], err = strconv.ParseFloat(word, 64); err != nil || math.IsNaN(numbers[i]) ||
			math.IsInf(numbers[i], 0) {
			return fmt.Errorf("%q: %q is no number", text, word)
		}
	}
	if len(words) == 4 && numbers[3] <= 0 {
		return fmt.Errorf("%q: the step must be above 0", text)
	}
	*l = append(*l, spsa.Constant{Name: name, Start: numbers[0], Min: numbers[1], Max: numbers[2], Step: numbers[3]})
	return nil
}

// Tune is the verb of that name.
var Tune = newVerb(Verb{
	Name: "tune", Words: []string{"PLAYER"}, Seeded: true, Private: true,
	Short: "tune constants of a player by SPSA with paired games",
	Long: `In the player's spec {name} stands for a constant, of whole numbers where the player takes no others.
At the end the tuned player plays the one at the start, with an error bar.`,
	Example: `  oxo tune 'mcts:sims=100,explore={c}' --constant c=0.3,0.05,4 --game ultimate
  oxo tune 'static:weights={a}/1/.5/.5/.5/.5,depth=3' --constant a=3,0,6 --game meta --on 127.0.0.1:4222`,
	Gives: "tunes constants of a player by SPSA with paired games, a part a trial; data: TuneData; file: path.csv",
}, TuneArgs{Iterations: 50, Trials: 4, Games: 20, Openings: 2, Rate: 1, Check: 400}, openTuningJob)

// TuneData is how tuning goes.
type TuneData struct {
	Iteration int         `json:"iteration"` // from 1; one more than there are for the check
	Of        int         `json:"of"`
	Names     []string    `json:"names"`
	Values    []float64   `json:"values"` // before the iteration
	Score     arena.Score `json:"score"`  // of the trials up to now, or of the tuned player
}

// TuneSummary is the result of a tune job.
type TuneSummary struct {
	Game   string      `json:"game"`
	Player string      `json:"player" doc:"the player with the tuned constants"`
	Names  []string    `json:"names"`
	Start  []float64   `json:"start" doc:"the constants at the start"`
	Values []float64   `json:"values" doc:"the constants, tuned"`
	Path   [][]float64 `json:"path" doc:"the constants after each iteration"`
	Games  int         `json:"games"`

	// Check is the tuned player against the one at the start; null without.
	Check *arena.MatchResult `json:"check" doc:"the tuned player against the one at the start"`
}

// tuning is tuning that was understood.
type tuning struct {
	lab.Contesting
	spsa.Tuning
	game string // its spec
	args TuneArgs

	mu   sync.Mutex
	path [][]float64 // the constants after each iteration, as far as they were worked out
}

// checkParts is how many parts the games of the check are split into.
const checkParts = 16

// openTuningJob opens a job that tunes, each iteration a stage and each trial a part.
func openTuningJob(_ context.Context, g lab.Game, a TuneArgs, seed uint64) (stagedJob, error) {
	switch {
	case len(a.Constants) == 0:
		if !strings.Contains(a.Player, "{") {
			twins := lab.ContestOptions{Players: []string{a.Player, a.Player}, Games: 2, Twins: true}
			if _, err := g.Contesting().NewContest(twins); err != nil {
				return nil, &lab.Fault{Field: "player", Err: err}
			}
		}
		return nil, refuse("constants", "there is nothing to tune in %q: a constant stands there as {NAME}, and comes "+
			"with its START,MIN,MAX, as in mcts:explore={c} and c=0.3,0.05,4", a.Player)
	case !(a.Rate > 0) || math.IsInf(a.Rate, 0):
		return nil, refuse("rate", "%g; it must be above 0", a.Rate)
	case float64(a.Iterations)*float64(a.Trials)*float64(a.Games)+float64(a.Check) > arena.MaxGames:
		return nil, refuse("games", "%d in each of %d trials, %d times: there may be %d games in all", a.Games,
			a.Trials, a.Iterations, arena.MaxGames)
	}
	constants := slices.Clone(a.Constants)
	for i := range constants {
		c := &constants[i]
		err := c.FillAndCheck()
		if err == nil && !strings.Contains(a.Player, "{"+c.Name+"}") {
			err = fmt.Errorf("constant %q: there is no {%s} in the player %q", c.Name, c.Name, a.Player)
		}
		if err != nil {
			return nil, &lab.Fault{Field: fmt.Sprintf("constants[%d]", i), Err: err}
		}
	}
	j := &tuning{Contesting: g.Contesting(), game: g.Info().Spec, args: a,
		Tuning: spsa.Tuning{Constants: constants, Iterations: a.Iterations, Trials: a.Trials, Rate: a.Rate, Seed: seed}}
	var least, most []float64
	for i := range constants {
		j.detectWholeConstant(i)
		least, most = append(least, constants[i].Min), append(most, constants[i].Max)
	}
	for _, others := range [][]float64{least, most} {
		if _, err := j.newContest(j.Start(), others, 0, a.Games, true); err != nil {
			return nil, &lab.Fault{Field: "player", Err: err}
		}
	}
	return j, nil
}

// detectWholeConstant finds out whether the player takes whole numbers alone for a constant:
// it refuses one between two that it takes.
func (j *tuning) detectWholeConstant(constantIndex int) {
	takes := func(x float64) bool {
		values := j.Start()
		values[constantIndex] = x
		_, err := j.newContest(j.Start(), values, 0, 2, true)
		return err == nil
	}
	c := &j.Constants[constantIndex]
	low := math.Ceil(c.Min)
	if low+1 > c.Max || c.Start != math.Round(c.Start) {
		return
	}
	if takes(low) && takes(low+1) && !takes(low+0.5) {
		c.SetWhole()
	}
}

// constantNames lists the constants by name.
func (j *tuning) constantNames() []string {
	list := make([]string, len(j.Constants))
	for i, c := range j.Constants {
		list[i] = c.Name
	}
	return list
}

// playerSpec returns the spec of the player with those constants.
func (j *tuning) playerSpec(values []float64) string {
	spec := j.args.Player
	for i, c := range j.Constants {
		text := strconv.FormatFloat(values[i], 'g', 6, 64)
		if c.Whole {
			text = strconv.FormatFloat(values[i], 'f', 0, 64)
		}
		spec = strings.ReplaceAll(spec, "{"+c.Name+"}", text)
	}
	return spec
}

// newContest sets games up between the player with one set of constants and with
// another; nil where these are the same player, unless twins may meet.
func (j *tuning) newContest(constants, otherConstants []float64, seed uint64, games int,
	twins bool) (lab.Contest, error) {
	a, b := j.playerSpec(constants), j.playerSpec(otherConstants)
	if a == b && !twins {
		return nil, nil
	}
	return j.NewContest(lab.ContestOptions{Players: []string{a, b}, Games: games, Openings: j.args.Openings, Seed: seed,
		Twins: twins})
}

// trial is the input of a part: two sets of constants that play each other.
type trial struct {
	Iteration int       `json:"iteration"` // from 0
	Values    []float64 `json:"values"`
	One       []float64 `json:"one"`
	Other     []float64 `json:"other"`
	Seed      uint64    `json:"seed"`
	Games     int       `json:"games"`
}

func (j *tuning) listParts(ctx context.Context, stage int, before Outputs) ([]Part, error) {
	if stage > j.Iterations || stage == j.Iterations && j.args.Check == 0 {
		return nil, nil
	}
	path, err := j.constantsByIteration(ctx, stage, before)
	if err != nil {
		return nil, err
	}
	var trials []trial
	if stage == j.Iterations {
		tuned := j.MeanOfLastQuarter(path)
		pairs := j.args.Check / 2
		count := min(checkParts, pairs)
		for n := range count {
			_, seed := j.DrawDirections(stage, n)
			trials = append(trials, trial{stage, tuned, tuned, j.Start(), seed,
				2 * (pairs*(n+1)/count - pairs*n/count)})
		}
	} else {
		at := j.Start()
		if stage > 0 {
			at = path[stage-1]
		}
		for n := range j.Trials {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			t := trial{Iteration: stage, Values: at, Games: j.args.Games}
			_, t.Seed = j.DrawDirections(stage, n)
			t.One, t.Other = j.TrialConstants(at, stage, n)
			trials = append(trials, t)
		}
	}
	var parts []Part
	for n, t := range trials {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		parts = append(parts, newPart(fmt.Sprintf("iteration %d, trial %d", stage+1, n+1), t.Games, t))
	}
	return parts, nil
}

// constantsByIteration returns the constants after each of the first n iterations.
func (j *tuning) constantsByIteration(ctx context.Context, iterations int, outputs Outputs) ([][]float64, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for k := len(j.path); k < iterations; k++ {
		at := j.Start()
		if k > 0 {
			at = j.path[k-1]
		}
		won := make([]float64, j.Trials)
		for number := range won {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			score, err := readTrialScore(outputs, k, number)
			if err != nil {
				return nil, err
			}
			won[number] = 2*score.Points()/float64(score.Games()) - 1
		}
		j.path = append(j.path, j.UpdatedConstants(at, k, won))
	}
	return j.path[:iterations], nil
}

// readTrialScore reads the output of a trial.
func readTrialScore(outputs Outputs, stage, index int) (arena.Score, error) {
	s, err := decodeJSONOutput[arena.Score](outputs, stage, index)
	if err == nil && s.Games() == 0 {
		err = errors.New("a trial without games")
	}
	return s, err
}

func (j *tuning) runPart(ctx context.Context, task Task, r *reporter) ([]byte, error) {
	var in trial
	if err := decodeArgs(task.Part.Input, &in); err != nil {
		return nil, err
	}
	if len(in.One) != len(j.Constants) || len(in.Other) != len(in.One) || in.Games < 2 {
		return nil, errors.New("the part is of another job")
	}
	t, err := j.newContest(in.One, in.Other, in.Seed, in.Games, false)
	if err != nil {
		return nil, err
	}
	score := arena.Score{Draws: in.Games, Pairs: arena.Pairs{2: in.Games / 2}} // of a player against itself
	if t != nil {
		s, err := t.Play(ctx, lab.Range{}, &arena.MemoryFile{}, func(s *arena.Standings) {
			if r.due() {
				r.send(j.progressReport(task.Part, in, s.Cross[0][1]))
			}
		})
		if err != nil {
			return nil, err
		}
		score = s.Cross[0][1]
	}
	return json.Marshal(score)
}

// progressReport says how far a trial has come.
func (j *tuning) progressReport(p Part, in trial, s arena.Score) Report {
	says := partSays(p, progress.GamesPlayed(s.Games(), p.Size))
	return Report{Done: s.Games(), Total: p.Size}.withLine(says).
		withData(TuneData{in.Iteration + 1, j.Iterations, j.constantNames(), in.Values, s})
}

func (j *tuning) finalReport(p Part, output []byte) (Report, error) {
	var s arena.Score
	var in trial
	if err := errors.Join(json.Unmarshal(output, &s), decodeArgs(p.Input, &in)); err != nil {
		return Report{}, err
	}
	return j.progressReport(p, in, s), nil
}

func (j *tuning) combineReports(reports []Report) (line message.Message, data any) {
	all := TuneData{Of: j.Iterations, Names: j.constantNames(), Values: []float64{}}
	for _, r := range reports {
		var one TuneData
		if r.Data != nil && json.Unmarshal(r.Data, &one) == nil {
			all.Iteration, all.Values = one.Iteration, one.Values
			all.Score = all.Score.Add(one.Score)
		}
	}
	if all.Iteration > all.Of {
		return progress.Of("tuned", message.Args{"points": progress.Points(all.Score.Points()),
			"played": all.Score.Games()}), all
	}
	var values []string
	for i, v := range all.Values {
		values = append(values, fmt.Sprintf("%s %.4g", all.Names[i], v))
	}
	return progress.Of("tuning", message.Args{"n": all.Iteration, "of": all.Of,
		"values": strings.Join(values, ", ")}), all
}

func (j *tuning) mergeOutputs(outputs Outputs, create Create) (result any, err error) {
	path, err := j.constantsByIteration(context.Background(), j.Iterations, outputs)
	if err != nil {
		return nil, err
	}
	sum := TuneSummary{Game: j.game, Names: j.constantNames(), Start: j.Start(), Path: path,
		Values: j.MeanOfLastQuarter(path), Games: j.Iterations*j.Trials*j.args.Games + j.args.Check}
	sum.Player = j.playerSpec(sum.Values)
	if j.args.Check > 0 {
		var all arena.Score
		for i := range outputs.Parts(j.Iterations) {
			s, err := readTrialScore(outputs, j.Iterations, i)
			if err != nil {
				return nil, err
			}
			all = all.Add(s)
		}
		sum.Check = &arena.MatchResult{Score: all, Elo: all.Pairs.Elo()}
	}
	f, err := create("path.csv")
	if err != nil {
		return nil, err
	}
	rows := [][]string{append([]string{"iteration"}, sum.Names...)}
	for k, at := range path {
		row := []string{strconv.Itoa(k + 1)}
		for _, x := range at {
			row = append(row, strconv.FormatFloat(x, 'g', 8, 64))
		}
		rows = append(rows, row)
	}
	return sum, errors.Join(csv.NewWriter(f).WriteAll(rows), f.Close())
}
