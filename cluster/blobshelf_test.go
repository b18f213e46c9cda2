package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"oxo/cluster/blob"
	"oxo/cluster/broker"
	"oxo/cluster/records"
	"oxo/cluster/view"
	"oxo/lab/jobs"
)

// byTiers is a strong solution whose tables are many times as large as the
// memory that a part may use.
var byTiers = jobs.Job{Verb: "solve", Game: "mnk:4,4,4",
	Args: json.RawMessage(`{"tiers":true,"strong":true,"memory":100000}`)}

// shelves lists the jobs' shelves on the server.
func shelves(t *testing.T, c *Cluster) []string {
	t.Helper()
	var list []string
	names := c.js.StreamNames(t.Context())
	for name := range names.Name() {
		if strings.HasPrefix(name, blob.StreamName(blobBucketName(""))) {
			list = append(list, name)
		}
	}
	if err := names.Err(); err != nil {
		t.Fatal(err)
	}
	return list
}

// TestTiers solves a game by tiers with workers in processes of their own. The
// first one is killed in the middle.
func TestTiers(t *testing.T) {
	t.Parallel()
	want := alone(t, byTiers)
	s := serve(t)
	c := open(t, Config{Server: s, Heartbeat: time.Second})
	id := submit(t, c, byTiers, "")
	begin := func() *process {
		p := &process{role: role{URL: s.URL()}}
		p.start(t)
		t.Cleanup(p.kill)
		return p
	}
	killed := begin()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	_, err := c.Watch(ctx, id, func(_ *records.Record, st *view.Status) {
		if st != nil && st.Stage >= 3 {
			stop()
		}
	})
	if err != nil && !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	killed.kill()
	begin()
	begin()
	sameResult(t, c, id, want)
	bare(t, c, broker.WorkStream) // the lead has tidied up
	if list := shelves(t, c); len(list) > 0 {
		t.Errorf("shelves are left: %v", list)
	}
}

// TestShelf puts, gets and drops tables, small and large.
func TestShelf(t *testing.T) {
	t.Parallel()
	c := open(t, Config{Server: serve(t)})
	if err := c.createBlobBucket(t.Context(), "job"); err != nil {
		t.Fatal(err)
	}
	if err := c.createBlobBucket(t.Context(), "job"); err != nil {
		t.Errorf("a shelf that is there: %v", err)
	}
	out := &storedOutputs{c: c, ctx: t.Context(), job: "job"}
	shelf := out.Blobs()
	large := []byte(strings.Repeat("a table of some size ", 50_000))
	for _, data := range [][]byte{{1}, large, {2, 3}} {
		if err := shelf.Put("tier/1/0", data); err != nil {
			t.Fatal(err)
		}
		for _, buf := range [][]byte{nil, make([]byte, 10, 100), make([]byte, 2*len(large))} {
			got, err := out.Blobs().Get("tier/1/0", buf)
			if err != nil || string(got) != string(data) {
				t.Fatalf("%d bytes: got %d, %v", len(data), len(got), err)
			}
			if cap(buf) >= len(data) && &got[0] != &buf[0] {
				t.Error("a buffer that is large enough was not used")
			}
		}
	}
	for range 2 {
		if err := shelf.Drop("tier/1/0"); err != nil {
			t.Error(err)
		}
	}
	if out.failed != nil {
		t.Errorf("an error was noted: %v", out.failed)
	}
	if err := c.deleteBlobBucket(t.Context(), "job"); err != nil {
		t.Error(err)
	}
	if list := shelves(t, c); len(list) > 0 {
		t.Errorf("shelves are left: %v", list)
	}
	if err := c.deleteBlobBucket(t.Context(), "job"); err != nil {
		t.Errorf("a shelf that is gone: %v", err)
	}
}

// TestCancelTiers cancels a job whose tables are on the server: they go too, and
// workers that are at it put nothing there again.
func TestCancelTiers(t *testing.T) {
	t.Parallel()
	s := serve(t)
	c := open(t, Config{Server: s})
	stop := work(t, open(t, Config{URL: s.URL()}), WorkOptions{Slots: 2})
	// This one would take hours.
	id := submit(t, c, jobs.Job{Verb: "solve", Game: "mnk:8,3,3",
		Args: json.RawMessage(`{"tiers":true,"memory":20000000}`)}, "")
	persist(t, func() error {
		bucket, err := c.openBucket(t.Context(), blobBucketName(id))
		if err == nil {
			_, err = bucket.OwnedBy("*").StoredAt(t.Context(), "tier/24/0")
		}
		return err
	})
	if _, err := c.Cancel(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	bare(t, c, broker.WorkStream) // also the lead is over
	if list := shelves(t, c); len(list) > 0 {
		t.Errorf("shelves are left: %v", list)
	}
	stop()
	if err := c.Remove(t.Context(), id); err != nil {
		t.Error(err)
	}
	bare(t, c, broker.DoneStream, blob.StreamName(broker.FileBucket))
	if _, err := c.js.ObjectStore(t.Context(), blobBucketName(id)); !errors.Is(err, jetstream.ErrBucketNotFound) {
		t.Errorf("the shelf: %v", err)
	}
}
