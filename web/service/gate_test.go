package service

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"oxo"
)

// at is a context of a request from an address, of an owner there.
func at(address, owner string) context.Context {
	return context.WithValue(context.Background(), askerKey{}, asker{Address: address, owner: owner})
}

// TestGateIsFair: however many requests of one address wait, one of another is next,
// and within an address one of another owner.
func TestGateIsFair(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewGate(1)
		leave, err := g.Enter(at("x", ""))
		if err != nil {
			t.Fatal(err)
		}
		order := make(chan string, 20)
		wait := func(address, owner string) {
			go func() {
				leave, err := g.Enter(at(address, owner))
				if err != nil {
					t.Error(err)
					return
				}
				order <- address + owner
				leave()
			}()
			synctest.Wait()
		}
		for range 6 {
			wait("a", "1")
		}
		wait("b", "1")
		wait("a", "2")
		leave()
		synctest.Wait()
		close(order)
		got := ""
		for who := range order {
			got += who + " "
		}
		if got != "a1 b1 a2 a1 a1 a1 a1 a1 " {
			t.Errorf("served %s", got)
		}
	})
}

// TestGateTurnsAway: what one address has too much is turned away and nobody else's, and
// who has gone is out of the queue at once.
func TestGateTurnsAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewGate(1)
		leave, err := g.Enter(at("a", ""))
		if err != nil {
			t.Fatal(err)
		}
		var refused atomic.Int64
		for range QueueLength + 5 {
			go func() {
				if _, err := g.Enter(at("a", "")); err != nil {
					refused.Add(1)
				}
			}()
			synctest.Wait()
		}
		if n := refused.Load(); n != 5 {
			t.Errorf("%d refused", n)
		}
		gone, cancel := context.WithCancel(at("b", ""))
		ended := make(chan error, 1)
		go func() { _, err := g.Enter(gone); ended <- err }()
		synctest.Wait()
		if _, waiting := g.Load(); waiting != QueueLength+1 {
			t.Errorf("%d wait", waiting)
		}
		cancel()
		if err := <-ended; err == nil {
			t.Error("who has gone was let in")
		}
		if _, waiting := g.Load(); waiting != QueueLength {
			t.Errorf("%d wait", waiting)
		}
		time.Sleep(Patience + time.Second)
		synctest.Wait()
		if running, waiting := g.Load(); running != 1 || waiting != 0 {
			t.Errorf("%d run and %d wait after the longest wait", running, waiting)
		}
		leave()
		if running, _ := g.Load(); running != 0 {
			t.Errorf("%d run", running)
		}
	})
}

// TestShortWorkAlone: the short work of an address that computes nothing else does not wait for
// that of another which has a lot to be computed, and is not cut off where it gets no processor.
func TestShortWorkAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := NewBase(1, nil)
		many, cancel := context.WithCancel(at("many", ""))
		var all sync.WaitGroup
		for range 12 {
			all.Go(func() {
				_ = s.Compute(many, time.Hour, false, func(ctx context.Context) error {
					<-ctx.Done()
					return ctx.Err()
				})
			})
			time.Sleep(short.time / 4)
		}
		for range 20 {
			begun, now := 0, time.Now()
			err := s.Compute(at("one", ""), time.Second, false, func(ctx context.Context) error {
				begun++
				select {
				case <-time.After(short.time - 1): // as on a machine with much else to do
					return nil
				case <-ctx.Done():
					return ctx.Err()
				}
			})
			if took := time.Since(now); err != nil || begun != 1 || took >= short.time {
				t.Fatalf("begun %d times and done after %v: %v", begun, took, err)
			}
		}
		cancel()
		all.Wait()
		if n := s.computing.Sum(); n != 0 {
			t.Errorf("%d compute in the end", n)
		}
	})
}

// TestCompute: short work is done at once while all slots for long work are taken, long
// work is begun again in one of these and cut off at its limit, and ends with its client.
func TestCompute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := NewBase(1, nil)
		work := func(d time.Duration, begun *int) func(context.Context) error {
			return func(ctx context.Context) error {
				*begun++
				select {
				case <-time.After(d):
					return nil
				case <-ctx.Done():
					return ctx.Err()
				}
			}
		}
		var long, brief int
		began, ended := time.Now(), make(chan time.Duration, 1)
		go func() {
			err := s.Compute(at("a", ""), 5*time.Second, false, work(time.Hour, &long))
			if !errors.Is(err, ErrSpent) || !IsProblem(err) {
				t.Error(err)
			}
			ended <- time.Since(began)
		}()
		time.Sleep(time.Second)
		now := time.Now()
		if err := s.Compute(at("b", ""), 5*time.Second, false, work(Short/2, &brief)); err != nil ||
			time.Since(now) > Short {
			t.Errorf("short work beside long work: %v after %v", err, time.Since(now))
		}
		if took := <-ended; long != 2 || brief != 1 || took != short.time+5*time.Second {
			t.Errorf("long work was begun %d times and short work %d times; %v", long, brief, took)
		}
		ctx, cancel := context.WithCancel(at("a", ""))
		time.AfterFunc(time.Second, cancel)
		now = time.Now()
		_ = s.Compute(ctx, 5*time.Second, false, work(time.Hour, &long)) // nobody is there for the answer
		if took := time.Since(now); took != time.Second {
			t.Errorf("it ended %v after its client had come, who stayed for 1 s", took)
		}
		cancel()
		for _, g := range []*Gate{s.Heavy, s.Alone, s.Brief} {
			if running, waiting := g.Load(); running+waiting != 0 {
				t.Errorf("left %d running and %d waiting", running, waiting)
			}
		}
		if err := s.Compute(at("a", ""), time.Second, true,
			func(context.Context) error { return errors.New("no") }); fmt.Sprint(err) != "no" {
			t.Error(err)
		}
	})
}

// TestComputeMemory: work whose tables take more than a request may have is told so.
func TestComputeMemory(t *testing.T) {
	err := NewBase(1, nil).Compute(t.Context(), time.Hour, true, func(ctx context.Context) error {
		c := oxo.NewCharge(ctx)
		c.SetBytes(requestMemory)
		if ctx.Err() != nil {
			t.Error("ended at its limit")
		}
		c.SetBytes(requestMemory + 1)
		return ctx.Err()
	})
	if !errors.Is(err, oxo.ErrMemory) || !IsProblem(err) {
		t.Error(err)
	}
}
