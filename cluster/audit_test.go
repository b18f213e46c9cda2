package cluster

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/nats-io/nats.go/jetstream"
	"oxo/cluster/records"
	"oxo/lab/jobs"
)

// lying lets a worker work whose outputs are those of other parts, or damaged, wherever
// lies says so. It returns the name under which they are.
func lying(t *testing.T, url string, lies func(n int) bool) string {
	t.Helper()
	c := open(t, Config{URL: url})
	w := c.newWorker(WorkOptions{Slots: 1})
	var mu sync.Mutex
	n := 0
	w.runPart = func(work *jobs.Work, ctx context.Context, task jobs.Task) ([]byte, jobs.Report, error) {
		data, report, err := work.RunWithFinalReport(ctx, task)
		mu.Lock()
		defer mu.Unlock()
		if n++; err == nil && lies(n) {
			data = []byte(strings.Replace(string(data), `"first"`, `"second"`, 1) + "\n")
		}
		return data, report, err
	}
	ctx, cancel := context.WithCancel(t.Context())
	var over sync.WaitGroup
	over.Go(func() { w.work(ctx) })
	t.Cleanup(func() { cancel(); over.Wait() })
	return c.id
}

// audited carries out a job.
func audited(t *testing.T, c *Cluster, j jobs.Job, share string) *records.Record {
	t.Helper()
	r, err := c.Submit(t.Context(), j, SubmitOptions{Audit: share})
	if err != nil {
		t.Fatal(err)
	}
	sameResult(t, c, r.ID, alone(t, j))
	return await(t, c, r.ID)
}

// TestLiar sees that a worker that lies in one part of ten is named and its outputs are
// repeated, that it gets nothing more, and that nobody else is named.
func TestLiar(t *testing.T) {
	t.Parallel()
	s := serve(t)
	c := open(t, Config{Server: s})
	work(t, c, WorkOptions{LeadOnly: true})
	liar := lying(t, s.URL(), func(n int) bool { return n%10 == 3 })
	work(t, open(t, Config{URL: s.URL()}), WorkOptions{Slots: 1})
	found := 0
	for seed := range uint64(20) {
		j := jobs.Job{Verb: "match", Game: "ttt",
			Args: json.RawMessage(`{"players":["random","heuristic"],"games":40,"chunk":2}`), Seed: seed}
		r := audited(t, c, j, "all")
		if r.Audit.Parts != 20 || r.Audit.Repeated != 20 {
			t.Errorf("%+v", r.Audit)
		}
		for _, w := range r.Audit.Wrong {
			if found++; w.Worker != liar || w.Part == "" {
				t.Errorf("named is %+v, and %s lies", w, liar)
			}
		}
		if found > 0 {
			break
		}
	}
	if found != 1 || c.JobFoundWrongIn(liar) == "" {
		t.Errorf("%d are named", found)
	}
	// The honest one is alone now: the coordinator repeats what it says.
	r := audited(t, c, someJobs()["tournament"], "0.5")
	if len(r.Audit.Wrong) > 0 || r.Audit.Repeated == 0 || r.Audit.Repeated == r.Audit.Parts {
		t.Errorf("without the liar: %+v", r.Audit)
	}
}

// TestLiars has a worker that always lies take part in jobs of every verb that is repeated,
// also of several stages and with tables on the shelf: all results are those of one core.
func TestLiars(t *testing.T) {
	t.Parallel()
	for name, j := range someJobs() {
		if name == "prove" {
			continue // what carries a certificate is not repeated
		}
		t.Run(name, func(t *testing.T) {
			s := serve(t)
			c := open(t, Config{Server: s})
			work(t, c, WorkOptions{LeadOnly: true})
			liar := lying(t, s.URL(), func(int) bool { return true })
			work(t, open(t, Config{URL: s.URL()}), WorkOptions{Slots: 1})
			r := audited(t, c, j, "all")
			if r.Audit.Repeated != r.Audit.Parts ||
				slices.ContainsFunc(r.Audit.Wrong, func(w records.Wrong) bool { return w.Worker != liar }) {
				t.Errorf("%+v, and %s lies", r.Audit, liar)
			}
		})
	}
}

// TestLostOutput has the server lose the first output of each part before what repeats it is there:
// nobody is called wrong, and the result is that of one core.
func TestLostOutput(t *testing.T) {
	t.Parallel()
	s := serve(t)
	c := open(t, Config{Server: s})
	work(t, c, WorkOptions{LeadOnly: true})
	var lost atomic.Int64
	for range 2 {
		w := open(t, Config{URL: s.URL()}).newWorker(WorkOptions{Slots: 1})
		w.runPart = func(work *jobs.Work, ctx context.Context, task jobs.Task) ([]byte, jobs.Report, error) {
			if of := task.Outputs.(*storedOutputs); of.repeat {
				if err := c.done.Purge(ctx, jetstream.WithPurgeSubject(fmt.Sprintf("oxo.done.%s.%d.%d.>", of.job,
					task.Part.Stage, task.Part.Index))); err != nil {
					return nil, jobs.Report{}, err
				}
				lost.Add(1)
			}
			return work.RunWithFinalReport(ctx, task)
		}
		ctx, cancel := context.WithCancel(t.Context())
		var over sync.WaitGroup
		over.Go(func() { w.work(ctx) })
		t.Cleanup(func() { cancel(); over.Wait() })
	}
	r := audited(t, c, someJobs()["tournament"], "all")
	if len(r.Audit.Wrong) > 0 || r.Audit.Repeated != r.Audit.Parts || lost.Load() == 0 {
		t.Errorf("%+v, and %d outputs were lost", r.Audit, lost.Load())
	}
}

// TestLostClaim sees that a part whose only output is lost, damaged or without its object is queued
// anew and still repeated, and that nothing is left of that output.
func TestLostClaim(t *testing.T) {
	t.Parallel()
	c := open(t, Config{Server: serve(t)})
	a := assigned(t, c, someJobs()["tournament"], patience)
	work, err := a.w.openJob(t.Context(), a.record)
	if err != nil {
		t.Fatal(err)
	}
	parts := a.order.Parts[:3]
	s := &stageRun{coordinator: &coordinator{c: c, w: a.w, id: a.record.ID, rec: a.record, work: work, out: a.outs},
		parts: parts, over: make([]bool, 3), left: 3, where: make([]place, 3), reports: make([]jobs.Report, 3),
		claims: map[int][]claim{}, drawn: map[int]bool{}, judged: map[int]bool{}, judges: make(chan struct{}, 1)}
	for i := range parts {
		at := singleSpan(0, i)
		answer := stored{place{at, at.doneSubject(s.id, "W")}, 1000}
		if i > 0 {
			m, err := c.packMessage(t.Context(), answer.subject, item{data: []byte("output")})
			if err != nil {
				t.Fatal(err)
			}
			if m.Header.Set(headObject, "none"); i == 1 {
				m.Header.Del(headObject)
				m.Data[len(m.Data)-1] ^= 1
			}
			ack, err := c.js.PublishMsg(t.Context(), m)
			if err != nil {
				t.Fatal(err)
			}
			answer.sequence = ack.Sequence
		}
		s.claims[i], s.drawn[i], s.judged[i] = []claim{{answer, "W", "", jobs.Report{}}}, true, true
		if err := s.verifyClaims(t.Context(), i); err != nil {
			t.Errorf("part %d: %v", i, err)
		}
	}
	if err := s.startAudits(t.Context()); err != nil {
		t.Error(err)
	}
	if !slices.Equal(s.todo, []int{0, 1, 2}) || s.left != 3 || len(s.judged) > 0 || !s.drawn[0] {
		t.Errorf("%v are queued anew, %d are left, %v are judged", s.todo, s.left, s.judged)
	}
	if subjects, err := records.SubjectsOf(t.Context(), c.done, ">"); err != nil || len(subjects) > 0 {
		t.Errorf("%v is left, %v", subjects, err)
	}
}

// manyAudited carries out so many small jobs, all repeated, with two honest workers and, from
// every fortieth on, another that lies in one part of ten. No result differs from that of one
// core, and only liars are named.
func manyAudited(t *testing.T, many int) {
	s := serve(t)
	c := open(t, Config{Server: s})
	work(t, c, WorkOptions{LeadOnly: true})
	for range 2 {
		work(t, open(t, Config{URL: s.URL()}), WorkOptions{Slots: 1})
	}
	const batch = 40
	var mu sync.Mutex
	named := map[string]int{}
	for begin := 0; begin < many; begin += batch {
		named[lying(t, s.URL(), func(n int) bool { return n%10 == 7 })] = 0
		var all sync.WaitGroup
		for from := range 4 {
			all.Go(func() {
				for n := begin + from; n < min(begin+batch, many); n += 4 {
					j := jobs.Job{Verb: "match", Game: "ttt",
						Args: json.RawMessage(`{"players":["random","rows"],"games":12,"chunk":2}`), Seed: uint64(n)}
					for _, w := range audited(t, c, j, "all").Audit.Wrong {
						mu.Lock()
						if _, liar := named[w.Worker]; !liar {
							t.Errorf("an honest worker is named: %+v", w)
						}
						named[w.Worker]++
						mu.Unlock()
					}
				}
			})
		}
		all.Wait()
	}
	found := 0
	for _, times := range named {
		found += min(times, 1)
	}
	if found == 0 {
		t.Error("no liar is named")
	}
	t.Logf("%d jobs, %d liars, %d of them named", many, len(named), found)
}

// TestManyAudited has jobs carried out beside a liar; make soak has a thousand.
func TestManyAudited(t *testing.T) { t.Parallel(); manyAudited(t, 40) }
