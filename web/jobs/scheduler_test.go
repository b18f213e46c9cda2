package jobs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"oxo"
	"oxo/lab"
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

// TestLargestJobEnds: where the program has too much memory the job ends that takes most of it,
// whenever it was started, and no other.
func TestLargestJobEnds(t *testing.T) {
	type job struct{ taken, asked int64 }
	for _, x := range []struct {
		jobs []job // in the order of their start
		ends int
	}{
		{[]job{{10, 0}, {30, 0}, {20, 0}}, 1},
		{[]job{{30, 0}, {10, 0}, {20, 50}}, 0}, // what is taken comes before what was asked for
		{[]job{{0, 20}, {0, 30}, {0, 10}}, 1},
		{[]job{{0, 0}, {0, 0}, {0, 0}}, 0},
		{[]job{{0, 0}, {0, 0}, {1, 0}}, 2},
	} {
		synctest.Test(t, func(t *testing.T) {
			c := &Scheduler{most: 1}
			c.closing, c.close = context.WithCancelCause(t.Context())
			causes := make([]error, len(x.jobs))
			for i, size := range x.jobs {
				j := &Job{ended: make(chan struct{})}
				j.Args = json.RawMessage(fmt.Sprintf(`{"memory":%d}`, size.asked))
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
				return 2
			}
			c.watchMemory()
			for i, cause := range causes {
				if errors.Is(cause, errMemory) != (i == x.ends) {
					t.Errorf("%v: the end of job %d: %v", x.jobs, i, cause)
				}
			}
			for _, j := range c.running {
				j.budget.End(nil)
			}
		})
	}
}
