// Package monitor shows a cluster to the studio's server, and its numbers to Prometheus.
package monitor

import (
	"context"
	"time"

	"oxo/cluster"
	"oxo/cluster/broker"
	"oxo/cluster/records"
)

// Collector is a cluster as the studio has it: its numbers, and what
// can be seen and ended.
type Collector struct{ *cluster.Cluster }

// Snapshot is Look for those who only write it as JSON.
func (c Collector) Snapshot(ctx context.Context) (any, error) { return c.TakeSnapshot(ctx) }

// End is Cancel for those who need no record.
func (c Collector) End(ctx context.Context, id string) error {
	_, err := c.Cancel(ctx, id)
	return err
}

// collectLimit is how long the server is asked for numbers.
const collectLimit = 3 * time.Second

// Measure tells the numbers; only that it is down where the server is. A label is its name and its value.
func (c Collector) Measure(tell func(name, help string, value float64, label ...string)) {
	gauge := func(name, help string, value float64, label ...string) {
		tell("oxo_cluster_"+name, help, value, label...)
	}
	ctx, cancel := context.WithTimeout(context.Background(), collectLimit)
	defer cancel()
	s, err := c.TakeSnapshot(ctx)
	if err != nil {
		gauge("up", answers, 0)
		return
	}
	gauge("up", answers, 1)
	for _, p := range broker.Priorities() {
		gauge("parts_waiting", "Parts of jobs on the queue.", float64(s.Queue.Waiting[p]), "priority", p)
		gauge("parts_underway", "Parts of jobs that workers have.", float64(s.Queue.Underway[p]), "priority", p)
	}
	gauge("stored_bytes", "Outputs and files on the server.", float64(s.Queue.Bytes))
	full := 0.0
	if s.Full {
		full = 1
	}
	gauge("full", "Whether processes say that the server's store is full.", full)
	workers, slots, parts, failed := 0, 0, uint64(0), uint64(0)
	for _, w := range s.Workers {
		if w.Slots > 0 {
			workers++
		}
		slots += w.Slots
		parts += w.Parts
		failed += w.Failed
	}
	gauge("workers", "Workers alive.", float64(workers))
	gauge("slots", "Parts that all workers can carry out at once.", float64(slots))
	gauge("parts_total", "Parts that the workers alive have carried out.", float64(parts))
	gauge("parts_failed_total", "Parts that failed on the workers alive.", float64(failed))
	states := map[records.JobState]int{records.Waiting: 0, records.Running: 0, records.Done: 0, records.Failed: 0,
		records.Cancelled: 0}
	for _, j := range s.Jobs {
		states[j.State]++
		if j.Status == nil {
			continue
		}
		gauge("job_parts_done", "Parts done of a running job's stage.", float64(j.Status.Done), "job", j.ID)
		gauge("job_parts", "Parts of a running job's stage.", float64(j.Status.Parts), "job", j.ID)
		gauge("job_parts_rate", "Parts of a running job done a second.", j.Status.Rate, "job", j.ID)
		if j.Status.Left != nil {
			gauge("job_left_seconds", "Seconds to the end of a running job's stage.", *j.Status.Left, "job", j.ID)
		}
	}
	for state, n := range states {
		gauge("jobs", "Jobs by state.", float64(n), "state", string(state))
	}
}

// answers is the help of the number that is 1 while the server answers.
const answers = "Whether the cluster's server answers."
