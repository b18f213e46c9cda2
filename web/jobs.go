package web

import (
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"oxo/lab/jobs"
)

// JobRequest asks for long work.
type JobRequest struct {
	Verb verbName        `json:"verb"`
	Game string          `json:"game" minLength:"1" maxLength:"200" doc:"the game's spec" example:"ttt"`
	Args json.RawMessage `json:"args,omitempty" doc:"an object with the verb's own arguments; GET /verbs lists them with their usual values"`
	Seed *uint64         `json:"seed,omitempty" doc:"what chance draws from; without it the server draws one"`
	Name string          `json:"name,omitempty" maxLength:"80" doc:"what to call it"`
	Pace float64         `json:"pace,omitempty" minimum:"0" maximum:"1000" doc:"reports a second at most, so that people can watch; 0 is as fast as it goes"`
}

// JobView is a job as it is shown.
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
	Data   json.RawMessage `json:"data,omitempty" doc:"how it goes, in the verb's own terms: for tournaments and matches the cross table, for proofs the proof numbers"`
	Files  []JobFile       `json:"files" doc:"what it made, once it is done"`
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

// JobPath is a request about one job.
type JobPath struct {
	Visitor
	ID string `path:"id" maxLength:"40"`
}

// jobReply is a job, and a cookie for who had none.
type jobReply struct {
	SetCookie []http.Cookie `header:"Set-Cookie"`
	Body      JobView
}

var jobErrors = []int{400, 401, 403, 404, 409, 413, 422, 429, 503}

func jobOp(method, path, id, summary, description string) huma.Operation {
	return huma.Operation{OperationID: id, Method: method, Path: root + path, Summary: summary,
		Description: description, MaxBodyBytes: bodyLimit, Errors: jobErrors, Tags: []string{"jobs"}}
}

// desk answers what is asked about jobs.
type desk struct {
	*base
	crew *crew
}

// register registers the operations about jobs.
func (s *desk) register() {
	huma.Register(s.api, jobOp(http.MethodGet, "/verbs", "list-verbs", "List the kinds of jobs", "With their arguments and the usual values."),
		func(context.Context, *struct{}) (*reply[VerbList], error) {
			return &reply[VerbList]{VerbList{jobs.References()}}, nil
		})
	add := jobOp(http.MethodPost, "/jobs", "add-job", "Have long work done",
		"Train, play a tournament, prove or solve. The job goes on without the client and after a restart of the server. "+
			"Who comes without a bot's token is given a cookie, by which the job is theirs. Anybody who knows its id can watch.")
	add.Middlewares = huma.Middlewares{s.limited}
	huma.Register(s.api, add, func(ctx context.Context, in *struct {
		Visitor
		Body JobRequest
	}) (*jobReply, error) {
		return s.addJob(ctx, in.Visitor, in.Body)
	})
	huma.Register(s.api, jobOp(http.MethodGet, "/jobs", "list-jobs", "List one's jobs", "The latest first."),
		func(ctx context.Context, in *struct {
			Visitor
			Verb string `query:"verb" maxLength:"20" doc:"only these"`
		}) (*reply[JobList], error) {
			return s.listJobs(ctx, in.Visitor, in.Verb)
		})
	huma.Register(s.api, jobOp(http.MethodGet, "/jobs/{id}", "show-job", "Show a job", ""),
		func(ctx context.Context, in *JobPath) (*reply[JobView], error) {
			j, owner, err := s.findJob(ctx, *in)
			if err != nil {
				return nil, err
			}
			return &reply[JobView]{j.view(owner)}, nil
		})
	for _, v := range []struct {
		id, summary, description string
		do                       func(*job) error
	}{
		{"pause", "Pause a job", "It stops where it is and can be resumed.", s.crew.pause},
		{"resume", "Resume a paused job", "", s.crew.goOn},
		{"cancel", "Stop a job for good", "What its learners have learned so far is kept.", s.crew.cancel},
	} {
		huma.Register(s.api, jobOp(http.MethodPost, "/jobs/{id}/"+v.id, v.id+"-job", v.summary, v.description),
			func(ctx context.Context, in *JobPath) (*reply[JobView], error) { return s.changeJob(ctx, *in, v.do) })
	}
	huma.Register(s.api, jobOp(http.MethodPost, "/jobs/{id}/pace", "pace-job", "Change how fast a job goes", "So many reports a second at most: of a training, exams."),
		func(ctx context.Context, in *struct {
			JobPath
			Body struct {
				Pace float64 `json:"pace" minimum:"0" maximum:"1000" doc:"reports a second; 0 is as fast as it goes"`
			}
		}) (*reply[JobView], error) {
			return s.changeJob(ctx, in.JobPath, func(j *job) error { return s.crew.failed(j.setPace(in.Body.Pace)) })
		})
	huma.Register(s.api, jobOp(http.MethodDelete, "/jobs/{id}", "delete-job", "Delete a job with all that it made", "Brains that were saved under a name stay."),
		func(ctx context.Context, in *JobPath) (*struct{}, error) {
			_, err := s.changeJob(ctx, *in, s.crew.drop)
			return nil, err
		})
	s.jobResults()
	s.jobStreams()
}

// jobResults registers the operations that fetch what a job has made.
func (s *desk) jobResults() {
	huma.Register(s.api, jobOp(http.MethodGet, "/jobs/{id}/result", "job-result", "Fetch a job's result", "A JSON object, in the verb's own terms, once the job is done."),
		func(ctx context.Context, in *JobPath) (*reply[json.RawMessage], error) {
			data, err := s.jobBlob(ctx, *in, blobResult, "the job has no result yet")
			if err != nil {
				return nil, err
			}
			return &reply[json.RawMessage]{data}, nil
		})
	file := jobOp(http.MethodGet, "/jobs/{id}/files/{name}", "job-file", "Fetch a file that a job made", "Its brains, proof, curve or records.")
	file.Responses = map[string]*huma.Response{"200": {Description: "The file", Content: map[string]*huma.MediaType{
		"application/octet-stream": {Schema: &huma.Schema{Type: huma.TypeString, Format: "binary"}}}}}
	huma.Register(s.api, file, func(ctx context.Context, in *struct {
		JobPath
		File string `path:"name" maxLength:"100"`
	}) (*fileReply, error) {
		data, err := s.jobBlob(ctx, in.JobPath, blobFile+in.File, "the job has made no such file")
		if err != nil {
			return nil, err
		}
		return &fileReply{"application/octet-stream", `attachment; filename="` + in.File + `"`, data}, nil
	})
}

// fileReply is a file.
type fileReply struct {
	ContentType string `header:"Content-Type"`
	Disposition string `header:"Content-Disposition"`
	Body        []byte
}

// jobBlob fetches what a job has put down.
func (s *desk) jobBlob(ctx context.Context, in JobPath, name, none string) ([]byte, error) {
	j, _, err := s.findJob(ctx, in)
	if err != nil {
		return nil, err
	}
	data, err := s.crew.store.Blob(ctx, j.ID, name)
	if err != nil {
		return nil, s.failed(err, none)
	}
	return data, nil
}

// findJob finds a job, and tells who asks.
func (s *desk) findJob(ctx context.Context, in JobPath) (*job, string, error) {
	owner, err := s.owner(ctx, in.Visitor)
	if err != nil {
		return nil, "", err
	}
	j, err := s.crew.job(ctx, in.ID)
	if err != nil {
		return nil, "", s.failed(err, "there is no such job")
	}
	return j, owner, nil
}

// changeJob does something with a job of the visitor's.
func (s *desk) changeJob(ctx context.Context, in JobPath, do func(*job) error) (*reply[JobView], error) {
	j, owner, err := s.findJob(ctx, in)
	switch {
	case err != nil:
		return nil, err
	case j.Owner != owner:
		return nil, refuse(403, "the job is somebody else's")
	}
	if err := do(j); err != nil {
		return nil, err
	}
	return &reply[JobView]{j.view(owner)}, nil
}

func (s *desk) addJob(ctx context.Context, v Visitor, in JobRequest) (*jobReply, error) {
	owner, err := s.owner(ctx, v)
	if err != nil {
		return nil, err
	}
	seed := rand.Uint64() >> 11 // as large as JavaScript can tell
	if in.Seed != nil {
		seed = *in.Seed
	}
	work := jobs.Job{Verb: string(in.Verb), Game: in.Game, Args: in.Args, Seed: seed}
	if err := s.vetJob(ctx, work); err != nil {
		return nil, err
	}
	out := &jobReply{}
	if owner == "" {
		var cookie http.Cookie
		if owner, cookie, err = s.newcomer(ctx); err != nil {
			return nil, err
		}
		out.SetCookie = []http.Cookie{cookie}
	}
	j := &job{crew: s.crew, watchers: map[chan struct{}]struct{}{}}
	j.jobTitle = jobTitle{ID: newID(), Owner: owner, From: askerOf(ctx).address, Name: strings.TrimSpace(in.Name), Made: time.Now(), Job: work}
	j.State, j.Pace = jobQueued, in.Pace
	if err := s.crew.add(ctx, j); err != nil {
		return nil, s.crew.failed(err)
	}
	out.Body = j.view(owner)
	return out, nil
}

func (s *desk) listJobs(ctx context.Context, v Visitor, verb string) (*reply[JobList], error) {
	owner, err := s.owner(ctx, v)
	if err != nil {
		return nil, err
	}
	list := JobList{Jobs: []JobView{}}
	if owner == "" {
		return &reply[JobList]{list}, nil
	}
	docs, err := s.crew.store.Jobs(ctx, owner, jobsKept)
	if err != nil {
		return nil, s.failed(err, "")
	}
	for _, doc := range docs {
		var p jobPaper
		if err := json.Unmarshal(doc, &p); err != nil {
			return nil, s.failed(err, "")
		}
		if verb != "" && p.Verb != verb {
			continue
		}
		j, err := s.crew.job(ctx, p.ID) // one in hand knows more than the store
		if errors.Is(err, s.crew.errs.notFound) {
			continue // deleted just now
		}
		if err != nil {
			return nil, s.failed(err, "")
		}
		list.Jobs = append(list.Jobs, j.view(owner))
	}
	return &reply[JobList]{list}, nil
}

// view shows a job to a visitor.
func (j *job) view(owner string) JobView {
	j.mu.Lock()
	defer j.mu.Unlock()
	return JobView{ID: j.ID, Verb: j.Verb, Game: j.Game, Args: j.Args, Seed: j.Seed, Name: j.Name, Mine: j.Owner == owner,
		State: j.State, Error: j.Error, Made: j.Made, Ended: j.Ended, Pace: j.Pace,
		Done: j.Report.Done, Total: j.Report.Total, Line: j.Report.Line, Data: j.Report.Data,
		Files: slices.Clone(append([]JobFile{}, j.Files...)), Brains: append([]JobBrain{}, j.Brains...), Proof: j.Proof}
}

// pause stops a job so that it can go on.
func (c *crew) pause(j *job) error { return c.halt(j, errPaused, jobPaused) }

// cancel stops a job for good.
func (c *crew) cancel(j *job) error { return c.halt(j, errCancelled, jobCancelled) }

// halt stops a job, and returns when it has come to that state or to its end.
func (c *crew) halt(j *job, cause error, state string) error {
	<-j.stop(cause)
	c.leaveQueue(j)
	err := j.change(func(p *jobPaper) error {
		switch {
		case p.State == state:
		case over(p.State):
			return refuse(409, "the job is "+p.State+" already")
		case p.State == jobRunning: // its end could not be kept
			return refuse(503, "the server can't reach its store; nothing was changed")
		default:
			p.State = state
			if over(state) {
				now := time.Now()
				p.Ended = &now
			}
		}
		return nil
	})
	if err == nil && over(state) {
		c.forget(j)
		err = j.tidy()
	}
	return c.failed(err)
}

// goOn resumes a paused job.
func (c *crew) goOn(j *job) error {
	err := j.change(func(p *jobPaper) error {
		if p.State != jobPaused {
			return refuse(409, "the job is "+p.State+", not paused")
		}
		p.State = jobQueued
		return nil
	})
	if err == nil {
		c.enqueue(j)
	}
	return c.failed(err)
}

// drop deletes a job.
func (c *crew) drop(j *job) error {
	if !over(j.state()) {
		if err := c.cancel(j); err != nil && !over(j.state()) {
			return err
		}
	}
	return c.failed(c.store.DropJob(j.ID))
}

func (j *job) state() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.State
}
