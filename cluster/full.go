package cluster

import (
	"context"
	"errors"
	"slices"
	"strings"

	"oxo/cluster/broker"
	"oxo/cluster/records"
)

// ErrFull says that the server has no room for what is to be kept.
var ErrFull = errors.New("the server's store is full; cancel or remove jobs with oxo jobs, or start oxo serve with " +
	"a larger --cluster-store")

// explainFullStore is ErrFull where an error of the server says that, and else that error.
func explainFullStore(err error) error {
	if err != nil && (strings.Contains(err.Error(), "insufficient storage") ||
		strings.Contains(err.Error(), "maximum bytes") || strings.Contains(err.Error(), "resource")) {
		return ErrFull
	}
	return err
}

// isFull reports whether a process has outputs, or records, that the server has no room for.
func (o Worker) isFull() bool { return o.Trouble == ErrFull.Error() }

// noteFullStore tells once that processes find the server's store full, and once that none does any
// more. Who carries out parts tells by itself.
func (w *workerProcess) noteFullStore(processes []Worker) {
	full := slices.ContainsFunc(processes, Worker.isFull)
	w.mu.Lock()
	changed := full != w.storeFull
	w.storeFull = full
	w.mu.Unlock()
	switch {
	case !changed || w.o.Slots > 0:
	case full:
		w.o.Tell("jobs wait: " + ErrFull.Error())
	default:
		w.o.Tell("the server's store has room again")
	}
}

// cancelInFullStore ends a job where the store has no room for a record that says so: the job's
// outputs, which nobody will want, make room first.
func (c *Cluster) cancelInFullStore(ctx context.Context, id string) (*records.Record, error) {
	if c.role == broker.Administer {
		if err := c.purgeMessages(ctx, id); err != nil {
			return nil, err
		}
	}
	r, err := c.finishJob(ctx, id, func(r *records.Record) { r.State = records.Cancelled })
	return r, explainFullStore(err)
}
