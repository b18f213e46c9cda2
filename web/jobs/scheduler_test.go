package jobs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"oxo"
	"oxo/lab"
	"oxo/lab/jobs"
	"oxo/web/service"
)

// TestNextJob: those of the address and the owner with the fewest that run come first.
func TestNextJob(t *testing.T) {
	c := &Scheduler{}
	of := func(from, owner string) *Job {
		j := &Job{}
		j.From, j.Owner = from, owner
		return j
	}
	c.running = []*Job{of("a", "1"), of("a", "1"), of("b", "2")}
	c.queue = []*Job{of("a", "1"), of("a", "3"), of("b", "2"), of("b", "4"), of("c", "5"), of("a", "1"), of("a", "1")}
	got := ""
	for {
		j := c.dequeueFairly()
		if j == nil {
			break
		}
		c.running = append(c.running, j)
		got += j.From + j.Owner + " "
	}
	if got != "c5 b4 a3 b2 a1 " {
		t.Errorf("in the order %s", got)
	}
	if len(c.queue) != 2 {
		t.Errorf("%d wait", len(c.queue))
	}
}

// TestTurns hands few processors round among many workers.
func TestTurns(t *testing.T) {
	turns := newSemaphore(2)
	var working, most int
	lock := make(chan struct{}, 1)
	lock <- struct{}{}
	done := make(chan struct{})
	for range 8 {
		go func() {
			defer func() { done <- struct{}{} }()
			for range 50 {
				if turns.acquire(t.Context()) != nil {
					t.Error("no turn")
					return
				}
				<-lock
				working++
				most = max(most, working)
				lock <- struct{}{}
				<-lock
				working--
				lock <- struct{}{}
				turns.release()
			}
		}()
	}
	for range 8 {
		<-done
	}
	if most > 2 || len(turns.free) != 2 || turns.contended() {
		t.Error(fmt.Sprint(most, " at once, ", len(turns.free), " free"))
	}
}

// TestShortPartEnds: a part of many short steps does not wait for as many long ones of another.
func TestShortPartEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		processors := newSemaphore(1)
		begin := time.Now()
		compute := func(steps int, step time.Duration) (lasted time.Duration) {
			own := &processorLease{ctx: t.Context(), processors: processors, away: 1}
			if err := own.reacquireProcessor(); err != nil {
				t.Error(err)
			}
			for range steps {
				time.Sleep(step)
				if own.turnIsOver() {
					own.releaseMeanwhile()()
				}
			}
			own.releaseProcessor()
			return time.Since(begin)
		}
		long := make(chan time.Duration)
		go func() { long <- compute(100, time.Second) }()
		time.Sleep(time.Millisecond)
		if short := compute(500, time.Millisecond); short > 10*time.Second {
			t.Errorf("half a second of work lasted %v", short)
		}
		if all := <-long; all > 102*time.Second {
			t.Errorf("all lasted %v", all)
		}
	})
}

// TestMemoryReserved: a job that asks for memory waits while others have it, and holds up those that ask for some and
// come after it, but no other; one that was put back waits until a job has ended and holds nobody up.
func TestMemoryReserved(t *testing.T) {
	c := &Scheduler{most: 800} // 700 for jobs
	add := func(from string, memory int64) *Job {
		j := &Job{}
		j.ID, j.From, j.Memory, j.State = from, from, memory, Queued
		c.addToQueue(j)
		c.addToQueue(j)
		return j
	}
	starts := func(want ...*Job) {
		t.Helper()
		for _, w := range append(want, nil) {
			j := c.dequeueFairly()
			if j != w {
				t.Fatalf("%+v is started, not %+v", j, w)
			}
			if j != nil {
				c.running = append(c.running, j)
			}
		}
	}
	victim, other := add("victim", 400), add("other", 300)
	starts(victim, other)
	large, small, free := add("large", 400), add("small", 10), add("free", 0)
	starts(free)
	c.running = []*Job{victim, free}
	starts()
	c.running = []*Job{other, free}
	starts(large)
	c.running = []*Job{free, other}
	starts(small)

	hog := add("hog", 10)
	hog.mostTaken, hog.behind = 200, []*Job{free, other, small}
	next := add("next", 300)
	starts(next)
	c.running = []*Job{free, small, next}
	starts(hog)
	if len(c.queue) != 0 || hog.behind != nil {
		t.Errorf("%d wait, behind %v", len(c.queue), hog.behind)
	}
}

// TestWhoMakesRoom: where the program has too much memory the job is put back that takes most beyond what is reserved
// for it, of equals the last that was started; one that takes more than all, or is alone, fails.
func TestWhoMakesRoom(t *testing.T) {
	type job struct{ taken, reserved int64 }
	for _, x := range []struct {
		jobs  []job // in the order of their start
		ends  int
		cause error
	}{
		{[]job{{10, 0}, {30, 0}, {20, 0}}, 1, errCrowded},
		{[]job{{30, 0}, {10, 0}, {20, 50}}, 0, errCrowded},
		{[]job{{40, 50}, {10, 50}, {10, 50}}, 2, errCrowded},
		{[]job{{40, 50}, {5, 0}, {10, 50}}, 1, errCrowded},
		{[]job{{0, 0}, {0, 0}, {0, 0}}, 2, errCrowded},
		{[]job{{110, 50}, {0, 0}}, 0, errMemory},
		{[]job{{0, 0}}, 0, errMemory},
		{[]job{{40, 50}}, 0, errMemory},
	} {
		synctest.Test(t, func(t *testing.T) {
			c := &Scheduler{most: 100}
			c.closing, c.close = context.WithCancelCause(t.Context())
			causes := make([]error, len(x.jobs))
			for i, size := range x.jobs {
				j := &Job{ended: make(chan struct{})}
				j.Memory = size.reserved
				var ctx context.Context
				ctx, j.budget = lab.WithBudget(t.Context(), 0)
				table := oxo.NewCharge(ctx)
				table.SetBytes(size.taken)
				go func() {
					<-ctx.Done()
					causes[i] = context.Cause(ctx)
					close(j.ended)
				}()
				c.running = append(c.running, j)
			}
			glances := 0
			c.heap = func() uint64 {
				if glances++; glances == 2 {
					c.close(errClosing)
					return 0
				}
				return 101
			}
			c.watchMemory()
			for i, cause := range causes {
				if want := map[bool]error{true: x.cause}[i == x.ends]; !errors.Is(cause, want) {
					t.Errorf("%v: the end of job %d: %v", x.jobs, i, cause)
				}
			}
			for _, j := range c.running {
				j.budget.End(nil)
			}
		})
	}
}

// noStore keeps nothing but that jobs were saved.
type noStore struct{ service.Store }

var errNone = errors.New("there is none")

func (noStore) SaveJob(string, string, []byte) error                 { return nil }
func (noStore) PutBlob(string, string, []byte) error                 { return nil }
func (noStore) Blob(context.Context, string, string) ([]byte, error) { return nil, errNone }
func (noStore) Blobs(context.Context, string) (names []string, _ []int, _ error) {
	return nil, nil, nil
}
func (noStore) DropBlobs(string, ...string) error { return nil }

// TestPutBack: a stranger's job that takes the memory is put back to wait, and runs again once the one before it has
// ended, which nothing happens to.
func TestPutBack(t *testing.T) {
	b := service.NewBase(1, slog.New(slog.DiscardHandler))
	b.Store, b.Errs.NotFound = noStore{}, errNone
	c := NewScheduler(b, nil, &lab.Lab{}, 2, 1<<30)
	defer c.Close()
	var most atomic.Int32 // jobs that there is memory for
	most.Store(2)
	c.heap = func() uint64 {
		if _, running := c.Count(); running > int(most.Load()) {
			return 2 << 30
		}
		return 0
	}
	reaches := func(j *Job, state string) {
		t.Helper()
		for j.state() != state {
			if t.Context().Err() != nil || j.state() == Failed {
				t.Fatalf("%s is %s: %s", j.ID, j.state(), j.Error)
			}
			time.Sleep(time.Millisecond)
		}
	}
	start := func(id string) *Job {
		j := &Job{scheduler: c}
		j.ID, j.Owner, j.From, j.State, j.Memory = id, id, id, Queued, 400<<20
		j.Job = jobs.Job{Verb: "prove", Game: "mnk:7,6,4+gravity", Args: json.RawMessage(`{"memory":419430400}`)}
		if err := c.admitUnfinished(j); err != nil {
			t.Fatal(err)
		}
		c.enqueue(j)
		reaches(j, Running)
		return j
	}
	victim, stranger := start("victim"), start("stranger")
	most.Store(1)
	reaches(stranger, Queued)
	if s := victim.state(); s != Running {
		t.Errorf("the victim's job is %s", s)
	}
	if err := c.Cancel(victim); err != nil {
		t.Error(err)
	}
	reaches(stranger, Running)
	most.Store(0) // which is not others' doing now
	for stranger.state() != Failed {
		time.Sleep(time.Millisecond)
	}
	if stranger.Error != errMemory.Error() {
		t.Error(stranger.Error)
	}
}
