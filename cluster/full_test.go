package cluster

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"oxo/cluster/blob"
	"oxo/cluster/broker"
	"oxo/cluster/records"
	"oxo/lab"
	"oxo/lab/jobs"
)

// TestFull fills the server's store, sees that nothing can be submitted and
// nothing is left of what could not, and that a job under way waits until there
// is room again.
func TestFull(t *testing.T) {
	t.Parallel()
	s := serve(t)
	read := func(string) ([]byte, error) { return bytes.Repeat([]byte("x"), 900<<10), nil }
	c := open(t, Config{Server: s, Lab: lab.Lab{ReadFile: read}})
	for _, name := range []string{broker.DoneStream, blob.StreamName(broker.FileBucket)} {
		stream, err := c.js.Stream(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		config := stream.CachedInfo().Config
		config.MaxBytes = 2 << 20
		if _, err := c.js.UpdateStream(t.Context(), config); err != nil {
			t.Fatal(err)
		}
	}
	j := someJobs()["train"]
	id := submit(t, c, j, "")
	// Ballast fills the stream of outputs and the files.
	ballast := bytes.Repeat([]byte("ballast!"), 1<<13)
	filled := 0
	for {
		if _, err := c.js.Publish(t.Context(), partSubject("done", "ballast", 0, filled),
			append(random(filled), ballast...)); err != nil {
			break
		}
		if filled++; filled > 1000 {
			t.Fatal("the stream does not get full")
		}
	}
	work(t, open(t, Config{URL: s.URL()}), WorkOptions{Slots: 1})
	for limit := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
		list, err := c.Workers(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if len(list) > 0 && list[0].Trouble != "" {
			break
		}
		if time.Now().After(limit) {
			t.Fatalf("no worker is in trouble: %+v", list)
		}
	}
	if r, err := c.Job(t.Context(), id); err != nil || r.State.Over() {
		t.Fatalf("the job ended on a full store: %+v %v", r, err)
	}
	if err := c.done.Purge(t.Context(), jetstream.WithPurgeSubject("oxo.done.ballast.>")); err != nil {
		t.Fatal(err)
	}
	sameResult(t, c, id, alone(t, j))

	before, err := c.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.files.Put(t.Context(), "ballast", bytes.NewReader(random(2<<20-200<<10))); err != nil {
		t.Fatal(err)
	}
	given := jobs.Job{Verb: "match", Game: "file:x", Args: json.RawMessage(`{"players":["random","heuristic"]}`)}
	c.o.Lab.ReadFile = func(string) ([]byte, error) {
		return append([]byte(`{"name":"x","squares":3,"winning":[[1,2,3]]}`), bytes.Repeat([]byte(" "), 900<<10)...), nil
	}
	if _, err := c.Submit(t.Context(), given, SubmitOptions{}); err == nil || !strings.Contains(err.Error(), "full") {
		t.Errorf("submitted on a full store: %v", err)
	}
	after, err := c.List(t.Context())
	if err != nil || len(after) != len(before) {
		t.Errorf("%d jobs, %d before: %v", len(after), len(before), err)
	}
}

// TestFullServer fills a server with the outputs of a job, and sees that who leads tells of it once, that
// the job says that it waits, that it can be cancelled all the same, and that then there is room again.
func TestFullServer(t *testing.T) {
	t.Parallel()
	s, err := broker.Serve(broker.Config{Dir: t.TempDir(), Addr: "127.0.0.1:0", MaxStore: 2 << 20})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	c := open(t, Config{Server: s})
	told := make(chan string, 64)
	work(t, c, WorkOptions{LeadOnly: true, Tell: func(line string) { told <- line }})
	id := submit(t, c, endless(), "")
	persist(t, func() error {
		if st, err := c.Status(t.Context(), id); err != nil || st == nil {
			return fmt.Errorf("no status, %v", err)
		}
		return nil
	})
	for n := range 1000 {
		if _, err := c.js.Publish(t.Context(), partSubject("mark", id, 9, n), random(8<<10)); err != nil {
			if broker.ExplainFullStore(err) != broker.ErrFull {
				t.Fatal(err)
			}
			break
		}
	}
	w := open(t, Config{URL: s.URL()})
	of := w.newWorker(WorkOptions{Slots: 1})
	of.noteStoreError(broker.ExplainFullStore(errors.New("insufficient resources")))
	if err := of.publishOwnStatus(t.Context()); err != nil {
		t.Fatal(err)
	}
	if line := <-told; !strings.Contains(line, "--cluster-store") {
		t.Error(line)
	}
	persist(t, func() error {
		s, err := c.TakeSnapshot(t.Context())
		if err == nil && (!s.Full || s.Jobs[0].Status == nil || !s.Jobs[0].Status.Full) {
			err = fmt.Errorf("%+v does not say that the store is full", s)
		}
		return err
	})
	if err := open(t, Config{Server: s}).RequestMissingCoordinators(t.Context()); !errors.Is(err, broker.ErrFull) {
		t.Errorf("a coordinator is asked for: %v", err)
	}
	if r, err := c.Cancel(t.Context(), id); err != nil || r.State != records.Cancelled {
		t.Errorf("cancelled: %+v %v", r, err)
	}
	if err := c.Remove(t.Context(), id); err != nil {
		t.Error(err)
	}
	j := someJobs()["tournament"]
	work(t, w, WorkOptions{Slots: 1})
	sameResult(t, c, submit(t, c, j, ""), alone(t, j))
	for len(told) > 0 {
		if line := <-told; strings.Contains(line, "--cluster-store") {
			t.Errorf("it is told again: %s", line)
		}
	}
}

// random returns bytes that do not compress.
func random(n int) []byte {
	data := make([]byte, n)
	x := uint64(n) + 1
	for i := range data {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
		data[i] = byte(x)
	}
	return data
}
