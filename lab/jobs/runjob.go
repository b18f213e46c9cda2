package jobs

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"sync"
	"time"

	"oxo"
	"oxo/lab"
)

// StateStore holds what is known of a job that runs: the outputs of its parts and checkpoints of those
// under way, by keys of letters, digits, - and /. It is used by several goroutines at once. A job
// whose store outlives it goes on where it stopped. A key's data is whole or not there: a store on
// disk renames files into place.
type StateStore interface {
	Load(key string) ([]byte, error) // nil where there is nothing
	Save(key string, data []byte) error
}

// MemoryStore is a state store that lasts as long as the program. The zero value is empty.
type MemoryStore struct {
	mu   sync.Mutex
	data map[string][]byte
}

// Load returns what was saved.
func (m *MemoryStore) Load(key string) ([]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.data[key], nil
}

// Save keeps data, which must not be changed any more; nil takes it away.
func (m *MemoryStore) Save(key string, data []byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.data == nil {
		m.data = map[string][]byte{}
	}
	if data == nil {
		delete(m.data, key)
		return nil
	}
	m.data[key] = data
	return nil
}

// Keys of a state store: where the output and the checkpoint of a part are. They are the same in all
// stores, so that work may move from one to another.
func outputKey(stage, index int) string     { return fmt.Sprintf("output/%d/%d", stage, index) }
func checkpointKey(stage, index int) string { return fmt.Sprintf("checkpoint/%d/%d", stage, index) }

// RunOptions say how to run a job on this machine.
type RunOptions struct {
	Workers int        // parts at once; 0 is one for each core
	State   StateStore // nil keeps all in memory for as long as the job runs

	// Blobs is where parts leave what is large; nil puts it into State. What
	// lies there at the end stays there.
	Blobs BlobStore

	// Create makes the files of the result; nil returns them with it.
	Create Create

	// Salvage asks for the result of what was done where ctx ends the job, returned with the error, if it can be made.
	Salvage bool

	// Every is the least time between reports and checkpoints of a part; 0 is a fifth of a second and a second.
	Every time.Duration

	// Progress is told how the stage under way goes, from one goroutine at a time, no more often than Every but at the
	// last, also where ctx ends the stage.
	Progress func(Report)

	// Part, where it is not nil, carries out each part by calling run, perhaps
	// with a context and a task of its own; the task's Report must be called
	// whatever else is done with reports.
	Part func(ctx context.Context, t Task, run Carry) ([]byte, error)
}

// mostWorkers is how many parts may be carried out at once.
const mostWorkers = 1024

// Carry carries out a part, as [Work.Run] does.
type Carry func(ctx context.Context, t Task) (output []byte, err error)

// Run runs a job on this machine: it opens it and carries out all its parts.
func Run(ctx context.Context, l *lab.Lab, j Job, o RunOptions) (*JobResult, error) {
	w, err := OpenJob(ctx, l, j)
	if err != nil {
		return nil, err
	}
	return w.RunAllParts(ctx, o)
}

// RunAllParts carries out all parts on this machine and merges them. Where ctx is done it stops, and a run
// with the same state goes on where it was: the parts under way at their checkpoints. Stages follow
// one another. With o.Salvage a stopped job of a verb that can do so returns what it has with the
// error.
func (w *Work) RunAllParts(ctx context.Context, o RunOptions) (r *JobResult, err error) {
	defer oxo.RecoverInto(&err)
	if o.Workers < 0 || o.Workers > mostWorkers {
		return nil, fmt.Errorf("%d workers; from 1 to %d, or 0 for one a core", o.Workers, mostWorkers)
	}
	o.Workers = cmp.Or(o.Workers, runtime.GOMAXPROCS(0))
	if o.State == nil {
		o.State = &MemoryStore{}
	}
	if o.Blobs == nil {
		o.Blobs = blobsInStore{o.State}
	}
	out := &storedOutputs{keep: o.State, blobs: o.Blobs}
	for stage := 0; ; stage++ {
		parts, err := w.ListParts(ctx, stage, out)
		if err != nil {
			return nil, err
		}
		if len(parts) == 0 {
			break
		}
		if err := w.DropUnneededBlobs(stage, out); err != nil {
			return nil, err
		}
		err = w.runStage(ctx, parts, out, o)
		out.parts = append(out.parts, len(parts))
		if s, ok := w.staged.(salvager); err != nil && ctx.Err() != nil && o.Salvage && ok {
			left := outputsOrCheckpoints{out}
			saved, lost := o.collectResult(func(create Create) (any, error) { return s.mergeStopped(left, create) })
			return saved, errors.Join(err, lost)
		}
		if err != nil {
			return nil, err
		}
	}
	return o.collectResult(func(create Create) (any, error) { return w.staged.mergeOutputs(out, create) })
}

// collectResult makes the result that merge returns, with its files. Without o.Create the files are
// kept in memory and returned.
func (o RunOptions) collectResult(merge func(create Create) (any, error)) (*JobResult, error) {
	files := map[string][]byte{}
	create := o.Create
	if create == nil {
		create = func(name string) (io.WriteCloser, error) {
			return &resultFile{keep: func(data []byte) { files[name] = data }}, nil
		}
	}
	v, err := merge(create)
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(v)
	return &JobResult{JSON: text, Files: files}, err
}

// salvager is a staged job whose checkpoints are worth something.
type salvager interface {
	// mergeStopped makes the result of what was done: done has the checkpoints of
	// parts that were cut short, and nothing of those that were not begun.
	mergeStopped(done Outputs, create Create) (any, error)
}

// outputsOrCheckpoints is what there is of the parts of all stages, with checkpoints for the
// outputs that are missing.
type outputsOrCheckpoints struct{ *storedOutputs }

// Output returns a part's output, else its checkpoint, nil where there is neither.
func (b outputsOrCheckpoints) Output(stage, index int) ([]byte, error) {
	data, err := b.keep.Load(outputKey(stage, index))
	if err == nil && data == nil {
		data, err = b.keep.Load(checkpointKey(stage, index))
	}
	return data, err
}

// storedOutputs are the outputs in a state store.
type storedOutputs struct {
	keep  StateStore
	blobs BlobStore
	parts []int
}

func (k *storedOutputs) Blobs() BlobStore    { return k.blobs }
func (k *storedOutputs) Stages() int         { return len(k.parts) }
func (k *storedOutputs) Parts(stage int) int { return k.parts[stage] }

// Output returns a part's output, which must be there.
func (k *storedOutputs) Output(stage, index int) ([]byte, error) {
	data, err := k.keep.Load(outputKey(stage, index))
	if err == nil && data == nil {
		err = fmt.Errorf("the output of part %d of stage %d is missing", index, stage)
	}
	return data, err
}

// resultFile is a file of a result in memory.
type resultFile struct {
	bytes.Buffer
	keep func([]byte)
}

func (f *resultFile) Close() error {
	f.keep(f.Bytes())
	return nil
}

// stageRun is a stage under way, with the reports of its parts.
type stageRun struct {
	work    *Work
	parts   []Part
	out     *storedOutputs
	o       RunOptions
	mu      sync.Mutex
	reports []Report
	last    time.Time // of the last progress
}

// runStage carries out the parts of a stage that have no output yet. Parts are handed out in order
// over one channel. The first error stops the others at their checkpoints, and is the one that is
// returned.
func (w *Work) runStage(ctx context.Context, parts []Part, out *storedOutputs, o RunOptions) error {
	run := &stageRun{work: w, parts: parts, out: out, o: o, reports: make([]Report, len(parts))}
	var todo []Part
	for i, p := range parts {
		output, err := o.State.Load(outputKey(p.Stage, p.Index))
		if err != nil {
			return err
		}
		if output == nil {
			todo = append(todo, p)
			continue
		}
		if run.reports[i], err = w.FinalReport(p, output); err != nil {
			return err
		}
	}
	inner, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	queue := make(chan Part)
	var workers sync.WaitGroup
	for range min(o.Workers, len(todo)) {
		workers.Go(func() {
			for p := range queue {
				if err := run.runPart(inner, p); err != nil {
					stop(err)
					return
				}
			}
		})
	}
feed:
	for _, p := range todo {
		select {
		case queue <- p:
		case <-inner.Done():
			break feed
		}
	}
	close(queue)
	workers.Wait()
	return cmp.Or(ctx.Err(), context.Cause(inner)) // of several errors, the one that stopped the others
}

// runPart carries out one part and keeps its output. A checkpoint is saved now and then, and as ctx
// ends. It is taken away once the output is saved; a crash between the two costs nothing, as the
// output is looked for first.
func (r *stageRun) runPart(ctx context.Context, p Part) error {
	key := checkpointKey(p.Stage, p.Index)
	checkpoint, err := r.o.State.Load(key)
	if err != nil {
		return err
	}
	every := cmp.Or(r.o.Every, time.Second)
	saved := time.Now()
	var failed error
	task := Task{
		Part: p, Outputs: r.out, Checkpoint: checkpoint, Every: r.o.Every, Workers: r.o.Workers,
		Report: func(report Report) {
			if report.Checkpoint != nil && (ctx.Err() != nil || time.Since(saved) >= every) {
				saved = time.Now()
				data, err := report.Checkpoint()
				if err == nil && data != nil {
					err = r.o.State.Save(key, data)
				}
				failed = errors.Join(failed, err)
			}
			r.updateReport(ctx, p.Index, report)
		},
	}
	var output []byte
	if r.o.Part != nil {
		output, err = r.o.Part(ctx, task, r.work.Run)
	} else {
		output, err = r.work.Run(ctx, task)
	}
	if err = errors.Join(err, failed); err != nil {
		return fmt.Errorf("%s: %w", p.Name, err)
	}
	if err := r.o.State.Save(outputKey(p.Stage, p.Index), output); err != nil {
		return err
	}
	if err := r.o.State.Save(key, nil); err != nil {
		return err
	}
	report, err := r.work.FinalReport(p, output)
	if err != nil {
		return err
	}
	r.updateReport(ctx, p.Index, report)
	return nil
}

// updateReport notes a part's report and passes on that of the stage. A part's last report always
// leads to one of the stage, also where ctx ends the part.
func (r *stageRun) updateReport(ctx context.Context, index int, report Report) {
	report.Checkpoint = nil
	r.mu.Lock()
	defer r.mu.Unlock()
	r.reports[index] = report
	every := cmp.Or(r.o.Every, usualEvery)
	if r.o.Progress != nil && (report.Done >= report.Total || ctx.Err() != nil || time.Since(r.last) >= every) {
		r.last = time.Now()
		r.o.Progress(r.work.CombineReports(r.parts, r.reports))
	}
}

// BlobStore is where parts of a job leave what is too large for an output, such as
// tables of a solution, for parts of later stages and for the result. A part
// that is done twice leaves the same twice. Names are of letters, digits, - and
// /.
type BlobStore interface {
	Put(name string, data []byte) error

	// Get returns what was put there, in buf where that is large enough. It is
	// an error if there is nothing.
	Get(name string, buf []byte) ([]byte, error)

	Drop(name string) error // also where there is nothing
}

// blobsInStore is a blob store in a state store. It serves small jobs and tests: the whole table
// passes through memory.
type blobsInStore struct{ keep StateStore }

func blobKey(name string) string { return "shelf/" + name }

func (s blobsInStore) Put(name string, data []byte) error { return s.keep.Save(blobKey(name), data) }

// Get copies, as the caller may change buf.
func (s blobsInStore) Get(name string, buf []byte) ([]byte, error) {
	data, err := s.keep.Load(blobKey(name))
	if err == nil && data == nil {
		err = fmt.Errorf("%s is not on the shelf", name)
	}
	return append(buf[:0], data...), err
}

func (s blobsInStore) Drop(name string) error { return s.keep.Save(blobKey(name), nil) }
