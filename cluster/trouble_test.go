package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"oxo/cluster/blob"
	"oxo/cluster/broker"
	"oxo/cluster/records"
	"oxo/lab"
	"oxo/lab/jobs"
)

// long is a job of parts that last seconds and can be cut short.
func long(runs, games int) jobs.Job {
	return jobs.Job{Verb: "train", Game: "ttt", Args: json.RawMessage(fmt.Sprintf(
		`{"learner":"table","games":%d,"runs":%d,"exam_every":%d}`, games, runs, games)), Seed: 4}
}

// endless is a job with no end in sight.
func endless() jobs.Job { return long(8, 1_000_000_000) }

// underway waits until some parts are under way.
func underway(t *testing.T, c *Cluster, priority string, n int) {
	t.Helper()
	limit := time.Now().Add(patience)
	for {
		q, err := c.Queue(t.Context())
		if err == nil && q.Underway[priority] >= n {
			return
		}
		if time.Now().After(limit) {
			t.Fatalf("%d parts did not begin: %+v %v", n, q, err)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// TestPriorities sees that a tournament gets done beside a job that fills every
// worker and never ends, and that cancelling that one leaves nothing behind.
func TestPriorities(t *testing.T) {
	t.Parallel()
	s := serve(t)
	c := open(t, Config{Server: s})
	work(t, open(t, Config{URL: s.URL()}), WorkOptions{Slots: 2})
	stuck := submit(t, c, endless(), broker.Low)
	underway(t, c, broker.Low, 2)
	j := someJobs()["tournament"]
	sameResult(t, c, submit(t, c, j, broker.Normal), alone(t, j))
	sameResult(t, c, submit(t, c, j, broker.High), alone(t, j))
	if r, err := c.SetPriority(t.Context(), stuck, broker.High); err != nil || r.Priority != broker.High {
		t.Errorf("the priority is %v: %v", r, err)
	}
	if _, err := c.SetPriority(t.Context(), stuck, "urgent"); err == nil {
		t.Error("there is a priority urgent")
	}
	if err := c.Remove(t.Context(), stuck); err == nil {
		t.Error("a job that runs can be removed")
	}
	if _, err := c.Result(t.Context(), stuck); err == nil {
		t.Error("a job that runs has a result")
	}
	if _, err := c.Cancel(t.Context(), stuck); err != nil {
		t.Fatal(err)
	}
	if r := await(t, c, stuck); r.State != records.Cancelled {
		t.Errorf("it is %s", r.State)
	}
	bare(t, c, broker.WorkStream, broker.DoneStream)
	if _, err := c.Cancel(t.Context(), stuck); err == nil {
		t.Error("a job can be cancelled twice")
	}
	// Its workers are free again.
	sameResult(t, c, submit(t, c, j, broker.Low), alone(t, j))
}

// TestPoison sees that a part that fails everywhere is set aside with its
// error, that the others are carried out, and that other jobs go on.
func TestPoison(t *testing.T) {
	t.Parallel()
	s := serve(t)
	c := open(t, Config{Server: s, Heartbeat: 200 * time.Millisecond})
	for range 3 {
		work(t, open(t, Config{URL: s.URL()}), WorkOptions{Slots: 1})
	}
	bad := jobs.Job{Verb: "train", Game: "mnk:6,6,4", Args: json.RawMessage(`{"learner":"lms:eta=1,scaled=no","against":"random","games":300,"runs":2}`), Seed: 7}
	if _, err := jobs.Run(t.Context(), &lab.Lab{}, bad, jobs.RunOptions{}); err == nil {
		t.Fatal("this job is to fail")
	}
	id := submit(t, c, bad, "")
	j := someJobs()["tournament"]
	sameResult(t, c, submit(t, c, j, ""), alone(t, j))
	r := await(t, c, id)
	if r.State != records.Failed || len(r.FailedParts) != 2 || !strings.Contains(r.Error, "infinity") ||
		strings.Count(r.Error, r.FailedParts[0].Name+": ") != 1 ||
		strings.Contains(r.FailedParts[0].Error, r.FailedParts[0].Name) ||
		!strings.Contains(r.FailedParts[0].Error, "infinity") {
		t.Errorf("it is %s, %q, %+v", r.State, r.Error, r.FailedParts)
	}
	if _, err := c.Result(t.Context(), id); err == nil || !strings.Contains(err.Error(), "infinity") {
		t.Errorf("its result: %v", err)
	}
	bare(t, c, broker.WorkStream, broker.DoneStream)
	if again, err := c.Retry(t.Context(), id); err != nil || again.State != records.Waiting {
		t.Errorf("tried again: %+v %v", again, err)
	}
	if r := await(t, c, id); r.State != records.Failed {
		t.Errorf("tried again it is %s", r.State)
	}
}

// TestMemory sees that a part that asks for more memory than a worker gives fails
// there, by its own fault: others may have more.
func TestMemory(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		most int64
		j    jobs.Job
		want string
	}{
		{8 << 20, jobs.Job{Verb: "prove", Game: "ttt", Args: json.RawMessage(`{"memory":16777216}`)},
			"it may take 16 MB of memory, and worker here gives one at most 8 MB"},
		{8 << 20, jobs.Job{Verb: "prove", Game: "ttt", Args: json.RawMessage(`{"split":true}`)}, "it may take 256 MB"},
		{8 << 20, jobs.Job{Verb: "solve", Game: "ttt", Args: json.RawMessage(`{"tiers":true}`)}, "it may take 256 MB"},
		{16 << 20, jobs.Job{Verb: "prove", Game: "ttt", Args: json.RawMessage(`{"memory":16777216}`)}, ""},
		{8 << 20, jobs.Job{Verb: "match", Game: "ttt",
			Args: json.RawMessage(`{"players":["perfect","random"],"games":2}`)}, ""},
		{0, jobs.Job{Verb: "prove", Game: "ttt"}, ""},
	} {
		w := &workerProcess{c: &Cluster{}, o: WorkOptions{Memory: c.most}, host: "here", works: map[string]*opened{},
			runPart: (*jobs.Work).RunWithFinalReport}
		ctx, cancel := context.WithCancel(t.Context())
		cancel() // what is not refused ends here
		_, err := (&assignment{w: w, ctx: ctx, record: &records.Record{ID: "job", Job: c.j},
			outs: &storedOutputs{}}).runPart(jobs.Part{},
			nil, true)
		if bad := (wrong{}); c.want == "" && err != context.Canceled || c.want != "" &&
			(!errors.As(err, &bad) || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s %s with %d bytes: %v", c.j.Verb, c.j.Args, c.most, err)
		}
	}
}

// TestSlow carries out parts that take longer than a lease, with two workers:
// whoever has one may lose it, where the machine has much to do, and the result
// is the same.
func TestSlow(t *testing.T) {
	t.Parallel()
	s := serve(t)
	c := open(t, Config{Server: s, Heartbeat: 150 * time.Millisecond})
	for range 2 {
		work(t, open(t, Config{URL: s.URL()}), WorkOptions{Slots: 1})
	}
	j := long(2, 150_000)
	sameResult(t, c, submit(t, c, j, ""), alone(t, j))
}

// leased is a message whose lease has been renewed three times once third is
// closed.
type leased struct {
	jetstream.Msg
	renewed int
	third   chan struct{}
}

func (m *leased) InProgress() error {
	if m.renewed++; m.renewed == 3 {
		close(m.third)
	}
	return nil
}

// TestRenew sees that the lease of a message is renewed for as long as its part
// takes.
func TestRenew(t *testing.T) {
	t.Parallel()
	w := &workerProcess{c: &Cluster{lease: 3 * time.Millisecond}}
	m := &leased{third: make(chan struct{})}
	stop := w.renewLease(t.Context(), m)
	select {
	case <-m.third:
	case <-time.After(patience):
		t.Error("the lease is not renewed")
	}
	stop()
}

// TestStopped stops a worker in the middle of a part and sees that another one
// goes on from its checkpoint.
func TestStopped(t *testing.T) {
	t.Parallel()
	s := serve(t)
	c := open(t, Config{Server: s})
	begun := make(chan bool, 1024)
	sub, err := c.conn.Subscribe("oxo.progress.>", func(*nats.Msg) { begun <- true })
	if err != nil {
		t.Fatal(err)
	}
	defer sub.Unsubscribe()
	first := open(t, Config{URL: s.URL()})
	stop := work(t, first, WorkOptions{Slots: 1})
	j := long(1, 60_000)
	id := submit(t, c, j, "")
	<-begun
	stop()
	m, err := c.done.GetLastMsgForSubject(t.Context(), partSubject("mark", id, 0, 0)+"."+first.id)
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		if r, err := c.Job(t.Context(), id); err != nil || r.State != records.Done {
			t.Fatal("a worker that was stopped left no checkpoint")
		}
	} else if err != nil || len(m.Data) == 0 {
		t.Fatal(err)
	}
	work(t, open(t, Config{URL: s.URL()}), WorkOptions{Slots: 1})
	sameResult(t, c, id, alone(t, j))
}

// wire is a TCP connection that can be cut.
type wire struct {
	listener net.Listener
	to       string
	mu       sync.Mutex
	cut      bool
	open     map[net.Conn]bool
	over     sync.WaitGroup
}

func newWire(t *testing.T, to string) *wire {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	w := &wire{listener: l, to: to, open: map[net.Conn]bool{}}
	w.over.Go(func() {
		for {
			in, err := l.Accept()
			if err != nil {
				return
			}
			w.over.Go(func() { w.pass(in) })
		}
	})
	t.Cleanup(func() {
		l.Close()
		w.set(true)
		w.over.Wait()
	})
	return w
}

func (w *wire) url() string { return "nats://" + w.listener.Addr().String() }

// set cuts the wire or mends it.
func (w *wire) set(cut bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.cut = cut
	if cut {
		for c := range w.open {
			c.Close()
		}
	}
}

func (w *wire) pass(in net.Conn) {
	defer in.Close()
	out, err := net.Dial("tcp", w.to)
	if err != nil {
		return
	}
	defer out.Close()
	w.mu.Lock()
	if w.cut {
		w.mu.Unlock()
		return
	}
	w.open[in], w.open[out] = true, true
	w.mu.Unlock()
	defer func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		delete(w.open, in)
		delete(w.open, out)
	}()
	ended := make(chan bool, 2)
	for _, pair := range [][2]net.Conn{{in, out}, {out, in}} {
		w.over.Go(func() {
			io.Copy(pair[1], pair[0])
			pair[0].Close()
			pair[1].Close()
			ended <- true
		})
	}
	<-ended
}

// TestCut cuts the connection of a worker in the middle of its part, for so long
// that another one takes the part, and mends it.
func TestCut(t *testing.T) {
	t.Parallel()
	s := serve(t)
	c := open(t, Config{Server: s, Heartbeat: 300 * time.Millisecond})
	w := newWire(t, strings.TrimPrefix(s.URL(), "nats://"))
	work(t, open(t, Config{URL: w.url()}), WorkOptions{Slots: 1})
	j := long(3, 40_000)
	id := submit(t, c, j, "")
	underway(t, c, broker.Normal, 1)
	w.set(true)
	work(t, open(t, Config{URL: s.URL()}), WorkOptions{Slots: 1})
	want := alone(t, j)
	w.set(false)
	sameResult(t, c, id, want)
	// The wire's worker is back.
	sameResult(t, c, submit(t, c, someJobs()["tournament"], ""), alone(t, someJobs()["tournament"]))
}

// TestRefused sees that what can't be done is said, with nothing left behind.
func TestRefused(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	fails(t, "nobody there", Config{URL: "nats://" + l.Addr().String()}, "no NATS server answers", l.Addr().String())

	locked, err := broker.Serve(broker.Config{Dir: t.TempDir(), Addr: "127.0.0.1:0", Token: "secret"})
	if err != nil {
		t.Fatal(err)
	}
	defer locked.Close()
	fails(t, "no token", Config{URL: locked.URL()}, "refuses these credentials")
	fails(t, "a wrong token", Config{URL: locked.URL(), Token: "guess"}, "refuses these credentials")
	open(t, Config{URL: locked.URL(), Token: "secret"})

	plain, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, NoSigs: true,
		NoLog: true})
	if err != nil {
		t.Fatal(err)
	}
	plain.Start()
	defer func() {
		plain.Shutdown()
		plain.WaitForShutdown()
	}()
	fails(t, "no JetStream", Config{URL: plain.ClientURL()}, "no JetStream")

	s := serve(t)
	fails(t, "looking at nothing", Config{URL: s.URL(), Look: true}, "no cluster of oxo")
	c := open(t, Config{URL: s.URL()})
	fails(t, "another version", Config{URL: s.URL(), Version: "other"}, "version test", "version other")
	id := submit(t, c, someJobs()["tournament"], "")
	fails(t, "another version with a job unfinished", Config{URL: s.URL(), Version: "other", Upgrade: true},
		"1 jobs are unfinished", "--adopt")
	if _, err := c.Cancel(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	open(t, Config{URL: s.URL(), Version: "other", Upgrade: true})
	fails(t, "the former version", Config{URL: s.URL()}, "version other")
	open(t, Config{URL: s.URL(), Version: "third", Adopt: true})

	before := names(t, c)
	for _, j := range []jobs.Job{{Verb: "play", Game: "ttt"}, {Verb: "solve", Game: "mnk:19,19,5"}, {Verb: "train", Game: "ttt", Args: json.RawMessage(`{"lerner":"x"}`)},
		{Verb: "match", Game: "ttt", Args: json.RawMessage(`{"players":["random","brain:/etc/passwd"]}`)},
		{Verb: "match", Game: "ttt", Args: json.RawMessage(`{"players":["random","engine:rm"]}`)}} {
		if _, err := c.Submit(t.Context(), j, SubmitOptions{}); err == nil {
			t.Errorf("%+v can be submitted", j)
		}
	}
	if _, err := c.Submit(t.Context(), someJobs()["solve"], SubmitOptions{Priority: "urgent"}); err == nil {
		t.Error("a priority urgent")
	}
	if after := names(t, c); after != before {
		t.Errorf("left behind: %s, before %s", after, before)
	}
	for _, id := range []string{"", "x y", "*", "none"} {
		if _, err := c.Job(t.Context(), id); !errors.Is(err, records.ErrNoJob) {
			t.Errorf("job %q: %v", id, err)
		}
	}

	foreign := serve(t)
	admin := jet(t, foreign)
	if _, err := admin.CreateStream(t.Context(),
		jetstream.StreamConfig{Name: broker.DoneStream, Subjects: []string{"mine"}}); err != nil {
		t.Fatal(err)
	}
	fails(t, "a stream of another application", Config{URL: foreign.URL()}, broker.DoneStream, "another application")
	if got := streams(t, admin); got != broker.DoneStream {
		t.Errorf("left behind: %s", got)
	}
	overlap := serve(t)
	admin = jet(t, overlap)
	if _, err := admin.CreateStream(t.Context(),
		jetstream.StreamConfig{Name: "OTHERS", Subjects: []string{"oxo.mark.>"}}); err != nil {
		t.Fatal(err)
	}
	fails(t, "subjects of another application", Config{URL: overlap.URL()}, broker.DoneStream, "overlap")
	if got := streams(t, admin); got != "OTHERS" {
		t.Errorf("left behind: %s", got)
	}

	for _, o := range []broker.Config{{Addr: "nonsense"}, {Addr: "127.0.0.1:99999"}, {Addr: "0.0.0.0:0"},
		{Addr: "127.0.0.1:0", ClusterName: "x", RouteAddr: "0.0.0.0:0"}} {
		o.Dir = t.TempDir()
		if s, err := broker.Serve(o); err == nil {
			s.Close()
			t.Errorf("%+v can be served", o)
		}
	}
}

func jet(t *testing.T, s *broker.Server) jetstream.JetStream {
	t.Helper()
	c, err := nats.Connect("", s.InProcess()...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	js, err := jetstream.New(c)
	if err != nil {
		t.Fatal(err)
	}
	return js
}

func streams(t *testing.T, js jetstream.JetStream) string {
	t.Helper()
	var list []string
	l := js.StreamNames(t.Context())
	for name := range l.Name() {
		list = append(list, name)
	}
	if l.Err() != nil {
		t.Fatal(l.Err())
	}
	return strings.Join(list, " ")
}

// names counts what is in every stream.
func names(t *testing.T, c *Cluster) string {
	t.Helper()
	text := ""
	for _, name := range []string{broker.WorkStream, broker.DoneStream, "KV_" + broker.JobsBucket,
		blob.StreamName(broker.FileBucket)} {
		s, err := c.js.Stream(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		text += fmt.Sprintf("%s %d ", name, s.CachedInfo().State.Msgs)
	}
	return text
}

// TestTroubleIsTheServers checks that a worker tells once of a server that takes
// nothing, and that work that was called off leaves no trouble behind.
func TestTroubleIsTheServers(t *testing.T) {
	t.Parallel()
	var told []string
	w := &workerProcess{o: WorkOptions{Tell: func(text string) { told = append(told, text) }}}
	full := errors.New("the disk is full")
	for _, step := range []struct {
		err  error
		want string
	}{
		{fmt.Errorf("part 3: %w", context.Canceled), ""},
		{full, full.Error()},
		{full, full.Error()},
		{context.Canceled, ""},
		{full, full.Error()},
		{nil, ""},
	} {
		if w.noteStoreError(step.err); w.full != step.want {
			t.Errorf("after %v the trouble is %q, want %q", step.err, w.full, step.want)
		}
	}
	if len(told) != 2 {
		t.Errorf("told %q; want the full disk, twice", told)
	}
}
