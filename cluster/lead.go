package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"oxo/lab"
)

// lead is what a process does that leads a job.
type lead struct {
	c    *Cluster
	w    *worker
	id   string
	rec  *Record
	work *lab.Work
	out  *stored
}

// errGone ends a lead whose job is over, and errTaken one that another process
// has taken over.
var (
	errGone  = errors.New("the job is over")
	errTaken = errors.New("another process leads the job")
)

// wrong is an error of the job itself: another leader would meet it too.
type wrong struct{ error }

// lead takes a job to its end. An error means that another try is needed.
func (w *worker) lead(ctx context.Context, id string) error {
	l := &lead{c: w.c, w: w, id: id}
	err := l.run(ctx)
	var bad wrong
	switch {
	case errors.Is(err, errGone), errors.Is(err, ErrNoJob):
		return nil
	case errors.As(err, &bad):
		_, err = l.c.finish(ctx, id, func(r *Record) { r.State, r.Error = Failed, bad.Error() })
		if errors.Is(err, errOver) {
			return nil
		}
	}
	return err
}

func (l *lead) run(ctx context.Context) (err error) {
	l.rec, err = l.c.update(ctx, l.id, func(r *Record) error {
		if r.State.Over() {
			return errGone
		}
		r.State, r.Lead = Running, l.w.id
		return nil
	})
	if errors.Is(err, errGone) {
		return l.c.sweep(ctx, l.rec)
	}
	if err != nil {
		return err
	}
	if l.work, err = l.w.open(ctx, l.rec); err != nil {
		return err
	}
	l.out = &stored{c: l.c, ctx: ctx, job: l.id}
	var aside []Aside
	for stage := 0; ; stage++ {
		parts, err := l.work.Stage(stage, l.out)
		if err != nil {
			return l.blame(err)
		}
		if len(parts) == 0 {
			break
		}
		s := &stageLed{lead: l, parts: parts}
		if err := s.run(ctx); err != nil {
			return err
		}
		if aside = s.aside; len(aside) > 0 {
			_, err := l.c.finish(ctx, l.id, func(r *Record) {
				r.State, r.Aside = Failed, aside
				r.Error = fmt.Sprintf("%d of %d parts could not be carried out; the first, %s: %s", len(aside), len(parts), aside[0].Name, aside[0].Error)
			})
			return gone(err)
		}
		l.out.stages = append(l.out.stages, len(parts))
	}
	return l.merge(ctx)
}

// gone is no error where the job was over before.
func gone(err error) error {
	if errors.Is(err, errOver) {
		return nil
	}
	return err
}

// blame says whose error it is that came of outputs: the server's, if it did
// not answer, else the job's.
func (l *lead) blame(err error) error {
	if l.out.failed != nil {
		return l.out.failed
	}
	return wrong{err}
}

// merge makes the result.
func (l *lead) merge(ctx context.Context) error {
	if err := l.c.dropFiles(ctx, resultName(l.id, "")); err != nil { // of a leader that got lost
		return err
	}
	text, err := l.work.Merge(l.out, l.c.create(ctx, l.id))
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return l.blame(err)
	}
	if _, err := l.c.files.PutBytes(ctx, resultName(l.id, resultFile), text); err != nil {
		return err
	}
	files, err := l.c.listFiles(ctx, resultName(l.id, ""))
	if err != nil {
		return err
	}
	_, err = l.c.finish(ctx, l.id, func(r *Record) { r.State, r.Files = Done, files })
	return gone(err)
}

// resultFile is the file of a result's JSON.
const resultFile = "result.json"

// finish ends a job and removes what it needed no longer.
func (c *Cluster) finish(ctx context.Context, id string, change func(*Record)) (*Record, error) {
	r, err := c.update(ctx, id, func(r *Record) error {
		if r.State.Over() {
			return errOver
		}
		now := time.Now().UTC()
		r.Ended = &now
		change(r)
		return nil
	})
	if err != nil {
		return r, err
	}
	return r, c.sweep(ctx, r)
}

// stageLed is a stage of a job that is led.
type stageLed struct {
	*lead
	parts []lab.Part

	mu      sync.Mutex
	reports []lab.Report
	over    []bool // parts that are done or set aside
	left    int
	fails   map[int]map[string]int // by part and worker
	aside   []Aside
	purge   []int         // parts to be taken off the queue
	changed chan struct{} // something was done

	todo    []int // parts that are to be put on the queue
	queued  int   // parts that are on it or under way
	began   time.Time
	before  int // parts that were done when this leader began
	touched time.Time
}

// Failures after which a part is set aside: on so many workers, or so many in
// all where there are fewer workers.
const failsToAside = 3

func (s *stageLed) run(ctx context.Context) error {
	n := len(s.parts)
	s.reports, s.over, s.left = make([]lab.Report, n), make([]bool, n), n
	s.fails, s.changed = map[int]map[string]int{}, make(chan struct{}, 1)
	s.began, s.touched = time.Now(), time.Now()
	filter := fmt.Sprintf("%s.%d.>", s.id, s.parts[0].Stage)
	info, err := s.c.done.Info(ctx, jetstream.WithSubjectFilter("oxo.done."+filter))
	if err != nil {
		return err
	}
	for i, p := range s.parts {
		if info.State.Subjects[partSubject("done", s.id, p.Stage, p.Index)] == 0 {
			s.todo = append(s.todo, i)
		}
	}
	s.before = n - len(s.todo)
	cons, err := s.c.js.OrderedConsumer(ctx, doneStream, jetstream.OrderedConsumerConfig{FilterSubjects: []string{"oxo.done." + filter, "oxo.fail." + filter}})
	if err != nil {
		return err
	}
	reading, err := cons.Consume(s.hear)
	if err != nil {
		return err
	}
	defer reading.Stop()
	progress, err := s.c.conn.Subscribe("oxo.progress."+filter, s.hearProgress)
	if err != nil {
		return err
	}
	defer progress.Unsubscribe()
	return s.follow(ctx)
}

// follow keeps the queue filled until all parts are over.
func (s *stageLed) follow(ctx context.Context) error {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		record, changed := s.c.known(s.id)
		if record != nil && record.revision > s.rec.revision {
			if record.State.Over() {
				return errGone
			}
			if record.Lead != s.w.id {
				return errTaken
			}
			s.rec = record // its priority may have changed
		}
		left, err := s.settle(ctx)
		if err != nil {
			return err
		}
		if left == 0 {
			s.tell(ctx)
			return nil
		}
		if err := s.fill(ctx); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-changed:
		case <-s.changed:
		case <-tick.C:
			s.tell(ctx)
			if err := s.look(ctx); err != nil {
				return err
			}
		}
	}
}

// settle takes parts that were set aside off the queue and returns how many
// parts are left.
func (s *stageLed) settle(ctx context.Context) (int, error) {
	s.mu.Lock()
	purge, left := s.purge, s.left
	s.purge = nil
	s.mu.Unlock()
	for _, i := range purge {
		p := s.parts[i]
		if err := s.c.work.Purge(ctx, jetstream.WithPurgeSubject(partSubject("part.*", s.id, p.Stage, p.Index))); err != nil {
			return left, err
		}
	}
	return left, nil
}

// hear takes down what the workers say about parts.
func (s *stageLed) hear(m jetstream.Msg) {
	kind, stage, index, worker, ok := partOf(m.Subject())
	if !ok || index >= len(s.parts) || stage != s.parts[0].Stage {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.over[index] {
		return
	}
	report, text, err := unpack(m.Data())
	if kind == "fail" {
		if s.fails[index] == nil {
			s.fails[index] = map[string]int{}
		}
		s.fails[index][worker]++
		if !s.hopeless(s.fails[index]) {
			return
		}
		s.aside = append(s.aside, Aside{stage, index, s.parts[index].Name, string(text)})
		s.purge = append(s.purge, index)
	} else if err == nil {
		s.reports[index] = report
	}
	s.over[index] = true
	s.left--
	s.queued = max(0, s.queued-1)
	s.touched = time.Now()
	select {
	case s.changed <- struct{}{}:
	default:
	}
}

// hopeless reports whether a part has failed often enough.
func (s *stageLed) hopeless(fails map[string]int) bool {
	sum := 0
	for _, n := range fails {
		sum += n
	}
	return len(fails) >= failsToAside || sum >= failsToAside && len(fails) >= s.w.alive()
}

func (s *stageLed) hearProgress(m *nats.Msg) {
	_, stage, index, _, ok := partOf(m.Subject)
	var r lab.Report
	if !ok || index >= len(s.parts) || stage != s.parts[0].Stage || json.Unmarshal(m.Data, &r) != nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.over[index] {
		s.reports[index] = r
		s.touched = time.Now()
	}
}

// Bounds of how many parts of a job are on the queue at once.
const (
	leastQueued = 8
	mostQueued  = 1 << 13
	queuedFor   = 2.0 // seconds of work
)

// room returns how many parts may be on the queue: enough for every worker, and
// for two seconds at the rate so far, so that parts of other jobs get their
// turn.
func (s *stageLed) room() int {
	done := len(s.parts) - s.left - s.before
	rate := float64(done) / max(time.Since(s.began).Seconds(), 0.01)
	return min(mostQueued, max(leastQueued, 2*s.w.slots(), int(queuedFor*rate)))
}

// fill puts parts on the queue where there is room.
func (s *stageLed) fill(ctx context.Context) error {
	s.mu.Lock()
	count := min(s.room()-s.queued, len(s.todo))
	var batch []int
	if count > 0 {
		batch, s.todo = s.todo[:count], s.todo[count:]
		s.queued += count
	}
	s.mu.Unlock()
	return s.enqueue(ctx, batch)
}

// order is the message of a part on the queue.
type order struct {
	Part   lab.Part `json:"part"`
	Stages []int    `json:"stages"` // how many parts the stages before had
}

// enqueue puts parts on the queue. Those that are there already stay as they
// are. A queue that is full, of this job's parts or of others', is waited for.
func (s *stageLed) enqueue(ctx context.Context, batch []int) error {
	futures := make([]jetstream.PubAckFuture, 0, len(batch))
	for _, i := range batch {
		p := s.parts[i]
		data, err := json.Marshal(order{p, s.out.stages})
		if err != nil {
			return err
		}
		f, err := s.c.js.PublishAsync(partSubject("part."+s.rec.Priority, s.id, p.Stage, p.Index), data)
		if err != nil {
			return err
		}
		futures = append(futures, f)
	}
	full := false
	for k, f := range futures {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-f.Ok():
		case err := <-f.Err():
			if alreadyQueued(err) {
				continue
			}
			s.mu.Lock()
			s.todo = append(s.todo, batch[k])
			s.queued--
			s.mu.Unlock()
			full = true
		}
	}
	if full {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Second):
		}
	}
	return nil
}

// look puts parts of which nothing is heard on the queue again, in case that a
// server has lost them. The server refuses those that it has.
func (s *stageLed) look(ctx context.Context) error {
	s.mu.Lock()
	silent := time.Since(s.touched) > 2*s.c.lease
	if silent {
		s.touched = time.Now()
	}
	s.mu.Unlock()
	if !silent {
		return nil
	}
	filter := fmt.Sprintf("oxo.done.%s.%d.>", s.id, s.parts[0].Stage)
	info, err := s.c.done.Info(ctx, jetstream.WithSubjectFilter(filter))
	if err != nil {
		return err
	}
	s.mu.Lock()
	waiting := map[int]bool{}
	for _, i := range s.todo {
		waiting[i] = true
	}
	var lost []int
	for i, p := range s.parts {
		switch {
		case s.over[i] || waiting[i]:
		case info.State.Subjects[partSubject("done", s.id, p.Stage, p.Index)] > 0: // heard soon
		case len(lost) < s.room():
			lost = append(lost, i)
		}
	}
	s.mu.Unlock()
	return s.enqueue(ctx, lost)
}
