package cluster

import (
	"context"
	"slices"

	"oxo/cluster/broker"
	"oxo/cluster/records"
	"oxo/cluster/view"
)

// noteFullStore tells once that processes find the server's store full, and once that none does any
// more. Who carries out parts tells by itself.
func (w *workerProcess) noteFullStore(processes []view.Worker) {
	full := slices.ContainsFunc(processes, view.Worker.IsFull)
	changed := w.storeFull.Swap(full) != full
	switch {
	case !changed || w.o.Slots > 0:
	case full:
		w.o.Tell("jobs wait: " + broker.ErrFull.Error())
	default:
		w.o.Tell("the server's store has room again")
	}
}

// cancelInFullStore ends a job where the store has no room for a record that says so: the job's
// outputs, which nobody will want, make room first.
func cancelInFullStore(ctx context.Context, c *Cluster, id string) (*records.Record, error) {
	if c.role == broker.Administer {
		if err := c.purgeMessages(ctx, id, allKinds...); err != nil {
			return nil, err
		}
	}
	r, err := c.finishJob(ctx, id, func(r *records.Record) { r.State = records.Cancelled })
	return r, broker.ExplainFullStore(err)
}
