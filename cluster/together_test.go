package cluster

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"oxo/cluster/broker"
	"oxo/cluster/records"
	"oxo/lab"
	"oxo/lab/jobs"
)

// assigned submits a job that nobody works on and returns the message of all
// parts of its first stage as a worker with that much patience has it.
func assigned(t *testing.T, c *Cluster, j jobs.Job, patience time.Duration) *assignment {
	t.Helper()
	r, err := c.Submit(t.Context(), j, SubmitOptions{})
	if err != nil {
		t.Fatal(err)
	}
	w := c.newWorker(WorkOptions{Slots: 1})
	w.patience = patience
	work, err := w.openJob(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	parts, err := work.ListParts(t.Context(), 0, &storedOutputs{c: c, ctx: t.Context(), job: r.ID})
	if err != nil {
		t.Fatal(err)
	}
	return &assignment{w: w, ctx: t.Context(), record: r, order: order{Parts: parts},
		outs: &storedOutputs{c: c, ctx: t.Context(), job: r.ID, stages: []int{len(parts)}}}
}

// queue lists the parts of the job on the queue and the messages about it that
// are kept.
func (a *assignment) queue(t *testing.T) (queued []int, kept []string) {
	t.Helper()
	orders, err := records.SubjectsOf(t.Context(), a.w.c.work, "oxo.part.*."+a.record.ID+".>")
	if err != nil {
		t.Fatal(err)
	}
	for subject := range orders {
		at, ok := orderedSpan(subject)
		if !ok || at.count != 1 {
			t.Errorf("on the queue: %s", subject)
		}
		queued = append(queued, at.first)
	}
	slices.Sort(queued)
	done, err := records.SubjectsOf(t.Context(), a.w.c.done, "oxo.*."+a.record.ID+".>")
	if err != nil {
		t.Fatal(err)
	}
	for subject := range done {
		kept = append(kept, strings.NewReplacer(a.record.ID, "JOB", a.w.id, "WORKER", a.w.c.id,
			"WORKER").Replace(subject))
	}
	slices.Sort(kept)
	return queued, kept
}

// TestTogether carries out parts that travel in one message and compares their
// outputs with those of each alone.
func TestTogether(t *testing.T) {
	t.Parallel()
	c := open(t, Config{Server: serve(t)})
	j := jobs.Job{Verb: "match", Game: "ttt",
		Args: json.RawMessage(`{"players":["random","heuristic"],"games":40,"chunk":2}`), Seed: 1}
	a := assigned(t, c, j, patience)
	if err := a.runBatchAndRequeueRest(); err != nil {
		t.Fatal(err)
	}
	queued, kept := a.queue(t)
	if len(queued) != 0 || !slices.Equal(kept, []string{"oxo.done.JOB.0.0.20.WORKER"}) {
		t.Errorf("%v on the queue, kept are %v", queued, kept)
	}
	single, err := jobs.OpenJob(t.Context(), &lab.Lab{}, j)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range a.order.Parts {
		want, err := single.Run(t.Context(), jobs.Task{Part: p})
		if err != nil {
			t.Fatal(err)
		}
		if got, err := a.outs.Output(0, p.Index); err != nil || !bytes.Equal(got, want) {
			t.Errorf("part %d is %q, alone %q: %v", p.Index, got, want, err)
		}
	}
	// The message comes again, as it was not acknowledged: all is done.
	if err := a.requeueUndone(); err != nil {
		t.Fatal(err)
	}
	if queued, _ := a.queue(t); len(queued) != 0 {
		t.Errorf("done parts are on the queue again: %v", queued)
	}
	work(t, c, WorkOptions{Slots: 1})
	sameResult(t, c, a.record.ID, alone(t, j))
}

// TestApart sees that what is left of parts that travelled together is put on
// the queue one by one: where they take too long, where the worker was lost in
// the middle, and where they fail.
func TestApart(t *testing.T) {
	t.Parallel()
	c := open(t, Config{Server: serve(t)})
	j := jobs.Job{Verb: "match", Game: "ttt",
		Args: json.RawMessage(`{"players":["random","heuristic"],"games":12,"chunk":2}`), Seed: 1}
	slow := assigned(t, c, j, -1)
	if err := slow.runBatchAndRequeueRest(); err != nil {
		t.Fatal(err)
	}
	if queued, kept := slow.queue(t); !slices.Equal(queued, []int{0, 1, 2, 3, 4, 5}) || len(kept) != 0 {
		t.Errorf("without patience %v are on the queue and %v kept", queued, kept)
	}
	lost := assigned(t, c, j, patience)
	all := lost.order.Parts
	lost.order.Parts = all[1:3]
	if err := lost.runBatchAndRequeueRest(); err != nil {
		t.Fatal(err)
	}
	lost.order.Parts = all
	if err := lost.requeueUndone(); err != nil {
		t.Fatal(err)
	}
	if queued, kept := lost.queue(t); !slices.Equal(queued, []int{0, 3, 4, 5}) ||
		!slices.Equal(kept, []string{"oxo.done.JOB.0.1.2.WORKER"}) {
		t.Errorf("after a loss %v are on the queue and %v kept", queued, kept)
	}
	bad := assigned(t, c, jobs.Job{Verb: "train", Game: "mnk:6,6,4", Args: json.RawMessage(`{"learner":"lms:eta=1,scaled=no","against":"random","games":300,"runs":2}`), Seed: 7}, patience)
	if err := bad.runBatchAndRequeueRest(); err != nil {
		t.Fatal(err)
	}
	if queued, kept := bad.queue(t); !slices.Equal(queued, []int{0, 1}) ||
		!slices.Equal(kept, []string{"oxo.fail.JOB.0.0.WORKER", "oxo.fail.JOB.0.1.WORKER"}) {
		t.Errorf("after failures %v are on the queue and %v kept", queued, kept)
	}
	work(t, c, WorkOptions{Slots: 1})
	for _, a := range []*assignment{slow, lost} {
		sameResult(t, c, a.record.ID, alone(t, j))
	}
	if r := await(t, c, bad.record.ID); r.State != records.Failed || len(r.FailedParts) != 2 {
		t.Errorf("the job that fails is %s: %+v", r.State, r.FailedParts)
	}
}

// TestTwoLeaders has a leader that was taken for lost come to the end of a job
// after another one did, and sees that the result stays.
func TestTwoLeaders(t *testing.T) {
	t.Parallel()
	c := open(t, Config{Server: serve(t)})
	j := someJobs()["tournament"]
	late := assigned(t, c, j, patience)
	id := late.record.ID
	stop := work(t, c, WorkOptions{Slots: 1})
	want := alone(t, j)
	sameResult(t, c, id, want)
	bare(t, c, broker.WorkStream, broker.DoneStream)
	stop()
	w := late.w
	opened, err := w.openJob(t.Context(), late.record)
	if err != nil {
		t.Fatal(err)
	}
	leader := func() *coordinator {
		return &coordinator{c: c, w: w, id: id, name: "late", rec: late.record, work: opened,
			out: &storedOutputs{c: c, ctx: t.Context(), job: id, stages: []int{len(late.order.Parts)}}}
	}
	if err := leader().mergeResultAndFinish(t.Context()); err == nil {
		t.Error("a result is made of no outputs")
	}
	sameResult(t, c, id, want)
	for _, p := range late.order.Parts {
		data, report, err := opened.RunWithFinalReport(t.Context(), jobs.Task{Part: p})
		if err != nil {
			t.Fatal(err)
		}
		m, err := c.packMessage(t.Context(), singleSpan(p.Stage, p.Index).doneSubject(id, c.id), item{report, data})
		if err != nil {
			t.Fatal(err)
		}
		if err := c.publish(t.Context(), m); err != nil {
			t.Fatal(err)
		}
	}
	l := leader()
	if err := l.settle(t.Context(), l.mergeResultAndFinish(t.Context())); err != nil {
		t.Error(err)
	}
	sameResult(t, c, id, want)
	files, err := c.files.List(t.Context(), id+"/")
	if err != nil || len(files) != len(want.Files)+1 {
		t.Errorf("files %v: %v", files, err)
	}
	bare(t, c, broker.DoneStream)
}

// TestCreate sees that a server that does not take a file of a result is not
// taken for an error of the job.
func TestCreate(t *testing.T) {
	t.Parallel()
	c := open(t, Config{Server: serve(t)})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	out := &storedOutputs{c: c, ctx: ctx, job: "JOB"}
	f, err := out.resultCreator("lead")("file")
	if err != nil {
		t.Fatal(err)
	}
	_, _ = f.Write([]byte("text")) // it may fail here or at the end
	if err := f.Close(); err == nil {
		t.Error("a file is stored by a connection that is over")
	}
	var bad wrong
	written := errors.New("the file could not be written")
	if err := (&coordinator{out: out}).jobErrorUnlessServerFailed(written); errors.As(err, &bad) {
		t.Errorf("the job is blamed: %v", err)
	}
	if err := (&coordinator{out: &storedOutputs{}}).jobErrorUnlessServerFailed(errors.New("no games")); !errors.As(err,
		&bad) {
		t.Errorf("the job is not blamed: %v", err)
	}
}

// TestSubjects reads back what is written.
func TestSubjects(t *testing.T) {
	t.Parallel()
	for _, at := range []span{{0, 0, 1}, {2, 17, 1}, {0, 4, 256}} {
		if kind, got, _, ok := parsePartSubject(at.subject("done", "JOB")); !ok || kind != "done" || got != at {
			t.Errorf("%+v is read as %s %+v", at, kind, got)
		}
		if kind, got, worker, ok := parsePartSubject(at.doneSubject("JOB", "W")); !ok || kind != "done" || got != at ||
			worker != "W" {
			t.Errorf("%+v is read as %s %+v of %q", at, kind, got, worker)
		}
		if job, got, ok := parseOrderSubject(repeatSubject("low", "JOB", at.stage, at.first)); !ok || job != "JOB" ||
			got != singleSpan(at.stage, at.first) {
			t.Errorf("%+v to be repeated is read as %s %+v", at, job, got)
		}
		if job, got, ok := parseOrderSubject(at.subject("part.high", "JOB")); !ok || job != "JOB" || got != at {
			t.Errorf("%+v is read as %s %+v", at, job, got)
		}
	}
	if kind, got, worker, ok := parsePartSubject(partSubject("fail", "JOB", 1, 2) + ".W"); !ok || kind != "fail" ||
		got != singleSpan(1, 2) || worker != "W" {
		t.Errorf("a failure is read as %s %+v %s", kind, got, worker)
	}
	for _, subject := range []string{"", "oxo.done.JOB.0", "oxo.done.JOB.0.x", "oxo.done.JOB.-1.0",
		"oxo.done.JOB.0.0.0", "oxo.done.JOB.0.0.257", "oxo.done.JOB.0.0.1.W.W", "oxo.fail.JOB.0.0.W.W"} {
		if _, _, _, ok := parsePartSubject(subject); ok {
			t.Errorf("%q can be read", subject)
		}
	}
}

// FuzzUnpack takes any bytes for a message about parts.
func FuzzUnpack(f *testing.F) {
	c := &Cluster{id: "W"}
	m, err := c.packMessage(f.Context(), "oxo.done.JOB.0.0.2", item{jobs.Report{Done: 1, Total: 2}, []byte("output")},
		item{jobs.Report{Line: "x"}, nil})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(m.Data)
	f.Add([]byte{})
	f.Add([]byte{2, '{', '}', 200})
	f.Fuzz(func(t *testing.T, body []byte) {
		items, err := unpackItems("", body[:min(len(body), large)])
		if err != nil {
			return
		}
		again, err := c.packMessage(t.Context(), "oxo.done.JOB.0.0", items...)
		if err != nil {
			t.Fatal(err)
		}
		sum := again.Header.Get(headSum)
		back, err := unpackItems(sum, again.Data)
		if err != nil || len(back) != len(items) {
			t.Errorf("%q is %d parts, and again %d: %v", body, len(items), len(back), err)
		}
		if len(again.Data) > 0 {
			again.Data[len(again.Data)-1] ^= 1
			if _, err := unpackItems(sum, again.Data); !errors.Is(err, errDamaged) {
				t.Errorf("%q is not taken for damaged: %v", again.Data, err)
			}
		}
	})
}
