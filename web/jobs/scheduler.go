package jobs

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	gauges "runtime/metrics"
	"slices"
	"sync"
	"time"

	"oxo/lab"
	"oxo/web/service"
)

// The most of jobs.
const (
	jobsAtOnce   = 32   // that compute by turns
	JobsEach     = 4    // of these, one address's
	jobsWaiting  = 2000 // that are not finished
	JobsFrom     = 16   // of these, one address's
	JobsOfOwner  = 8    // and one owner's
	JobsKept     = 200  // of one owner, finished ones included
	usualMemory  = 1 << 30
	memoryGlance = 250 * time.Millisecond
)

// Why a job is stopped before its end.
var (
	errPaused    = errors.New("paused")
	errCancelled = errors.New("cancelled")
	errDropped   = errors.New("deleted")
	errClosing   = errors.New("the server is closing")
	errSpent     = errors.New("it has run for as long as a job may here; run it with the command line instead")
	errCrowded   = errors.New("other jobs have the memory")
	errMemory    = errors.New("it needs more memory than the server has for jobs; run it with the command line instead")
)

// connected are the bots that listen, which play in tournaments. Invite challenges
// one and waits until it has accepted; while it waits for the bot, then and later, it
// has called rest and calls what that returned after.
// Await waits for the bot to be connected where it is patient, and is an error where it is not connected then.
type connected interface {
	Listens(bot string) bool
	Await(ctx context.Context, bot string, patient bool) error
	Invite(ctx context.Context, contest, bot string, g lab.GuestGame, rest func(context.Context) func()) (lab.Guest,
		error)
}

// Scheduler runs jobs: a few at once, with fewer processors than there are, so that
// play is always answered, and never with more memory than is allowed. A job for which others leave too little
// memory waits until there is enough; it fails where it alone takes more.
// Its lock may be held while a job's is taken, never the other way round.
type Scheduler struct {
	*service.Base
	lab  *lab.Lab
	bots connected

	// Prove lists a certificate among the server's proofs, and returns its id.
	Prove func(context.Context, lab.ProofSearch, []byte) string

	processors *semaphore
	width      int // processors for jobs

	MaxTime time.Duration // that a job from elsewhere may run; 0 for any time

	most uint64        // bytes that the program may have come to
	heap func() uint64 // bytes that it has

	mu      sync.Mutex
	jobs    map[string]*Job // those not finished
	queue   []*Job          // those that wait to be started
	running []*Job          // in the order of their start
	watched bool            // whether somebody watches the memory

	closing context.Context
	close   context.CancelCauseFunc
	wait    sync.WaitGroup
}

// NewScheduler makes a scheduler without jobs, with so many processors and so many
// bytes of memory, 0 for the usual number.
// The caller sets Prove and MaxTime. The memory is that of the whole program, not of jobs alone.
func NewScheduler(b *service.Base, bots connected, l *lab.Lab, processors int, maxBytes uint64) *Scheduler {
	c := &Scheduler{Base: b, lab: l, bots: bots, processors: newSemaphore(processors), width: processors,
		most: cmp.Or(maxBytes, usualMemory), heap: liveHeapBytes, jobs: map[string]*Job{}}
	c.closing, c.close = context.WithCancelCause(context.Background())
	return c
}

// liveHeapBytes returns the bytes that were in use after the last collection.
// What was allocated since is not in it.
func liveHeapBytes() uint64 {
	sample := []gauges.Sample{{Name: "/gc/heap/live:bytes"}}
	gauges.Read(sample)
	return sample[0].Value.Uint64()
}

// Resume takes up the jobs that were running or waiting when the server ended,
// and those that were paused.
// Jobs that were running come first, then those that waited, each the oldest first; paused ones only wait for
// their owners. It is called once, before the server answers.
func (c *Scheduler) Resume(ctx context.Context) error {
	for _, state := range []string{Running, Queued, Paused} {
		docs, err := c.Store.JobsIn(ctx, state, jobsWaiting)
		if err != nil {
			return err
		}
		for _, doc := range docs {
			j, err := c.decodeJob(ctx, doc)
			if err != nil {
				return err
			}
			c.mu.Lock()
			c.jobs[j.ID] = j
			if state != Paused {
				j.State = Queued
				c.queue = append(c.queue, j)
			}
			c.mu.Unlock()
		}
	}
	c.startQueued()
	return nil
}

// decodeJob makes a job of its description.
// The number of its last line is read too, so that lines go on from there.
func (c *Scheduler) decodeJob(ctx context.Context, doc []byte) (*Job, error) {
	j := &Job{scheduler: c}
	if err := json.Unmarshal(doc, &j.Record); err != nil {
		return nil, fmt.Errorf("a job: %w", err)
	}
	var err error
	j.seq, err = c.Store.LastLine(ctx, j.ID)
	return j, err
}

// Find returns the job of that id: one in hand, or a finished one.
// The error is the store's, also where there is none of that id.
func (c *Scheduler) Find(ctx context.Context, id string) (*Job, error) {
	c.mu.Lock()
	j := c.jobs[id]
	c.mu.Unlock()
	if j != nil {
		return j, nil
	}
	doc, err := c.Store.Job(ctx, id)
	if err != nil {
		return nil, err
	}
	return c.decodeJob(ctx, doc)
}

// add takes a new job in hand, or says why not.
// It is in hand before it is in the store, so that two jobs can't both take the last place.
func (c *Scheduler) add(ctx context.Context, j *Job) error {
	if err := c.checkStoredJobQuota(ctx, j.Owner); err != nil {
		return err
	}
	if err := c.admitUnfinished(j); err != nil {
		return err
	}
	if err := j.addToStore(); err != nil {
		c.forget(j)
		return err
	}
	c.enqueue(j)
	return nil
}

// admitUnfinished takes a job to those that are not finished, or says why not: there are too many, or it is
// there already.
// An owner's jobs are counted, and an address's; a place is free again once a job is over.
func (c *Scheduler) admitUnfinished(j *Job) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.jobs[j.ID] != nil {
		return service.NewProblem(409, "job.not-paused", "state", Running)
	}
	own, from := 0, 0
	for _, other := range c.jobs {
		if other.Owner == j.Owner {
			own++
		}
		if other.From == j.From && j.From != "" {
			from++
		}
	}
	switch all := len(c.jobs); {
	case own >= JobsOfOwner:
		return service.BusyProblem("jobs.unfinished", 10, "n", own)
	case from >= JobsFrom:
		return service.BusyProblem("jobs.unfinished.address", 30, "n", from)
	case all >= jobsWaiting:
		return service.BusyProblem("jobs.waiting", 30)
	}
	c.jobs[j.ID] = j
	return nil
}

// checkStoredJobQuota is an error where an owner has as many jobs as one may.
// Finished ones count until they are deleted, and learners taught by hand count too.
func (c *Scheduler) checkStoredJobQuota(ctx context.Context, owner string) error {
	kept, err := c.Store.Jobs(ctx, owner, JobsKept)
	if err == nil && len(kept) >= JobsKept {
		err = service.BusyProblem("jobs.many", 60, "n", len(kept))
	}
	return err
}

// enqueue has a job start when there is room.
func (c *Scheduler) enqueue(j *Job) {
	c.mu.Lock()
	c.addToQueue(j)
	c.mu.Unlock()
	c.startQueued()
}

// addToQueue puts a job last in the queue, unless it is there. The caller holds c.mu.
func (c *Scheduler) addToQueue(j *Job) {
	if !slices.Contains(c.queue, j) {
		c.queue = append(c.queue, j)
	}
}

// startQueued starts the jobs for which there is room.
// It is called whenever a job comes or a place becomes free, and starts none once the server closes.
func (c *Scheduler) startQueued() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for len(c.running) < jobsAtOnce && c.closing.Err() == nil {
		j := c.dequeueFairly()
		if j == nil {
			return
		}
		c.running = append(c.running, j)
		if !c.watched {
			c.watched = true
			c.wait.Go(c.watchMemory)
		}
		c.wait.Go(func() {
			// A visitor on the machine itself has all the time there is.
			ctx, cancel := c.closing, func() {}
			if c.MaxTime > 0 && !service.IsLoopback(j.From) {
				ctx, cancel = context.WithTimeoutCause(ctx, c.MaxTime, errSpent)
			}
			j.run(ctx)
			cancel()
			c.mu.Lock()
			c.running = slices.DeleteFunc(c.running, func(o *Job) bool { return o == j })
			if j.behind != nil && j.state() == Queued {
				c.addToQueue(j) // it was put back, and is started again when there is room
			}
			c.mu.Unlock()
			c.startQueued()
		})
	}
}

// dequeueFairly takes a job out of the queue: the one that waits longest, of an address and then
// of an owner with the fewest that run; nil where each address has as many as it may.
// Where there is too little memory for that one, only jobs for which none is reserved overtake it.
// The caller holds c.mu.
func (c *Scheduler) dequeueFairly() *Job {
	best := c.findFairest(func(j *Job) bool { return j.mostTaken <= j.Memory && !c.isBehind(j) || c.fits(j) })
	if best >= 0 && !c.fits(c.queue[best]) {
		best = c.findFairest(func(j *Job) bool { return j.Memory == 0 && c.fits(j) })
	}
	if best < 0 {
		return nil
	}
	j := c.queue[best]
	c.queue = slices.Delete(c.queue, best, best+1)
	j.behind = nil
	return j
}

// findFairest returns the place in the queue of the job whose turn it is, of those that may be started; -1 for
// none. The caller holds c.mu.
func (c *Scheduler) findFairest(may func(*Job) bool) int {
	busy := map[string]int{}
	for _, j := range c.running {
		busy[j.From]++
		busy[j.From+"\n"+j.Owner]++
	}
	// Only fewer than least replaces the best, so that of equals the first in the queue is taken.
	best, least := -1, [2]int{JobsEach, 0}
	for i, j := range c.queue {
		if n := [2]int{busy[j.From], busy[j.From+"\n"+j.Owner]}; (n[0] < least[0] || best >= 0 && n[0] == least[0] &&
			n[1] < least[1]) && may(j) {
			best, least = i, n
		}
	}
	return best
}

// isBehind reports whether all jobs before which one was put back run still. The caller holds c.mu.
func (c *Scheduler) isBehind(j *Job) bool {
	return len(j.behind) > 0 &&
		!slices.ContainsFunc(j.behind, func(o *Job) bool { return !slices.Contains(c.running, o) })
}

// fits reports whether there is memory for a job beside those that run: for what is reserved for it, or what it has
// taken before. There always is where none runs. A job that was put back waits for the end of another besides. An
// eighth of the memory is left for what is not counted. The caller holds c.mu.
func (c *Scheduler) fits(j *Job) bool {
	need := max(j.Memory, j.mostTaken)
	switch {
	case c.isBehind(j):
		return false
	case len(c.running) == 0 || need == 0:
		return true
	}
	for _, o := range c.running {
		need += max(o.Memory, o.memoryTaken())
	}
	return need <= int64(c.most-c.most/8)
}

// leaveQueue takes a job out of those that wait, if it is there.
func (c *Scheduler) leaveQueue(j *Job) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.queue = slices.DeleteFunc(c.queue, func(o *Job) bool { return o == j })
}

// forget lets go of a job that is finished.
// From then on it is read from the store. One that is not in hand may be forgotten again.
func (c *Scheduler) forget(j *Job) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.jobs, j.ID)
}

// watchMemory stops a job whenever there is too little memory, until no job runs. The job is put back to wait until
// others leave it room, or fails where it alone takes too much.
// It looks every memoryGlance, and waits for the job to have stopped before it looks again.
func (c *Scheduler) watchMemory() {
	tick := time.Tick(memoryGlance)
	for {
		c.mu.Lock()
		if len(c.running) == 0 {
			c.watched = false
			c.mu.Unlock()
			return
		}
		c.mu.Unlock()
		if c.heap() > c.most {
			c.stopForMemory()
			debug.FreeOSMemory() // so that the next glance sees what is left
		}
		select {
		case <-tick:
		case <-c.closing.Done():
			return
		}
	}
}

// stopForMemory stops the job that takes most beyond what is reserved for it, of equals the one that was started
// last, and waits until it has stopped.
func (c *Scheduler) stopForMemory() {
	c.mu.Lock()
	var j *Job
	most := int64(-1)
	for _, o := range c.running {
		if beyond := max(0, o.memoryTaken()-o.Memory); beyond >= most {
			j, most = o, beyond
		}
	}
	if j == nil {
		c.mu.Unlock()
		return
	}
	cause := errMemory
	if taken := j.memoryTaken(); len(c.running) > 1 && taken <= int64(c.most) {
		cause, j.mostTaken = errCrowded, max(j.mostTaken, taken)
		j.behind = slices.DeleteFunc(slices.Clone(c.running), func(o *Job) bool { return o == j })
	}
	c.mu.Unlock()
	<-j.stop(cause)
}

// memoryTaken is how many bytes the tables and frontiers of a job take.
// One that does not run takes none.
func (j *Job) memoryTaken() int64 {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.budget == nil {
		return 0
	}
	return j.budget.Used()
}

// Close stops all jobs; they go on when a server is made with the same store.
// It returns when all have stopped, with their checkpoints in the store.
func (c *Scheduler) Close() {
	c.mu.Lock() // so that whoever is starting a job has it in c.wait
	c.close(errClosing)
	c.mu.Unlock()
	c.wait.Wait()
}

// Count returns how many jobs there are in hand and how many run.
func (c *Scheduler) Count() (all, running int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.jobs), len(c.running)
}

// Register registers the operations about jobs, brains and learners.
func (c *Scheduler) Register() {
	d := &jobsAPI{c.Base, c}
	d.register()
	newContests(d).register()
	(&brains{d}).register()
	(&pupils{jobsAPI: d}).register()
}
