package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"oxo/cluster/blob"
	"oxo/lab/jobs"
)

// State says how a job stands.
type State string

// The states of a job.
const (
	Waiting   State = "waiting" // until somebody leads it
	Running   State = "running"
	Done      State = "done"
	Failed    State = "failed"
	Cancelled State = "cancelled"
)

// Over reports whether nothing more happens.
func (s State) Over() bool { return s == Done || s == Failed || s == Cancelled }

// Record is what the cluster knows of a job for good.
type Record struct {
	ID       string            `json:"id"`
	Job      jobs.Job          `json:"job"`
	Priority string            `json:"priority"`
	Version  string            `json:"version"`
	Inputs   map[string]string `json:"inputs,omitempty"` // the objects of files that specs name
	State    State             `json:"state"`
	Created  time.Time         `json:"created"`
	Ended    *time.Time        `json:"ended,omitempty"`
	Lead     string            `json:"lead,omitempty"` // the try to lead it
	Made     string            `json:"made,omitempty"` // by which of them the result was made
	Error    string            `json:"error,omitempty"`
	Aside    []Aside           `json:"aside,omitempty"` // parts that could not be carried out
	Files    []File            `json:"files,omitempty"` // of the result

	revision uint64 // of the record, which grows
}

// Aside is a part that failed on several workers.
type Aside struct {
	Stage int    `json:"stage"`
	Index int    `json:"index"`
	Name  string `json:"name"`
	Error string `json:"error"`
}

// File is a file of a job's result.
type File = blob.Info

const jobKey = "job."

// watchRecords keeps the records of all jobs at hand.
func (c *Cluster) watchRecords(ctx context.Context) error {
	w, err := c.jobs.Watch(context.WithoutCancel(ctx), jobKey+"*")
	if err != nil {
		return err
	}
	c.watcher = w
	c.over.Go(func() {
		for e := range w.Updates() {
			if e == nil {
				continue // all that there was has been seen
			}
			c.see(e)
		}
	})
	return nil
}

// see takes down a record.
func (c *Cluster) see(e jetstream.KeyValueEntry) {
	id := strings.TrimPrefix(e.Key(), jobKey)
	var r *Record
	if e.Operation() == jetstream.KeyValuePut {
		r = &Record{}
		if json.Unmarshal(e.Value(), r) != nil {
			return
		}
		r.revision = e.Revision()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.records[id] = r
	close(c.seen)
	c.seen = make(chan struct{})
}

// known returns the latest record that has been seen, and a channel that is
// closed when one changes.
func (c *Cluster) known(id string) (*Record, <-chan struct{}) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.records[id], c.seen
}

// ended reports whether a job is known to be over or removed.
func (c *Cluster) ended(id string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	r, seen := c.records[id]
	return seen && (r == nil || r.State.Over())
}

// ErrNoJob is returned, wrapped, for a job that the cluster has not.
var ErrNoJob = errors.New("there is no such job")

// Job returns a job's record.
func (c *Cluster) Job(ctx context.Context, id string) (*Record, error) {
	r, _, err := c.record(ctx, id)
	return r, err
}

func (c *Cluster) record(ctx context.Context, id string) (*Record, uint64, error) {
	if !plainID(id) {
		return nil, 0, fmt.Errorf("job %q: %w", id, ErrNoJob)
	}
	e, err := c.jobs.Get(ctx, jobKey+id)
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		return nil, 0, fmt.Errorf("job %q: %w", id, ErrNoJob)
	}
	if err != nil {
		return nil, 0, err
	}
	var r Record
	if err := json.Unmarshal(e.Value(), &r); err != nil {
		return nil, 0, fmt.Errorf("job %s: its record: %w", id, err)
	}
	return &r, e.Revision(), nil
}

// plainID reports whether text can be a job's name.
func plainID(id string) bool {
	return id != "" && !strings.ContainsFunc(id, func(r rune) bool {
		return (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	})
}

// errOver ends a change of a job that is over.
var errOver = errors.New("the job is over")

// update changes a job's record, as often as it takes.
func (c *Cluster) update(ctx context.Context, id string, change func(*Record) error) (*Record, error) {
	for {
		r, revision, err := c.record(ctx, id)
		if err != nil {
			return nil, err
		}
		if err := change(r); err != nil {
			return r, err
		}
		data, err := json.Marshal(r)
		if err != nil {
			return nil, err
		}
		r.revision, err = c.jobs.Update(ctx, jobKey+id, data, revision)
		if err == nil {
			return r, nil
		}
		if !errors.Is(err, jetstream.ErrKeyExists) && !errors.Is(err, jetstream.ErrKeyRevisionMismatch) {
			return nil, err
		}
	}
}

// List lists the jobs, the latest first.
func (c *Cluster) List(ctx context.Context) ([]*Record, error) {
	w, err := c.jobs.Watch(ctx, jobKey+"*", jetstream.IgnoreDeletes())
	if err != nil {
		return nil, err
	}
	defer w.Stop()
	list := []*Record{}
	for {
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case e, open := <-w.Updates():
			if !open {
				return nil, errors.New("the connection was closed")
			}
			if e == nil {
				slices.SortFunc(list, func(a, b *Record) int {
					if n := b.Created.Compare(a.Created); n != 0 {
						return n
					}
					return strings.Compare(a.ID, b.ID)
				})
				return list, nil
			}
			var r Record
			if json.Unmarshal(e.Value(), &r) == nil {
				list = append(list, &r)
			}
		}
	}
}
