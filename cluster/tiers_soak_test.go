//go:build soak

package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"oxo/cluster/broker"
	"oxo/cluster/records"
	"oxo/cluster/view"
	"oxo/lab/jobs"
)

// TestTiersLarge solves 5×4, 674,794,169 positions in 188 MB of tables, with two
// workers that may use 4 MB each for it, and kills one of them at every third
// tier. It logs how much memory the processes came to.
func TestTiersLarge(t *testing.T) {
	const memory = 4 << 20
	job := jobs.Job{Verb: "solve", Game: "mnk:5,4,4",
		Args: json.RawMessage(fmt.Sprintf(`{"tiers":true,"strong":true,"memory":%d}`, memory))}
	want := alone(t, job)
	s := serve(t)
	c := open(t, Config{Server: s, Heartbeat: time.Second})
	var workers []*process
	for range 2 {
		p := &process{role: role{URL: s.URL()}}
		workers = append(workers, p)
		p.start(t)
		p.await(t)
		t.Cleanup(p.kill)
	}
	before := peak(t, workers[0])
	began := time.Now()
	id := submit(t, c, job, "")
	kills, most := 0, uint64(0)
	for stage := 3; ; stage += 3 {
		ctx, stop := context.WithCancel(t.Context())
		r, err := c.Watch(ctx, id, func(_ *records.Record, st *view.Status) {
			if st != nil && st.Stage >= stage {
				stop()
			}
		})
		stop()
		if err != nil && !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		for _, p := range workers {
			most = max(most, peak(t, p))
		}
		if err == nil {
			if r.State != records.Done {
				t.Fatalf("the job is %s: %s", r.State, r.Error)
			}
			break
		}
		p := workers[kills%2]
		p.kill()
		p.start(t)
		p.await(t)
		kills++
	}
	t.Logf("%v; %d workers killed; a worker has %.1f MB before it does anything and came to %.1f MB, of which its "+
		"part may take %.1f MB",
		time.Since(began).Round(time.Second), kills, mega(before), mega(most), mega(memory))
	sameResult(t, c, id, want)
	bare(t, c, broker.WorkStream)
	if list := shelves(t, c); len(list) > 0 {
		t.Errorf("shelves are left: %v", list)
	}
}

func mega(n uint64) float64 { return float64(n) / (1 << 20) }

// peak returns the most memory that a process has had, as Linux tells it.
func peak(t *testing.T, p *process) uint64 {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	var kilobytes uint64
	_, line, _ := strings.Cut(string(text), "VmHWM:")
	if _, err := fmt.Sscan(line, &kilobytes); err != nil {
		t.Fatal(err)
	}
	return kilobytes << 10
}
