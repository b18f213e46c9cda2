package cluster

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nuid"
	"oxo/cluster/broker"
	"oxo/cluster/gate"
	"oxo/cluster/records"
	"oxo/cluster/view"
	"oxo/lab/jobs"
)

// WorkOptions say how a process works for the cluster.
type WorkOptions struct {
	Slots    int  // parts at once; 0 is one for each core
	LeadOnly bool // lead jobs, but carry out no parts
	Name     string
	Node     string // the name of its server among several

	// Checkpoints is how often what a part can go on from is stored; 0 is every
	// 30 seconds.
	Checkpoints time.Duration

	// Lost is how often a part may get lost with its worker before it is taken
	// for the reason; 0 is 20 times.
	Lost int

	// Memory is the most bytes that a part may ask for, of those that do; others
	// fail here. 0 is no bound.
	Memory int64

	// Tell, where it is not nil, is told in a line what happens.
	Tell func(line string)
}

const (
	// A checkpoint costs a message, and up to usualCheckpoints of work is done again when a worker is lost.
	usualCheckpoints = 30 * time.Second
	usualLost        = 20
)

// workerProcess is a process at work.
// What follows mu is read and changed under it.
// One process may lead jobs and carry out parts at once; a slot is taken by parts alone.
type workerProcess struct {
	c     *Cluster
	o     WorkOptions
	id    string
	host  string
	since time.Time
	gate  *gate.Gate

	patience time.Duration // with parts that travel together

	mu     sync.Mutex
	works  map[string]*opened
	doing  map[string]string // parts under way, by subject
	parts  uint64            // carried out
	failed uint64
	spent  float64 // seconds in parts
	others []view.Worker
	full   string    // why outputs can't be stored at the moment
	unled  time.Time // when a job could last not be led as the server had no room

	leads     atomic.Int32 // jobs that it leads: only who leads looks at the other processes
	storeFull atomic.Bool  // processes say that the server has no room

	// runPart carries out a part: [jobs.Work.RunWithFinalReport].
	runPart func(*jobs.Work, context.Context, jobs.Task) ([]byte, jobs.Report, error)
}

// opened is a job that is open in this process.
// The first part of the job that comes opens it, and others of it wait for that.
type opened struct {
	open func() (*jobs.Work, error)
	used time.Time
}

// mostOpened is how many jobs are kept open.
const mostOpened = 8

// newWorker returns a worker with what the options leave open filled in.
func (c *Cluster) newWorker(o WorkOptions) *workerProcess {
	o.Slots = cmp.Or(o.Slots, runtime.GOMAXPROCS(0))
	if o.LeadOnly {
		o.Slots = 0
	}
	o.Checkpoints = cmp.Or(o.Checkpoints, usualCheckpoints)
	o.Lost = cmp.Or(o.Lost, usualLost)
	if o.Tell == nil {
		o.Tell = func(string) {}
	}
	host, _ := os.Hostname() // only for people
	if o.Name != "" {
		host = o.Name
	}
	return &workerProcess{c: c, o: o, id: nuid.Next(), host: host, since: time.Now().UTC(), gate: gate.New(o.Slots),
		patience: longTogether,
		runPart:  (*jobs.Work).RunWithFinalReport, works: map[string]*opened{}, doing: map[string]string{}}
}

// beginLimit is how long a worker waits for servers that choose a leader.
// After it the worker gives up with the server's error.
const beginLimit = time.Minute

// Work carries out parts and coordinates jobs until ctx is done. Parts under way then
// are left for others, with their checkpoints.
func (c *Cluster) Work(ctx context.Context, o WorkOptions) error {
	if o.Slots < 0 {
		return fmt.Errorf("%d slots", o.Slots)
	}
	if err := c.MayWork(); err != nil {
		return err
	}
	return c.newWorker(o).work(ctx)
}

// MayWork is the error of Work for who lacks the right.
func (c *Cluster) MayWork() error { return c.checkRight(broker.Work, "carry out parts") }

// work is Work.
// When ctx is done it waits for all that it has begun, and then takes its name off the list of
// workers: who does not come to that is taken off by the server, after liveFor.
func (w *workerProcess) work(ctx context.Context) error {
	begin, cancel := context.WithTimeout(ctx, beginLimit)
	err := w.c.keepTrying(begin, func() error { return w.publishOwnStatus(begin) })
	cancel()
	if err != nil {
		return errors.Join(err, ctx.Err())
	}
	var all sync.WaitGroup
	all.Go(func() { periodically(ctx, showEvery, func() { w.publishStatusAndRefreshWorkers(ctx) }) })
	if w.c.role == broker.Administer {
		removals, err := w.serveRemovals()
		if err != nil {
			return err
		}
		defer removals.Unsubscribe()
		all.Go(func() {
			w.sweep(ctx)
			periodically(ctx, sweepEvery, func() { w.sweep(ctx) })
		})
		all.Go(func() { w.pullMessages(ctx, leadConsumer, w.coordinateJobs) })
	}
	if w.o.Slots > 0 {
		for level, name := range broker.Priorities() {
			take := func(ctx context.Context, cons jetstream.Consumer) error {
				return w.runPartsOfPriority(ctx, cons, level)
			}
			all.Go(func() { w.pullMessages(ctx, name, take) })
		}
	}
	all.Wait()
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), connectLimit)
	defer cancel()
	return errors.Join(w.c.live.Delete(last, w.describe().Key()), ctx.Err())
}

// pullMessages takes messages of a consumer until ctx is done, however often the server
// goes away.
// After an error of the server it waits a quarter of a second before it asks again.
func (w *workerProcess) pullMessages(
	ctx context.Context, name string, take func(context.Context, jetstream.Consumer) error,
) {
	for ctx.Err() == nil {
		cons, err := w.c.work.Consumer(ctx, name)
		if err == nil {
			err = take(ctx, cons)
		}
		if err != nil && ctx.Err() == nil {
			select {
			case <-ctx.Done():
			case <-time.After(250 * time.Millisecond):
			}
		}
	}
}

// fetchFor is how long one request for messages waits on the server.
// It bounds how late a worker notices that it is to get nothing more.
const fetchFor = 5 * time.Second

// nextMessage returns a message, waiting for one; none after a while.
func nextMessage(ctx context.Context, cons jetstream.Consumer) (jetstream.Msg, error) {
	limited, cancel := context.WithTimeout(ctx, fetchFor)
	defer cancel()
	m, err := cons.Next(jetstream.FetchContext(limited))
	if errors.Is(err, nats.ErrTimeout) || errors.Is(err, context.DeadlineExceeded) {
		return nil, nil
	}
	return m, err
}

// eachMessage begins something with every message that comes, each time once ready lets it, and
// returns when all of that has ended, too.
func eachMessage(ctx context.Context, cons jetstream.Consumer, ready func() error,
	begin func(m jetstream.Msg) (work func())) error {
	var all sync.WaitGroup
	defer all.Wait()
	for ctx.Err() == nil {
		if err := ready(); err != nil {
			return err
		}
		m, err := nextMessage(ctx, cons)
		if err != nil {
			return err
		}
		if m != nil {
			all.Go(begin(m))
		}
	}
	return ctx.Err()
}

// coordinateJobs coordinates every job that nobody does.
func (w *workerProcess) coordinateJobs(ctx context.Context, cons jetstream.Consumer) error {
	return eachMessage(ctx, cons, w.checkTrustedAndCurrent, func(m jetstream.Msg) func() {
		return func() {
			stop := w.renewLease(ctx, m)
			w.leads.Add(1)
			err := errors.Join(w.refreshWorkers(ctx), w.c.CatchUp(ctx)) // who was found wrong elsewhere is known then
			if err == nil {
				err = w.checkTrustedAndCurrent() // the message was asked for before that was known
			}
			if err == nil {
				err = w.coordinateJob(ctx, strings.TrimPrefix(m.Subject(), "oxo.lead."))
			}
			w.leads.Add(-1)
			stop()
			switch {
			case err == nil:
				_ = m.Ack() // else it is led again, to no effect
			case errors.Is(err, errTaken):
			case ctx.Err() != nil:
				_ = m.Nak()
			case errors.Is(broker.ExplainFullStore(err), broker.ErrFull):
				w.mu.Lock()
				w.unled = time.Now()
				w.mu.Unlock()
				_ = m.NakWithDelay(time.Second)
			default:
				w.o.Tell(fmt.Sprintf("leading %s: %v", strings.TrimPrefix(m.Subject(), "oxo.lead."), err))
				_ = m.NakWithDelay(time.Second)
			}
		}
	})
}

// checkTrustedAndCurrent is the error of a worker whose output was found wrong, or that is of another version
// than the cluster has come to run: it gets nothing more.
func (w *workerProcess) checkTrustedAndCurrent() (err error) {
	if job := w.c.JobFoundWrongIn(w.c.id); job != "" {
		err = fmt.Errorf("an output of this worker was wrong in job %s; it gets nothing more to do", job)
	} else if runs := w.c.ClusterVersion(); runs != "" && runs != w.c.o.Version {
		err = fmt.Errorf("the cluster has come to run version %s and this is version %s; start the same program anew",
			runs, w.c.o.Version)
	} else {
		return nil
	}
	w.tellOnce(err.Error(), "")
	return err
}

// renewLease keeps the lease of a message until the function that it returns is
// called.
// A process that is killed renews nothing, and the message is delivered to another when the lease
// is over. It goes on after ctx is done, as what the message asked for is put away first.
// It renews three times a lease, so that one message may get lost.
func (w *workerProcess) renewLease(ctx context.Context, m jetstream.Msg) (stop func()) {
	inner, cancel := context.WithCancel(context.WithoutCancel(ctx))
	var over sync.WaitGroup
	over.Go(func() {
		periodically(inner, w.c.lease/3, func() {
			_ = m.InProgress() // a lease that runs out costs time, nothing else
		})
	})
	return func() {
		cancel()
		over.Wait()
	}
}

// runPartsOfPriority carries out parts of a priority while there is room for it.
func (w *workerProcess) runPartsOfPriority(ctx context.Context, cons jetstream.Consumer, level int) error {
	ready := func() error { return errors.Join(w.gate.WaitForTurn(ctx, level), w.checkTrustedAndCurrent()) }
	return eachMessage(ctx, cons, ready, func(m jetstream.Msg) func() {
		w.gate.Enter(level)
		return func() {
			defer w.gate.Leave(level)
			w.runAndAcknowledge(ctx, m)
		}
	})
}

// openJob opens a job, or returns it as it was opened before. An error of the job
// itself is a wrong.
// Files that specs name are read from those that the job was given; that the server does not have
// them at the moment is an error of the server, and of no job. One that failed to open is opened
// anew the next time. The job that was used longest ago makes room.
func (w *workerProcess) openJob(ctx context.Context, r *records.Record) (*jobs.Work, error) {
	w.mu.Lock()
	e := w.works[r.ID]
	if e == nil {
		e = &opened{open: sync.OnceValues(func() (*jobs.Work, error) { return w.c.openWithInputs(ctx, r) })}
		w.works[r.ID] = e
	}
	e.used = time.Now()
	for len(w.works) > mostOpened {
		delete(w.works, slices.MinFunc(slices.Collect(maps.Keys(w.works)), func(a, b string) int {
			return w.works[a].used.Compare(w.works[b].used)
		}))
	}
	w.mu.Unlock()
	work, err := e.open()
	if err != nil {
		w.mu.Lock()
		if w.works[r.ID] == e {
			delete(w.works, r.ID)
		}
		w.mu.Unlock()
	}
	return work, err
}

// openWithInputs opens a job with the files that it was given.
func (c *Cluster) openWithInputs(ctx context.Context, r *records.Record) (*jobs.Work, error) {
	l := c.o.Lab
	l.WriteFile = nil
	var lost error
	l.ReadFile = func(path string) ([]byte, error) {
		name, ok := r.Inputs[path]
		if !ok {
			return nil, fmt.Errorf("the file %s was not given with the job", path)
		}
		data, err := c.files.OwnedBy(broker.Given).Bytes(ctx, name)
		if err != nil {
			lost = err
		}
		return data, err
	}
	work, err := jobs.OpenJob(context.WithoutCancel(ctx), &l, r.Job)
	if err == nil {
		return work, nil
	}
	if lost != nil {
		return nil, lost
	}
	return nil, wrong{err}
}

// latestRecord returns a job's record: as it was seen last, or from the server.
func (w *workerProcess) latestRecord(ctx context.Context, id string) (*records.Record, error) {
	if r, _ := w.c.Latest(id); r != nil {
		return r, nil
	}
	return w.c.Job(ctx, id)
}

// describe is what the process tells of itself.
// At most eight parts under way are named, as the entry is told every showEvery.
func (w *workerProcess) describe() view.Worker {
	w.mu.Lock()
	defer w.mu.Unlock()
	me := view.Worker{ID: w.id, Signs: w.c.id, Host: w.host, Name: w.o.Node, Version: w.c.o.Version, Slots: w.o.Slots,
		Since: w.since, Parts: w.parts, Failed: w.failed, Busy: w.spent, Trouble: w.full}
	if w.c.named {
		me.Name = w.c.id
	}
	if me.Trouble == "" && time.Since(w.unled) < liveFor/3 { // it is tried every second, here or elsewhere
		me.Trouble = broker.ErrFull.Error()
	}
	for _, name := range w.doing {
		if len(me.Doing) < 8 {
			me.Doing = append(me.Doing, name)
		}
	}
	return me
}

// publishOwnStatus tells the cluster about the process.
// The entry expires by itself, so that it has to be told again before liveFor is over.
func (w *workerProcess) publishOwnStatus(ctx context.Context) error {
	me := w.describe()
	data, err := json.Marshal(me)
	if err != nil {
		return err
	}
	_, err = w.c.live.Put(ctx, me.Key(), data)
	return err
}

// showEvery is how often a process tells about itself and looks at the others.
const showEvery = 2 * time.Second

// publishStatusAndRefreshWorkers tells about the process, and looks at the others where it leads jobs.
func (w *workerProcess) publishStatusAndRefreshWorkers(ctx context.Context) {
	// The server may be away for a while: the next round tells.
	_ = w.publishOwnStatus(ctx)
	if w.leads.Load() > 0 {
		_ = w.refreshWorkers(ctx)
	}
}

// periodically calls do each time that so long has passed, until ctx is done.
func periodically(ctx context.Context, every time.Duration, do func()) {
	tick := time.Tick(every)
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick:
			do()
		}
	}
}

// refreshWorkers looks which processes work for the cluster.
// After an error those that were known stay.
func (w *workerProcess) refreshWorkers(ctx context.Context) error {
	list, err := w.c.Workers(ctx)
	if err == nil {
		w.mu.Lock()
		w.others = list
		w.mu.Unlock()
		w.noteFullStore(list)
	}
	return err
}

// totalSlots returns how many parts all workers can carry out at once.
func (w *workerProcess) totalSlots() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	n := 0
	for _, o := range w.others {
		n += o.Slots
	}
	return n
}

// hasWorkerBesides reports whether there is a process that carries out parts besides the one that
// signs so.
func (w *workerProcess) hasWorkerBesides(name string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.ContainsFunc(w.others, func(o view.Worker) bool {
		return o.Slots > 0 && o.Signs != name && w.c.JobFoundWrongIn(o.Signs) == ""
	})
}

// hostOf returns the machine of a process that signs so, as far as it is known.
func (w *workerProcess) hostOf(name string) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	if i := slices.IndexFunc(w.others, func(o view.Worker) bool { return o.Signs == name }); i >= 0 {
		return w.others[i].Host
	}
	return ""
}

// countWorkerNames returns how many names there are under which parts are carried out.
// Several processes may share a key, and so a name: they count as one, as they may share a fault.
func (w *workerProcess) countWorkerNames() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	signs := map[string]bool{}
	for _, o := range w.others {
		if o.Slots > 0 {
			signs[o.Signs] = true
		}
	}
	return len(signs)
}

const (
	sweepEvery = time.Hour

	// chunksLost is how long nothing must have been added to chunks that no file
	// names before they are taken for lost, so that those of a file on its way,
	// however slowly it is written, are left alone.
	chunksLost = time.Hour
)

// sweep removes lost chunks, outputs and files.
func (w *workerProcess) sweep(ctx context.Context) {
	_ = w.c.files.RemoveOrphanChunks(ctx, chunksLost) // the next round tries again
	_ = w.removeStrayOutputsAndFiles(ctx)
}
