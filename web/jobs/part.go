package jobs

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"time"

	"oxo/lab"
	"oxo/lab/jobs"
)

// partRun is a part of a job that runs.
// It is in the job's parts for as long as the part runs; step is used by the part's own goroutine alone.
type partRun struct {
	asks chan chan []byte // for its brain as it is
	done chan struct{}    // closed when it does not run any more
	step int              // the last at which its brain was kept; -1 before the untaught one
}

// Of each run of a training so many brains are kept on the way, if it is among
// the first; of all others the last one.
const (
	brainsOfRun = 20
	runsOfMarks = 8
)

// runPart carries out one part: by turns with other jobs, at the pace that is wished, and with what is
// learned laid open. After a report it makes way where its turn is over and other parts wait for a
// processor, which is how jobs take turns.
// It is the Part of [jobs.RunOptions], and is called by several goroutines at once, each with another part.
func (j *Job) runPart(ctx context.Context, t jobs.Task, run jobs.Carry) ([]byte, error) {
	own := &processorLease{ctx: ctx, processors: j.scheduler.processors, away: 1}
	if err := own.reacquireProcessor(); err != nil {
		return nil, err
	}
	ctx = context.WithValue(ctx, leaseKey{}, own)
	p := &partRun{asks: make(chan chan []byte), done: make(chan struct{}), step: -1}
	j.mu.Lock()
	j.parts[t.Part.Index] = p
	j.mu.Unlock()
	defer func() {
		own.releaseProcessor()
		j.mu.Lock()
		delete(j.parts, t.Part.Index)
		j.mu.Unlock()
		close(p.done)
	}()
	tell, trains := t.Report, j.learns()
	if trains {
		// Every point is reported, so that each can be watched at the pace that is wished.
		t.Every = -1
	}
	t.Report = func(r jobs.Report) {
		if trains {
			j.recordPoints(r, ctx.Err() != nil)
			j.storeBrainIfDue(p, t.Part.Index, r, ctx.Err() != nil)
		}
		// Whoever runs the job hears of it first, and saves a checkpoint where it is time to.
		tell(r)
		p.answerBrainRequests(r)
		pause, changed := j.restForPace()
		if ctx.Err() != nil || pause == 0 && !own.turnIsOver() {
			return
		}
		// Without a rest the processor is given back and asked for at once: behind those who wait.
		defer own.releaseMeanwhile()()
		if pause > 0 {
			p.pauseAnsweringBrains(ctx, r, pause, changed)
		}
	}
	output, err := run(ctx, t)
	if err == nil && trains {
		err = j.storeBrain(t.Part.Index+1, output)
	}
	return output, err
}

// answerBrainRequests gives the brain as it is to those who ask for it. It is called where the state
// is between two games.
// It does not wait for anybody to ask.
func (p *partRun) answerBrainRequests(r jobs.Report) {
	for {
		select {
		case ask := <-p.asks:
			sendBrain(ask, r)
		default:
			return
		}
	}
}

// sendBrain answers who asks with the brain in a report, nil where it has none.
func sendBrain(ask chan []byte, r jobs.Report) {
	var brain []byte
	if r.Checkpoint != nil {
		if data, err := r.Checkpoint(); err == nil {
			brain, _ = jobs.ExtractBrain(data) // none is an answer too
		}
	}
	ask <- brain
}

// restForPace returns how long to rest after a report, 0 for no rest, and what ends the rest
// sooner.
// All parts of a job rest for as long, each after its own reports.
func (j *Job) restForPace() (long time.Duration, changed <-chan struct{}) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.Pace <= 0 {
		return 0, nil
	}
	if j.paced == nil {
		j.paced = make(chan struct{})
	}
	return time.Duration(float64(time.Second) / j.Pace), j.paced
}

// pauseAnsweringBrains waits, and answers those who ask meanwhile.
// It returns when the rest is over, the pace has been changed or the part is stopped. The report's checkpoint
// stays good meanwhile, as nothing is played.
func (p *partRun) pauseAnsweringBrains(ctx context.Context, r jobs.Report, long time.Duration,
	changed <-chan struct{}) {
	for rested := time.After(long); ; {
		select {
		case ask := <-p.asks:
			sendBrain(ask, r)
			continue
		case <-rested:
		case <-changed:
		case <-ctx.Done():
		}
		return
	}
}

// setPace changes how many reports a second there are at most. A rest that is under way ends, so that
// the new pace holds at once.
// A pace of 0 is none: as fast as it goes.
func (j *Job) setPace(reportsPerSecond float64) error {
	return j.Change(func(p *Record) error {
		p.Pace = reportsPerSecond
		if j.paced != nil {
			close(j.paced)
			j.paced = nil
		}
		return nil
	})
}

// PointsLine is a line of what was measured in a training.
// A job's lines are numbered from 1; names and bases are in the first.
type PointsLine struct {
	Names []string    `json:"names,omitempty"` // where they were not said before
	Bases []lab.Basis `json:"bases,omitempty"` // what each measure is of, where that was not said before
	Runs  []RunPoints `json:"runs"`
}

// RunPoints are points of one run.
// Games and Values are as long as one another.
type RunPoints struct {
	Run    int        `json:"run"` // from 1
	Games  []int      `json:"games"`
	Values [][]figure `json:"values"` // of each point, in the order of the names
}

// figure is a number of which seven digits are written.
type figure float64

// MarshalJSON writes the figure, which is finite, as it comes from a report in JSON.
func (f figure) MarshalJSON() ([]byte, error) {
	return strconv.AppendFloat(nil, float64(f), 'g', 7, 64), nil
}

// How long points may wait to be written, and how many.
const (
	pointsWait = 100 * time.Millisecond
	pointsMost = 500
)

// recordPoints takes what a report of a training has measured, and writes it now and then. They are
// gathered for pointsWait or up to pointsMost, as a line a point would be many.
// A report without data of a training is passed over. With last, or at the end of a run, nothing is left to wait.
func (j *Job) recordPoints(r jobs.Report, last bool) {
	var data jobs.TrainData
	if r.Data == nil || json.Unmarshal(r.Data, &data) != nil {
		return
	}
	j.lines.Lock()
	defer j.lines.Unlock()
	for _, run := range data.Runs {
		if len(run.Games) > 0 {
			j.said.add(run)
			j.said.Names, j.said.Bases = data.Names, data.Bases
		}
	}
	count := 0
	for _, run := range j.said.Runs {
		count += len(run.Games)
	}
	if count == 0 || !last && r.Done < r.Total && count < pointsMost && time.Since(j.wrote) < pointsWait {
		return
	}
	j.flushPoints()
}

// flushPoints writes the points that wait. The caller holds j.lines.
// Points that could not be written stay, and are tried again with those that come next.
func (j *Job) flushPoints() {
	j.wrote = time.Now()
	if j.seq > 0 {
		j.said.Names, j.said.Bases = nil, nil
	}
	line, err := json.Marshal(j.said)
	if err == nil {
		err = j.scheduler.Store.AddLine(j.ID, j.seq+1, line)
	}
	if err != nil {
		j.scheduler.Log.Error("points were not kept", "job", j.ID, "reason", err)
		return
	}
	j.seq++
	j.said = PointsLine{}
	j.watchers.Notify()
}

// add adds the points of a run.
// They follow those of the same run that wait.
func (l *PointsLine) add(run jobs.TrainRun) {
	i := slices.IndexFunc(l.Runs, func(p RunPoints) bool { return p.Run == run.Run })
	if i < 0 {
		i = len(l.Runs)
		l.Runs = append(l.Runs, RunPoints{Run: run.Run})
	}
	own := &l.Runs[i]
	own.Games = append(own.Games, run.Games...)
	for _, values := range run.Values {
		list := make([]figure, len(values))
		for k, v := range values {
			list[k] = figure(v)
		}
		own.Values = append(own.Values, list)
	}
}
