package mcts

import (
	"runtime"
	"sync/atomic"

	"oxo"
)

// workerTeam grows one tree with several workers, where there is an evaluation. One of
// them goes down the tree and changes it; the others think about the positions
// that simulations end at, which takes more than half the time. Up to inFlight
// simulations are under way. They are counted in the order in which they began,
// whoever was how fast, so that the tree is the same each time.
//
// A simulation under way counts as a visit whose result is not known yet.
//
// Source: Liu, Chen, Yu, Zhai, Zhou and Liu, Watch the Unobserved: A Simple
// Approach to Parallelizing Monte Carlo Tree Search, ICLR (2020).
type workerTeam[P oxo.Position[P]] struct {
	s       *sampler[P]
	ring    [inFlight]task[P]
	begun   atomic.Uint64 // tasks so far; number i is at i%inFlight
	counted uint64        // of those
	over    atomic.Bool
	wait    oxo.Group
}

// inFlight is how many simulations can be under way.
const inFlight = 4

// task is a simulation whose last position somebody is to think about.
type task[P oxo.Position[P]] struct {
	simulation[P]
	state atomic.Uint32
	err   error // of a panic in thinking about it, once it is done
}

// The states of a task.
const (
	idle  = iota // none, or counted
	open         // nobody thinks about it yet
	taken        // somebody does
	done
)

// newWorkerTeam returns a team of so many workers for s, which works until it is ended.
func newWorkerTeam[P oxo.Position[P]](s *sampler[P], workers int) *workerTeam[P] {
	t := &workerTeam[P]{s: s}
	for range min(workers, runtime.GOMAXPROCS(0)) - 1 {
		t.wait.Go(t.evaluateOpenTasks)
	}
	return t
}

// finishAndStop counts what is under way and ends the others' work, which ends too where a panic comes first.
func (t *workerTeam[P]) finishAndStop() {
	defer t.wait.Wait()
	defer t.over.Store(true)
	for t.counted < t.begun.Load() {
		t.finishOldestSimulation()
	}
}

// beginSimulation begins a simulation, and counts the oldest one where too many are
// under way.
func (t *workerTeam[P]) beginSimulation() {
	s := t.s
	if s.nodes.at(1).first == 0 {
		s.simulate()
		return
	}
	begun := t.begun.Load()
	if begun-t.counted == inFlight {
		t.finishOldestSimulation()
	}
	x := &t.ring[begun%inFlight]
	if !s.descendToLeaf(&x.simulation) {
		s.backUp(&x.simulation)
		return
	}
	s.addVirtualVisits(&x.simulation)
	x.state.Store(open)
	t.begun.Store(begun + 1)
}

// finishOldestSimulation counts the oldest simulation under way, and thinks about it if nobody
// does yet.
func (t *workerTeam[P]) finishOldestSimulation() {
	x := &t.ring[t.counted%inFlight]
	if x.state.CompareAndSwap(open, taken) {
		t.evaluate(x)
	}
	for i := 0; x.state.Load() != done; i++ {
		yieldIfWaiting(i)
	}
	if x.err != nil {
		panic(x.err)
	}
	x.state.Store(idle)
	t.counted++
	t.s.expandEvaluatedLeaf(&x.simulation)
	t.s.backUp(&x.simulation)
}

// evaluate thinks about a task that was taken.
func (t *workerTeam[P]) evaluate(x *task[P]) {
	x.err = oxo.CatchPanic(func() error {
		t.s.evaluateMovesOfLeaf(&x.simulation)
		return nil
	})
	x.state.Store(done)
}

// evaluateOpenTasks thinks about one task after the other.
func (t *workerTeam[P]) evaluateOpenTasks() {
	for i := uint64(0); ; i++ {
		begun := t.begun.Load()
		for n := 0; begun <= i; n++ {
			if t.over.Load() {
				return
			}
			yieldIfWaiting(n)
			begun = t.begun.Load()
		}
		if begun-i > inFlight {
			i = begun - inFlight
		}
		if x := &t.ring[i%inFlight]; x.state.CompareAndSwap(open, taken) {
			t.evaluate(x)
		}
	}
}

// yieldIfWaiting lets others go on after one has waited for a while, polls being how often one
// has looked.
func yieldIfWaiting(polls int) {
	if polls > 200 {
		runtime.Gosched()
	}
}

// addVirtualVisits counts x, which is to be thought about, as a visit without a result.
func (s *sampler[P]) addVirtualVisits(x *simulation[P]) {
	x.awaited = true
	for i := range x.path {
		e := s.edges.at(x.path[i].edge)
		n := s.nodes.at(e.node & nodeIndex)
		e.visits++
		n.virtualVisits++
		e.bonus = n.prior / float32(e.visits+1)
	}
}
