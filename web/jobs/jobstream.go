package jobs

import (
	"context"
	"encoding/json"
	"net/http"
	"strconv"
	"time"

	"oxo/web/service"

	"github.com/danielgtaylor/huma/v2"
)

// JobEvent is a line of a job's stream.
// Of job and points it has the one that the type names.
type JobEvent struct {
	Type   string          `json:"type" enum:"job,points"`
	Job    *JobView        `json:"job,omitempty"`
	Points json.RawMessage `json:"points,omitempty" doc:"what a training has measured: names the first time, and for each run games and values"`
}

// linesAtOnce is how many lines are read from the store at a time.
const linesAtOnce = 64

// registerStream registers the stream of a job.
func (s *jobsAPI) registerStream() {
	o := jobOp(http.MethodGet, "/jobs/{id}/stream", "stream-job", "Follow a job",
		"The job now and after each change, at most five times a second; of a training first all points, then new "+
			"ones. Who connects again and says the last event's id is sent those after it. "+
			"Every 7 s without a line an empty one, or a comment. The last line says that the job is over.")
	huma.Register(s.API, service.DescribeStream[JobEvent](s.API, o), func(ctx context.Context, in *struct {
		JobPath
		service.StreamQuery
		After int    `query:"after" minimum:"0" doc:"the id of the last event that is known"`
		Last  string `header:"Last-Event-ID" maxLength:"20"`
	}) (*huma.StreamResponse, error) {
		in.Auth = in.StreamQuery.WithKey(in.Auth)
		j, owner, err := s.findJob(ctx, in.JobPath)
		if err != nil {
			return nil, err
		}
		if n, err := strconv.Atoi(in.Last); err == nil && in.After == 0 {
			in.After = n
		}
		return s.RespondWithStream(ctx, in.Format, func(ctx context.Context, x *service.Stream) {
			s.streamJob(ctx, x, j, owner, in.After)
		})
	})
}

// jobPace is the least time between two lines about how a job goes.
const jobPace = 200 * time.Millisecond

// streamJob writes a job's lines until it is over, the reader has gone or the server closes. A line of
// points and one of the job alternate; the last line says that the job is over.
// The number of the last points that the reader has is after, 0 for none; it is the id of each event, so that a
// reader who connects again can say it.
func (s *jobsAPI) streamJob(ctx context.Context, x *service.Stream, j *Job, owner string, after int) {
	changes, leave := j.watchers.Watch()
	defer leave()
	valid := func() bool { return !s.IsAddressBanned(ctx) }
	for {
		line := j.viewFor(owner) // before the points, so that all are sent when it is over
		var ok bool
		if after, ok = s.sendPoints(ctx, x, j, after); !ok ||
			x.Send("job", after, JobEvent{Type: "job", Job: &line}) != nil || Over(line.State) {
			return
		}
		if _, ok = service.AwaitChange(ctx, s.Base, x, time.After(jobPace), valid); ok {
			_, ok = service.AwaitChange(ctx, s.Base, x, changes, valid)
		}
		if !ok {
			return
		}
	}
}

// sendPoints sends the points after a number, and returns that of the last. They are read from the
// store in batches, so that a long training costs little memory.
// It returns false where the stream is to end: the reader has gone, or the store fails.
func (s *jobsAPI) sendPoints(ctx context.Context, x *service.Stream, j *Job, after int) (last int, open bool) {
	for {
		seqs, lines, err := s.Store.Lines(ctx, j.ID, after, linesAtOnce)
		if err != nil {
			s.Log.Error("store", "reason", err)
			return after, false
		}
		for i, line := range lines {
			if x.Send("points", seqs[i], JobEvent{Type: "points", Points: line}) != nil {
				return after, false
			}
			after = seqs[i]
		}
		if len(lines) < linesAtOnce {
			return after, true
		}
	}
}
