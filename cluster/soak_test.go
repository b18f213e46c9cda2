//go:build soak

package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"oxo/cluster/broker"
	"oxo/cluster/records"
	"oxo/lab/jobs"
)

// TestOrdeal kills workers and servers at random for minutes.
func TestOrdeal(t *testing.T) {
	for seed := range uint64(5) {
		ordeal(t, map[string]jobs.Job{
			"train": long(60, 60_000),
			"tournament": {Verb: "tournament", Game: "mnk:5,5,4",
				Args: json.RawMessage(`{"players":["mcts:sims=300","mcts:sims=100","heuristic","random"],"games":100,"openings":2}`), Seed: 8},
			"test":  someJobs()["test"],
			"solve": someJobs()["solve"],
			"prove": {Verb: "prove", Game: "mnk:5,5,4",
				Args: json.RawMessage(`{"split":true,"round":200,"searches":3,"memory":8000000}`)},
			"tune": {Verb: "tune", Game: "ttt", Args: json.RawMessage(`{"player":"mcts:sims=50,explore={c}","constants":[{"name":"c","start":0.1,"min":0.05,"max":3}],"iterations":30,"check":100}`), Seed: 3},
		}, 60, seed)
	}
}

// TestFresh reads records while others write them and servers are killed, the
// leader every time: none is missing, or older than what had been acknowledged
// before it was asked for.
func TestFresh(t *testing.T) {
	servers, url := threeServers(t)
	writer, reader := open(t, Config{URL: url, Heartbeat: time.Second}),
		open(t, Config{URL: url, Heartbeat: time.Second})
	const keys = 20
	var mu sync.Mutex
	var acknowledged [keys]uint64
	var reads, failed, stale int
	bucket := func(c *Cluster) jetstream.KeyValue {
		b, err := c.js.KeyValue(t.Context(), broker.JobsBucket)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	write, read := bucket(writer), bucket(reader)
	put := func(k int) error {
		revision, err := write.Put(t.Context(), fmt.Sprint(records.JobKey, "K", k), []byte(`{"state":"done"}`))
		mu.Lock()
		defer mu.Unlock()
		acknowledged[k] = max(acknowledged[k], revision)
		return err
	}
	for k := range keys {
		persist(t, func() error { return put(k) })
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var over sync.WaitGroup
	over.Go(func() {
		for n := 0; ctx.Err() == nil; n++ {
			_ = put(n % keys) // while servers choose a leader it fails
		}
	})
	for first := range 2 {
		over.Go(func() {
			for n := first; ctx.Err() == nil; n++ {
				k := n % keys
				mu.Lock()
				before := acknowledged[k]
				mu.Unlock()
				e, err := read.Get(ctx, fmt.Sprint(records.JobKey, "K", k))
				mu.Lock()
				switch reads++; {
				case errors.Is(err, jetstream.ErrKeyNotFound) || err == nil && e.Revision() < before:
					stale++
				case err != nil:
					failed++
				}
				mu.Unlock()
			}
		})
	}
	for range 6 {
		k := leader(t, writer)
		servers[k].kill()
		servers[k].start(t)
		servers[k].await(t)
		time.Sleep(500 * time.Millisecond)
	}
	stop()
	over.Wait()
	t.Logf("%d reads, of which %d got no answer", reads, failed)
	if stale > 0 || reads-failed < 1000 {
		t.Errorf("%d reads were stale", stale)
	}
}

// TestAThousandAudited has a thousand jobs, and a new liar at every fortieth.
func TestAThousandAudited(t *testing.T) { manyAudited(t, 1000) }
