package cluster

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

// publishStatus shows how the job goes.
func (s *stageRun) publishStatus(ctx context.Context) {
	s.mu.Lock()
	st := Status{ID: s.id, Stage: s.parts[0].Stage, Parts: len(s.parts), Done: len(s.parts) - s.left - len(s.aside),
		Queued: s.queued, Failed: len(s.aside)}
	reports := slices.Clone(s.reports)
	seconds := time.Since(s.began).Seconds()
	left, before := s.left, s.before
	s.mu.Unlock()
	if done := st.Done - before; done > 0 {
		st.Rate = float64(done) / seconds
		wait := float64(left) / st.Rate
		st.Left = &wait
	}
	s.w.mu.Lock()
	st.Full = s.w.storeFull
	s.w.mu.Unlock()
	if st.Full {
		st.Left = nil
	}
	st.Report = s.work.CombineReports(s.parts, reports)
	if data, err := json.Marshal(st); err == nil && len(data) < int(s.c.conn.MaxPayload())/2 {
		_, _ = s.c.live.Put(ctx, records.JobKey+s.id, data) // the next one is told in a second
	}
}

// Status returns how a running job goes; nil where nothing has been told lately.
func (c *Cluster) Status(ctx context.Context, id string) (*Status, error) {
	if !records.IsJobID(id) {
		return nil, records.ErrNoJob
	}
	e, err := c.live.Get(ctx, records.JobKey+id)
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
func (c *Cluster) Workers(ctx context.Context) ([]Worker, error) {
	list := []Worker{}
	err := c.eachLiveValue(ctx, workerKey+">", func(data []byte) {
		var o Worker
		if json.Unmarshal(data, &o) == nil {
			list = append(list, o)
		}
	})
	slices.SortFunc(list, func(a, b Worker) int {
		return cmp.Or(a.Since.Compare(b.Since), strings.Compare(a.ID, b.ID))
	})
	return list, err
}

// eachLiveValue reads what processes tell of themselves.
func (c *Cluster) eachLiveValue(ctx context.Context, keyPattern string, visit func([]byte)) error {
	s, err := c.js.Stream(ctx, "KV_"+broker.LiveBucket)
	if err != nil {
		return err
	}
	subjects, err := records.SubjectsOf(ctx, s, liveSubject(keyPattern))
	for subject := range subjects {
		m, err := s.GetLastMsgForSubject(ctx, subject)
		switch {
		case errors.Is(err, jetstream.ErrMsgNotFound): // it has just faded away
		case err != nil:
			return err
		case !records.IsDeletion(m):
			visit(m.Data)
		}
	}
	return err
}

// liveSubject is the subject of a key of what is told.
func liveSubject(key string) string { return "$KV." + broker.LiveBucket + "." + key }

// Queue says how much work there is, and what for.
type Queue struct {
	Waiting  map[string]uint64 `json:"waiting"`  // parts on the queue, by priority
	Underway map[string]int    `json:"underway"` // parts that workers have
	Bytes    uint64            `json:"bytes"`    // of outputs and files on the server
}

// Queue returns how long the queue is.
func (c *Cluster) Queue(ctx context.Context) (*Queue, error) {
	q := &Queue{Waiting: map[string]uint64{}, Underway: map[string]int{}}
	for _, name := range broker.Priorities() {
		cons, err := c.work.Consumer(ctx, name)
		if err != nil {
			return nil, err
		}
		info := cons.CachedInfo()
		q.Waiting[name], q.Underway[name] = info.NumPending, info.NumAckPending
	}
	for _, name := range []string{broker.DoneStream, blob.StreamName(broker.FileBucket)} {
		s, err := c.js.Stream(ctx, name)
		if err != nil {
			return nil, err
		}
		q.Bytes += s.CachedInfo().State.Bytes
	}
	return q, nil
}
