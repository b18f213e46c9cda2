package web

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

	"oxo/lab/jobs"
)

// The states of a job.
const (
	jobQueued    = "queued"
	jobRunning   = "running"
	jobPaused    = "paused"
	jobDone      = "done"
	jobFailed    = "failed"
	jobCancelled = "cancelled"
)

// jobPaper is what the store keeps of a job.
type jobPaper struct {
	jobTitle
	jobCourse
}

// jobTitle is what never changes of a job, so that it needs no lock.
type jobTitle struct {
	ID    string    `json:"id"`
	Owner string    `json:"owner"`
	From  string    `json:"from,omitempty"` // the address
	Name  string    `json:"name,omitempty"`
	Made  time.Time `json:"made"`
	jobs.Job
}

// jobCourse is how a job goes.
type jobCourse struct {
	State  string      `json:"state"`
	Ended  *time.Time  `json:"ended,omitempty"`
	Pace   float64     `json:"pace,omitempty"` // reports a second at most; 0 for no limit
	Report jobs.Report `json:"report"`         // how far it has come
	Error  string      `json:"error,omitempty"`
	Files  []JobFile   `json:"files,omitempty"`
	Brains []JobBrain  `json:"brains,omitempty"`
	Proof  string      `json:"proof,omitempty"` // under which the server lists its certificate
}

// job is a piece of work in the crew's hands, or one that is finished.
type job struct {
	crew *crew

	mu sync.Mutex // of what follows, but for the job's title
	jobPaper
	version  int // counts changes
	watchers map[chan struct{}]struct{}
	cancel   context.CancelCauseFunc // nil unless it runs
	ended    chan struct{}           // closed when it runs no more
	parts    map[int]*partRun        // those that run, of its stage
	paced    chan struct{}           // closed when the pace changes
	missed   map[string]bool         // bots that were waited for in vain

	lines sync.Mutex // held while a line is written
	seq   int        // the number of the last line
	said  pointsLine // not yet written
	wrote time.Time
}

// over reports whether nothing more will happen.
func over(state string) bool {
	return state == jobDone || state == jobFailed || state == jobCancelled
}

// add puts a new job into the store.
func (j *job) add() error {
	doc, err := json.Marshal(j.jobPaper)
	if err != nil {
		return err
	}
	return j.crew.store.AddJob(j.ID, j.Owner, j.State, doc)
}

// change changes the job, in the store too, and tells those who watch. Where
// the store fails nothing has changed.
func (j *job) change(do func(p *jobPaper) error) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	p := j.jobPaper
	if err := do(&p); err != nil {
		return err
	}
	doc, err := json.Marshal(p)
	if err != nil {
		return err
	}
	if err := j.crew.store.SaveJob(p.ID, p.State, doc); err != nil {
		return err
	}
	j.jobCourse = p.jobCourse
	j.tell()
	return nil
}

// tell tells those who watch that there is something new. The caller holds
// j.mu.
func (j *job) tell() {
	j.version++
	for c := range j.watchers {
		select {
		case c <- struct{}{}:
		default: // it has not looked since the last time
		}
	}
}

// watch returns a channel that says when there is something new.
func (j *job) watch() (changes chan struct{}, leave func()) {
	changes = make(chan struct{}, 1)
	j.mu.Lock()
	defer j.mu.Unlock()
	j.watchers[changes] = struct{}{}
	return changes, func() {
		j.mu.Lock()
		defer j.mu.Unlock()
		delete(j.watchers, changes)
	}
}

// stop ends a job that runs; the channel is closed when it does not any more.
func (j *job) stop(cause error) <-chan struct{} {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.cancel != nil {
		j.cancel(cause)
		return j.ended
	}
	none := make(chan struct{})
	close(none)
	return none
}

// run carries out a job that waits.
func (j *job) run(closing context.Context) {
	ctx, cancel := context.WithCancelCause(closing)
	defer cancel(nil)
	j.mu.Lock()
	if j.State != jobQueued { // somebody has thought otherwise meanwhile
		j.mu.Unlock()
		return
	}
	j.cancel, j.ended, j.parts = cancel, make(chan struct{}), map[int]*partRun{}
	j.mu.Unlock()
	err := j.change(func(p *jobPaper) error { p.State = jobRunning; return nil })
	var result *jobs.Result
	if err == nil {
		result, err = j.work(ctx)
	}
	j.finish(context.Cause(ctx), result, err)
	j.mu.Lock()
	defer j.mu.Unlock()
	j.cancel = nil
	close(j.ended)
}

// work does the job's work.
func (j *job) work(ctx context.Context) (*jobs.Result, error) {
	if err := jobs.Vet(j.Job, j.crew.limits()); err != nil {
		return nil, err
	}
	if err := j.crew.cores.take(ctx); err != nil {
		return nil, err
	}
	work, err := jobs.Open(ctx, j.lab(), j.Job)
	j.crew.cores.give()
	if err != nil {
		return nil, err
	}
	return work.RunAll(ctx, jobs.RunOptions{Workers: j.crew.width, Keep: jobKeep{j}, Progress: j.progress, Part: j.part})
}

// progress notes how far the job has come.
func (j *job) progress(r jobs.Report) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.Report = r
	j.tell()
}

// finish notes how a run ended: at its end, by an error, or by a wish.
func (j *job) finish(cause error, result *jobs.Result, err error) {
	if err != nil && errors.Is(cause, errClosing) {
		return // it stays as it is and goes on another time
	}
	now := time.Now()
	state, reason, proof := jobDone, "", ""
	if err == nil {
		err = j.keepResult(result)
	}
	if err == nil && result.Files[jobs.ProofFile] != nil {
		proof = j.crew.prove(context.Background(), result.Files[jobs.ProofFile])
	}
	switch {
	case err == nil:
	case errors.Is(cause, errPaused):
		state = jobPaused
	case errors.Is(cause, errCancelled):
		state = jobCancelled
	case errors.Is(cause, errMemory), errors.Is(cause, errSpent):
		state, reason = jobFailed, cause.Error()
	default:
		state, reason = jobFailed, err.Error()
	}
	err = j.change(func(p *jobPaper) error {
		p.State, p.Error, p.Proof = state, reason, proof
		if over(state) {
			p.Ended = &now
		}
		if state == jobDone {
			p.Files = nil
			for _, name := range slices.Sorted(maps.Keys(result.Files)) {
				p.Files = append(p.Files, JobFile{name, len(result.Files[name])})
			}
		}
		return nil
	})
	if err != nil {
		j.crew.log.Error("a job's end was not kept", "job", j.ID, "state", state, "reason", err)
		return // the next server does the rest of it again
	}
	if over(state) {
		j.crew.forget(j)
		if err := j.tidy(); err != nil {
			j.crew.log.Error("a job's scraps were not thrown away", "job", j.ID, "reason", err)
		}
	}
}

// mostFile is the most bytes of a file or of a checkpoint that is kept.
const mostFile = 64 << 20

// Names of what a job puts down. Those of outputs and checkpoints are lab's.
const (
	blobResult = "result"
	blobFile   = "file/"
	blobBrain  = "brain/"
)

// keepResult puts down what the job has come to.
func (j *job) keepResult(r *jobs.Result) error {
	if err := j.put(blobResult, r.JSON); err != nil {
		return err
	}
	for name, data := range r.Files {
		if err := j.put(blobFile+name, data); err != nil {
			return err
		}
	}
	return nil
}

func (j *job) put(name string, data []byte) error {
	if len(data) > mostFile {
		return fmt.Errorf("%s has %d bytes, more than the %d that the server keeps of one; use the command line", name, len(data), mostFile)
	}
	return j.crew.store.PutBlob(j.ID, name, data)
}

// tidy throws away what is only needed to go on.
func (j *job) tidy() error {
	names, _, err := j.crew.store.Blobs(context.Background(), j.ID)
	if err != nil {
		return err
	}
	return j.crew.store.DropBlobs(j.ID, slices.DeleteFunc(names, func(name string) bool {
		return name == blobResult || strings.HasPrefix(name, blobFile) || strings.HasPrefix(name, blobBrain)
	})...)
}

// jobKeep keeps a job's outputs and checkpoints.
type jobKeep struct{ *job }

func (k jobKeep) Load(key string) ([]byte, error) {
	data, err := k.crew.store.Blob(context.Background(), k.ID, key)
	if errors.Is(err, k.crew.errs.notFound) {
		return nil, nil
	}
	return data, err
}

func (k jobKeep) Save(key string, data []byte) error {
	if data == nil {
		return k.crew.store.DropBlobs(k.ID, key)
	}
	return k.put(key, data)
}
