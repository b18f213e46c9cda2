package cluster

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"oxo/cluster/broker"
	"oxo/cluster/records"
	"oxo/cluster/view"
	"oxo/lab/jobs"
)

// BenchmarkSmallParts carries out parts of two games each, 10,000 a job, through
// an embedded server with a worker of two slots.
func BenchmarkSmallParts(b *testing.B) {
	const parts = 10_000
	s, err := broker.Serve(broker.Config{Dir: b.TempDir(), Addr: "127.0.0.1:0"})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	c, err := Open(b.Context(), Config{Server: s, Version: "test"})
	if err != nil {
		b.Fatal(err)
	}
	defer c.Close()
	ctx, stop := context.WithCancel(b.Context())
	var over sync.WaitGroup
	over.Go(func() { c.Work(ctx, WorkOptions{Slots: 2}) })
	defer over.Wait()
	defer stop()
	j := jobs.Job{Verb: "match", Game: "ttt",
		Args: json.RawMessage(fmt.Sprintf(`{"players":["random","heuristic"],"games":%d,"chunk":2}`, 2*parts))}
	for b.Loop() {
		r, err := c.Submit(b.Context(), j, SubmitOptions{})
		if err != nil {
			b.Fatal(err)
		}
		if r, err = c.Watch(b.Context(), r.ID, func(*records.Record,
			*view.Status) {
		}); err != nil || r.State != records.Done {
			b.Fatal(r, err)
		}
	}
	b.ReportMetric(parts*float64(b.N)/b.Elapsed().Seconds(), "parts/s")
}

// BenchmarkLost kills the connection of the only worker that has a part and
// measures until another one has it, as a share of the heartbeat limit.
func BenchmarkLost(b *testing.B) {
	const limit = 2 * time.Second
	s, err := broker.Serve(broker.Config{Dir: b.TempDir(), Addr: "127.0.0.1:0"})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	c, err := Open(b.Context(), Config{Server: s, Version: "test", Heartbeat: limit})
	if err != nil {
		b.Fatal(err)
	}
	defer c.Close()
	worst := 0.0
	for b.Loop() {
		begun := make(chan bool, 1024)
		sub, err := c.conn.Subscribe("oxo.progress.>", func(*nats.Msg) { begun <- true })
		if err != nil {
			b.Fatal(err)
		}
		lead, stopLead := context.WithCancel(b.Context())
		var over sync.WaitGroup
		over.Go(func() { c.Work(lead, WorkOptions{LeadOnly: true}) })
		start := func() (*Cluster, context.CancelFunc) {
			k, err := Open(b.Context(), Config{URL: s.URL(), Version: "test"})
			if err != nil {
				b.Fatal(err)
			}
			ctx, stop := context.WithCancel(b.Context())
			over.Go(func() { k.Work(ctx, WorkOptions{Slots: 1}) })
			return k, stop
		}
		r, err := c.Submit(b.Context(), long(1, 1_000_000_000), SubmitOptions{})
		if err != nil {
			b.Fatal(err)
		}
		first, stopFirst := start()
		<-begun
		first.conn.Close() // without a word
		lost := time.Now()
		stopFirst()
		for len(begun) > 0 {
			<-begun
		}
		second, stopSecond := start()
		<-begun
		worst = max(worst, time.Since(lost).Seconds()/limit.Seconds())
		if _, err := c.Cancel(b.Context(), r.ID); err != nil {
			b.Fatal(err)
		}
		stopSecond()
		stopLead()
		over.Wait()
		first.Close()
		second.Close()
		sub.Unsubscribe()
	}
	b.ReportMetric(worst, "of-limit")
}
