// Package jobs is the work that takes long: what the command line, the HTTP API and the workers of a cluster all carry
// out. A [Verb] is all that is known of a kind of work; a [Job] asks for one in text; [OpenJob] understands it, and
// the [Work] that it returns is split into parts, carried out and put together, here by [Work.RunAllParts] or
// elsewhere part by part. There is no other way to have it done, so it comes to the same everywhere.
package jobs

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"oxo"
	"oxo/lab"
	"oxo/lab/jobs/progress"
	"oxo/message"
)

// Job is a piece of work in text: what the command line, the HTTP API and the workers of a cluster all carry out. The
// same job has the same result wherever it runs and in however many parts, unless its players look at the clock.
type Job struct {
	Verb string          `json:"verb"`
	Game string          `json:"game"`
	Args json.RawMessage `json:"args,omitempty"` // the verb's own; see [Verb]
	Seed uint64          `json:"seed"`
}

// JobResult is what a job came to.
type JobResult struct {
	JSON  json.RawMessage   `json:"result"`
	Files map[string][]byte `json:"-"` // such as brains, records or a proof, by name
}

// Part is a piece of a job that one worker carries out alone. It says all that
// is needed besides the job and the outputs of earlier stages.
type Part struct {
	Stage int             `json:"stage"`
	Index int             `json:"index"` // among the parts of the stage, from 0
	Name  string          `json:"name"`  // for people
	Size  int             `json:"size"`  // how many of the job's units it has, at least 1
	Input json.RawMessage `json:"input,omitempty"`
}

// Outputs are what the parts of a job's finished stages put out.
type Outputs interface {
	Stages() int
	Parts(stage int) int // how many parts the stage had
	Output(stage, index int) ([]byte, error)
	Blobs() BlobStore
}

// decodeJSONOutput reads an output that is JSON of one value.
func decodeJSONOutput[T any](outputs Outputs, stage, index int) (value T, err error) {
	data, err := outputs.Output(stage, index)
	if err == nil {
		err = json.Unmarshal(data, &value)
	}
	return value, err
}

// Report says how far a part or a job has come.
type Report struct {
	Done  int             `json:"done"` // of Total units: games, trials, positions
	Total int             `json:"total"`
	Line  string          `json:"line"`           // for people
	Said  message.Said    `json:"said,omitempty"` // the message of the line
	Data  json.RawMessage `json:"data,omitempty"` // the verb's own; see [Verb]

	// Checkpoint, where it is not nil, returns what the part can go on from, or nil where that has become too large,
	// so that an earlier one has to do. It may be called until the function that was given the report returns.
	Checkpoint func() ([]byte, error) `json:"-"`
}

// Task is a part to be carried out.
type Task struct {
	Part       Part
	Outputs    Outputs       // of the stages before the part's
	Checkpoint []byte        // of an earlier run of this part that was cut short; nil to begin anew
	Every      time.Duration // least time between reports; 0 is a fifth of a second, less is none
	Workers    int           // searches that a part which is alone may have side by side; 0 is one for each core
	Short      bool          // also the first report waits for Every, not to be worth more than a short part

	// Report, where it is not nil, is told how the part goes, from one goroutine at a time. Where ctx ends the part,
	// the last report has its checkpoint.
	Report func(Report)
}

// usualEvery is the least time between reports unless told otherwise.
const usualEvery = 200 * time.Millisecond

// Work is a job that has been understood: its words make sense and the game and
// the players are there. Its methods are safe for concurrent use, and one Work
// should serve all parts that are carried out in one place, as it keeps what
// they have in common, such as a solved game.
//
// A job's parts come in stages. All parts of a stage can be carried out at once,
// anywhere, in any order; the parts of the next stage may depend on what they
// put out. [Work.MergeOutputs] makes the result of the outputs of all stages.
type Work struct {
	Job    Job
	staged stagedJob
	trust  Trust
}

// stagedJob is how a verb's jobs are split, carried out and put together. Each verb has one or two. A
// worker that has the same job makes the same parts of it, which is why nothing here may depend on
// time, on the machine or on the order in which parts end.
type stagedJob interface {
	// listParts lists the parts of a stage; none after the last one. It depends on
	// the job and on the outputs of earlier stages alone.
	listParts(ctx context.Context, stage int, before Outputs) ([]Part, error)

	// runPart carries out a part. It tells reports what has been done, and where
	// ctx ends it, the last report has the checkpoint.
	runPart(ctx context.Context, t Task, r *reporter) (output []byte, err error)

	// finalReport is the last report of a part with that output.
	finalReport(p Part, output []byte) (Report, error)

	// combineReports makes one report of those of some parts of a stage.
	combineReports(reports []Report) (line message.Message, data any)

	// mergeOutputs makes the result, and the files with create.
	mergeOutputs(outputs Outputs, create Create) (any, error)
}

// blobUser is a staged job whose parts leave things in the blob store.
type blobUser interface {
	// dropUnneededBlobs takes out of the store what no part from that stage on needs, nor the
	// result. It is called before every stage.
	dropUnneededBlobs(stage int, s BlobStore) error
}

// UsesBlobs reports whether the job's parts leave things in the blob store.
func (w *Work) UsesBlobs() bool {
	_, ok := w.staged.(blobUser)
	return ok
}

// memoryUser is a staged job whose parts are told how much memory they may take.
type memoryUser interface{ memoryPerPart() int64 }

// MemoryPerPart returns about how many bytes a part may take, where it is told; 0 where
// it is not.
func (w *Work) MemoryPerPart() int64 {
	if h, ok := w.staged.(memoryUser); ok {
		return h.memoryPerPart()
	}
	return 0
}

// DropUnneededBlobs takes out of the blob store what is not needed any more where the stages before
// that one are finished. It is called before every stage, by whoever has its
// parts carried out.
func (w *Work) DropUnneededBlobs(stage int, outputs Outputs) error {
	if t, ok := w.staged.(blobUser); ok {
		return t.dropUnneededBlobs(stage, outputs.Blobs())
	}
	return nil
}

// Create makes a file of a result, which is complete once it is closed.
type Create func(name string) (io.WriteCloser, error)

// OpenJob understands a job. The error names the word that is wrong and what is
// accepted; it is a [lab.Fault] of the field of the job, or that of ctx.
func OpenJob(ctx context.Context, l *lab.Lab, j Job) (w *Work, err error) {
	defer oxo.RecoverInto(&err)
	v, err := FindVerb(j.Verb)
	if err != nil {
		return nil, err
	}
	g, err := l.Game(j.Game)
	if err != nil {
		return nil, &lab.Fault{Field: "game", Err: err}
	}
	args := v.DefaultArgs()
	err = decodeArgs(j.Args, args)
	if err == nil {
		err = v.checkArgBounds(args)
	}
	var work stagedJob
	if err == nil {
		work, err = v.open(ctx, g, args, j.Seed)
	}
	if err != nil {
		return nil, asArgsFault(fmt.Errorf("%s: %w", j.Verb, err))
	}
	return &Work{Job: j, staged: work, trust: trustBasisOf(v, args)}, nil
}

// ListParts lists the parts of a stage, counted from 0, where all stages before it
// are finished; none after the last stage. It depends on the job and on the
// outputs alone.
func (w *Work) ListParts(ctx context.Context, stage int, before Outputs) (parts []Part, err error) {
	defer oxo.RecoverInto(&err)
	parts, err = w.staged.listParts(ctx, stage, before)
	for i := range parts {
		parts[i].Stage, parts[i].Index = stage, i
		parts[i].Size = max(1, parts[i].Size)
	}
	return parts, err
}

// Run carries out a part. What it puts out depends on the job and the part
// alone, and not on whether it went on from a checkpoint. Where ctx ends it,
// the error is that of ctx.
func (w *Work) Run(ctx context.Context, t Task) (output []byte, err error) {
	output, _, err = w.runWithReporter(ctx, t)
	return output, err
}

// RunWithFinalReport is Run and then FinalReport.
func (w *Work) RunWithFinalReport(ctx context.Context, t Task) (output []byte, last Report, err error) {
	output, r, err := w.runWithReporter(ctx, t)
	switch {
	case err != nil:
		return nil, last, err
	case r.last != nil:
		return output, *r.last, nil
	}
	last, err = w.staged.finalReport(t.Part, output)
	return output, last, err
}

// runWithReporter is Run, and returns what has passed on the reports. A panic in the part is an error of it.
func (w *Work) runWithReporter(ctx context.Context, t Task) (output []byte, r *reporter, err error) {
	defer oxo.RecoverInto(&err)
	t.Every = cmp.Or(t.Every, usualEvery)
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	r = &reporter{task: t}
	if t.Short {
		r.sent = time.Now()
	}
	output, err = w.staged.runPart(ctx, t, r)
	return output, r, err
}

// FinalReport is the last report of a part that put out output.
func (w *Work) FinalReport(p Part, output []byte) (Report, error) {
	return w.staged.finalReport(p, output)
}

// CombineReports makes one report of those of a stage's parts; those that have not reported yet have
// the zero value. Parts says which they are. Done and Total are sums of units; a part that has not
// reported counts with its size.
func (w *Work) CombineReports(parts []Part, reports []Report) Report {
	var sum Report
	for i, r := range reports {
		sum.Done += r.Done
		sum.Total += max(r.Total, parts[i].Size)
	}
	line, data := w.staged.combineReports(reports)
	return sum.withLine(line).withData(data)
}

// MergeOutputs makes the job's result of the outputs of all parts. It makes files with
// create and closes them.
func (w *Work) MergeOutputs(outputs Outputs, create Create) (result json.RawMessage, err error) {
	defer oxo.RecoverInto(&err)
	v, err := w.staged.mergeOutputs(outputs, create)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", w.Job.Verb, err)
	}
	return json.Marshal(v)
}

// reporter passes on the reports of a part, not too many of them.
type reporter struct {
	task Task
	sent time.Time // when the latest report was
	last *Report   // the last one, as finished has it, where run knows it already
}

// due reports whether it is time for a report. Work asks it before it makes a report, which may cost
// something to put together.
func (r *reporter) due() bool {
	return r.task.Report != nil && (r.task.Every < 0 || time.Since(r.sent) >= r.task.Every)
}

// send passes on a report.
func (r *reporter) send(report Report) {
	if r.task.Report != nil {
		r.sent = time.Now()
		r.task.Report(report)
	}
}

// newPart is a part of so many units; its input is of a type of ours, which can be written.
func newPart(name string, size int, input any) Part {
	data, _ := json.Marshal(input)
	return Part{Name: name, Size: size, Input: data}
}

// withLine is a report with a line that says m; nothing without a key.
func (r Report) withLine(m message.Message) Report {
	if r.Line = progress.Words().Say(m); m.Key != "" {
		r.Said = message.Said{"line": {m}}
	}
	return r
}

// withData is a report with data of the verb's own, or none where it is nil.
func (r Report) withData(data any) Report {
	if data != nil {
		r.Data, _ = json.Marshal(data) // our own types can be written
	}
	return r
}

// lastReportLine returns the line of the last report that has one: of parts that are all alike.
func lastReportLine(reports []Report) (line message.Message) {
	for _, r := range reports {
		if said := r.Said["line"]; len(said) > 0 {
			line = said[0]
		}
	}
	return line
}

// partSays is the line of a part.
func partSays(p Part, m message.Message) message.Message {
	return progress.Of("part", message.Args{"part": p.Name, "says": m})
}

// onePartJob is a staged job of one part: what a verb does that can't be split.
type onePartJob struct {
	name   string
	needed int64 // bytes; 0 where that is not told
	report func(output []byte) (Report, error)
	do     func(ctx context.Context, t Task, r *reporter) ([]byte, error)
	result func(output []byte, create Create) (any, error)
}

func (s onePartJob) memoryPerPart() int64 { return s.needed }

// listParts has one stage of one part.
func (s onePartJob) listParts(_ context.Context, stage int, _ Outputs) ([]Part, error) {
	if stage > 0 {
		return nil, nil
	}
	return []Part{{Name: s.name, Size: 1}}, nil
}

func (s onePartJob) runPart(ctx context.Context, t Task, r *reporter) ([]byte, error) {
	return s.do(ctx, t, r)
}

func (s onePartJob) finalReport(_ Part, output []byte) (Report, error) { return s.report(output) }

// combineReports passes on the report of the only part.
func (s onePartJob) combineReports(reports []Report) (line message.Message, data any) {
	line = lastReportLine(reports)
	if len(reports) == 0 || reports[0].Data == nil {
		return line, nil // not a Data without a value
	}
	return line, reports[0].Data
}

// mergeOutputs hands the output of the only part to the verb.
func (s onePartJob) mergeOutputs(outputs Outputs, create Create) (result any, err error) {
	output, err := outputs.Output(0, 0)
	if err != nil {
		return nil, err
	}
	return s.result(output, create)
}

// writeFile makes a file of a result. The file is closed even where writing fails.
func (create Create) writeFile(name string, data []byte) error {
	f, err := create(name)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Close())
}
