//go:build soak && unix

package web

import (
	"net/http/httptest"
	"strings"
	"syscall"
	"testing"
	"time"

	"oxo/web/service"
)

// spent returns the processor time that the process has had.
func spent() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// TestClientsLeaveAtOnce: nothing computes for more than 250 ms after its client has gone.
func TestClientsLeaveAtOnce(t *testing.T) {
	const most = 250 * time.Millisecond
	x := newTester(t, hosted(newMemory()))
	var longest time.Duration
	count := 0
	for _, h := range heavyRequests(x) {
		for _, after := range []time.Duration{30 * time.Millisecond, 150 * time.Millisecond, 600 * time.Millisecond,
			2 * time.Second} {
			var begin time.Time
			var used time.Duration
			if !x.leave(h, after, func() { begin, used = time.Now(), spent() }) {
				break
			}
			count++
			lag := min(time.Since(begin), spent()-used)
			if longest = max(longest, lag); lag > most {
				t.Errorf("%v: its client leaves at %v, and %v of processors go into it", h, after, lag)
			}
		}
	}
	t.Logf("%d clients left, and at most %v of processors went into what nobody waited for", count, longest)
}

// TestLimitsHold: no request takes more than 110 % of its limit.
func TestLimitsHold(t *testing.T) {
	x := newTester(t, hosted(newMemory()))
	x.server.Longest = 2 * time.Second
	var most float64
	for _, h := range heavyRequests(x) {
		limit := x.server.Longest + service.Short
		switch body, _ := h.body.(object); {
		case h.path == "ablate":
			limit += x.server.Longest
		case body["review"] == true:
			limit += time.Duration(1+len(body["moves"].([]string))) * x.server.Longest * reviewWork
		case strings.HasPrefix(h.path, "proofs"):
			limit = proofTime
		}
		begin, used := time.Now(), spent()
		w := httptest.NewRecorder()
		x.server.ServeHTTP(w, h.request(t.Context()))
		share := float64(min(time.Since(begin), spent()-used)) / float64(limit)
		if most = max(most, share); share > 1.1 || w.Code >= 500 {
			t.Errorf("%v: %.0f %% of its limit; %d", h, 100*share, w.Code)
		}
	}
	t.Logf("at most %.0f %% of a limit", 100*most)
}
