package jobs

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"oxo/lab"
	"oxo/lab/jobs/progress"
	"oxo/learn"
	"oxo/learn/chart"
	"oxo/learn/exam"
	"oxo/message"
)

// TrainArgs are the arguments of a training.
type TrainArgs struct {
	Learner   string   `json:"learner" word:"" help:"the learner's spec"`
	Against   string   `json:"against" help:"who to play against: a player's spec, itself, or pool:A|B|… (default itself, or the brain's)"`
	Games     int      `json:"games" least:"0" help:"how many games each run plays (default 40,000 on up to nine squares, else 1,000)"`
	For       Duration `json:"for,omitempty" help:"how long to train, such as 2h, instead of a number of games"`
	Start     string   `json:"start" help:"how games begin: the experiment generator (default empty, of nets in large games empty+6, on nine boards empty+0-11)"`
	Sheets    string   `json:"sheets,omitempty" file:"" help:"score sheets, in whose games training begins with --start sheets"`
	Seats     string   `json:"seats" help:"the learner's seat: alternate, first or second (default alternate)"`
	ExamEvery int      `json:"exam_every" least:"0" help:"examine after every so many games (default 40 times where a curve is made)"`
	Runs      int      `json:"runs" least:"1" help:"train so many learners, seeds counting up: a curve has their mean and 10–90 % band"`

	// Resume is a brain to go on from, in one run; then learner and seed are the
	// brain's own, and so is what is empty of against, start and seats.
	Resume json.RawMessage `json:"resume,omitempty" file:"" help:"a brain to go on from"`

	Blind bool `json:"blind,omitempty" flag:"-" help:"measure nothing before the end, so that there is no curve"`
}

// Train is the verb of that name.
var Train = newVerb(Verb{
	Name: "train", Words: []string{"LEARNER"}, Seeded: true, Learns: true,
	Short: "train a learner, and grade it exactly",
	Long: `The opponent is a player's spec, itself, pool:A|B|…, or learner:LEARNER, a second learner that learns
from the same games, new or as learner:brain:FILE; oxo games lists players and learners,
and --options what the options of a learner mean.
Ctrl-C stops between two games; what was learned then, or in a time (--for), is saved to --out or else a file
named after the learner;
--resume goes on from there, as if it had never stopped, with the curve in --curve too; or against another
opponent, from other starts or on other seats.
Against human you teach it: you play game after game in the terminal and see what each changed.`,
	Example: `  oxo train menace --game ttt --against optimal --games 10000 --out menace.brain
  oxo train table --game ttt --against itself --games 20000 --exam-every 1000
  oxo train --resume menace.brain --games 500 --out menace.brain
  oxo train menace:as=michie --against human --seats first --out mine.brain
  oxo train menace --seats first --against learner:menace:beads=8/4/2/1 --games 2000 --out one.brain --second two.brain`,
	Gives: "trains learners, a part a run; data: TrainData; files: run-N.brain, curve.csv, curve.svg",
}, TrainArgs{Runs: lab.UsualTraining.Runs}, openTrainingJob)

// mostGames is more games than are played in any time.
const mostGames = 1 << 40

// parseTimeLimit reads how long to train; then there is no number of games.
func (a *TrainArgs) parseTimeLimit() (time.Duration, error) {
	limit, err := a.For.parse()
	switch {
	case err != nil:
		return 0, refuse("for", "%w", err)
	case a.For == "":
		return 0, nil
	case limit <= 0:
		return 0, refuse("for", "%v: it must be more than 0", limit)
	case a.Runs != 1:
		return 0, refuse("runs", "%d; a time is for one run", a.Runs)
	case a.ExamEvery > 0:
		return 0, refuse("exam_every", "it is for a number of games; in a time a curve is measured up to %d times",
			lab.UsualTraining.Exams)
	}
	a.Games = mostGames
	return limit, nil
}

// mostRuns is how many runs a training has at most, each a part.
const mostRuns = 100_000

// Most that visitors may ask for.
const (
	pointsOfJob = 400_000
	runsOfJob   = 1000
)

func (a *TrainArgs) checkVisitorLimits(Limits) error {
	switch {
	case a.Runs > runsOfJob:
		return refuse("runs", "at most %d runs", runsOfJob)
	case a.ExamEvery > 0 && cmp.Or(a.Games, lab.UsualTraining.On(1).Games)/a.ExamEvery > pointsOfJob/max(1, a.Runs):
		return refuse("exam_every", "the runs would have more than %d exams in all; examine less often", pointsOfJob)
	}
	return nil
}

// TrainData is how training goes: a line for each run.
type TrainData struct {
	Names []string     `json:"names"` // of what is measured, in the order of the values
	Bases []exam.Basis `json:"bases"` // what each is of
	Runs  []TrainRun   `json:"runs"`
}

// TrainRun is how one run goes. A part's report holds the points that were
// measured since its report before, so that long curves cost little: Values[i]
// after Games[i] games. Sums of reports and reports of finished parts hold none;
// all points are in the job's result.
type TrainRun struct {
	Run    int         `json:"run"`
	Tally  learn.Tally `json:"tally"`
	Games  []int       `json:"games,omitempty"`
	Values [][]float64 `json:"values,omitempty"`
	Exam   *exam.Exam  `json:"exam,omitempty"` // that the last of the points is of, where exams were asked for
}

// TrainSummary is the result of a train job.
type TrainSummary struct {
	Game    string `json:"game"`
	Learner string `json:"learner" doc:"the learner's spec"`
	Against string `json:"against" doc:"who it learned from"`
	learn.Tally
	Stopped     bool `json:"stopped" doc:"whether it ended before all games were played"`
	ExamStopped bool `json:"exam_stopped,omitempty" doc:"whether the last exam was called off"`

	Exam     *exam.Exam    `json:"exam" doc:"the exam of the first run afterwards; null where it is too large"`
	Sampled  *exam.Sampled `json:"sampled,omitempty" doc:"of the first run, by a sample of positions that the exact solver judges; null where there is none"`
	Untaught string        `json:"untaught,omitempty" doc:"first or second: as which it played no game"`
	NoExam   string        `json:"no_exam,omitempty" doc:"why there is no exact exam"`

	Runs  []TrainOutcome `json:"runs" doc:"each run in its own right"` // each in its own right
	Curve *chart.Curve   `json:"curve" doc:"measurements over all runs"`
}

// TrainOutcome is what came of one run, whose brain is in the file run-N.brain,
// N counted from 1.
type TrainOutcome struct {
	Seed uint64 `json:"seed"`
	learn.Tally
	Exam    *exam.Exam    `json:"exam"`
	Sampled *exam.Sampled `json:"sampled,omitempty"`
	File    string        `json:"file,omitempty" doc:"the file with its brain, where there is one"`
}

// training is a training that was understood.
type training struct {
	lab.Learning
	game string // its spec
	args TrainArgs
	o    lab.TrainOptions
	time time.Duration // that it takes, instead of a number of games; 0 where it has none

	noExam   string // why exams of the game are not exact; empty where they are
	untaught string // the seat that the learner never takes; empty where it takes both

	mu      sync.Mutex
	measure func(t *learn.Trainer) learn.Measure // nil before it is prepared
}

// trainState is a run between two games: its output, and its checkpoint.
type trainState struct {
	TrainOutcome
	learn.Spending                 // where time is limited
	Names          []string        `json:"names"`
	Bases          []exam.Basis    `json:"bases"`
	Games          []int           `json:"at"`
	Values         [][]float64     `json:"values"`
	Brain          json.RawMessage `json:"brain"`
}

// openTrainingJob opens a job that trains, each run a part.
func openTrainingJob(ctx context.Context, g lab.Game, a TrainArgs, seed uint64) (stagedJob, error) {
	switch {
	case a.Resume != nil && a.Runs != 1:
		return nil, refuse("runs", "%d; a brain goes on in one run", a.Runs)
	case a.Runs > mostRuns:
		return nil, refuse("runs", "%d; there may be %d", a.Runs, mostRuns)
	}
	a.Games = cmp.Or(a.Games, lab.UsualTraining.On(len(g.Info().Squares)).Games)
	if a.Resume == nil {
		a.Against = cmp.Or(a.Against, lab.UsualTraining.Against)
	}
	limit, err := a.parseTimeLimit()
	if err != nil {
		return nil, err
	}
	j := &training{time: limit, Learning: g.Learning(), game: g.Info().Spec, args: a,
		o: lab.TrainOptions{Learner: a.Learner, Against: a.Against,
			Seed: seed, Start: a.Start, Sheets: a.Sheets, Seats: a.Seats, Resume: a.Resume}}
	if a.Resume != nil {
		brain, err := j.ReadBrain(a.Resume)
		if err != nil {
			return nil, err
		}
		j.args.Against = cmp.Or(a.Against, brain.Plan.Against)
	}
	if j.args.Against == lab.Human {
		return nil, refuse("against", "%s: a job has no person to ask; name a player, itself or pool:A|B|…", lab.Human)
	}
	if why := j.Inexact(ctx); why != nil {
		j.noExam = why.Error()
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if a.ExamEvery > 0 && j.noExam != "" {
		return nil, refuse("exam_every", "no exact exam: %s; leave it out, and compare brains in matches", j.noExam)
	}
	t, err := j.NewOrResumedTrainer(ctx, j.o)
	if err != nil {
		return nil, err
	}
	j.args.Learner, j.untaught = t.Spec().String(), t.Untaught()
	return j, nil
}

// CurveLineNames names the lines that the curve of a training would have.
func CurveLineNames(ctx context.Context, w *Work) ([]string, error) {
	j, ok := w.staged.(*training)
	if !ok {
		return nil, fmt.Errorf("%s has no learning curve", w.Job.Verb)
	}
	measures, err := j.prepareMeasures(ctx)
	if err != nil {
		return nil, err
	}
	t, err := j.NewOrResumedTrainer(ctx, j.o)
	if err != nil {
		return nil, err
	}
	return measures(t).Names, nil
}

func (j *training) listParts(_ context.Context, stage int, _ Outputs) ([]Part, error) {
	if stage > 0 {
		return nil, nil
	}
	parts := make([]Part, j.args.Runs)
	for i := range parts {
		parts[i] = Part{Name: fmt.Sprintf("run %d", i+1), Size: j.args.Games}
		if j.time > 0 {
			parts[i].Size = max(1, int(j.time.Milliseconds()))
		}
	}
	return parts, nil
}

// prepareMeasures returns what is measured of each run, prepared once.
func (j *training) prepareMeasures(ctx context.Context) (_ func(t *learn.Trainer) learn.Measure, err error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.measure == nil {
		if j.measure = func(*learn.Trainer) learn.Measure { return learn.Measure{} }; !j.args.Blind {
			j.measure, err = j.PrepareMeasures(ctx)
		}
	}
	return j.measure, err
}

func (j *training) runPart(ctx context.Context, task Task, r *reporter) ([]byte, error) {
	run, err := j.startRun(ctx, task, r)
	if err != nil {
		return nil, err
	}
	if err := run.playGames(ctx); err != nil {
		if ctx.Err() != nil {
			run.sendReport()
		}
		return nil, err
	}
	return run.encodeState()
}

// trainingRun is a run of a training under way.
type trainingRun struct {
	*training
	part     Part
	reporter *reporter
	trainer  *learn.Trainer
	before   learn.Tally // of games before the job's
	measures learn.Measure
	every    int // measures stand at multiples of so many games of the brain, where time is not limited
	told     int // points that were in reports
	trainState
}

// startRun makes the learner of a part, or goes on with the one of a checkpoint.
func (j *training) startRun(ctx context.Context, task Task, r *reporter) (_ *trainingRun, err error) {
	o, run := j.o, &trainingRun{training: j, part: task.Part, reporter: r}
	o.Seed += uint64(task.Part.Index)
	run.Seed, run.File = o.Seed, fmt.Sprintf("run-%d.brain", task.Part.Index+1)
	if task.Checkpoint != nil {
		if err := json.Unmarshal(task.Checkpoint, &run.trainState); err != nil {
			return nil, fmt.Errorf("the checkpoint: %w", err)
		}
		o.Resume = run.trainState.Brain
	}
	if run.trainer, err = j.NewOrResumedTrainer(ctx, o); err != nil {
		return nil, err
	}
	run.before = run.trainer.Tally().Minus(run.Tally)
	run.every = cmp.Or(j.args.ExamEvery, max(1, j.args.Games/lab.UsualTraining.Exams))
	run.told = len(run.trainState.Games)
	return run, nil
}

// playGames plays the games, measures now and then, and examines at the end.
func (r *trainingRun) playGames(ctx context.Context) error {
	measures, err := r.prepareMeasures(ctx)
	if err != nil {
		return err
	}
	r.measures = measures(r.trainer)
	for {
		if err := r.measureIfDue(ctx); err != nil {
			return err
		}
		if r.Tally.Games == 0 || r.finished() || r.reporter.due() {
			r.sendReport()
		}
		if r.finished() {
			break
		}
		if err := r.playUntilNextMeasure(ctx); err != nil {
			return err
		}
	}
	if r.trainState.Exam, err = r.GradeExactly(ctx, r.trainer); err != nil {
		return err
	}
	r.trainState.Sampled, err = r.GradeBySample(ctx, r.trainer)
	return err
}

// finished reports whether the run has had its games, or its time.
func (r *trainingRun) finished() bool {
	if r.time > 0 {
		return r.Left(r.time, len(r.trainState.Games)) <= 0
	}
	return r.Tally.Games >= r.args.Games
}

// apart is the time from one measure to the next, where time is limited.
func (r *trainingRun) apart() time.Duration { return r.time / time.Duration(lab.UsualTraining.Exams) }

// playUntilNextMeasure plays games until it may be time to measure.
func (r *trainingRun) playUntilNextMeasure(ctx context.Context) error {
	games, own, before := r.args.Games-r.Tally.Games, ctx, r.Spent
	if r.time > 0 {
		var stop context.CancelFunc
		own, stop = context.WithTimeout(ctx, min(r.Left(r.time, len(r.trainState.Games)), r.apart()-r.Spent%r.apart()))
		defer stop()
	} else {
		games = min(games, r.every-r.trainer.Tally().Games%r.every)
	}
	begin := time.Now()
	err := r.trainer.Run(own, games, func(learn.Tally) {
		if r.time > 0 {
			r.Spent = before + time.Since(begin)
		}
		if r.reporter.due() {
			r.sendReport()
		}
	})
	r.Tally = r.trainer.Tally().Minus(r.before)
	if r.time > 0 { // else what is put out is the same however long it took
		r.Spent = before + time.Since(begin)
	}
	if own.Err() != nil && ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded) {
		return nil
	}
	return err
}

// measureIfDue measures where it is time to, and it has not been done.
func (r *trainingRun) measureIfDue(ctx context.Context) error {
	s := &r.trainState
	if !slices.Equal(s.Names, r.measures.Names) { // what was measured is of another version
		s.Names, s.Bases, s.Games, s.Values = r.measures.Names, r.measures.Bases, nil, nil
	}
	at, due := r.trainer.Tally().Games, r.finished()
	if r.time > 0 {
		due = !s.TooSlow && (due || s.MayMeasure() && s.Spent >= time.Duration(len(s.Games))*r.apart())
	} else {
		due = due || s.Tally.Games == 0 || at%r.every == 0
	}
	if len(s.Names) == 0 || !due || len(s.Games) > 0 && s.Games[len(s.Games)-1] == at {
		return nil
	}
	values, err := s.Take(ctx, r.measures, r.time)
	if values != nil {
		s.Games, s.Values = append(s.Games, at), append(s.Values, values)
	}
	return err
}

// encodeState writes the run as it is between two games.
func (r *trainingRun) encodeState() (data []byte, err error) {
	brain, err := r.training.Brain(r.trainer)
	if err != nil {
		return nil, err
	}
	if r.trainState.Brain, err = json.Marshal(brain); err != nil {
		return nil, err
	}
	return json.Marshal(r.trainState)
}

// sendReport reports the run, with the points since the last report.
func (r *trainingRun) sendReport() {
	r.Tally = r.trainer.Tally().Minus(r.before)
	report, data := r.reportOfRun(r.part, &r.trainState)
	data.Runs[0].Games, data.Runs[0].Values = r.trainState.Games[r.told:], r.Values[r.told:]
	if r.measures.Exam != nil && r.args.ExamEvery > 0 && r.told < len(r.trainState.Games) {
		data.Runs[0].Exam = r.measures.Exam()
	}
	r.told = len(r.trainState.Games)
	report.Checkpoint = r.encodeState
	r.reporter.send(report.withData(data))
}

// reportOfRun is a report of a run that stands so: games done, or milliseconds where time is limited.
func (j *training) reportOfRun(p Part, s *trainState) (Report, TrainData) {
	n, of := s.Tally, j.args.Games
	done, total := n.Games, j.args.Games
	if j.time > 0 {
		of = 0
		done, total = int(min(s.Spent, j.time).Milliseconds()), max(1, int(j.time.Milliseconds()))
	}
	says := progress.GameResults(progress.GamesPlayed(n.Games, of), j.args.Against, n)
	return Report{Done: done, Total: total}.withLine(partSays(p, says)),
		TrainData{s.Names, s.Bases, []TrainRun{{Run: p.Index + 1, Tally: n}}}
}

func (j *training) finalReport(p Part, output []byte) (Report, error) {
	var s trainState
	if err := json.Unmarshal(output, &s); err != nil {
		return Report{}, err
	}
	report, data := j.reportOfRun(p, &s)
	return report.withData(data), nil
}

func (j *training) combineReports(reports []Report) (line message.Message, data any) {
	var all TrainData
	var n learn.Tally
	for _, r := range reports {
		var one TrainData
		if r.Data == nil || json.Unmarshal(r.Data, &one) != nil {
			continue
		}
		all.Names, all.Bases = one.Names, one.Bases
		for _, run := range one.Runs {
			all.Runs = append(all.Runs, TrainRun{Run: run.Run, Tally: run.Tally})
			n = n.Plus(run.Tally)
		}
	}
	of := 0
	if j.time == 0 {
		of = j.args.Games * j.args.Runs
	}
	return progress.GameResults(progress.GamesPlayed(n.Games, of), j.args.Against, n), all
}

// ExtractBrain returns the brain in a checkpoint or the output of a part of a train
// job.
func ExtractBrain(data []byte) ([]byte, error) {
	var s trainState
	if err := json.Unmarshal(data, &s); err != nil {
		return nil, err
	}
	if s.Brain == nil {
		return nil, errors.New("there is no brain in it")
	}
	return s.Brain, nil
}

func (j *training) mergeOutputs(outputs Outputs, create Create) (result any, err error) {
	sum, states, err := j.summarizeRuns(outputs, create)
	if err != nil {
		return nil, err
	}
	return sum, j.writeCurve(sum, states, create)
}

// writeCurve makes the curve of the points that all runs have, if there are any, with its files.
func (j *training) writeCurve(sum *TrainSummary, states []trainState, create Create) error {
	if len(states) == 0 || len(states[0].Names) == 0 {
		return nil
	}
	var values [][][]float64
	for _, s := range states {
		values = append(values, s.Values)
	}
	c, err := chart.JoinRuns(states[0].Games, states[0].Names, states[0].Bases, values)
	if err != nil || len(c.Games) == 0 {
		return err
	}
	sum.Curve, c.Title = c, j.args.Learner+" on "+j.game+" against "+j.args.Against
	return c.WriteFiles(create)
}

// summarizeRuns sums up the runs that there is something of, and makes files of their
// brains.
func (j *training) summarizeRuns(outputs Outputs, create Create) (sum *TrainSummary, states []trainState, err error) {
	sum = &TrainSummary{Game: j.game, Learner: j.args.Learner, Against: j.args.Against, Untaught: j.untaught,
		NoExam: j.noExam, Runs: []TrainOutcome{}}
	for i := range outputs.Parts(0) {
		output, err := outputs.Output(0, i)
		if err != nil {
			return nil, nil, err
		}
		if output == nil {
			continue
		}
		var s trainState
		if err := json.Unmarshal(output, &s); err != nil {
			return nil, nil, err
		}
		sum.Tally = sum.Tally.Plus(s.Tally)
		if i == 0 {
			sum.Exam, sum.Sampled = s.Exam, s.Sampled
		}
		sum.Runs, states = append(sum.Runs, s.TrainOutcome), append(states, s)
		var brain bytes.Buffer
		if err := json.Indent(&brain, s.Brain, "", " "); err != nil {
			return nil, nil, err
		}
		brain.WriteByte('\n')
		if err := create.writeFile(s.File, brain.Bytes()); err != nil {
			return nil, nil, err
		}
	}
	return sum, states, nil
}

// lastExam is how long the exam of a training may take that was stopped: who
// stops it waits.
var lastExam = time.Second

// mergeStopped sums up a training that was stopped. Its curve ends where it was stopped.
func (j *training) mergeStopped(done Outputs, create Create) (result any, err error) {
	sum, states, err := j.summarizeRuns(done, create)
	if err != nil {
		return nil, err
	}
	sum.Stopped = true
	if len(states) > 0 && sum.Exam == nil {
		if err := j.gradeStopped(sum, &states[0]); err != nil {
			return nil, err
		}
	}
	return sum, j.writeCurve(sum, states, create)
}

// gradeStopped examines the first run of a training that was stopped, and measures the last point of its curve where
// no other run has to have the same. What takes longer than lastExam is left out.
func (j *training) gradeStopped(sum *TrainSummary, s *trainState) error {
	ctx, cancel := context.WithTimeout(context.Background(), lastExam)
	defer cancel()
	o := j.o
	o.Resume = s.Brain
	t, err := j.NewOrResumedTrainer(ctx, o)
	if err != nil {
		return err
	}
	if sum.Exam, err = j.GradeExactly(ctx, t); err != nil {
		sum.Exam, sum.ExamStopped = nil, true
	}
	at := t.Tally().Games
	if j.args.Runs > 1 || len(s.Games) == 0 || s.Games[len(s.Games)-1] == at {
		return nil
	}
	measures, err := j.prepareMeasures(ctx)
	if err != nil {
		return ignoreStop(ctx, err)
	}
	values, err := measures(t).Take(ctx)
	if err == nil {
		s.Games, s.Values = append(s.Games, at), append(s.Values, values)
	}
	return ignoreStop(ctx, err)
}

// ignoreStop returns an error, but none where ctx is done.
func ignoreStop(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil
	}
	return err
}
