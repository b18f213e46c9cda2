package jobs

import (
	"fmt"
	"testing"
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
		j := c.takeNext()
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
	if most > 2 || turns.free != 2 || turns.contended() {
		t.Error(fmt.Sprint(most, " at once, ", turns.free, " free"))
	}
}
