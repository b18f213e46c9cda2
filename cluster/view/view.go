// Package view is what the processes of a cluster tell of themselves and of the jobs under way, and how
// long its queue is: what can be seen of a cluster, with what it keeps for good.
package view

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"oxo/cluster/blob"
	"oxo/cluster/broker"
	"oxo/cluster/records"
	"oxo/lab/jobs"
)

// View is what can be seen of a cluster.
type View struct {
	js      jetstream.JetStream
	told    jetstream.KeyValue
	records *records.Store
}

// New is the view of the cluster of a server whose records are those.
func New(ctx context.Context, js jetstream.JetStream, of *records.Store) (*View, error) {
	told, err := js.KeyValue(ctx, broker.LiveBucket)
	return &View{js, told, of}, err
}

// Worker is a process that works for the cluster.
type Worker struct {
	ID      string    `json:"id"`
	Signs   string    `json:"signs"` // the name under which its outputs are
	Host    string    `json:"host"`
	Name    string    `json:"name,omitempty"` // of its key, or of its server among several
	Version string    `json:"version"`
	Slots   int       `json:"slots"`
	Since   time.Time `json:"since"`
	Parts   uint64    `json:"parts"`  // carried out
	Failed  uint64    `json:"failed"` // parts that ended in errors
	Busy    float64   `json:"busy"`   // seconds in parts
	Doing   []string  `json:"doing"`  // a few of the parts under way
	Trouble string    `json:"trouble,omitempty"`
}

// Title is how lists call a process: its machine, and its name beside that.
func (o Worker) Title() string {
	if o.Name == "" {
		return o.Host
	}
	return o.Host + " (" + o.Name + ")"
}

const workerKey = "worker."

// Key is where a process tells of itself.
func (o Worker) Key() string { return workerKey + o.Signs + "." + o.ID }

// IsFull reports whether a process has outputs, or records, that the server has no room for.
func (o Worker) IsFull() bool { return o.Trouble == broker.ErrFull.Error() }

// Status says how a running job goes, as its coordinator tells it every second or so.
type Status struct {
	ID     string      `json:"id"`
	Stage  int         `json:"stage"`
	Parts  int         `json:"parts"`  // of the stage
	Done   int         `json:"done"`   // of them
	Queued int         `json:"queued"` // on the queue or under way
	Failed int         `json:"aside"`  // set aside, as they failed
	Rate   float64     `json:"rate"`   // parts a second, over the stage
	Left   *float64    `json:"left"`   // seconds to the end of the stage; null while it is not known
	Full   bool        `json:"full"`   // it waits, as the server's store is full
	Report jobs.Report `json:"report"`
}

// Status returns how a running job goes; nil where nothing has been told lately.
func (v *View) Status(ctx context.Context, id string) (*Status, error) {
	if !records.IsJobID(id) {
		return nil, records.ErrNoJob
	}
	e, err := v.told.Get(ctx, records.JobKey+id)
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var s Status
	return &s, json.Unmarshal(e.Value(), &s)
}

// Workers lists the processes that work for the cluster, in the order in which
// they began.
func (v *View) Workers(ctx context.Context) ([]Worker, error) {
	list := []Worker{}
	s, err := v.js.Stream(ctx, "KV_"+broker.LiveBucket)
	if err != nil {
		return list, err
	}
	subjects, err := records.SubjectsOf(ctx, s, Subject(workerKey+">"))
	for subject := range subjects {
		var o Worker
		m, err := s.GetLastMsgForSubject(ctx, subject)
		switch {
		case errors.Is(err, jetstream.ErrMsgNotFound): // it has just faded away
		case err != nil:
			return list, err
		case !records.IsDeletion(m) && json.Unmarshal(m.Data, &o) == nil:
			list = append(list, o)
		}
	}
	slices.SortFunc(list, func(a, b Worker) int {
		return cmp.Or(a.Since.Compare(b.Since), strings.Compare(a.ID, b.ID))
	})
	return list, err
}

// Subject is that of a key of what is told.
func Subject(key string) string { return "$KV." + broker.LiveBucket + "." + key }

// Queue says how much work there is, and what for.
type Queue struct {
	Waiting  map[string]uint64 `json:"waiting"`  // parts on the queue, by priority
	Underway map[string]int    `json:"underway"` // parts that workers have
	Bytes    uint64            `json:"bytes"`    // of outputs and files on the server
}

// Queue returns how long the queue is.
func (v *View) Queue(ctx context.Context) (*Queue, error) {
	q := &Queue{Waiting: map[string]uint64{}, Underway: map[string]int{}}
	for _, name := range broker.Priorities() {
		cons, err := v.js.Consumer(ctx, broker.WorkStream, name)
		if err != nil {
			return nil, err
		}
		info := cons.CachedInfo()
		q.Waiting[name], q.Underway[name] = info.NumPending, info.NumAckPending
	}
	for _, name := range []string{broker.DoneStream, blob.StreamName(broker.FileBucket)} {
		s, err := v.js.Stream(ctx, name)
		if err != nil {
			return nil, err
		}
		q.Bytes += s.CachedInfo().State.Bytes
	}
	return q, nil
}

// Snapshot is all there is to see at one time.
type Snapshot struct {
	Version string    `json:"version"`
	Jobs    []JobView `json:"jobs"`
	Workers []Worker  `json:"workers"`
	Queue   *Queue    `json:"queue"`
	Full    bool      `json:"full"` // processes say that the server's store is full
}

// JobView is a job's record with how it goes, where it does.
type JobView struct {
	*records.Record
	Status *Status `json:"status,omitempty"`
}

// TakeSnapshot returns a snapshot. Each part of it is asked for by itself, so that they may differ by
// a moment.
func (v *View) TakeSnapshot(ctx context.Context) (*Snapshot, error) {
	s := &Snapshot{Jobs: []JobView{}}
	var err error
	if s.Version, err = v.records.ReadVersion(ctx); err != nil {
		return nil, err
	}
	list, err := v.records.List(ctx)
	if err != nil {
		return nil, err
	}
	for _, r := range list {
		view := JobView{Record: r}
		if !r.State.Over() {
			if view.Status, err = v.Status(ctx, r.ID); err != nil {
				return nil, err
			}
		}
		s.Jobs = append(s.Jobs, view)
	}
	if s.Workers, err = v.Workers(ctx); err != nil {
		return nil, err
	}
	s.Full = slices.ContainsFunc(s.Workers, Worker.IsFull)
	s.Queue, err = v.Queue(ctx)
	return s, err
}
