package cluster

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"sync"
	"testing"
	"time"

	"oxo/cluster/blob"
	"oxo/cluster/broker"
	"oxo/cluster/records"
	"oxo/cluster/view"
	"oxo/lab"
	"oxo/lab/jobs"
)

// patience is how long a test waits for what is sure to come.
const patience = 5 * time.Minute

// someJobs are jobs of several verbs, short ones.
func someJobs() map[string]jobs.Job {
	return map[string]jobs.Job{
		"tournament": {Verb: "tournament", Game: "ttt",
			Args: json.RawMessage(`{"players":["perfect","heuristic","random"],"games":60,"openings":2,"chunk":6}`),
			Seed: 8},
		"test": {Verb: "match", Game: "ttt",
			Args: json.RawMessage(`{"players":["perfect","random"],"games":400,"sprt":{"elo0":0,"elo1":100},"chunk":4}`), Seed: 10},
		"train": {Verb: "train", Game: "ttt", Args: json.RawMessage(`{"learner":"menace","against":"perfect","games":200,"runs":4,"exam_every":100}`), Seed: 5},
		"prove": {Verb: "prove", Game: "mnk:5,5,4",
			Args: json.RawMessage(`{"split":true,"round":2000,"memory":8000000}`)},
		"tune":  {Verb: "tune", Game: "ttt", Args: json.RawMessage(`{"player":"mcts:sims=20,explore={c}","constants":[{"name":"c","start":0.1,"min":0.05,"max":3}],"iterations":3,"games":6,"check":16}`), Seed: 3},
		"solve": {Verb: "solve", Game: "mnk:4,3,3", Args: json.RawMessage(`{"strong":true}`)},
		"tiers": {Verb: "solve", Game: "mnk:4,3,3+misere",
			Args: json.RawMessage(`{"tiers":true,"strong":true,"memory":12000}`)},
	}
}

// alone carries out a job without a cluster.
func alone(t *testing.T, j jobs.Job) *jobs.JobResult {
	t.Helper()
	r, err := jobs.Run(t.Context(), &lab.Lab{}, j, jobs.RunOptions{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func serve(t *testing.T) *broker.Server {
	t.Helper()
	s, err := broker.Serve(broker.Config{Dir: t.TempDir(), Addr: "127.0.0.1:0"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

func open(t *testing.T, o Config) *Cluster {
	t.Helper()
	if o.Version == "" {
		o.Version = "test"
	}
	var c *Cluster
	persist(t, func() (err error) {
		c, err = Open(t.Context(), o)
		return err
	})
	t.Cleanup(c.Close)
	return c
}

// persist tries again while servers are killed and choose their leaders anew.
func persist(t *testing.T, try func() error) {
	t.Helper()
	limit := time.Now().Add(patience)
	for {
		err := try()
		if err == nil {
			return
		}
		if time.Now().After(limit) {
			t.Fatal(err)
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// work lets a process work until the function that it returns is called, or
// the test ends.
func work(t *testing.T, c *Cluster, o WorkOptions) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	var over sync.WaitGroup
	over.Go(func() {
		if err := c.Work(ctx, o); ctx.Err() == nil {
			t.Errorf("a worker stopped: %v", err)
		}
	})
	stop = func() {
		cancel()
		over.Wait()
	}
	t.Cleanup(stop)
	return stop
}

func submit(t *testing.T, c *Cluster, j jobs.Job, priority string) string {
	t.Helper()
	var r *records.Record
	persist(t, func() (err error) {
		r, err = c.Submit(t.Context(), j, SubmitOptions{Priority: priority})
		return err
	})
	return r.ID
}

// await waits for the end of a job.
func await(t *testing.T, c *Cluster, id string) *records.Record {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	r, err := c.Watch(ctx, id, func(*records.Record, *view.Status) {})
	for err != nil && ctx.Err() == nil {
		r, err = c.Watch(ctx, id, func(*records.Record, *view.Status) {})
	}
	if err != nil {
		list, _ := c.Workers(t.Context())
		queue, _ := c.Queue(t.Context())
		last, lost := c.Job(t.Context(), id)
		t.Fatalf("job %s: %v; workers %+v, queue %+v, record %+v, %v", id, err, list, queue, last, lost)
	}
	return r
}

// sameResult compares a job's result with that of one core.
func sameResult(t *testing.T, c *Cluster, id string, want *jobs.JobResult) {
	t.Helper()
	r := await(t, c, id)
	if r.State != records.Done {
		t.Fatalf("job %s is %s: %s", id, r.State, r.Error)
	}
	var text []byte
	persist(t, func() (err error) {
		text, err = c.Result(t.Context(), id)
		return err
	})
	if !bytes.Equal(text, want.JSON) {
		t.Errorf("the result is %s, on one core %s", text, want.JSON)
	}
	if len(r.Files) != len(want.Files)+1 {
		t.Errorf("the files are %v", r.Files)
	}
	for name, data := range want.Files {
		var got []byte
		persist(t, func() error {
			f, err := c.OpenResultFile(t.Context(), id, name)
			if err != nil {
				return err
			}
			defer f.Close()
			got, err = io.ReadAll(f)
			return err
		})
		if !bytes.Equal(got, data) {
			t.Errorf("the file %s differs from that of one core", name)
		}
	}
}

// bare waits until nothing is left in a stream.
func bare(t *testing.T, c *Cluster, streams ...string) {
	t.Helper()
	limit := time.Now().Add(patience)
	for _, name := range streams {
		for {
			s, err := c.js.Stream(t.Context(), name)
			if err != nil {
				t.Fatal(err)
			}
			n := s.CachedInfo().State.Msgs
			if n == 0 {
				break
			}
			if time.Now().After(limit) {
				t.Fatalf("%d messages are left in %s", n, name)
			}
			time.Sleep(10 * time.Millisecond)
		}
	}
}

// TestJobs carries out jobs of several verbs with several workers at the same
// time and compares them with one core.
func TestJobs(t *testing.T) {
	t.Parallel()
	s := serve(t)
	c := open(t, Config{Server: s})
	for range 3 {
		work(t, open(t, Config{URL: s.URL()}), WorkOptions{Slots: 1})
	}
	ids := map[string]string{}
	for name, j := range someJobs() {
		ids[name] = submit(t, c, j, "")
	}
	for name, id := range ids {
		sameResult(t, c, id, alone(t, someJobs()[name]))
	}
	for _, id := range ids {
		if err := c.Remove(t.Context(), id); err != nil {
			t.Error(err)
		}
	}
	if list, err := c.List(t.Context()); err != nil || len(list) != 0 {
		t.Errorf("jobs are left: %v %v", list, err)
	}
	bare(t, c, broker.WorkStream, broker.DoneStream, blob.StreamName(broker.FileBucket))
}
