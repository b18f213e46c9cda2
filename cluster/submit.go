package cluster

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nuid"
	"oxo/cluster/blob"
	"oxo/cluster/broker"
	"oxo/cluster/records"
	"oxo/cluster/view"
	"oxo/lab"
	"oxo/lab/jobs"
)

// SubmitOptions say how a job is to be carried out.
type SubmitOptions struct {
	Priority string // high, normal or low; empty is low for verbs that can take days and normal for the rest
	Audit    string // the share of the parts that are repeated, as 0.1; all, none, or empty for the usual one
}

// Submit gives a job to the cluster and returns its record.
// Files that the job's specs name are read here and sent along. What is wrong
// with a job is said here, and nothing of it is left on the server.
func (c *Cluster) Submit(ctx context.Context, j jobs.Job, o SubmitOptions) (r *records.Record, err error) {
	priority := o.Priority
	switch {
	case c.o.Look:
		return nil, errors.New("this connection only looks on")
	case priority == "":
		priority = broker.Normal
		if v, err := jobs.FindVerb(j.Verb); err == nil && v.Slow {
			priority = broker.Low
		}
	}
	if err := errors.Join(c.checkRight(broker.Submit, "submit jobs"), checkPriority(priority)); err != nil {
		return nil, err
	}
	share, err := records.ParseAuditShare(o.Audit)
	if err != nil {
		return nil, err
	}
	l, inputs := labRecordingReads(c.o.Lab)
	work, err := jobs.OpenJob(ctx, &l, j)
	if err != nil {
		return nil, err
	}
	id := nuid.Next()
	r = &records.Record{ID: id, Job: j, Priority: priority, Version: c.o.Version, State: records.Waiting,
		Created: time.Now().UTC(),
		Audit:   records.NewAudit(work, share)}
	defer func() {
		if err != nil {
			clean, cancel := context.WithTimeout(context.WithoutCancel(ctx), connectLimit)
			defer cancel()
			if err = fmt.Errorf("submit: %w", broker.ExplainFullStore(
				err)); c.role == broker.Administer { // else the sweep does it
				err = errors.Join(err, c.removeJob(clean, id))
			}
		}
	}()
	for path, data := range inputs {
		if r.Inputs == nil {
			r.Inputs = map[string]string{}
		}
		name := fmt.Sprintf("%s/in/%d", id, len(r.Inputs))
		if _, err := c.files.OwnedBy(broker.Given).Put(ctx, name, bytes.NewReader(data)); err != nil {
			return nil, err
		}
		r.Inputs[path] = name
	}
	if err := c.Create(ctx, r); err != nil {
		return nil, err
	}
	return r, c.requestCoordinator(ctx, r.ID)
}

// labRecordingReads returns a lab that writes no files, and what is read through it.
func labRecordingReads(l lab.Lab) (recording lab.Lab, inputs map[string][]byte) {
	recording, inputs = l, map[string][]byte{}
	recording.WriteFile = nil
	if read := recording.ReadFile; read != nil {
		recording.ReadFile = func(path string) ([]byte, error) {
			data, err := read(path)
			if err == nil {
				inputs[path] = data
			}
			return data, err
		}
	}
	return recording, inputs
}

// requestCoordinator puts a job on the queue of those that want a coordinator.
func (c *Cluster) requestCoordinator(ctx context.Context, id string) error {
	_, err := c.js.PublishMsg(ctx, nats.NewMsg("oxo.lead."+id))
	if alreadyQueued(err) {
		return nil
	}
	return broker.ExplainFullStore(err)
}

// RequestMissingCoordinators asks for coordinators of unfinished jobs that have none any more, as can happen
// where a machine lost power. It is called when a server begins.
func (c *Cluster) RequestMissingCoordinators(ctx context.Context) error {
	list, err := c.Unfinished(ctx)
	if err != nil {
		return err
	}
	for _, r := range list {
		if err := c.requestCoordinator(ctx, r.ID); err != nil {
			return err
		}
	}
	return nil
}

// Cancel ends a job. Workers drop its parts; nothing but its record stays.
func (c *Cluster) Cancel(ctx context.Context, id string) (*records.Record, error) {
	if err := c.checkRight(broker.Submit, "cancel jobs"); err != nil {
		return nil, err
	}
	r, err := c.finishJob(ctx, id, func(r *records.Record) { r.State = records.Cancelled })
	if errors.Is(broker.ExplainFullStore(err), broker.ErrFull) {
		r, err = cancelInFullStore(ctx, c, id)
	}
	if errors.Is(err, records.ErrOver) {
		return r, fmt.Errorf("job %s is %s already", id, r.State)
	}
	return r, err
}

// SetPriority changes a job's priority. Parts that are on the queue already keep
// theirs.
func (c *Cluster) SetPriority(ctx context.Context, id, priority string) (*records.Record, error) {
	if err := checkPriority(priority); err != nil {
		return nil, err
	}
	if err := c.checkRight(broker.Submit, "change priorities"); err != nil {
		return nil, err
	}
	r, err := c.UpdateUnfinished(ctx, id, func(r *records.Record) { r.Priority = priority })
	if errors.Is(err, records.ErrOver) {
		return r, fmt.Errorf("job %s is %s already", id, r.State)
	}
	return r, broker.ExplainFullStore(err)
}

// checkPriority refuses a priority that there is not.
func checkPriority(priority string) error {
	if !slices.Contains(broker.Priorities(), priority) {
		return fmt.Errorf("priority %q: there are %s", priority, strings.Join(broker.Priorities(), ", "))
	}
	return nil
}

// Retry takes up a job again that failed or was cancelled. Parts that were done
// are done again, as a failed job keeps none.
func (c *Cluster) Retry(ctx context.Context, id string) (*records.Record, error) {
	if err := c.checkRight(broker.Submit, "retry jobs"); err != nil {
		return nil, err
	}
	r, err := c.Update(ctx, id, func(r *records.Record) error {
		if r.State != records.Failed && r.State != records.Cancelled {
			return fmt.Errorf("job %s is %s; only one that failed or was cancelled can be tried again", id, r.State)
		}
		r.State, r.Ended, r.Error, r.FailedParts, r.Lead = records.Waiting, nil, "", nil, ""
		return nil
	})
	if err != nil {
		return nil, broker.ExplainFullStore(err)
	}
	return r, c.requestCoordinator(ctx, id)
}

// Remove forgets a job that is over, with its result.
func (c *Cluster) Remove(ctx context.Context, id string) error {
	if err := c.checkRight(broker.Administer, "remove jobs"); err != nil {
		return err
	}
	r, err := c.Job(ctx, id)
	if err != nil {
		return err
	}
	if !r.State.Over() {
		return fmt.Errorf("job %s is %s; cancel it first", id, r.State)
	}
	return c.removeJob(ctx, id)
}

// removeJob takes all that there is of a job off the server.
func (c *Cluster) removeJob(ctx context.Context, id string) error {
	return errors.Join(c.purgeMessages(ctx, id, allKinds...), c.deleteBlobBucket(ctx, id),
		c.removeFilesExcept(ctx, id+"/"),
		c.purgeOrRequestPurge(ctx, "KV_"+broker.JobsBucket, records.RecordSubject(records.JobKey+id), 0),
		c.purgeOrRequestPurge(ctx, "KV_"+broker.LiveBucket, view.Subject(records.JobKey+id), 0))
}

// removeIntermediatesOfEndedJob removes what a job that is over needs no longer: all but its record and
// its result, and the files it was given where it may be tried again. Who may not do so
// leaves it to who leads the job.
func (c *Cluster) removeIntermediatesOfEndedJob(ctx context.Context, r *records.Record) error {
	if c.role != broker.Administer {
		return nil
	}
	keep := []string{resultName(r.ID, r.Made, "")}
	if r.State != records.Done {
		keep = []string{r.ID + "/in/"}
	}
	return errors.Join(c.purgeMessages(ctx, r.ID, allKinds...), c.deleteBlobBucket(ctx, r.ID),
		c.removeFilesExcept(ctx, r.ID+"/", keep...),
		c.purgeOrRequestPurge(ctx, "KV_"+broker.LiveBucket, view.Subject(records.JobKey+r.ID), 0))
}

// allKinds are the kinds of what is kept of parts.
var allKinds = []string{"done", "mark", "fail"}

// purgeMessages removes a job's parts from the queue, and what is kept of them, of some kinds.
func (c *Cluster) purgeMessages(ctx context.Context, id string, kinds ...string) error {
	err := c.work.Purge(ctx, jetstream.WithPurgeSubject("oxo.part.*."+id+".>"))
	for _, kind := range kinds {
		err = errors.Join(err, c.done.Purge(ctx, jetstream.WithPurgeSubject("oxo."+kind+"."+id+".>")))
	}
	return err
}

// removeFilesExcept removes the objects whose names begin with prefix, but not those
// that begin with one to keep.
func (c *Cluster) removeFilesExcept(ctx context.Context, prefix string, keepPrefixes ...string) error {
	list, err := c.files.List(ctx, prefix)
	if err != nil {
		return err
	}
	for _, f := range list {
		if slices.ContainsFunc(keepPrefixes, func(k string) bool { return strings.HasPrefix(f.Name, k) }) {
			continue
		}
		if err := c.files.OwnedBy(f.Owner).Remove(ctx, f.Name); err != nil {
			return err
		}
	}
	return nil
}

// Result returns the result of a job that is done.
func (c *Cluster) Result(ctx context.Context, id string) (json.RawMessage, error) {
	f, err := c.OpenResultFile(ctx, id, resultFile)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}

// OpenResultFile opens a file of the result of a job that is done.
func (c *Cluster) OpenResultFile(ctx context.Context, id, name string) (io.ReadCloser, error) {
	r, err := c.Job(ctx, id)
	switch {
	case err != nil:
		return nil, err
	case r.State == records.Failed:
		return nil, fmt.Errorf("job %s failed: %s", id, r.Error)
	case r.State != records.Done:
		return nil, fmt.Errorf("job %s is %s; it has no result", id, r.State)
	}
	f, _, err := c.files.Open(ctx, resultName(id, r.Made, name))
	if errors.Is(err, blob.ErrNotFound) {
		return nil, fmt.Errorf("job %s has no file %q", id, name)
	}
	return f, err
}

// statusEvery is how often a job that is watched is asked how it goes.
const statusEvery = time.Second

// Watch calls tell with the job's record and status whenever they change, until
// the job is over, and returns the record then.
func (c *Cluster) Watch(ctx context.Context, id string, tell func(*records.Record, *view.Status)) (
	*records.Record, error) {
	if _, err := c.Job(ctx, id); err != nil {
		return nil, err
	}
	tick := time.Tick(statusEvery)
	var last *view.Status
	for {
		r, changed := c.Latest(id)
		if r != nil {
			tell(r, last)
			if r.State.Over() {
				return r, nil
			}
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-changed:
		case <-tick:
			if _, err := c.Job(ctx, id); errors.Is(err, records.ErrNoJob) { // it was removed
				return nil, err
			}
			if s, err := c.Status(ctx, id); err == nil && s != nil {
				last = s
			}
		}
	}
}
