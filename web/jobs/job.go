package jobs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"oxo"
	"oxo/lab"
	"oxo/lab/jobs"
	"oxo/web/service"
)

// The states of a job.
const (
	// A job waits as Queued and computes as Running; Paused, it rests until its owner resumes it. The other three
	// are over, but a training that was stopped can go on from Cancelled: it is Queued again.
	Queued    = "queued"
	Running   = "running"
	Paused    = "paused"
	Done      = "done"
	Failed    = "failed"
	Cancelled = "cancelled"
)

// Record is what the store keeps of a job.
// Its JSON is the document that the store has for the job; state and owner are given to the store beside it.
type Record struct {
	Title
	Course
}

// Title is what never changes of a job, so that it needs no lock.
// It is set where the job is made or read from the store, before anybody else can see it.
type Title struct {
	ID    string    `json:"id"`
	Owner string    `json:"owner"`
	From  string    `json:"from,omitempty"` // the address
	Name  string    `json:"name,omitempty"`
	Made  time.Time `json:"made"`
	// Memory is how many bytes are reserved for it while it runs, 0 where it is not told how many to take.
	Memory int64 `json:"memory,omitempty"`
	jobs.Job
}

// Course is how a job goes.
// Once the job is in hand, [Job.Change] alone changes it, in the store too; only the report, which changes often,
// is set without that and written with the next change.
type Course struct {
	State  string      `json:"state"`
	Ended  *time.Time  `json:"ended,omitempty"`
	Pace   float64     `json:"pace,omitempty"` // reports a second at most; 0 for no limit
	Report jobs.Report `json:"report"`         // how far it has come
	Error  string      `json:"error,omitempty"`
	Files  []JobFile   `json:"files,omitempty"`
	Brains []JobBrain  `json:"brains,omitempty"`
	Proof  string      `json:"proof,omitempty"` // under which the server lists its certificate
}

// Job is a piece of work in the scheduler's hands, or one that is finished. The scheduler holds those
// that wait or run; one that is over is read from the store when it is asked for.
type Job struct {
	scheduler *Scheduler

	// It may be taken while the scheduler's lock is held, never the other way round.
	mu sync.Mutex // of what follows, but for the job's title
	Record
	watchers service.Watchers
	budget   *oxo.Budget      // by which it is counted and stopped; nil unless it runs
	ended    chan struct{}    // closed when it runs no more
	parts    map[int]*partRun // those that run, of its stage
	paced    chan struct{}    // closed when the pace changes
	missed   sync.Map         // bots that were waited for in vain

	// Of a job that was put back for want of memory, guarded by the scheduler's lock.
	behind    []*Job // those that ran on then; nil once it is started again
	mostTaken int64  // bytes that it had come to

	// The points of a training on their way to the store, which have a lock of their own, as writing takes long.
	lines sync.Mutex // held while a line is written
	seq   int        // the number of the last line
	said  PointsLine // not yet written
	wrote time.Time
}

// Over reports whether nothing more will happen.
// A paused job is not over: it stays in the scheduler's hands and counts among its owner's unfinished ones.
func Over(state string) bool {
	return state == Done || state == Failed || state == Cancelled
}

// addToStore puts a new job into the store.
// It comes before anything that the job puts down: the store takes blobs and lines of jobs that it knows alone.
func (j *Job) addToStore() error {
	doc, err := json.Marshal(j.Record)
	if err != nil {
		return err
	}
	return j.scheduler.Store.AddJob(j.ID, j.Owner, j.State, doc)
}

// Change changes the job, in the store too, and tells those who watch. Where the store fails nothing
// has changed. The store is written under the lock, so that changes are kept in their order.
// What do is given is a copy, whose course becomes the job's; its title stays, and its slices must not be written
// into, as they are shared. An error of do is returned as it is, and nothing is written then.
func (j *Job) Change(do func(p *Record) error) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	p := j.Record
	if err := do(&p); err != nil {
		return err
	}
	doc, err := json.Marshal(p)
	if err != nil {
		return err
	}
	if err := j.scheduler.Store.SaveJob(p.ID, p.State, doc); err != nil {
		return err
	}
	j.Course = p.Course
	j.watchers.Notify()
	return nil
}

// stop ends a job that runs; the channel is closed when it does not any more. A job that does not run
// has stopped already: the channel is closed.
// The cause is one of the errors that say why a job is stopped, such as errPaused, which [Job.noteEnd] turns into
// the state.
func (j *Job) stop(cause error) (stopped <-chan struct{}) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.budget != nil {
		j.budget.End(cause)
		return j.ended
	}
	none := make(chan struct{})
	close(none)
	return none
}

// run carries out a job that waits. It ends with the job's end, with its budget, or with the server;
// in the last case the job stays as it is and goes on when the server starts again.
// The budget's bytes are counted, not bounded: the scheduler looks at the memory of all jobs together.
func (j *Job) run(closing context.Context) {
	ctx, budget := lab.WithBudget(closing, 0)
	defer budget.End(nil)
	j.mu.Lock()
	if j.State != Queued { // somebody has thought otherwise meanwhile
		j.mu.Unlock()
		return
	}
	j.budget, j.ended, j.parts = budget, make(chan struct{}), map[int]*partRun{}
	j.mu.Unlock()
	err := j.Change(func(p *Record) error { p.State = Running; return nil })
	var result *jobs.JobResult
	if err == nil {
		result, err = j.runWork(ctx)
	}
	if p, ok := errors.AsType[*oxo.PanicError](err); ok {
		j.scheduler.Log.Error("panic", "job", j.ID, "value", p.Value, "stack", string(p.Stack))
	}
	j.noteEnd(context.Cause(ctx), result, err)
	j.mu.Lock()
	defer j.mu.Unlock()
	j.budget = nil
	// Whoever waits in stop goes on now, and finds the state in which this run has left the job.
	close(j.ended)
}

// runWork does the job's work.
// It is opened with a processor in hand, as that may take long; then each part waits for a processor by itself. A
// job that was cancelled, or has run for as long as it may, comes back with what it has.
func (j *Job) runWork(ctx context.Context) (*jobs.JobResult, error) {
	if err := jobs.CheckVisitorJob(j.Job, j.scheduler.limits()); err != nil {
		return nil, err
	}
	if err := j.scheduler.processors.acquire(ctx); err != nil {
		return nil, err
	}
	work, err := jobs.OpenJob(ctx, j.labWithBots(), j.Job)
	j.scheduler.processors.release()
	if err != nil {
		return nil, err
	}
	result, err := work.RunAllParts(ctx, jobs.RunOptions{Workers: j.scheduler.width, State: jobStateStore{j},
		Progress: j.noteProgress, Part: j.runPart})
	if cause := context.Cause(ctx); err != nil && (errors.Is(cause, errCancelled) || errors.Is(cause, errSpent)) {
		result = j.resultOfStoppedTraining(work)
	}
	return result, err
}

// canGoOn reports whether the job can be resumed in a state: paused, and stopped where it is a training.
func (j *Job) canGoOn(state string) bool { return state == Paused || state == Cancelled && j.learns() }

// learns reports whether it is a training.
// A verb that lab has no job of, such as that of learners taught by hand, is none.
func (j *Job) learns() bool {
	v, err := jobs.FindVerb(j.Verb)
	return err == nil && v.Learns
}

// resultOfStoppedTraining returns the result of what a training that was stopped has done; nil of other jobs, and
// where there is nothing. It carries out nothing: its context is over.
func (j *Job) resultOfStoppedTraining(work *jobs.Work) *jobs.JobResult {
	if !j.learns() {
		return nil
	}
	over, end := context.WithCancel(context.Background())
	end()
	result, err := work.RunAllParts(over, jobs.RunOptions{State: jobStateStore{j}, Salvage: true})
	if result == nil {
		j.scheduler.Log.Error("nothing was kept of a training that was stopped", "job", j.ID, "reason", err)
	}
	return result
}

// salvageTime is how long it may take to open a training that waits or rests, to keep what it has done.
const salvageTime = 5 * time.Second

// storeFilesOfIdleTraining keeps what a training that does not run has done, and lists its files.
// Where the first run has kept no brain yet there is nothing to keep. Failures are logged and leave it without
// files.
func (j *Job) storeFilesOfIdleTraining() []JobFile {
	if !j.learns() || j.gamesOfLastBrain(1) < 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), salvageTime)
	defer cancel()
	work, err := jobs.OpenJob(ctx, j.labWithBots(), j.Job)
	var files []JobFile
	if err == nil {
		files, err = j.storeResult(j.resultOfStoppedTraining(work))
	}
	if err != nil {
		j.scheduler.Log.Error("nothing was kept of a training that was stopped", "job", j.ID, "reason", err)
	}
	return files
}

// noteProgress notes how far the job has come.
// It is not written to the store: that would be a write at each report.
func (j *Job) noteProgress(r jobs.Report) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.Report = r
	j.watchers.Notify()
}

// noteEnd notes how a run ended: at its end, by an error, or by a wish. The cause of its context says
// whose wish an end was. The result is kept before the state changes, so that a job which is done has
// one.
func (j *Job) noteEnd(cause error, result *jobs.JobResult, err error) {
	if err != nil && errors.Is(cause, errClosing) {
		return // it stays as it is and goes on another time
	}
	now := time.Now()
	// An error of keeping the result fails a job that was done; of one that was stopped it is logged alone.
	state, reason, proof := Done, "", ""
	files, lost := j.storeResult(result)
	if err == nil {
		err = lost
	} else if lost != nil {
		j.scheduler.Log.Error("nothing was kept of a job that was stopped", "job", j.ID, "reason", lost)
	}
	if err == nil && result.Files[jobs.ProofFile] != nil {
		var search lab.ProofSearch
		_ = json.Unmarshal(result.JSON, &search) // its nodes; a proof without them is listed too
		proof = j.scheduler.Prove(context.Background(), search, result.Files[jobs.ProofFile])
	}
	switch {
	case err == nil:
	case errors.Is(cause, errPaused):
		state = Paused
	case errors.Is(cause, errCrowded):
		state = Queued
	case errors.Is(cause, errCancelled), errors.Is(cause, errDropped):
		state = Cancelled
	case errors.Is(cause, errMemory), errors.Is(cause, errSpent):
		state, reason = Failed, cause.Error()
	default:
		state, reason = Failed, err.Error()
	}
	err = j.Change(func(p *Record) error {
		p.State, p.Error, p.Proof, p.Files = state, reason, proof, files
		if Over(state) {
			p.Ended = &now
		}
		return nil
	})
	if err != nil {
		j.scheduler.Log.Error("a job's end was not kept", "job", j.ID, "state", state, "reason", err)
		return // the next server does the rest of it again
	}
	if Over(state) {
		j.scheduler.forget(j)
		if err := j.dropIntermediates(); err != nil {
			j.scheduler.Log.Error("a job's scraps were not thrown away", "job", j.ID, "reason", err)
		}
	}
}

// mostFile is the most bytes of a file or of a checkpoint that is kept.
const mostFile = 64 << 20

// Names of what a job puts down. Those of outputs and checkpoints are lab's.
const (
	blobResult = "result"
	BlobFile   = "file/"
	blobBrain  = "brain/"
)

// storeResult puts down what the job has come to, and lists its files; nothing where that is nil.
// The files are listed by name, in alphabetical order. A run that failed halfway leaves blobs that are not
// listed.
func (j *Job) storeResult(r *jobs.JobResult) (files []JobFile, err error) {
	if r == nil {
		return nil, nil
	}
	if err := j.putBlob(blobResult, r.JSON); err != nil {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(r.Files)) {
		if err := j.putBlob(BlobFile+name, r.Files[name]); err != nil {
			return nil, err
		}
		files = append(files, JobFile{name, len(r.Files[name])})
	}
	return files, nil
}

// putBlob puts something of the job's down under a name, unless it is too large.
// What was there under that name is replaced. A job that was deleted meanwhile can put nothing down: an error.
func (j *Job) putBlob(name string, data []byte) error {
	if len(data) > mostFile {
		return fmt.Errorf("%s has %d bytes, more than the %d that the server keeps of one; use the command line", name,
			len(data), mostFile)
	}
	return j.scheduler.Store.PutBlob(j.ID, name, data)
}

// dropIntermediates throws away what is only needed to go on, where it can't go on. What remains are its
// result, its files and its brains.
// These are the outputs and checkpoints of its parts, and what they have left for one another. It is called when
// the job is over and its result is kept.
func (j *Job) dropIntermediates() error {
	if j.canGoOn(j.state()) {
		return nil
	}
	names, _, err := j.scheduler.Store.Blobs(context.Background(), j.ID)
	if err != nil {
		return err
	}
	return j.scheduler.Store.DropBlobs(j.ID, slices.DeleteFunc(names, func(name string) bool {
		return name == blobResult || strings.HasPrefix(name, BlobFile) || strings.HasPrefix(name, blobBrain)
	})...)
}

// jobStateStore keeps a job's outputs and checkpoints.
// What one run has saved, a later one loads and goes on from, also after a restart of the server.
type jobStateStore struct{ *Job }

// Load implements jobs.StateStore on the server's store.
// Nothing under a key is nil without an error, as the interface has it, and not the store's NotFound.
func (k jobStateStore) Load(key string) ([]byte, error) {
	data, err := k.scheduler.Store.Blob(context.Background(), k.ID, key)
	if errors.Is(err, k.scheduler.Errs.NotFound) {
		return nil, nil
	}
	return data, err
}

// Save implements jobs.StateStore; nil takes away.
func (k jobStateStore) Save(key string, data []byte) error {
	if data == nil {
		return k.scheduler.Store.DropBlobs(k.ID, key)
	}
	return k.putBlob(key, data)
}
