package cluster

import (
	"context"
	"slices"

	"oxo/cluster/records"
)

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
func (c *Cluster) TakeSnapshot(ctx context.Context) (*Snapshot, error) {
	s := &Snapshot{Jobs: []JobView{}}
	var err error
	if s.Version, err = c.ReadVersion(ctx); err != nil {
		return nil, err
	}
	list, err := c.List(ctx)
	if err != nil {
		return nil, err
	}
	for _, r := range list {
		view := JobView{Record: r}
		if !r.State.Over() {
			if view.Status, err = c.Status(ctx, r.ID); err != nil {
				return nil, err
			}
		}
		s.Jobs = append(s.Jobs, view)
	}
	if s.Workers, err = c.Workers(ctx); err != nil {
		return nil, err
	}
	s.Full = slices.ContainsFunc(s.Workers, Worker.isFull)
	s.Queue, err = c.Queue(ctx)
	return s, err
}
