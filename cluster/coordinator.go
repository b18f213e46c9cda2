package cluster

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nuid"
	"oxo/cluster/broker"
	"oxo/cluster/records"
	"oxo/lab/jobs"
)

// coordinator is what a process does that coordinates a job. Its lead can be taken over by another
// process at any time; whoever finds another name in the record stops.
// It is used by one goroutine; what comes in meanwhile is taken down by the stage under way,
// stageRun.
// What it knows of outputs it can find out again from the server: a coordinator that takes over begins there.
type coordinator struct {
	c    *Cluster
	w    *workerProcess
	id   string // of the job
	name string // of this try to lead it, as the same process can be taken for lost and try again
	rec  *records.Record
	work *jobs.Work
	out  *storedOutputs

	sum      int // parts of all stages
	repeated int // of them
}

// errTaken ends the coordination of a job that another process has taken over.
var errTaken = errors.New("another process coordinates the job")

// wrong is an error of the job itself: another coordinator would meet it too.
type wrong struct{ error }

// coordinateJob takes a job to its end. An error means that another try is needed. A failure of the job
// itself is written into its record; that of a server that is away leads to another try.
func (w *workerProcess) coordinateJob(ctx context.Context, id string) error {
	l := &coordinator{c: w.c, w: w, id: id, name: nuid.Next()}
	return l.settle(ctx, l.runUntilOver(ctx))
}

// settle does what is left to do where coordination ended with err: it writes down a failure of the job itself.
func (l *coordinator) settle(ctx context.Context, err error) error {
	if bad, ok := errors.AsType[wrong](err); ok {
		_, err = l.c.finishJob(ctx, l.id, func(r *records.Record) { r.State, r.Error = records.Failed, bad.Error() })
	}
	// Another coordinator may have come to its end, or somebody has cancelled or removed it.
	if errors.Is(err, records.ErrOver) || errors.Is(err, records.ErrNoJob) {
		return l.removeLeftoversOfEndedJob(ctx)
	}
	return err
}

// removeLeftoversOfEndedJob removes what this coordinator has left behind of a job that is over.
// It removes only what the record says is not needed, so that several may do so at once.
func (l *coordinator) removeLeftoversOfEndedJob(ctx context.Context) error {
	r, err := l.c.Job(ctx, l.id)
	if errors.Is(err, records.ErrNoJob) {
		return l.c.removeJob(ctx, l.id)
	}
	if err != nil || !r.State.Over() {
		return err
	}
	return l.c.removeIntermediatesOfEndedJob(ctx, r)
}

// runUntilOver leads the job until it is over: it notes that it does, and takes it to its end, again without
// the workers whose outputs were found wrong.
// It returns nil where the job has come to its end, records.ErrOver or errTaken where that is another's
// affair, a wrong for a failure of the job itself, and any other error where the server is to be
// asked again.
func (l *coordinator) runUntilOver(ctx context.Context) (err error) {
	l.rec, err = l.c.UpdateUnfinished(ctx, l.id, func(r *records.Record) {
		r.State, r.Lead = records.Running, l.name
	})
	for err == nil {
		err = l.runStagesAndMerge(ctx)
		against, ok := errors.AsType[wrongOutputs](err)
		if !ok {
			return err
		}
		err = l.excludeWorkersAndPurgeOutputs(ctx, against)
	}
	return err
}

// runStagesAndMerge takes the job to its end, or to an output that is wrong. Stages follow one another; outputs
// that are on the server already, of an earlier coordinator, are found by their subjects.
// Stages end with the first that has no parts. What they come to depends on outputs of those before, read from l.out.
func (l *coordinator) runStagesAndMerge(ctx context.Context) (err error) {
	if l.work, err = l.w.openJob(ctx, l.rec); err != nil {
		return err
	}
	if l.work.UsesBlobs() {
		if err := l.c.createBlobBucket(ctx, l.id); err != nil {
			return err
		}
	}
	l.out = &storedOutputs{c: l.c, ctx: ctx, job: l.id}
	if l.work.UsesBlobs() {
		l.out.round = l.rec.Round
	}
	l.sum, l.repeated = 0, 0
	var aside []records.FailedPart
	for stage := 0; ; stage++ {
		parts, err := l.work.ListParts(ctx, stage, l.out)
		if err != nil {
			return l.jobErrorUnlessServerFailed(err)
		}
		if len(parts) == 0 {
			break
		}
		if err := l.work.DropUnneededBlobs(stage, l.out); err != nil {
			return l.jobErrorUnlessServerFailed(err)
		}
		s := &stageRun{coordinator: l, parts: parts}
		if err := s.run(ctx); err != nil {
			return err
		}
		// The other parts of the stage are done all the same, so that the record can name all that
		// failed.
		if aside = s.aside; len(aside) > 0 {
			_, err := l.c.finishJob(ctx, l.id, func(r *records.Record) {
				r.State, r.FailedParts = records.Failed, aside
				r.Error = fmt.Sprintf("%d of %d parts could not be carried out; the first, %s: %s", len(aside),
					len(parts), aside[0].Name, aside[0].Error)
			})
			return err
		}
		l.out.stages, l.out.where = append(l.out.stages, len(parts)), append(l.out.where, s.where)
		l.sum += len(parts)
	}
	return l.mergeResultAndFinish(ctx)
}

// jobErrorUnlessServerFailed says whose error it is that came of outputs: the server's, if it did
// not answer, else the job's.
// Another try may get past an error of the server, where a failure of the job is written down for
// good.
func (l *coordinator) jobErrorUnlessServerFailed(err error) error {
	if l.out.failed != nil {
		return l.out.failed
	}
	return wrong{err}
}

// mergeResultAndFinish makes the result. What an error leaves behind is swept when the job is over, and not
// before: the server may have taken the record that names these files although its answer got lost.
// The files' names carry the coordinator's, and the record names the coordinator whose files are the
// result.
func (l *coordinator) mergeResultAndFinish(ctx context.Context) error {
	text, err := l.work.MergeOutputs(l.out, l.out.resultCreator(l.name))
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return l.jobErrorUnlessServerFailed(err)
	}
	size, err := l.c.files.Put(ctx, resultName(l.id, l.name, resultFile), bytes.NewReader(text))
	if err != nil {
		return err
	}
	// A list of the server's own can lack what it has only just taken.
	files := append(l.out.made, records.File{Name: resultFile, Size: size})
	slices.SortFunc(files, func(a, b records.File) int { return strings.Compare(a.Name, b.Name) })
	_, err = l.c.finishJob(ctx, l.id, func(r *records.Record) {
		r.State, r.Files, r.Made = records.Done, files, l.name
		if r.Audit != nil {
			r.Audit.Parts, r.Audit.Repeated = l.sum, l.repeated
			r.Audit.Leaves = r.Audit.RemainingRisk()
		}
	})
	return err
}

// resultFile is the file of a result's JSON.
const resultFile = "result.json"

// finishJob ends a job and removes what it needed no longer. The error is records.ErrOver where it was
// over before.
// Whoever comes second finds the job over: of two coordinators, or of one and somebody who cancels,
// one alone has its say.
func (c *Cluster) finishJob(ctx context.Context, id string, change func(*records.Record)) (*records.Record, error) {
	r, err := c.UpdateUnfinished(ctx, id, func(r *records.Record) {
		now := time.Now().UTC()
		r.Ended = &now
		change(r)
	})
	if err != nil {
		return r, err
	}
	return r, c.removeIntermediatesOfEndedJob(ctx, r)
}

// stageRun is a stage of a job that is led.
// Its methods are called by the goroutine that leads, by the consumer of outputs, and by those that
// repeat parts; all fields from mu on are read and changed under it.
type stageRun struct {
	*coordinator
	parts []jobs.Part

	mu      sync.Mutex
	reports []jobs.Report
	over    []bool // parts that are done or set aside
	left    int
	ended   bool                   // the stage
	fails   map[int]map[string]int // by part and worker
	aside   []records.FailedPart
	purge   []int         // parts to be taken off the queue
	changed chan struct{} // something was done

	where   []place         // outputs that are believed
	claims  map[int][]claim // what workers say of parts that are to be repeated
	asks    []int           // parts that another worker is to repeat
	doubts  []int           // parts of which it is to be found out what is right
	stale   []stored        // outputs that are to be removed
	drawn   map[int]bool    // parts that are to be repeated, whoever carries them out
	judged  map[int]bool
	judging sync.WaitGroup
	judges  chan struct{} // one for each part that is repeated here at once
	found   error         // what came of that

	todo     []int        // parts that are to be put on the queue, ascending
	back     map[int]bool // parts that workers gave back: they go by themselves
	queued   int          // parts that are on it or under way
	began    time.Time
	before   int // parts that were done when this coordinator began
	touched  time.Time
	finished int       // parts that were done since
	spent    float64   // seconds in them
	quiet    time.Time // until when nothing is told, so that telling costs little
}

// tellShare is how many times as long as telling how the job goes takes nothing
// is told then: the reports of many parts are many.
// Telling so takes at most a twentieth of the time, however many parts a stage has.
const tellShare = 20

// Failures after which a part is set aside: on so many workers, or so many in
// all where there are fewer workers.
// One bad worker, or two, can't set a part aside while there are others to try it.
const failsToAside = 3

// run has the stage's parts carried out and returns when all have outputs. The consumer delivers
// outputs from the first on, so that those that were there come as new ones do.
// It fills the maps and lists of s first, as messages come from the moment of the subscription.
func (s *stageRun) run(ctx context.Context) error {
	n := len(s.parts)
	s.reports, s.over, s.left = make([]jobs.Report, n), make([]bool, n), n
	s.where, s.claims, s.drawn, s.judged = make([]place, n), map[int][]claim{}, map[int]bool{}, map[int]bool{}
	s.judges = make(chan struct{}, runtime.GOMAXPROCS(0))
	s.fails, s.back, s.changed = map[int]map[string]int{}, map[int]bool{}, make(chan struct{}, 1)
	s.began, s.touched = time.Now(), time.Now()
	filter := fmt.Sprintf("%s.%d.>", s.id, s.parts[0].Stage)
	queued, done, err := s.findQueuedAndDone(ctx)
	if err != nil {
		return err
	}
	for i := range s.parts {
		switch {
		case done[i]:
			s.before++
		case queued[i]: // by a coordinator before this one
			s.queued++
		default:
			s.todo = append(s.todo, i)
		}
	}
	// Done and fail come in the order in which the server stored them.
	cons, err := s.c.js.OrderedConsumer(ctx, broker.DoneStream,
		jetstream.OrderedConsumerConfig{FilterSubjects: []string{"oxo.done." + filter, "oxo.fail." + filter}})
	if err != nil {
		return err
	}
	reading, err := cons.Consume(s.receiveMessage)
	if err != nil {
		return err
	}
	defer reading.Stop()
	defer s.stopReceivingOutputs()
	progress, err := s.c.conn.Subscribe("oxo.progress."+filter, s.receiveProgress)
	if err != nil {
		return err
	}
	defer progress.Unsubscribe()
	back, err := s.c.conn.Subscribe("oxo.back."+filter, s.requeueReturned)
	if err != nil {
		return err
	}
	defer back.Unsubscribe()
	defer s.judging.Wait()
	inner, cancel := context.WithCancel(ctx)
	defer cancel()
	return s.superviseUntilDone(inner)
}

// stopReceivingOutputs lets no output be received any more, which may come until the consumer has stopped.
// Without that an output could be counted for a stage that has been left.
func (s *stageRun) stopReceivingOutputs() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended = true
}

// findQueuedAndDone reports which parts are on the queue and which have outputs. The queue
// is asked first: a part that leaves it meanwhile has an output then.
func (s *stageRun) findQueuedAndDone(ctx context.Context) (queued, done []bool, err error) {
	queued, done = make([]bool, len(s.parts)), make([]bool, len(s.parts))
	stage := s.parts[0].Stage
	subjects, err := records.SubjectsOf(ctx, s.c.work, fmt.Sprintf("oxo.part.*.%s.%d.>", s.id, stage))
	if err != nil {
		return nil, nil, err
	}
	markCoveredParts(queued, stage, subjects, orderedSpan)
	if subjects, err = records.SubjectsOf(ctx, s.c.done, fmt.Sprintf("oxo.done.%s.%d.>", s.id, stage)); err != nil {
		return nil, nil, err
	}
	markCoveredParts(done, stage, subjects, s.c.doneSpan)
	return queued, done, nil
}

// superviseUntilDone keeps the queue filled until all parts are over. It wakes for each output, for a
// change of the record, and every second to tell how the job goes and to look for parts that are
// silent.
func (s *stageRun) superviseUntilDone(ctx context.Context) error {
	tick := time.Tick(time.Second)
	for {
		record, changed := s.c.Latest(s.id)
		if record != nil && record.IsLaterThan(s.rec) {
			if record.State.Over() {
				return records.ErrOver
			}
			if record.Lead != s.name {
				return errTaken
			}
			s.mu.Lock()
			s.rec = record // its priority may have changed
			s.mu.Unlock()
		}
		left, err := s.dequeueFailedParts(ctx)
		if err != nil {
			return err
		}
		if left == 0 {
			return nil
		}
		if err := errors.Join(s.startAudits(ctx), s.fillQueue(ctx)); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-changed:
		case <-s.changed:
		case <-tick:
			if began := time.Now(); began.After(s.quiet) {
				s.publishStatus(ctx)
				s.quiet = time.Now().Add(tellShare * time.Since(began))
			}
			if err := s.requeueSilentParts(ctx); err != nil {
				return err
			}
		}
	}
}

// dequeueFailedParts takes parts that were set aside off the queue and returns how many
// parts are left.
// A worker that has one of them already goes on; what it says is not taken down any more.
func (s *stageRun) dequeueFailedParts(ctx context.Context) (partsLeft int, err error) {
	s.mu.Lock()
	purge, partsLeft := s.purge, s.left
	s.purge = nil
	s.mu.Unlock()
	for _, i := range purge {
		p := s.parts[i]
		if err := s.c.work.Purge(ctx, jetstream.WithPurgeSubject(partSubject("part.*", s.id, p.Stage,
			p.Index))); err != nil {
			return partsLeft, err
		}
	}
	return partsLeft, nil
}

// receiveMessage takes down what the workers say about parts. It runs on the consumer's goroutine;
// superviseUntilDone is woken through s.changed, which holds one token.
// A message whose body is damaged is taken down as well, with no items: its worker's answer counts as a failure.
func (s *stageRun) receiveMessage(m jetstream.Msg) {
	kind, at, worker, ok := parsePartSubject(m.Subject())
	if !ok || at.stage != s.parts[0].Stage || at.first+at.count > len(s.parts) {
		return
	}
	items, err := unpackItems(m.Headers().Get(headSum), m.Data())
	if err != nil || len(items) != at.count {
		items = nil
	}
	seconds, _ := strconv.ParseFloat(m.Headers().Get(headSeconds), 64) // 0 where it is not told
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended {
		return
	}
	if kind == "fail" {
		why := errDamaged.Error()
		if items != nil {
			why = string(items[0].data)
		}
		s.receiveFailure(at.first, worker, why)
	} else {
		s.finished += at.count
		s.spent += seconds
		s.receiveOutputs(m, at, worker, items)
	}
	s.wake()
}

// wake has superviseUntilDone look at the stage again.
func (s *stageRun) wake() {
	select {
	case s.changed <- struct{}{}:
	default:
	}
}

// receiveFailure takes down that a part failed, and sets it aside where that was often enough. The
// part stays on the queue for other workers until it is set aside.
func (s *stageRun) receiveFailure(part int, worker, why string) {
	if s.over[part] {
		return
	}
	if s.fails[part] == nil {
		s.fails[part] = map[string]int{}
	}
	s.fails[part][worker]++
	if s.failedTooOften(s.fails[part]) {
		s.aside = append(s.aside, records.FailedPart{Stage: s.parts[part].Stage, Index: part,
			Name: s.parts[part].Name, Error: why})
		s.purge = append(s.purge, part)
		s.markOver(part)
	}
}

// markOver counts a part as over.
// The caller holds s.mu, and has seen that it was not over before.
func (s *stageRun) markOver(part int) {
	s.over[part] = true
	s.left--
	s.queued = max(0, s.queued-1)
	s.touched = time.Now()
}

// failedTooOften reports whether a part has failed often enough. A part that fails on one worker may
// be that worker's fault; one that fails on three, or on all there are, is the job's.
func (s *stageRun) failedTooOften(failsByWorker map[string]int) bool {
	sum := 0
	for _, n := range failsByWorker {
		sum += n
	}
	return len(failsByWorker) >= failsToAside || sum >= failsToAside && len(failsByWorker) >= s.w.countWorkerNames()
}

// requeueReturned has a part that a worker gave back put on the queue once more. It goes by itself the
// next time, as one of its companions may have taken too long.
// The message is not stored: one that gets lost is made up for by requeueSilentParts.
func (s *stageRun) requeueReturned(m *nats.Msg) {
	_, at, _, ok := parsePartSubject(m.Subject)
	if !ok || at.first >= len(s.parts) || at.stage != s.parts[0].Stage {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.requeue(at.first) {
		s.back[at.first] = true
	}
}

// requeue has a part put on the queue anew, and reports whether it is: not where it is over, has an output that is
// audited, or waits to be put there already. The caller holds s.mu.
func (s *stageRun) requeue(part int) (queued bool) {
	if s.over[part] || len(s.claims[part]) > 0 || slices.Contains(s.todo, part) {
		return false
	}
	s.todo = append(s.todo, part)
	slices.Sort(s.todo)
	s.queued = max(0, s.queued-1)
	return true
}

// receiveProgress takes in a report of a part under way. Progress is not stored: who connects later
// hears the next report.
func (s *stageRun) receiveProgress(m *nats.Msg) {
	_, at, _, ok := parsePartSubject(m.Subject)
	var r jobs.Report
	if !ok || at.first >= len(s.parts) || at.stage != s.parts[0].Stage || json.Unmarshal(m.Data, &r) != nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.over[at.first] {
		s.reports[at.first] = r
		s.touched = time.Now()
	}
}
