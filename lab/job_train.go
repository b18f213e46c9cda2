package lab

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"oxo"
	"oxo/learn"
)

// TrainArgs are the arguments of a train job.
type TrainArgs struct {
	Learner   string `json:"learner"`
	Against   string `json:"against"`    // a player's spec, itself, or pool:A|B|…
	Games     int    `json:"games"`      // each run's
	Start     string `json:"start"`      // the experiment generator
	Seats     string `json:"seats"`      // alternate, first or second
	ExamEvery int    `json:"exam_every"` // 0 measures 40 times
	Runs      int    `json:"runs"`       // seeds count up from the job's

	// Resume is a brain that each run goes on from; then learner, against,
	// start, seats and seed are the brain's own, and there is one run.
	Resume json.RawMessage `json:"resume,omitempty"`
}

var trainArgs = TrainArgs{Against: learn.Itself, Games: 1000, Runs: 1}

// TrainData is how training goes: a line for each run.
type TrainData struct {
	Names []string   `json:"names"` // of what is measured, in the order of the values
	Runs  []TrainRun `json:"runs"`
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
}

// TrainSummary is the result of a train job.
type TrainSummary struct {
	Game    string `json:"game"`
	Learner string `json:"learner"`
	Against string `json:"against"`
	learn.Tally
	Exam  *learn.Exam    `json:"exam"`  // of the first run; null where the game has too many positions
	Runs  []TrainOutcome `json:"runs"`  // each in its own right
	Curve *learn.Curve   `json:"curve"` // over all runs; null where nothing can be measured
}

// TrainOutcome is what came of one run, whose brain is in the file run-N.brain,
// N counted from 1.
type TrainOutcome struct {
	Seed uint64 `json:"seed"`
	learn.Tally
	Exam *learn.Exam `json:"exam"`
	File string      `json:"file"`
}

// training is a train job.
type training[P oxo.Position[P]] struct {
	*bound[P]
	args TrainArgs
	o    TrainOptions

	mu      sync.Mutex
	measure func(t *learn.Trainer) learn.Measure // nil before it is prepared
}

// trainState is a run between two games: its output, and its checkpoint.
type trainState struct {
	TrainOutcome
	Names  []string        `json:"names"`
	Games  []int           `json:"at"`
	Values [][]float64     `json:"values"`
	Brain  json.RawMessage `json:"brain"`
}

func (b *bound[P]) trainJob(a TrainArgs, seed uint64) (labour, error) {
	switch {
	case a.Games < 1:
		return nil, fmt.Errorf("games: %d; at least 1 is needed", a.Games)
	case a.Runs < 1:
		return nil, fmt.Errorf("runs: %d; at least 1 is needed", a.Runs)
	case a.ExamEvery < 0:
		return nil, fmt.Errorf("exam_every: %d; it must be at least 1, or 0 for %d exams", a.ExamEvery, points)
	case a.Resume != nil && a.Runs != 1:
		return nil, fmt.Errorf("runs: %d; a brain goes on in one run", a.Runs)
	}
	brain, err := b.resumed(a.Resume)
	if err != nil {
		return nil, err
	}
	j := &training[P]{bound: b, args: a, o: TrainOptions{Learner: a.Learner, Against: a.Against, Games: a.Games, Seed: seed,
		Start: a.Start, Seats: a.Seats, Resume: a.Resume}}
	g := b.ground()
	if a.ExamEvery > 0 && !g.Complete() {
		return nil, fmt.Errorf("exam_every: %s has too many positions for an exact exam; leave it out", b.Spec)
	}
	t, err := b.trainer(context.Background(), g, j.o)
	if err != nil {
		return nil, err
	}
	if brain != nil {
		j.args.Against = brain.Plan.Against
	}
	j.args.Learner = t.Spec().String()
	return j, nil
}

func (j *training[P]) stage(stage int, _ Outputs) ([]Part, error) {
	if stage > 0 {
		return nil, nil
	}
	parts := make([]Part, j.args.Runs)
	for i := range parts {
		parts[i] = Part{Name: fmt.Sprintf("run %d", i+1), Size: j.args.Games}
	}
	return parts, nil
}

// measured returns what is measured of each run, prepared once.
func (j *training[P]) measured(ctx context.Context) (_ func(t *learn.Trainer) learn.Measure, err error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.measure == nil {
		j.measure, err = j.measures(ctx)
	}
	return j.measure, err
}

func (j *training[P]) run(ctx context.Context, task Task, r *reporter) ([]byte, error) {
	measures, err := j.measured(ctx)
	if err != nil {
		return nil, err
	}
	o, s := j.o, trainState{}
	o.Seed += uint64(task.Part.Index)
	s.Seed, s.File = o.Seed, fmt.Sprintf("run-%d.brain", task.Part.Index+1)
	if task.Checkpoint != nil {
		if err := json.Unmarshal(task.Checkpoint, &s); err != nil {
			return nil, fmt.Errorf("the checkpoint: %w", err)
		}
		o.Resume = s.Brain
	}
	t, err := j.trainer(ctx, j.ground(), o)
	if err != nil {
		return nil, err
	}
	before := t.Tally()
	before.Games -= s.Tally.Games
	before.Wins -= s.Tally.Wins
	before.Draws -= s.Tally.Draws
	before.Losses -= s.Tally.Losses
	m := measures(t)
	every := j.args.ExamEvery
	if every == 0 {
		every = max(1, j.args.Games/points)
	}
	take := func() error { // where it is time to, and it has not been done
		s.Names = m.Names
		at, due := t.Tally().Games, s.Tally.Games%every == 0 || s.Tally.Games >= j.args.Games
		if len(m.Names) == 0 || !due || len(s.Games) > 0 && s.Games[len(s.Games)-1] == at {
			return nil
		}
		values, err := m.Take(ctx)
		if err == nil {
			s.Games, s.Values = append(s.Games, at), append(s.Values, values)
		}
		return err
	}
	tally := func() {
		n := t.Tally()
		s.Tally = learn.Tally{Games: n.Games - before.Games, Wins: n.Wins - before.Wins, Draws: n.Draws - before.Draws, Losses: n.Losses - before.Losses}
	}
	pack := func() (data []byte, err error) {
		brain, err := t.Brain(j.Spec, j.identity)
		if err != nil {
			return nil, err
		}
		if s.Brain, err = json.Marshal(brain); err != nil {
			return nil, err
		}
		return json.Marshal(s)
	}
	told := len(s.Games)
	send := func() {
		tally()
		report, data := j.told(task.Part, &s)
		data.Runs[0].Games, data.Runs[0].Values = s.Games[told:], s.Values[told:]
		told = len(s.Games)
		report.Checkpoint = pack
		r.send(report, data)
	}
	ended := func(err error) ([]byte, error) {
		if ctx.Err() != nil {
			send()
		}
		return nil, err
	}
	for {
		if err := take(); err != nil {
			return ended(err)
		}
		if s.Tally.Games == 0 || s.Tally.Games >= j.args.Games || r.due() {
			send()
		}
		if s.Tally.Games >= j.args.Games {
			break
		}
		step := min(every-s.Tally.Games%every, j.args.Games-s.Tally.Games)
		err := t.Run(ctx, step, func(learn.Tally) {
			if r.due() {
				send()
			}
		})
		tally()
		if err != nil {
			return ended(err)
		}
	}
	if s.Exam, err = j.grade(ctx, t); err != nil {
		return ended(err)
	}
	return pack()
}

// told is a report of a run that stands so.
func (j *training[P]) told(p Part, s *trainState) (Report, TrainData) {
	n := s.Tally
	return Report{Done: n.Games, Total: j.args.Games, Line: fmt.Sprintf("%s: %d of %d games, %d won, %d drawn, %d lost", p.Name, n.Games, j.args.Games, n.Wins, n.Draws, n.Losses)},
		TrainData{s.Names, []TrainRun{{Run: p.Index + 1, Tally: n}}}
}

func (j *training[P]) finished(p Part, output []byte) (Report, error) {
	var s trainState
	if err := json.Unmarshal(output, &s); err != nil {
		return Report{}, err
	}
	report, data := j.told(p, &s)
	var err error
	report.Data, err = json.Marshal(data)
	return report, err
}

func (j *training[P]) sum(reports []Report) (string, any) {
	var all TrainData
	var n learn.Tally
	for _, r := range reports {
		var one TrainData
		if r.Data == nil || json.Unmarshal(r.Data, &one) != nil {
			continue
		}
		all.Names = one.Names
		for _, run := range one.Runs {
			all.Runs = append(all.Runs, TrainRun{Run: run.Run, Tally: run.Tally})
			n = added(n, run.Tally)
		}
	}
	return fmt.Sprintf("%d of %d games, %d won, %d drawn, %d lost", n.Games, j.args.Games*j.args.Runs, n.Wins, n.Draws, n.Losses), all
}

// BrainOf returns the brain in a checkpoint or the output of a part of a train
// job.
func BrainOf(data []byte) ([]byte, error) {
	var s trainState
	if err := json.Unmarshal(data, &s); err != nil {
		return nil, err
	}
	if s.Brain == nil {
		return nil, errors.New("there is no brain in it")
	}
	return s.Brain, nil
}

func added(a, b learn.Tally) learn.Tally {
	return learn.Tally{Games: a.Games + b.Games, Wins: a.Wins + b.Wins, Draws: a.Draws + b.Draws, Losses: a.Losses + b.Losses}
}

func (j *training[P]) merge(outputs Outputs, create Create) (any, error) {
	sum := TrainSummary{Game: j.Spec, Learner: j.args.Learner, Against: j.args.Against}
	var games []int
	var names []string
	var values [][][]float64
	for i := range outputs.Parts(0) {
		output, err := outputs.Output(0, i)
		if err != nil {
			return nil, err
		}
		var s trainState
		if err := json.Unmarshal(output, &s); err != nil {
			return nil, err
		}
		sum.Tally = added(sum.Tally, s.Tally)
		if i == 0 {
			sum.Exam = s.Exam
		}
		sum.Runs = append(sum.Runs, s.TrainOutcome)
		games, names, values = s.Games, s.Names, append(values, s.Values)
		var brain bytes.Buffer
		if err := json.Indent(&brain, s.Brain, "", " "); err != nil {
			return nil, err
		}
		brain.WriteByte('\n')
		if err := create.write(s.File, brain.Bytes()); err != nil {
			return nil, err
		}
	}
	if len(names) == 0 {
		return sum, nil
	}
	var err error
	if sum.Curve, err = learn.Join(games, names, values); err != nil {
		return nil, err
	}
	sum.Curve.Title = j.args.Learner + " on " + j.Spec + " against " + j.args.Against
	f, err := create("curve.csv")
	if err != nil {
		return nil, err
	}
	return sum, errors.Join(sum.Curve.WriteCSV(f), f.Close())
}
