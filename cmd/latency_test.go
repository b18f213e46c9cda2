package cmd

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// latencies are times of answers.
type latencies struct {
	mu    sync.Mutex
	times []time.Duration
}

func (l *latencies) add(d time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.times = append(l.times, d)
}

// String tells the percentiles.
func (l *latencies) String() string {
	if len(l.times) == 0 {
		return "no answers"
	}
	slices.Sort(l.times)
	at := func(share float64) time.Duration {
		return l.times[int(share*float64(len(l.times)-1))].Round(10 * time.Microsecond)
	}
	return fmt.Sprintf("%d answers: p50 %v, p90 %v, p99 %v, p99.9 %v, worst %v", len(l.times), at(.5), at(.9), at(.99),
		at(.999), at(1))
}

// usage returns what a process has used: the memory it holds, the most it held,
// and the time of processors.
func usage(t *testing.T, s *running) string {
	t.Helper()
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.process.Process.Pid))
	if err != nil {
		t.Logf("memory is read from /proc: %v", err)
		return ""
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", s.process.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	fields := strings.Fields(string(stat))
	var ticks [2]int // of 10 ms, of the program and of the system for it
	for i := range ticks {
		if ticks[i], err = strconv.Atoi(fields[13+i]); err != nil {
			t.Fatal(err)
		}
	}
	told := []string{fmt.Sprintf("CPU %d.%02d s", (ticks[0]+ticks[1])/100, (ticks[0]+ticks[1])%100)}
	for line := range strings.Lines(string(data)) {
		if name, value, _ := strings.Cut(line, ":"); name == "VmRSS" || name == "VmHWM" {
			told = append(told, name+" "+strings.TrimSpace(value))
		}
	}
	return strings.Join(told, ", ")
}
