//go:build soak

package cluster

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"oxo/cluster/records"
	"oxo/lab/jobs"
)

// oneCore makes a process that computes on one core.
var oneCore = []string{"GOMAXPROCS=1"}

// cost is what a job took.
type cost struct{ wall, cpu time.Duration }

// aloneOnOneCore carries out a job in a process of its own.
func aloneOnOneCore(t *testing.T, j jobs.Job) cost {
	t.Helper()
	p := &process{role: role{Alone: &j}, env: oneCore}
	p.start(t)
	p.await(t)
	began := time.Now()
	if err := p.cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	wall := time.Since(began)
	p.in.Close()
	return cost{wall, p.cmd.ProcessState.UserTime() + p.cmd.ProcessState.SystemTime()}
}

// cpuOf returns what a process that runs has computed so far, in hundredths of
// a second.
func cpuOf(t *testing.T, p *process) time.Duration {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.cmd.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	sum := 0
	for _, field := range fields[11:13] { // of the user and of the system
		n, err := strconv.Atoi(field)
		if err != nil {
			t.Fatal(err)
		}
		sum += n
	}
	return time.Duration(sum) * 10 * time.Millisecond
}

// onWorkers carries out a job with a server and so many workers, each a process
// on one core; the CPU time is that of all of them.
func onWorkers(t *testing.T, j jobs.Job, workers int) cost {
	t.Helper()
	addr := fmt.Sprintf("127.0.0.1:%d", freePorts(t, 1)[0])
	all := []*process{{role: role{Usual: true, Name: "s", Dir: t.TempDir(), Addr: addr}, env: oneCore}}
	for range workers {
		all = append(all, &process{role: role{Usual: true, URL: "nats://" + addr}, env: oneCore})
	}
	for _, p := range all {
		p.start(t)
		p.await(t)
	}
	c := open(t, Config{URL: "nats://" + addr})
	for n := 0; n < workers; time.Sleep(10 * time.Millisecond) {
		list, err := c.Workers(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		n = 0
		for _, w := range list {
			n += w.Slots
		}
	}
	began := time.Now()
	var before time.Duration // what beginning took
	for _, p := range all {
		before += cpuOf(t, p)
	}
	r, err := c.Submit(t.Context(), j, SubmitOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if r = await(t, c, r.ID); r.State != records.Done {
		t.Fatal(r.Error)
	}
	took := cost{time.Since(began), -before}
	c.Close()
	for _, p := range all {
		p.kill()
		took.cpu += p.cmd.ProcessState.UserTime() + p.cmd.ProcessState.SystemTime()
	}
	return took
}

// rounds is how often each figure is measured, alone and with workers in turn.
const rounds = 3

// compare measures a job alone and on workers, and returns the least of each:
// what other work on the machine adds is never less than nothing.
func compare(t *testing.T, j jobs.Job, workers int) (alone, shared cost) {
	t.Helper()
	for i := range rounds {
		a, s := aloneOnOneCore(t, j), onWorkers(t, j, workers)
		t.Logf("round %d: one core %.2f s (CPU %.2f s); %d workers %.2f s (CPU %.2f s with the server)",
			i+1, a.wall.Seconds(), a.cpu.Seconds(), workers, s.wall.Seconds(), s.cpu.Seconds())
		if i == 0 {
			alone, shared = a, s
		}
		alone = cost{min(alone.wall, a.wall), min(alone.cpu, a.cpu)}
		shared = cost{min(shared.wall, s.wall), min(shared.cpu, s.cpu)}
	}
	return alone, shared
}

// TestFigures measures what docs/cluster.md says about speed. Run it on a quiet
// machine with two cores; it takes about three minutes.
func TestFigures(t *testing.T) {
	tournament := jobs.Job{Verb: "tournament", Game: "mnk:5,5,4", Seed: 8, Args: json.RawMessage(
		`{"players":["mcts:sims=1500","heuristic","rows","random"],"games":1668}`)} // 10,008 games
	a, s := compare(t, tournament, 2)
	t.Logf("TOURNAMENT of 10,008 games: one core %.2f s, 2 workers %.2f s: %.3f × half the time (the goal is 1.1); "+
		"CPU %.3f ×",
		a.wall.Seconds(), s.wall.Seconds(), 2*s.wall.Seconds()/a.wall.Seconds(), s.cpu.Seconds()/a.cpu.Seconds())

	// Parts of about a second: as many games as that takes.
	const trial = 500_000
	seconds := long(12, int(trial/aloneOnOneCore(t, long(1, trial)).cpu.Seconds()))
	a, s = compare(t, seconds, 1)
	t.Logf("PARTS OF A SECOND: one core %.2f s, 1 worker %.2f s: overhead %.2f %% (the goal is 2); CPU %.2f %%",
		a.wall.Seconds(), s.wall.Seconds(), 100*(s.wall.Seconds()/a.wall.Seconds()-1),
		100*(s.cpu.Seconds()/a.cpu.Seconds()-1))
}
