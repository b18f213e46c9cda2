// Package monitor shows a cluster to the studio's server, and its numbers to Prometheus.
package monitor

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"oxo/cluster"
	"oxo/cluster/broker"
	"oxo/cluster/records"
)

// The numbers that are told to Prometheus.
var (
	upDesc      = prometheus.NewDesc("oxo_cluster_up", "Whether the cluster's server answers.", nil, nil)
	waitingDesc = prometheus.NewDesc("oxo_cluster_parts_waiting", "Parts of jobs on the queue.", []string{"priority"},
		nil)
	underwayDesc = prometheus.NewDesc("oxo_cluster_parts_underway", "Parts of jobs that workers have.",
		[]string{"priority"}, nil)
	bytesDesc   = prometheus.NewDesc("oxo_cluster_stored_bytes", "Outputs and files on the server.", nil, nil)
	workersDesc = prometheus.NewDesc("oxo_cluster_workers", "Workers alive.", nil, nil)
	slotsDesc   = prometheus.NewDesc("oxo_cluster_slots", "Parts that all workers can carry out at once.", nil, nil)
	partsDesc   = prometheus.NewDesc("oxo_cluster_parts_total", "Parts that the workers alive have carried out.", nil,
		nil)
	failedDesc = prometheus.NewDesc("oxo_cluster_parts_failed_total", "Parts that failed on the workers alive.", nil,
		nil)
	jobsDesc = prometheus.NewDesc("oxo_cluster_jobs", "Jobs by state.", []string{"state"}, nil)
	doneDesc = prometheus.NewDesc("oxo_cluster_job_parts_done", "Parts done of a running job's stage.",
		[]string{"job"}, nil)
	totalDesc = prometheus.NewDesc("oxo_cluster_job_parts", "Parts of a running job's stage.", []string{"job"}, nil)
	rateDesc  = prometheus.NewDesc("oxo_cluster_job_parts_rate", "Parts of a running job done a second.",
		[]string{"job"}, nil)
	leftDesc = prometheus.NewDesc("oxo_cluster_job_left_seconds", "Seconds to the end of a running job's stage.",
		[]string{"job"}, nil)
)

// Collector is a cluster as the studio has it: a collector of Prometheus, and what
// can be seen and ended.
type Collector struct{ *cluster.Cluster }

// Snapshot is Look for those who only write it as JSON.
func (c Collector) Snapshot(ctx context.Context) (any, error) { return c.TakeSnapshot(ctx) }

// End is Cancel for those who need no record.
func (c Collector) End(ctx context.Context, id string) error {
	_, err := c.Cancel(ctx, id)
	return err
}

// Describe lists the numbers.
func (c Collector) Describe(ch chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{upDesc, waitingDesc, underwayDesc, bytesDesc, workersDesc, slotsDesc,
		partsDesc, failedDesc, jobsDesc, doneDesc, totalDesc, rateDesc, leftDesc} {
		ch <- d
	}
}

// collectLimit is how long the server is asked for numbers.
const collectLimit = 3 * time.Second

// Collect tells the numbers; only that it is down where the server is.
func (c Collector) Collect(ch chan<- prometheus.Metric) {
	gauge := func(d *prometheus.Desc, value float64, labels ...string) {
		ch <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value, labels...)
	}
	ctx, cancel := context.WithTimeout(context.Background(), collectLimit)
	defer cancel()
	s, err := c.TakeSnapshot(ctx)
	if err != nil {
		gauge(upDesc, 0)
		return
	}
	gauge(upDesc, 1)
	for _, p := range broker.Priorities() {
		gauge(waitingDesc, float64(s.Queue.Waiting[p]), p)
		gauge(underwayDesc, float64(s.Queue.Underway[p]), p)
	}
	gauge(bytesDesc, float64(s.Queue.Bytes))
	workers, slots, parts, failed := 0, 0, uint64(0), uint64(0)
	for _, w := range s.Workers {
		if w.Slots > 0 {
			workers++
		}
		slots += w.Slots
		parts += w.Parts
		failed += w.Failed
	}
	gauge(workersDesc, float64(workers))
	gauge(slotsDesc, float64(slots))
	gauge(partsDesc, float64(parts))
	gauge(failedDesc, float64(failed))
	states := map[records.JobState]int{records.Waiting: 0, records.Running: 0, records.Done: 0, records.Failed: 0,
		records.Cancelled: 0}
	for _, j := range s.Jobs {
		states[j.State]++
		if j.Status == nil {
			continue
		}
		gauge(doneDesc, float64(j.Status.Done), j.ID)
		gauge(totalDesc, float64(j.Status.Parts), j.ID)
		gauge(rateDesc, j.Status.Rate, j.ID)
		if j.Status.Left != nil {
			gauge(leftDesc, *j.Status.Left, j.ID)
		}
	}
	for state, n := range states {
		gauge(jobsDesc, float64(n), string(state))
	}
}
