package cluster

import (
	"context"
	"os"
	"os/exec"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/nats-io/nats.go"
	"oxo/cluster/broker"
)

// TestLost has a worker that is lost in the middle of a part and sees, by a
// clock that only moves while everybody waits, that the part is carried out
// again within the heartbeat limit. It has a process of its own, as connections of a process have timers
// in common, and those of its clock are none for others.
func TestLost(t *testing.T) {
	t.Parallel()
	const alone = "OXO_TEST_LOST"
	if os.Getenv(alone) == "" {
		c := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestLost$", "-test.v")
		c.Env = append(os.Environ(), alone+"=1")
		said, err := c.CombinedOutput()
		if t.Logf("%s", said); err != nil {
			t.Error(err)
		}
		return
	}
	open(t, Config{Server: serve(t)}) // the clock that all stores of a process share begins outside the bubble
	synctest.Test(t, func(t *testing.T) {
		const limit = 8 * time.Second
		s, err := broker.Serve(broker.Config{Dir: t.TempDir()})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		c, err := Open(ctx, Config{Server: s, Version: "test", Heartbeat: limit})
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		var over sync.WaitGroup
		over.Go(func() { c.Work(ctx, WorkOptions{LeadOnly: true}) })
		r, err := c.Submit(ctx, someJobs()["prove"], SubmitOptions{})
		if err != nil {
			t.Fatal(err)
		}
		// This worker takes a part and renews its lease once.
		cons, err := c.work.Consumer(ctx, r.Priority)
		if err != nil {
			t.Fatal(err)
		}
		m, err := nextMessage(ctx, cons)
		if err != nil || m == nil {
			t.Fatal(m, err)
		}
		time.Sleep(limit / 2)
		if err := m.InProgress(); err != nil {
			t.Fatal(err)
		}
		if err := c.conn.Flush(); err != nil {
			t.Fatal(err)
		}
		lost := time.Now()
		_, at, _ := parseOrderSubject(m.Subject())
		done := make(chan bool, 8)
		if _, err := c.conn.Subscribe(at.doneSubject(r.ID, "*"), func(*nats.Msg) { done <- true }); err != nil {
			t.Fatal(err)
		}
		over.Go(func() { c.Work(ctx, WorkOptions{Slots: 1}) })
		<-done
		took := time.Since(lost)
		t.Logf("another worker has carried it out after %v of %v", took, limit)
		if took > limit {
			t.Errorf("the part was carried out after %v", took)
		}
		cancel()
		over.Wait()
	})
}
