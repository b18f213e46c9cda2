// Package jobs is long work on the server: a [Scheduler] runs jobs by turns on a few
// processors, and its operations add, follow and change them, and show what they made:
// results, files, standings, brains, and learners that people teach.
package jobs

import (
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"time"

	"oxo/lab/jobs"
	"oxo/message"
	"oxo/web/service"

	"github.com/danielgtaylor/huma/v2"
)

// JobRequest asks for long work.
// Verb is checked by its schema, the rest by vetJob.
type JobRequest struct {
	Verb verbName        `json:"verb"`
	Game string          `json:"game" minLength:"1" maxLength:"200" doc:"the game's spec" example:"ttt"`
	Args json.RawMessage `json:"args,omitempty" doc:"an object with the verb's own arguments; GET /verbs lists them with their usual values"`
	Seed *uint64         `json:"seed,omitempty" doc:"what chance draws from; without it the server draws one"`
	Name string          `json:"name,omitempty" maxLength:"80" doc:"what to call it"`
	Pace float64         `json:"pace,omitempty" minimum:"0" maximum:"1000" doc:"reports a second at most, so that people can watch; 0 is as fast as it goes"`
}

// JobView is a job as it is shown.
// It is a copy of what the job was at one moment, under its lock. Data and Args are shared and must not be
// written into.
type JobView struct {
	ID     string          `json:"id"`
	Verb   string          `json:"verb"`
	Game   string          `json:"game"`
	Args   json.RawMessage `json:"args,omitempty"`
	Seed   uint64          `json:"seed"`
	Name   string          `json:"name,omitempty"`
	Mine   bool            `json:"mine" doc:"whether who asks may change it"`
	State  string          `json:"state" enum:"queued,running,paused,done,failed,cancelled"`
	Error  string          `json:"error,omitempty" doc:"why it failed"`
	Made   time.Time       `json:"made"`
	Ended  *time.Time      `json:"ended,omitempty"`
	Pace   float64         `json:"pace"`
	Done   int             `json:"done" doc:"of total units of work: games, trials, positions"`
	Total  int             `json:"total"`
	Line   string          `json:"line" doc:"how far it has come, for people"`
	Said   message.Said    `json:"said,omitempty" doc:"the message of the line"`
	Data   json.RawMessage `json:"data,omitempty" doc:"how it goes, in the verb's own terms: a cross table, proof numbers"`
	Files  []JobFile       `json:"files" doc:"what it made, once it is done; of a training also once it is stopped"`
	Brains []JobBrain      `json:"brains" doc:"what its learners had learned on the way"`
	Proof  string          `json:"proof,omitempty" doc:"the id of its certificate among the server's proofs"`
}

// JobFile is a file that a job made.
type JobFile struct {
	Name string `json:"name" example:"curve.csv"`
	Size int    `json:"size" doc:"in bytes"`
}

// JobBrain is what a learner had learned at some point.
type JobBrain struct {
	Brain string `json:"brain" doc:"what to call it: brain: and this is a player"`
	Run   int    `json:"run" doc:"from 1"`
	Games int    `json:"games"`
}

// JobList lists jobs.
type JobList struct {
	Jobs []JobView `json:"jobs"`
}

// VerbList lists the kinds of jobs.
type VerbList struct {
	Verbs []jobs.Reference `json:"verbs"`
}

// JobPath is a request about one job. The visitor is who asks; anybody may look at a job whose id they
// know.
// Ids are drawn from so many that they can't be guessed.
type JobPath struct {
	service.Visitor
	ID string `path:"id" maxLength:"40"`
}

// reply is an answer, and a cookie for who had none.
// No cookies are none to set; who has one already is given no other.
type reply[T any] struct {
	SetCookie []http.Cookie `header:"Set-Cookie"`
	Body      T
}

// jobErrors are the statuses that an operation about jobs may answer with, for the document of the API.
var jobErrors = []int{400, 401, 403, 404, 409, 413, 422, 429, 503}

// jobOp describes an operation about jobs. All share their errors, their limit of the body and their
// tag in the document of the API.
func jobOp(method, path, id, summary, description string) huma.Operation {
	return huma.Operation{OperationID: id, Method: method, Path: service.Root + path, Summary: summary,
		Description: description, MaxBodyBytes: service.BodyLimit, Errors: jobErrors, Tags: []string{"jobs"}}
}

// jobsAPI answers what is asked about jobs.
// The types that answer about contests, brains and learners embed it.
type jobsAPI struct {
	*service.Base
	scheduler *Scheduler
}

// register registers the operations about jobs.
func (s *jobsAPI) register() {
	service.Register(s.Base, jobOp(http.MethodGet, "/verbs", "list-verbs", "List the kinds of jobs",
		"With their arguments and the usual values."),
		func(context.Context, *struct{}) (*VerbList, error) {
			return &VerbList{jobs.VerbReferences()}, nil
		})
	add := jobOp(http.MethodPost, "/jobs", "add-job", "Have long work done",
		"Train, play a tournament, prove or solve. It goes on without the client and after a restart. Who comes "+
			"without a bot's token is given a cookie, by which the job is theirs. Who knows its id can watch.")
	// Who opens too much too fast is turned away, and everybody where the store is full.
	add.Middlewares = huma.Middlewares{s.LimitCreation}
	huma.Register(s.API, add, s.addJob)
	service.Register(s.Base, jobOp(http.MethodGet, "/jobs", "list-jobs", "List one's jobs", "The latest first."),
		s.listJobs)
	service.Register(s.Base, jobOp(http.MethodGet, "/jobs/{id}", "show-job", "Show a job", ""),
		func(ctx context.Context, in *JobPath) (*JobView, error) {
			j, owner, err := s.findJob(ctx, *in)
			if err != nil {
				return nil, err
			}
			return new(j.viewFor(owner)), nil
		})
	s.registerChanges()
	s.registerResults()
	s.registerStream()
}

// registerChanges registers what changes a job. Only the owner of a job may change it.
// Each answers with the job as it is after the change.
func (s *jobsAPI) registerChanges() {
	for _, v := range []struct {
		id, summary, description string
		do                       func(*Job) error
	}{
		{"pause", "Pause a job", "It stops where it is and can be resumed.", s.scheduler.pause},
		{"resume", "Resume a paused job", "Or a training that was stopped.", s.scheduler.resume},
		{"cancel", "Stop a job", "A training then has the files of what was learned, and can be resumed.",
			s.scheduler.Cancel},
	} {
		service.Register(s.Base, jobOp(http.MethodPost, "/jobs/{id}/"+v.id, v.id+"-job", v.summary, v.description),
			func(ctx context.Context, in *JobPath) (*JobView, error) {
				return s.changeJob(ctx, *in, v.do)
			})
	}
	service.Register(s.Base, jobOp(http.MethodPost, "/jobs/{id}/pace", "pace-job", "Change how fast a job goes",
		"So many reports a second at most: of a training, exams."),
		func(ctx context.Context, in *struct {
			JobPath
			Body struct {
				Pace float64 `json:"pace" minimum:"0" maximum:"1000" doc:"reports a second; 0 is as fast as it goes"`
			}
		}) (*JobView, error) {
			return s.changeJob(ctx, in.JobPath,
				func(j *Job) error { return s.StoreProblem(j.setPace(in.Body.Pace), "no.job.more") })
		})
	huma.Register(s.API, jobOp(http.MethodDelete, "/jobs/{id}", "delete-job", "Delete a job with all that it made",
		"Brains that were saved under a name stay."),
		func(ctx context.Context, in *JobPath) (*struct{}, error) {
			_, err := s.changeJob(ctx, *in, s.scheduler.Drop)
			return nil, err
		})
}

// registerResults registers the operations that fetch what a job has made.
// Anybody who knows the job's id may fetch them.
func (s *jobsAPI) registerResults() {
	service.Register(s.Base, jobOp(http.MethodGet, "/jobs/{id}/result", "job-result", "Fetch a job's result",
		"A JSON object, in the verb's own terms, once the job is done, or a training stopped."),
		func(ctx context.Context, in *JobPath) (*json.RawMessage, error) {
			data, err := s.jobBlob(ctx, *in, blobResult, "job.no-result")
			return (*json.RawMessage)(&data), err
		})
	file := jobOp(http.MethodGet, "/jobs/{id}/files/{name}", "job-file", "Fetch a file that a job made",
		"Its brains, proof, curve or records.")
	file.Responses = service.Answer("The file", "application/octet-stream",
		&huma.Schema{Type: huma.TypeString, Format: "binary"})
	huma.Register(s.API, file, func(ctx context.Context, in *struct {
		JobPath
		File string `path:"name" maxLength:"100"`
	}) (*fileReply, error) {
		data, err := s.jobBlob(ctx, in.JobPath, BlobFile+in.File, "job.no-file")
		return &fileReply{"application/octet-stream", `attachment; filename="` + in.File + `"`, data}, err
	})
}

// fileReply is a file.
// It is offered for saving, not shown, whatever the browser takes it for.
type fileReply struct {
	ContentType string `header:"Content-Type"`
	Disposition string `header:"Content-Disposition"`
	Body        []byte
}

// jobBlob fetches what a job has put down. notFoundKey is the key of the refusal where there is
// no such thing and the job has not failed and was not cancelled, which else is said.
// A result or a file is there once it has been put down, whatever the job's state.
func (s *jobsAPI) jobBlob(ctx context.Context, in JobPath, name, notFoundKey string) ([]byte, error) {
	j, _, err := s.findJob(ctx, in)
	if err != nil {
		return nil, err
	}
	data, err := s.Store.Blob(ctx, j.ID, name)
	if errors.Is(err, s.Errs.NotFound) {
		switch v := j.viewFor(""); v.State {
		case Failed:
			return nil, service.NewProblem(404, "job.failed", "why", v.Error)
		case Cancelled:
			return nil, service.NewProblem(404, "job.cancelled")
		}
	}
	return data, s.StoreProblem(err, notFoundKey)
}

// findJob finds a job, and tells who asks.
// Who asks is empty for a visitor without a cookie or a bot's token.
// A job that nobody has in hand is read from the store anew for each request, so that each has a value of its own
// of it.
func (s *jobsAPI) findJob(ctx context.Context, in JobPath) (found *Job, asker string, err error) {
	owner, err := s.OwnerOf(ctx, in.Visitor)
	if err != nil {
		return nil, "", err
	}
	j, err := s.scheduler.Find(ctx, in.ID)
	return j, owner, s.StoreProblem(err, "no.job")
}

// changeJob does something with a job of the visitor's.
// Somebody else's job is a problem of status 403.
// The error of do is answered as it is, so it has to be a problem.
func (s *jobsAPI) changeJob(ctx context.Context, in JobPath, do func(*Job) error) (*JobView, error) {
	j, owner, err := s.findJob(ctx, in)
	switch {
	case err != nil:
		return nil, err
	case j.Owner != owner:
		return nil, service.NewProblem(403, "job.theirs")
	}
	err = do(j)
	return new(j.viewFor(owner)), err
}

// addJob adds a job to those that wait, for a visitor who is given a cookie where there was none. It
// is vetted before anything is kept; the cookie makes the visitor its owner.
func (s *jobsAPI) addJob(ctx context.Context, asked *struct {
	service.Visitor
	Body JobRequest
}) (*reply[JobView], error) {
	in := asked.Body
	owner, err := s.OwnerOf(ctx, asked.Visitor)
	if err != nil {
		return nil, err
	}
	work := jobs.Job{Verb: string(in.Verb), Game: in.Game, Args: in.Args, Seed: seedOrDrawn(in.Seed)}
	memory, err := s.vetJob(ctx, work)
	if err != nil {
		return nil, err
	}
	// Only who is not refused is given a cookie.
	out := &reply[JobView]{}
	if owner, out.SetCookie, err = s.EnsureOwner(ctx, owner); err != nil {
		return nil, err
	}
	j := s.newJob(ctx, owner, in.Name, work)
	j.State, j.Pace, j.Memory = Queued, in.Pace, memory
	err = s.scheduler.add(ctx, j)
	out.Body = j.viewFor(owner)
	return out, s.StoreProblem(err, "no.job.more")
}

// seedOrDrawn returns the seed that was asked for, or one that is drawn.
// A drawn one has 53 bits, so that it is shown exactly wherever numbers are float64; 0 may be asked for.
func seedOrDrawn(asked *uint64) uint64 {
	if asked != nil {
		return *asked
	}
	return rand.Uint64() >> 11 // as large as JavaScript can tell
}

// newJob returns a job of somebody's that is not kept yet.
// It has no state yet, which the caller gives it, and is in nobody's hands.
func (s *jobsAPI) newJob(ctx context.Context, owner, name string, work jobs.Job) *Job {
	j := &Job{scheduler: s.scheduler}
	j.Title = Title{ID: service.NewID(), Owner: owner, From: service.AskerOf(ctx).Address,
		Name: strings.TrimSpace(name), Made: time.Now(), Job: work}
	return j
}

// listJobs lists a visitor's jobs, of all verbs or of one. Without a cookie there are none.
// The latest come first, as the store lists them, at most JobsKept, which no owner has more of.
func (s *jobsAPI) listJobs(ctx context.Context, in *struct {
	service.Visitor
	Verb string `query:"verb" maxLength:"20" doc:"only these"`
}) (*JobList, error) {
	if in.Verb != "" {
		if _, err := jobs.FindVerb(in.Verb); err != nil {
			return nil, service.QueryProblem("verb", in.Verb, err)
		}
	}
	owner, err := s.OwnerOf(ctx, in.Visitor)
	if err != nil {
		return nil, err
	}
	list := JobList{Jobs: []JobView{}}
	if owner == "" {
		return &list, nil
	}
	docs, err := s.Store.Jobs(ctx, owner, JobsKept)
	kept, err := service.ReadDocs[Record](s.Base, docs, err)
	if err != nil {
		return nil, err
	}
	for _, p := range kept {
		if in.Verb != "" && p.Verb != in.Verb {
			continue
		}
		j, err := s.scheduler.Find(ctx, p.ID) // one in hand knows more than the store
		if errors.Is(err, s.Errs.NotFound) {
			continue // deleted just now
		}
		if err != nil {
			return nil, s.StoreProblem(err, "")
		}
		list.Jobs = append(list.Jobs, j.viewFor(owner))
	}
	return &list, nil
}

// viewFor shows a job to a visitor.
// The asker is an owner, empty for nobody; then the job is not theirs.
func (j *Job) viewFor(asker string) JobView {
	j.mu.Lock()
	defer j.mu.Unlock()
	return JobView{ID: j.ID, Verb: j.Verb, Game: j.Game, Args: j.Args, Seed: j.Seed, Name: j.Name,
		Mine:  j.Owner == asker,
		State: j.State, Error: j.Error, Made: j.Made, Ended: j.Ended, Pace: j.Pace,
		Done: j.Report.Done, Total: j.Report.Total, Line: j.Report.Line, Said: j.Report.Said, Data: j.Report.Data,
		Files: slices.Clone(append([]JobFile{}, j.Files...)), Brains: append([]JobBrain{}, j.Brains...), Proof: j.Proof}
}

// pause stops a job so that it can go on.
// It returns when the job has stopped, with the checkpoints of its parts in the store.
func (c *Scheduler) pause(j *Job) error { return c.stopAndWait(j, errPaused, Paused) }

// Cancel stops a job. What a training has learned by then is kept, and it can be resumed.
// A training that runs keeps it as it ends; one that waits or rests is opened here for that.
func (c *Scheduler) Cancel(j *Job) error {
	var files []JobFile
	if s := j.state(); s == Paused || s == Queued {
		files = j.storeFilesOfIdleTraining()
	}
	return c.stopAndWait(j, errCancelled, Cancelled, files...)
}

// stopAndWait stops a job, and returns when it has come to that state or to its end. A job that was
// over before is a problem of status 409. The files are those of a job that does not run.
// One that is in that state already is no problem.
func (c *Scheduler) stopAndWait(j *Job, cause error, state string, files ...JobFile) error {
	<-j.stop(cause)
	c.leaveQueue(j)
	err := j.Change(func(p *Record) error {
		switch {
		case p.State == state:
		case Over(p.State):
			return service.NewProblem(409, "job.already", "state", p.State)
		case p.State == Running: // its end could not be kept
			return service.ErrUnkept
		default:
			p.State, p.Files = state, files
			if Over(state) {
				now := time.Now()
				p.Ended = &now
			}
		}
		return nil
	})
	if err == nil && Over(state) {
		c.forget(j)
		err = j.dropIntermediates()
	}
	return c.StoreProblem(err, "no.job.more")
}

// resume resumes a job that is paused, or a training that was stopped, which is taken in hand again.
// It waits for its turn anew.
// A stopped training that was resumed twice at once is refused the second time: it is in hand already.
func (c *Scheduler) resume(j *Job) error {
	state := j.state()
	stopped := Over(state) && j.canGoOn(state)
	if stopped {
		if err := c.admitUnfinished(j); err != nil {
			return err
		}
	}
	err := j.Change(func(p *Record) error {
		if p.State != Paused && !stopped {
			return service.NewProblem(409, "job.not-paused", "state", p.State)
		}
		p.State, p.Ended, p.Files = Queued, nil, nil
		return nil
	})
	switch {
	case err == nil:
		c.enqueue(j)
	case stopped:
		c.forget(j)
	}
	return c.StoreProblem(err, "no.job.more")
}

// Drop deletes a job. One that waits or runs is cancelled first.
// Brains that were saved under names of their own stay.
// The store forgets its blobs and lines with it. A part that ends later can put nothing down any more.
func (c *Scheduler) Drop(j *Job) error {
	if !Over(j.state()) {
		if err := c.stopAndWait(j, errDropped, Cancelled); err != nil && !Over(j.state()) {
			return err
		}
	}
	return c.StoreProblem(c.Store.DropJob(j.ID), "no.job.more")
}

// state returns the state that the job is in.
func (j *Job) state() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.State
}
